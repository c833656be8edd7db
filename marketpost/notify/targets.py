"""Add targets, test them, and derive their secrets."""

from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.channels import channels, target_channels
from marketpost.notify.target_address import read_networks
from marketpost.play.limits import Limit
from marketpost.play.people.bot_accounts import payer
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.rules.refusal import Refused
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.delivery_queue import Delivery

MOST_TARGETS = 10
"""Targets of one player at most."""
MINUTE = 60_000
TEST = "test"
"""The kind of a test message, which no letter tells."""


def add_target(
    mailer: Mailer, id: str, player: str, channel: str, text: str, game: str | None, session: str | None = None
) -> ChannelTarget:
    """Add a target; return the one that exists under this id, so that a repeated request adds none."""
    not_for_guests(mailer.ports, player)
    if channel not in target_channels():
        raise Refused("no-such-channel", channel=channel)
    url = channels()[channel].read_target(text, read_networks(mailer.settings.webhook_allow))
    made = ChannelTarget(id, player, url, channel, mailer.ports.clock(), game, session=session)
    if not mailer.targets.make(made, MOST_TARGETS):
        raise Refused("too-many-targets", most=MOST_TARGETS)
    return mailer.targets.find(player, id) or made


def end_session(mailer: Mailer, player: str, session: str) -> None:
    """Delete the targets of a session that has ended: a browser that was signed out shows nothing of its former player."""
    for target in mailer.targets.of(player):
        if target.session == session:
            mailer.targets.delete(player, target.id)


def is_over(mailer: Mailer, target: ChannelTarget) -> bool:
    """Whether the session that a target serves has ended."""
    return target.session is not None and target.session not in {each.id for each in mailer.ports.credentials.tokens_of(target.player)}


def secret_of(mailer: Mailer, target: str) -> str:
    """Derive the secret that signs messages to a target. It is shown once and never stored."""
    return f"whsec_{mailer.token('webhook', target)}"


def send_test(mailer: Mailer, player: str, id: str) -> Delivery:
    """Enqueue a test message to a target, and try a target again that was switched off. The id names the minute: there is one in each.

    They are counted for the player, too: whoever deletes a target and adds it again has another id.
    """
    target = mailer.targets.find(player, id)
    if target is None:
        raise Refused("no-such-target")
    mailer.ports.limits.spend(Limit.TESTS_PLAYER, payer(mailer.ports, player))
    target.off, target.again, now = None, 0, mailer.ports.clock()
    mailer.targets.update(target)
    test = Delivery(f"test-{id}-{now // MINUTE}", player, TEST, now, now, channel=target.channel, target=id)
    mailer.deliveries.put([test])
    return mailer.deliveries.find(test.id) or test
