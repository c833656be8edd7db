"""`/mailbox`: the local mailbox as a web mail program, for browsers on this machine while no mail server is set."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from api.http.auth import Permission, declared
from marketpost.mail.inbound.player_message import is_now
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.smtp_server_url import is_loopback
from marketpost.play.log.game import GameStatus
from marketpost.store.local_mailbox import LocalMailbox, MailboxMessage, write_reply
from marketpost.web.page_language import say
from marketpost.web.pages import dressed

Receive: TypeAlias = Callable[[bytes, list[str]], object]
"""Receives a reply: the bytes of the message and its recipients."""
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
"""Headers by which a request that came through a proxy is recognised."""
Suggest: TypeAlias = Callable[[str], list[str]]
"""Suggests replies to this reply address."""
REPLY = re.compile(r"play\+([a-z2-7]+)@")
LONGEST_REPLY = 20_000
LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]]")
# The HTML of a mail stands in a frame of its own, which inherits this policy: no script, nothing from elsewhere.
POLICY = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"


class _Pages:
    """The views of the mailbox."""

    def __init__(self, mailbox: LocalMailbox, receive: Receive, secret: str, is_open: bool, suggest: Suggest) -> None:
        self.mailbox, self.receive, self.is_open, self.suggest = mailbox, receive, is_open, suggest
        self.key = hashlib.sha256(f"mailbox {secret}".encode()).digest()

    def guard(self) -> None:
        """Answer 404 to clients of other machines and to requests that a proxy forwarded."""
        by_proxy = any(name in request.headers for name in FORWARDED)
        host = urlsplit(f"//{request.host}").hostname or ""
        if not self.is_open or by_proxy or not is_loopback(request.remote_addr or "") or not is_loopback(host):
            abort(404)

    def token(self, address: str, number: int) -> str:
        """Return the key of the reply form of one letter, against cross-site requests."""
        return hmac.new(self.key, f"{address} {number}".encode(), hashlib.sha256).hexdigest()

    def find(self, address: str, number: int) -> MailboxMessage:
        """Return a letter; 404 if there is none."""
        return self.mailbox.read(address, number) or abort(404)

    def addresses(self) -> str:
        """List the addresses that have letters."""
        return self._render(title=say("mailbox.title"))

    def mails(self, address: str) -> str:
        """List the letters to one address."""
        lines = self.mailbox.list(address) or abort(404)
        return self._render(title=address, address=address, lines=lines)

    def mail(self, address: str, number: int) -> str:
        """Show a letter and mark it as read."""
        mail = self.find(address, number)
        self.mailbox.mark_read(address, number)
        return self._show(mail, address, number, say("mailbox.sent") if "sent" in request.args else "")

    def raw(self, address: str, number: int) -> Response:
        """Return the raw letter for programs, without marking it as read."""
        return Response(self.find(address, number).raw, mimetype="message/rfc822")

    def unread(self, address: str) -> Response:
        """Return the numbers of unread letters for programs."""
        numbers = [line.number for line in self.mailbox.list(address) if not line.read]
        return Response(json.dumps({"unread": numbers}), mimetype="application/json")

    def _show(self, mail: MailboxMessage, address: str, number: int, told: str) -> str:
        return self._render(
            title=mail.header("Subject") or say("mailbox.no-subject"),
            address=address,
            lines=self.mailbox.list(address),
            number=number,
            mail=mail,
            html=mail.page,
            text=_linked(mail.text),
            suggested=self.suggest(mail.reply_to),
            token=self.token(address, number),
            longest=LONGEST_REPLY,
            told=told,
        )

    def _render(self, **shown: Any) -> str:
        return render_template("mailbox.html", found=self.mailbox.addresses(), when=_when, **shown)

    def reply(self, address: str, number: int) -> AnyResponse | tuple[str, int]:
        """Send a reply to a letter."""
        if not self._from_our_own_page(address, number):
            abort(403)
        mail = self.find(address, number)
        text = request.form.get("text", "").replace("\r\n", "\n")
        if not text.strip() or len(text) > LONGEST_REPLY or not mail.reply_to:
            return self._show(mail, address, number, say("mailbox.not-sent")), 400
        self.receive(write_reply(mail, address, text), [mail.reply_to])
        return redirect(url_for("mailbox.mail", address=address, number=number, sent=1), 303)

    def _from_our_own_page(self, address: str, number: int) -> bool:
        """Whether the form was sent from the mailbox itself (cross-site request forgery)."""
        origin = request.headers.get("Origin")
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        given = request.form.get("token", "").encode()
        right = hmac.compare_digest(given, self.token(address, number).encode())
        return right and site == "same-origin" and origin in {None, request.host_url.rstrip("/")}

    def attachment(self, address: str, number: int, part: int) -> Response:
        """Download an attachment."""
        attachments = self.find(address, number).attachments
        if not 1 <= part <= len(attachments):
            abort(404)
        found = attachments[part - 1]
        response = make_response(found.content)
        response.headers["Content-Type"] = "application/octet-stream"
        response.headers.set("Content-Disposition", "attachment", filename=found.name)
        return response


def mailbox_pages(mailbox: LocalMailbox, receive: Receive, secret: str, is_open: bool, suggest: Suggest = lambda reply_to: []) -> Blueprint:
    """Make the mailbox blueprint. `is_open` is true only while no `SMTP_URL` is set and the service listens on this machine alone."""
    pages = _Pages(mailbox, receive, secret, is_open, suggest)
    blueprint = dressed(Blueprint("mailbox", __name__, url_prefix="/mailbox", template_folder="templates"), POLICY)
    blueprint.before_request(pages.guard)
    for rule, view, methods in (
        ("", pages.addresses, ["GET"]),
        ("/<address>", pages.mails, ["GET"]),
        ("/<address>/unread", pages.unread, ["GET"]),
        ("/<address>/<int:number>", pages.mail, ["GET"]),
        ("/<address>/<int:number>/raw", pages.raw, ["GET"]),
        ("/<address>/<int:number>", pages.reply, ["POST"]),
        ("/<address>/<int:number>/<int:part>", pages.attachment, ["GET"]),
    ):
        # Open to whoever passes the guard.
        blueprint.add_url_rule(rule, view.__name__, declared(partial(view), Permission.PAGE), methods=methods)
    return blueprint


def suggestions(mailer: Mailer, reply_to: str) -> list[str]:
    """Suggest replies: yes or no to an invitation, some legal orders to a letter whose turn is still open."""
    token = REPLY.match(reply_to)
    reply = mailer.mail_queue.reply(token[1]) if token else None
    game = mailer.ports.game(reply.game) if reply and reply.game else None
    player = mailer.ports.players.find(reply.player) if reply else None
    if reply is None or game is None or player is None:
        return []
    if game.status == GameStatus.OPEN:
        return ["yes", "no"] if any(seat.invited == player.id for seat in game.seats) else []
    if reply.seat is None or not is_now(game, reply):
        return ["board", "record"]
    return [*example_orders(game.rules, game.state, reply.seat, game.rules.in_language(player.language)), "help", "board"]


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _linked(text: str) -> Markup:
    """Escape text for a page and turn its URLs into links."""
    done, at = Markup(""), 0
    for found in LINK.finditer(text):
        link = Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(found[0])
        done, at = done + escape(text[at : found.start()]) + link, found.end()
    return done + escape(text[at:])
