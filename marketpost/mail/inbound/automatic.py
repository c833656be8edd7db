"""Recognise mail that no person wrote: automatic replies, lists, receipts, calendars and bounces."""

import re
from collections.abc import Iterator

from marketpost.mail.inbound.habits import folded, pattern
from marketpost.mail.inbound.mime import Part, children, param, parts, text_of, value, words_of

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}(?![\w.@-])")
STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
CODE = re.compile(r"(?<![\d.-])(?:4[2-5]\d|5[0-7]\d)(?=[ -])")
DAEMONS = frozenset({"mailer-daemon", "mailerdaemon", "postmaster", "mail-daemon", "mdaemon", "mail.daemon"})
"""Local parts from which mail systems send."""
MARKS = (
    "X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Reply", "X-AutoReply-From", "X-Mail-Autoreply",
    "X-Auto-Response-Suppress", "X-Vacation", "X-FC-MachineGenerated", "X-Cron-Env", "Auto-Reply", "X-Amazon-Auto-Reply",
)  # fmt: skip
"""Headers of automatic replies."""
LISTS = (
    "List-Id", "List-Post", "List-Unsubscribe", "X-Mailing-List", "Mailing-List", "X-Mailman-Version", "X-BeenThere",
    "X-Google-Group-Id",
)  # fmt: skip
"""Headers of mailing lists."""
ACTIONS = frozenset({"failed", "delayed", "delivered", "relayed", "expanded"})
READ = 20_000


def why_automatic(message: Part) -> str | None:
    """Return why nobody wrote this message by hand; `None` if somebody may have."""
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
    if pattern("automatic", "subjects").match(subject):
        return "subject: automatic reply"
    return "from a mail system" if _is_daemon(message) else None


def _is_daemon(message: Part) -> bool:
    found = ADDRESS.findall(value(message, "From"))
    return any(each.partition("@")[0].lower() in DAEMONS for each in found[:3])


def find_bounce(message: Part) -> str | None:
    """Return what a bounce says about one of our letters, in the standard form or a usual other one; `None` if it is none.

    Only `failed` is a failure, and it may be forged: what counts is the bounce address it came to.
    """
    reports = [part for part in parts(message) if part.get_content_type() == "message/delivery-status"]
    told = [action for part in reports for block in children(part) if (action := _action(block)) in ACTIONS]
    if told:
        return "failed" if "failed" in told else told[0]
    return _other(message) if _looks_returned(message) else None


def _action(block: Part) -> str:
    return value(block, "Action").partition(" ")[0].partition("(")[0].strip().lower()


def _texts(message: Part) -> Iterator[str]:
    for part in parts(message):
        if part.get_content_maintype() == "text" and not part.is_multipart():
            yield text_of(part)[:READ]


def _looks_returned(message: Part) -> bool:
    """Whether a message without a standard report looks like a bounce."""
    failed = bool(value(message, "X-Failed-Recipients"))
    returned = value(message, "Return-Path").strip() == "<>" or _is_daemon(message)
    subject = folded(words_of(value(message, "Subject"))[:300])
    return failed or (returned and bool(pattern("automatic", "bounces").search(subject)))


def _other(message: Part) -> str:
    """Return `delayed` or `failed` for a bounce without a standard report."""
    text = "\n".join(_texts(message))[:READ]
    subject = words_of(value(message, "Subject"))[:300]
    status = STATUS.search(text) or CODE.search(text)
    late = bool(pattern("automatic", "delayed").search(folded(f"{subject} {text[:600]}"))) and not value(message, "X-Failed-Recipients")
    return "delayed" if late or (status and status.group().startswith("4")) else "failed"
