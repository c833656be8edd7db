"""Mail that no person wrote: automatic replies, lists, receipts, calendars, and mail that comes back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mail.bytes import Part, param, parts, text_of, value, words_of
from mail.habits import folded, pattern

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}(?![\w.@-])")
MESSAGE_ID = re.compile(r"<[^<>\s@]{1,400}@[^<>\s@]{1,400}>")
RETURNED_ID = re.compile(r"^\s*message-id\s*:\s*(<[^<>\s]{1,800}>)", re.I | re.M)
STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
CODE = re.compile(r"(?<![\d.-])(?:4[2-5]\d|5[0-7]\d)(?=[ -])")
DAEMONS = frozenset({"mailer-daemon", "mailerdaemon", "postmaster", "mail-daemon", "mdaemon", "mail.daemon"})
MARKS = (
    *(
        "X-Autoreply",
        "X-Autorespond",
        "X-Autoresponder",
        "X-Auto-Reply",
        "X-AutoReply-From",
        "X-Mail-Autoreply",
        "X-Auto-Response-Suppress",
    ),
    *("X-Vacation", "X-FC-MachineGenerated", "X-Cron-Env", "Auto-Reply", "X-Amazon-Auto-Reply"),
)
LISTS = (
    "List-Id",
    "List-Post",
    "List-Unsubscribe",
    "X-Mailing-List",
    "Mailing-List",
    "X-Mailman-Version",
    "X-BeenThere",
    "X-Google-Group-Id",
)
ACTIONS = frozenset({"failed", "delayed", "delivered", "relayed", "expanded"})
READ = 20_000


@dataclass(frozen=True, slots=True)
class Bounce:
    """A mail of ours came back, or is on its way. Only `failed` is a failure, and it may be forged: compare the ids."""

    action: str
    status: str | None = None
    recipient: str | None = None
    message_id: str | None = None


def why_automatic(message: Part) -> str | None:
    """Why nobody wrote this mail by hand; `None` if somebody may have."""
    submitted = value(message, "Auto-Submitted").partition(";")[0].partition("(")[0].strip().lower()
    precedence = value(message, "Precedence").strip().lower()
    if submitted and submitted != "no":
        return f"Auto-Submitted: {submitted[:40]}"
    if precedence in ("bulk", "list", "junk", "auto_reply", "auto-reply"):
        return f"Precedence: {precedence}"
    for name in (*MARKS, *LISTS):
        if value(message, name).lower() not in ("", "no", "none", "false"):
            return name
    if value(message, "Return-Path") == "<>":
        return "Return-Path: <>"
    return _by_content(message) or _by_subject(message)


def _by_content(message: Part) -> str | None:
    if message.get_content_type() == "multipart/report":
        return f"report: {param(message, 'report-type').lower() or 'unknown'}"
    for part in parts(message):
        if part.get_content_type() in ("message/disposition-notification", "message/delivery-status", "message/feedback-report"):
            return part.get_content_type()
        if part.get_content_type() == "text/calendar" and param(part, "method"):
            return f"calendar: {param(part, 'method').lower()}"
    return None


def _by_subject(message: Part) -> str | None:
    subject = folded(words_of(value(message, "Subject"))[:300]).lstrip("[(* ")
    if pattern("automatic", "receipts").match(subject):
        return "subject: receipt"
    if any_subject(subject):
        return "subject: automatic reply"
    return "from a mail system" if _is_daemon(message) else None


def any_subject(subject: str) -> bool:
    return bool(pattern("automatic", "subjects").match(subject))


def _is_daemon(message: Part) -> bool:
    found = ADDRESS.findall(value(message, "From"))
    return any(each.partition("@")[0].lower() in DAEMONS for each in found[:3])


def find_bounce(message: Part) -> Bounce | None:
    """The report of a mail that came back, in the standard form or one of the usual others."""
    blocks = [block for part in parts(message) if part.get_content_type() == "message/delivery-status" for block in _blocks(part)]
    told = [bounce for block in blocks if (bounce := _standard(block, message))]
    if told:
        return next((bounce for bounce in told if bounce.action == "failed"), told[0])
    return _other(message) if _looks_returned(message) else None


def _blocks(part: Part) -> list[Part]:
    payload: object = part.get_payload() if part.is_multipart() else []
    return [each for each in payload if isinstance(each, type(part))] if isinstance(payload, list) else []


def _standard(block: Part, message: Part) -> Bounce | None:
    action = value(block, "Action").partition(" ")[0].partition("(")[0].strip().lower()
    if action not in ACTIONS:
        return None
    status = STATUS.search(value(block, "Status"))
    return Bounce(
        action,
        status.group() if status else None,
        _recipient(value(block, "Final-Recipient")),
        _returned_id(message),
    )


def _recipient(header: str) -> str | None:
    found = ADDRESS.search(header.rpartition(";")[2])
    return found.group().lower() if found else None


def _returned_id(message: Part) -> str | None:
    """The id of the mail that came back: from the enclosed mail or its headers, else from words in the report."""
    for part in list(parts(message))[1:]:
        if found := MESSAGE_ID.search(value(part, "Message-ID")):
            return found.group()
    for text in _texts(message):
        if quoted := RETURNED_ID.search(text):
            return quoted.group(1)
    return None


def _texts(message: Part) -> Iterator[str]:
    for part in parts(message):
        if part.get_content_maintype() == "text" and not part.is_multipart():
            yield text_of(part)[:READ]


def _looks_returned(message: Part) -> bool:
    failed = bool(value(message, "X-Failed-Recipients"))
    returned = value(message, "Return-Path").strip() == "<>" or _is_daemon(message)
    subject = folded(words_of(value(message, "Subject"))[:300])
    return failed or (returned and bool(pattern("automatic", "bounces").search(subject)))


def _other(message: Part) -> Bounce:
    text = "\n".join(_texts(message))[:READ]
    subject = words_of(value(message, "Subject"))[:300]
    status = STATUS.search(text) or CODE.search(text)
    late = bool(pattern("automatic", "delayed").search(folded(f"{subject} {text[:600]}"))) and not value(message, "X-Failed-Recipients")
    recipient = ADDRESS.search(value(message, "X-Failed-Recipients")) or ADDRESS.search(text)
    return Bounce(
        "delayed" if late or (status and status.group().startswith("4")) else "failed",
        status.group() if status else None,
        recipient.group().lower() if recipient else None,
        _returned_id(message),
    )
