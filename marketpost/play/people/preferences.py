"""Preferences: whether a player gets letters and webhook calls about a game. Every notification is checked here first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from marketpost.play.outbox.notices import Notice
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.ports import Ports
from marketpost.store.channel_targets import ChannelTarget, ChannelTargets
from marketpost.store.players import MailPreference, Player
from marketpost.store.recipients import read_recipients
from marketpost.store.suppressions import SuppressionCause


@dataclass(frozen=True, slots=True)
class DeliveryPreference:
    """Which letters a player gets about a game, and whether webhooks are called."""

    letters: MailPreference
    """Never `WEBHOOK`: that is resolved to none or all letters."""
    webhooks: bool


def delivery_preference(ports: Ports, targets: ChannelTargets, player: Player, game: str) -> DeliveryPreference:
    """Compute a player's preference for a game: the one for this game, else the general one.

    A player who chose webhooks gets letters while none of them works. The general preference is about letters; webhooks are called unless
    `none` was chosen for this very game.
    """
    return preference_given(targets, player, game, ports.players.preference(player.id, game))


def preference_given(targets: ChannelTargets, player: Player, game: str, own: MailPreference | None) -> DeliveryPreference:
    """Compute a player's preference from the one for this game, which the caller has read."""
    return _preference(player, own, lambda: any(each.is_called_for(game) for each in targets.of(player.id)))


def _preference(player: Player, own: MailPreference | None, has_webhook: Callable[[], bool]) -> DeliveryPreference:
    letters = own or player.mail
    if letters == MailPreference.WEBHOOK:
        letters = MailPreference.NONE if has_webhook() else MailPreference.EVERY
    return DeliveryPreference(letters, own != MailPreference.NONE)


@dataclass(frozen=True, slots=True)
class Recipient:
    """A notice with the player it goes to, their targets and their preference."""

    notice: Notice
    player: Player
    targets: list[ChannelTarget]
    """Those that are told of this game."""
    preference: DeliveryPreference


def recipients(ports: Ports, notices: Sequence[Notice]) -> list[Recipient]:
    """Find the recipients of notices; none for players who were erased or suspended, or have muted or blocked whoever caused the notice."""
    asked = [(notice, notice.player) for notice in notices if notice.player]
    found = read_recipients(ports.players.redis, [(player, notice.game) for notice, player in asked])
    return [
        _recipient(notice, each.player, each.targets, each.preference)
        for (notice, _), each in zip(asked, found, strict=True)
        if each.player and _may_be_told(ports, each.player, notice)
    ]


def _may_be_told(ports: Ports, player: Player, notice: Notice) -> bool:
    return not player.suspended and not is_shut_out(ports, notice.by, player.silenced)


def _recipient(notice: Notice, player: Player, targets: Sequence[ChannelTarget], own: MailPreference | None) -> Recipient:
    called = [each for each in targets if each.is_called_for(notice.game)]
    return Recipient(notice, player, called, _preference(player, own, lambda: bool(called)))


def no_more_letters(ports: Ports, player: Player) -> None:
    """Turn off all letters of a player, also where a game has a preference of its own."""
    ports.players.change(player, lambda known: {"mail": MailPreference.NONE})
    for game, preference in ports.players.preferences(player.id).items():
        if preference != MailPreference.NONE:
            ports.players.set_preference(player.id, game, None)


def undo_complaint(ports: Ports, player: Player) -> None:
    """Send letters again to a player who had complained. What the operator suppressed stays so."""
    for address in player.every_address:
        ports.suppressions.lift(address, SuppressionCause.COMPLAINT)


def complained_at(ports: Ports, player: Player) -> int | None:
    """Return when a provider told that the player marked a letter as spam; None if letters are sent."""
    found = ports.suppressions.find(player.email) if player.email else None
    return found.at if found and found.cause == SuppressionCause.COMPLAINT else None
