"""Add targets and derive their secrets."""

from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.channels import channels, target_channels
from marketpost.notify.target_address import read_networks
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget

MOST_TARGETS = 10
"""Targets of one player at most."""


def add_target(mailer: Mailer, id: str, player: str, channel: str, text: str, game: str | None) -> ChannelTarget:
    """Add a target; return the one that exists under this id, so that a repeated request adds none."""
    not_for_guests(mailer.ports, player)
    if channel not in target_channels():
        raise Refused("no-such-channel", channel=channel)
    url = channels()[channel].read_target(text, read_networks(mailer.settings.webhook_allow))
    made = ChannelTarget(id, player, url, channel, mailer.ports.clock(), game)
    if not mailer.targets.make(made, MOST_TARGETS):
        raise Refused("too-many-webhooks", most=MOST_TARGETS)
    return mailer.targets.find(player, id) or made


def secret_of(mailer: Mailer, target: str) -> str:
    """Derive the secret that signs messages to a target. It is shown once and never stored."""
    return f"whsec_{mailer.token('webhook', target)}"
