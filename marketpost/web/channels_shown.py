"""What the settings page shows about channels: the targets, and what was sent."""

from typing import Any

from api.http.context import mailer
from api.push import CHANNEL
from marketpost.notify.channels import target_channels
from marketpost.notify.webhook_client import explain
from marketpost.rules.words import COMMON, Words
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player
from marketpost.web.page_language import language, say
from marketpost.web.seats_shown import moment_shown

MOST_SHOWN = 20
"""The newest deliveries that the page shows; the rest is under `GET /v1/players/me/notifications`."""


def channels_shown(player: Player) -> dict[str, Any]:
    """Collect the targets and the newest deliveries that the settings page shows."""
    words, targets = Words(language(), COMMON), mailer().targets.of(player.id)
    hosts = {each.id: each.host for each in targets}
    return {
        "channel_forms": {name: words.say(f"channels.{name}") for name in target_channels() if name != CHANNEL},
        "targets": [{"id": each.id, "name": each.channel, "host": each.host, "state": _state(words, each)} for each in targets],
        "history": [_entry(each, hosts) for each in mailer().deliveries.history(player.id, MOST_SHOWN)],
    }


def _state(words: Words, target: ChannelTarget) -> str:
    """Say how the last messages to a target went."""
    if target.off or target.failures:
        key = "settings.channel-off" if target.off else "settings.channel-failing"
        return say(key, text=explain(words, target.last_error))
    return say("settings.channel-told", text=moment_shown(target.last_success)) if target.last_success else ""


def _entry(delivery: Delivery, hosts: dict[str, str]) -> dict[str, str | None]:
    place = hosts.get(delivery.target, "")
    return {
        "at": moment_shown(delivery.at),
        "kind": say(f"history.{delivery.letter}"),
        "way": f"{delivery.channel} ({place})" if place else delivery.channel,
        "status": say(f"history.status-{delivery.status}"),
        "game": delivery.game,
    }
