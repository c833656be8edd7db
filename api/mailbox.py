"""`/mailbox`: the local mailbox as a plain page, for a browser on this machine and only while no mail server is set."""

import hashlib
import hmac
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, redirect, render_template_string, request, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from api.auth import OPEN
from mail.carrier import is_loopback
from store.mailbox import Mail, Mailbox, write_reply

Receive: TypeAlias = Callable[[bytes, list[str]], object]
"""The door for replies: the bytes of a mail and the addresses it was sent to."""
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
LONGEST_REPLY = 20_000
LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]]")
# The HTML of a mail stands in a frame of its own, which inherits this policy: no script, nothing from elsewhere.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{ title }} – Marketpost</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; margin: 1rem auto; padding: 0 1rem; color: #222; background: #fff }
pre { overflow-x: auto; background: #f6f4ef; padding: 1rem } td, th { text-align: left; padding: .1rem 1rem .1rem 0 }
iframe { width: 100%; height: 40rem; border: 1px solid #999 } textarea { width: 100%; box-sizing: border-box; font: 1rem monospace }
.new { font-weight: bold } label { display: block }
</style></head><body>
<p><a href="{{ url_for('mailbox.addresses') }}">Mailbox</a>
{% if address %} › <a href="{{ url_for('mailbox.mails', address=address) }}">{{ address }}</a>{% endif %}</p>
<h1>{{ title }}</h1>
"""

ADDRESSES = (
    PAGE
    + """<p>No mail server is set, so mails stay here. Read them, and answer them, as everyone you invited.</p>
{% if found %}<table><tr><th>Address</th><th>Mails</th><th>New</th></tr>
{% for name, mails, unread in found %}
<tr{% if unread %} class="new"{% endif %}><td><a href="{{ url_for('mailbox.mails', address=name) }}">{{ name }}</a></td>
<td>{{ mails }}</td><td>{{ unread or '' }}</td></tr>{% endfor %}</table>
{% else %}<p>No mail yet.</p>{% endif %}</body></html>"""
)

MAILS = (
    PAGE
    + """<table><tr><th>No.</th><th>Time (UTC)</th><th>Subject</th></tr>
{% for line in lines %}<tr{% if not line.read %} class="new"{% endif %}><td>{{ line.number }}</td><td>{{ when(line.head.at) }}</td>
<td><a href="{{ url_for('mailbox.mail', address=address, number=line.number) }}">{{ line.head.subject or '(no subject)' }}</a></td></tr>
{% endfor %}</table></body></html>"""
)

MAIL = (
    PAGE
    + """{% if told %}<p role="status"><strong>{{ told }}</strong></p>{% endif %}
<table>{% for name in ('From', 'To', 'Reply-To', 'Date') %}{% if mail.header(name) %}
<tr><th scope="row">{{ name }}</th><td>{{ mail.header(name) }}</td></tr>{% endif %}{% endfor %}</table>
<pre>{{ text }}</pre>
{% for attachment in mail.attachments %}<p>Attached:
<a href="{{ url_for('mailbox.attachment', address=address, number=number, part=loop.index) }}">{{ attachment.name }}</a>
({{ attachment.content | length }} bytes)</p>{% endfor %}
{% if mail.reply_to %}<form method="post" action="{{ url_for('mailbox.reply', address=address, number=number) }}">
<input type="hidden" name="token" value="{{ token }}">
<label for="text">Answer as {{ address }} to {{ mail.reply_to }}</label>
<textarea id="text" name="text" rows="8" maxlength="{{ longest }}" required></textarea>
<button>Send the answer</button></form>{% endif %}
{% if mail.html %}<h2>The same as HTML</h2>
<iframe sandbox="" referrerpolicy="no-referrer" title="The mail as HTML" srcdoc="{{ mail.page }}"></iframe>{% endif %}</body></html>"""
)


class _Pages:
    def __init__(self, mailbox: Mailbox, receive: Receive, secret: str, is_open: bool) -> None:
        self.mailbox, self.receive, self.is_open = mailbox, receive, is_open
        self.key = hashlib.sha256(f"mailbox {secret}".encode()).digest()

    def guard(self) -> None:
        """For everyone else this page does not exist. A proxy would make every client look like one of this machine."""
        by_proxy = any(name in request.headers for name in FORWARDED)
        host = urlsplit(f"//{request.host}").hostname or ""
        if not self.is_open or by_proxy or not is_loopback(request.remote_addr or "") or not is_loopback(host):
            abort(404)

    def token(self, address: str, number: int) -> str:
        return hmac.new(self.key, f"{address} {number}".encode(), hashlib.sha256).hexdigest()

    def find(self, address: str, number: int) -> Mail:
        return self.mailbox.read(address, number) or abort(404)

    def addresses(self) -> str:
        return render_template_string(ADDRESSES, title="Mailbox", found=self.mailbox.addresses())

    def mails(self, address: str) -> str:
        lines = self.mailbox.list(address) or abort(404)
        return render_template_string(MAILS, title=address, address=address, lines=lines, when=_when)

    def mail(self, address: str, number: int) -> str:
        mail = self.find(address, number)
        self.mailbox.mark_read(address, number)
        told = "Your answer is on its way. What comes back will be in the list." if "sent" in request.args else ""
        return self._show(mail, address, number, told)

    def _show(self, mail: Mail, address: str, number: int, told: str) -> str:
        return render_template_string(
            MAIL,
            title=mail.header("Subject") or "(no subject)",
            address=address,
            number=number,
            mail=mail,
            text=_linked(mail.text),
            token=self.token(address, number),
            longest=LONGEST_REPLY,
            told=told,
        )

    def reply(self, address: str, number: int) -> AnyResponse | tuple[str, int]:
        if not self._from_our_own_page(address, number):
            abort(403)
        mail = self.find(address, number)
        text = request.form.get("text", "").replace("\r\n", "\n")
        if not text.strip() or len(text) > LONGEST_REPLY or not mail.reply_to:
            return self._show(mail, address, number, "Nothing was sent: the answer is empty or too long."), 400
        self.receive(write_reply(mail, address, text), [mail.reply_to])
        return redirect(url_for("mailbox.mail", address=address, number=number, sent=1), 303)

    def _from_our_own_page(self, address: str, number: int) -> bool:
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        given = request.form.get("token", "").encode()
        right = hmac.compare_digest(given, self.token(address, number).encode())
        return right and site == "same-origin" and origin in {None, request.host_url.rstrip("/")}

    def attachment(self, address: str, number: int, part: int) -> Response:
        attachments = self.find(address, number).attachments
        if not 1 <= part <= len(attachments):
            abort(404)
        found = attachments[part - 1]
        response = make_response(found.content)
        response.headers["Content-Type"] = "application/octet-stream"
        response.headers.set("Content-Disposition", "attachment", filename=found.name)
        return response


def mailbox_pages(mailbox: Mailbox, receive: Receive, secret: str, is_open: bool) -> Blueprint:
    """To be registered with the app. `is_open` only while no `SMTP_URL` is set and the service is for this machine."""
    pages = _Pages(mailbox, receive, secret, is_open)
    blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")
    blueprint.before_request(pages.guard)
    blueprint.after_request(_protect)
    for rule, view, methods in (
        ("", pages.addresses, ["GET"]),
        ("/<address>", pages.mails, ["GET"]),
        ("/<address>/<int:number>", pages.mail, ["GET"]),
        ("/<address>/<int:number>", pages.reply, ["POST"]),
        ("/<address>/<int:number>/<int:part>", pages.attachment, ["GET"]),
    ):
        made: Any = partial(view)
        made.access = OPEN  # to whoever passes the guard
        blueprint.add_url_rule(rule, view.__name__, made, methods=methods)
    return blueprint


def is_private(public_url: str, smtp_url: str | None, proxies: int = 0) -> bool:
    """Whether this service may show its mailbox: it sends no mail, and is reached on this machine only."""
    return not smtp_url and not proxies and is_loopback(urlsplit(public_url).hostname or "")


def _protect(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _linked(text: str) -> Markup:
    """Text for a page, with its addresses of pages as links."""
    done, at = Markup(""), 0
    for found in LINK.finditer(text):
        link = Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(found[0])
        done, at = done + escape(text[at : found.start()]) + link, found.end()
    return done + escape(text[at:])
