"""Channels through Apprise: check a target's URL, and send one text to it."""

import logging
import re
from collections.abc import Callable
from functools import cache

import msgspec
from apprise import Apprise, AppriseAsset, NotifyBase
from requests import Response

from marketpost.mail.outbound.attempt import DeliveryOutcome, delivered, retry_later
from marketpost.notify.bounded_answers import bound_answers, last_answer
from marketpost.notify.channel_message import ChannelMessage, Target
from marketpost.notify.connection_guard import guarded
from marketpost.notify.target_address import LONGEST_URL, Networks, read_networks, read_url
from marketpost.notify.webhook_client import RETRY_AFTER, wait_asked
from marketpost.rules.refusal import Refused

FORM = re.compile(r"([a-z]+)://(?:[!->@-~]*@)?([A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[!->@-~]*)?")
"""The form of an accepted URL: visible ASCII without a question mark, because Apprise's options could name files and other addresses."""
HOSTLESS = re.compile(r"([a-z]+)://[!->@-~]+")
"""The same for a service at one address, whose URL has a key in the place of the host."""
DEADLINE = 10.0
"""Seconds for all requests of one message."""
LONGEST = 3000
"""Characters of a text that are sent."""
LOG = logging.getLogger("apprise")
LOG.propagate = False  # it names topics and hosts, which are the players' business
LOG.addHandler(logging.NullHandler())


class TelegramParameters(msgspec.Struct):
    """Why Telegram took no message."""

    retry_after: int = 0
    """Seconds."""


class TelegramRefusal(msgspec.Struct):
    """Telegram's answer to a message that it did not take."""

    parameters: TelegramParameters = msgspec.field(default_factory=TelegramParameters)


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
    """Send the text and the link. Every failure may pass; what Apprise does not tell is known from its connections and the last answer."""
    service = _service(target.address)
    if service is None:
        return retry_later("unreadable")
    bound_answers()
    last_answer.response = None
    with guarded(read_networks(target.by.settings.webhook_allow), DEADLINE) as guard:
        is_taken = service.notify(body=f"{message.text[:LONGEST]}\n{message.marked_link}", body_format="text")
    if is_taken:
        return delivered()
    if guard.refused:
        return retry_later("not-allowed")
    return retry_later("no-answer") if guard.late.is_set() else _failure(last_answer.response)


def _failure(answer: Response | None) -> DeliveryOutcome:
    """Read from the last answer why a message was not taken, and for how long the service asks to be left alone."""
    if answer is None or answer.ok:
        return retry_later("not-taken")
    return retry_later(f"status {answer.status_code}", wait_asked(answer.headers.get(RETRY_AFTER)) or _asked_in_body(answer))


def _asked_in_body(answer: Response) -> int:
    """Read for how many milliseconds Telegram asks to be left alone."""
    try:
        return msgspec.json.decode(answer.content, type=TelegramRefusal).parameters.retry_after * 1000
    except (RuntimeError, msgspec.DecodeError):  # Apprise has read a part of it and no more, or it is another service
        return 0


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
