"""Fixtures for webhooks: the mailer, a webhook sender, and a game to notify about."""

from dataclasses import dataclass

from marketpost.notify.engine import call_targets
from marketpost.notify.targets import add_target
from marketpost.store.channel_targets import ChannelTarget
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.notify.receivers import Receiver


@dataclass(frozen=True, slots=True)
class Bureau:
    """A desk with players who have targets."""

    desk: Desk

    def hook(self, player: Player, receiver: Receiver, channel: str = "webhook", game: str | None = None) -> ChannelTarget:
        mailer, id = self.desk.mailer, f"h{len(self.desk.mailer.targets.of(player.id))}"
        return add_target(mailer, id, player.id, channel, receiver.url, game)

    def again(self, hook: ChannelTarget) -> ChannelTarget:
        found = self.desk.mailer.targets.find(hook.player, hook.id)
        assert found
        return found

    def work(self) -> None:
        """Everything that is due now: moves, letters, calls."""
        self.desk.work()
        call_targets(self.desk.notifier, 10.0)
        self.desk.work()

    def pass_time(self, **much: float) -> None:
        self.desk.clock.forward(**much)
        self.work()


def subjects(bureau: Bureau, player: Player) -> list[str]:
    return [mail.header("Subject") for mail in bureau.desk.box(player)]


def play_until_turn_of(bureau: Bureau, player: Player, id: str = "g1") -> None:
    """At least one turn passes."""
    desk = bureau.desk
    desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
    while desk.to_play(id).id != player.id:
        desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
