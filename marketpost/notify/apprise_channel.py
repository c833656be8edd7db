"""Channels through Apprise: check a target's URL, and send one text to it."""

import logging
import re
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from apprise import Apprise, AppriseAsset, NotifyBase

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.notify.bounded_answers import bound_answers
from marketpost.notify.channel_message import ChannelMessage, Target
from marketpost.notify.connection_guard import guarded
from marketpost.notify.target_address import LONGEST_URL, Networks, read_networks, read_url
from marketpost.rules.refusal import Refused

FORM = re.compile(r"([a-z]+)://(?:[!->@-~]*@)?([A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[!->@-~]*)?")
"""The form of an accepted URL: visible ASCII without a question mark, because Apprise's options could name files and other addresses."""
HOSTLESS = re.compile(r"([a-z]+)://[!->@-~]+")
"""The same for a service at one address, whose URL has a key in the place of the host."""
DEADLINE = 10.0
"""Seconds for all requests of one message."""
LONGEST = 3000
"""Characters of a text that are sent."""
STATUS = re.compile(r"error=(\d{3})\b")
"""How Apprise logs the status of an answer."""


def read_apprise(*schemes: str, has_host: bool = True) -> Callable[[str, Networks], str]:
    """Make the function that checks what a player typed for a channel: a URL of one of these schemes, with or without a host."""

    def read_target(text: str, allowed: Networks) -> str:
        found = (FORM if has_host else HOSTLESS).fullmatch(text) if len(text) <= LONGEST_URL else None
        if found is None or found[1] not in schemes or (has_host and not (found[4] or "").strip("/")):
            raise Refused("channel-form")
        if has_host:
            read_url(f"https://{found[2]}{found[3] or ''}/", allowed)
        if _service(text) is None:
            raise Refused("channel-form")
        return text

    return read_target


def send_by_apprise(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Send the text and the link. Every failure may pass; what Apprise does not tell is known from the connections it made."""
    service = _service(target.address)
    if service is None:
        return retry_later("unreadable")
    _errors().status = ""
    bound_answers()
    with guarded(read_networks(target.by.settings.webhook_allow), DEADLINE) as guard:
        is_taken = service.notify(body=f"{message.text[:LONGEST]}\n{message.marked_link}", body_format="text")
    if guard.refused:
        return retry_later("not-allowed")
    if is_taken:
        return delivered()
    return retry_later("no-answer" if guard.late.is_set() else _errors().status or "not-taken")


def _service(url: str) -> NotifyBase | None:
    """Make Apprise's service for a URL; None if it knows no such form.

    It follows no redirects and stores nothing. It does not wait between requests, or as long as a server asks: the engine has its backoff.
    """
    found: NotifyBase | None = Apprise.instantiate(url, asset=_asset())
    if found is not None:
        found.throttle = lambda *_, **__: None  # type: ignore[method-assign]
    return found


@cache
def _asset() -> AppriseAsset:
    return AppriseAsset(
        app_id="Marketpost",
        app_desc="Marketpost",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        http_redirects=False,
        storage_mode="memory",
    )


class _LastStatus(logging.Handler, threading.local):
    """The status of the last answer that a service of this thread did not take; Apprise tells it only to its log."""

    status = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Note the status in a line of the log."""
        if found := STATUS.search(record.getMessage()):
            self.status = f"status {found[1]}"


@cache
def _errors() -> Any:
    handler = _LastStatus(logging.WARNING)
    logger = logging.getLogger("apprise")
    logger.addHandler(handler)
    logger.propagate = False  # it names topics and hosts, which are the players' business
    return handler
