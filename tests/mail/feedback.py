"""Complaints as mail providers send them: our letter, wrapped by hand in the forms of several feedback loops."""

from collections.abc import Callable

from tests.mail.desk import Brought

HEAD = """From: Feedback loop <fbl@provider.example>
To: complaints@games.test
Subject: FW: a letter
Message-ID: <{number}.fbl@provider.example>
MIME-Version: 1.0
Content-Type: {kind}; boundary="part"

--part
Content-Type: text/plain; charset=us-ascii

This is an email abuse report for a message received from 192.0.2.1.
"""
REPORT = """
--part
Content-Type: message/feedback-report

Feedback-Type: {feedback}
User-Agent: SomeGenerator/1.0
Version: 1
{more}"""
REPORT_TYPE = "multipart/report; report-type=feedback-report"


def arf(brought: Brought, feedback: str = "abuse", number: int = 1) -> bytes:
    """The whole letter, with its envelope in the report (RFC 5965, appendix B.2)."""
    more = f"Original-Mail-From: <{brought.sender}>\nOriginal-Rcpt-To: <{brought.recipient}>\n"
    return _wrapped(REPORT_TYPE, REPORT.format(feedback=feedback, more=more), "message/rfc822", brought.mail.raw, number)


def redacted(brought: Brought, feedback: str = "abuse", number: int = 1) -> bytes:
    """The same without any address of the recipient or the envelope."""
    letter = brought.mail.raw.replace(brought.recipient.encode(), b"redacted@provider.example")
    return _wrapped(REPORT_TYPE, REPORT.format(feedback=feedback, more=""), "message/rfc822", letter, number)


def headers_only(brought: Brought, feedback: str = "abuse", number: int = 1) -> bytes:
    """The header of the letter alone, after the provider has noted where it came from."""
    letter = f"Return-Path: <{brought.sender}>\r\n".encode() + brought.mail.raw.partition(b"\r\n\r\n")[0] + b"\r\n"
    return _wrapped(REPORT_TYPE, REPORT.format(feedback=feedback, more=""), "text/rfc822-headers", letter, number)


def letter_alone(brought: Brought, feedback: str = "abuse", number: int = 1) -> bytes:
    """The letter in a plain mail without a report, as one large provider sends it."""
    return _wrapped("multipart/mixed", "", "message/rfc822", brought.mail.raw, number)


def _wrapped(kind: str, report: str, letter_type: str, letter: bytes, number: int) -> bytes:
    head = (HEAD.format(kind=kind, number=number) + report + f"\n--part\nContent-Type: {letter_type}\n\n").replace("\n", "\r\n")
    return head.encode() + letter + b"\r\n--part--\r\n"


FORMS: dict[str, Callable[[Brought, str, int], bytes]] = {form.__name__: form for form in (arf, redacted, headers_only, letter_alone)}
"""Each form by its name."""
