"""Fixtures for webhooks: the mailer, a webhook sender, and a game to notify about."""

from dataclasses import dataclass
from threading import Event

from marketpost.notify.webhook_delivery import WebhookSender, make_due_calls
from marketpost.notify.webhook_registration import make_hook
from marketpost.store.players import Player
from marketpost.store.webhook_queue import Webhook
from tests.mail.desk import Desk
from tests.notify.receivers import Receiver


@dataclass(frozen=True, slots=True)
class Bureau:
    """A desk together with its webhook sender."""

    desk: Desk
    webhook_sender: WebhookSender

    def hook(self, player: Player, receiver: Receiver, kind: str = "plain", game: str | None = None) -> Webhook:
        mailer, id = self.desk.mailer, f"h{len(self.desk.mailer.webhook_queue.of(player.id))}"
        return make_hook(mailer, self.webhook_sender.caller.allowed, id, player.id, receiver.url, kind, game)

    def again(self, hook: Webhook) -> Webhook:
        found = self.desk.mailer.webhook_queue.find(hook.player, hook.id)
        assert found
        return found

    def work(self) -> None:
        """Everything that is due now: moves, letters, calls."""
        self.desk.work()
        make_due_calls(self.webhook_sender, 10.0, Event().is_set)
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
