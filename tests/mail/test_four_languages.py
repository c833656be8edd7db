"""A whole game of Alturien by mail among four people of four languages: who is asked what, and when."""

import secrets
from dataclasses import dataclass, field

import pytest

from marketpost.play.keeping.verify import verify
from marketpost.rules import records
from marketpost.rules.alturien import RULESET
from marketpost.rules.alturien.state import Phase
from marketpost.rules.replay import replay
from marketpost.rules.words import typeset
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import Desk

PEOPLE = (("Ann", "en"), ("Bernd", "de"), ("Chloe", "fr"), ("Dario", "it"))
YOUR_TURN = {"en": "Your turn: ", "de": "Du bist am Zug: ", "fr": "À vous de jouer", "it": "Tocca a te: "}
YOUR_TURN_GOES_ON = {"en": "Your turn goes on", "de": "Dein Zug geht weiter", "fr": "Votre tour continue", "it": "Il tuo turno continua"}
YOURS_TO_DECIDE = {"en": "You are to decide", "de": "Du musst entscheiden", "fr": "À vous de décider", "it": "Devi decidere"}
SECRET = bytes(31) + b"\x04"
"""Of the game's chance: with these rolls people are robbed who cannot pay, and the thief comes in another's turn."""


@dataclass
class Round:
    """The four at their mailboxes. Dario leaves standing orders in each of his turns; the others do not."""

    desk: Desk
    people: list[Player]
    asked_to_sell: list[str] = field(default_factory=list)
    asked_to_face: list[str] = field(default_factory=list)
    stood: list[str] = field(default_factory=list)
    """What Dario's standing orders did."""

    def pushed(self, since: int) -> list[tuple[str, MailboxMessage]]:
        """Letters that answered nothing: to whom, and what."""
        brought = self.desk.street.brought[since:]
        return [(each.recipient, each.mail) for each in brought if each.mail.header("Auto-Submitted") == "auto-generated"]

    def one_mail(self) -> None:
        """Whoever must decide answers the letter that asks; then the next one, and nobody else, has a letter that asks."""
        game = self.desk.game()
        seat, before, turn = game.deciders[0], game.version, game.state.turn
        player, since = self.people[seat], len(self.desk.street.brought)
        done = self.desk.answer(player, self.orders(player, seat == game.state.active), self.desk.newest(player))
        game = self.desk.game()
        assert (done, game.version > before) == ("submitted", True), self.desk.newest(player).text
        self.stood += [action.orders for version, action in game.stood.items() if version > before]
        if game.status == "running":
            self.check_who_is_asked(seat, self.pushed(since), is_same_turn=game.state.turn == turn > 0)

    def orders(self, player: Player, own_turn: bool) -> str:
        orders = self.desk.good_orders(player.language)
        return f"{orders}\n{self.wishes()}\n" if player is self.people[3] and own_turn else f"{orders}\n"

    def wishes(self) -> str:
        """Whatever Dario owns is for sale."""
        houses = ", poi ".join(f"casa {site}" for site in self.desk.game().state.shops(3))
        return f"quando derubato: vendi prestigio, poi {houses}\ndisposizione ladro >h4"

    def check_who_is_asked(self, mover: int, letters: list[tuple[str, MailboxMessage]], *, is_same_turn: bool) -> None:
        """The mover is asked by the answer to their mail, also when standing orders have decided in between."""
        game = self.desk.game()
        seat, state = game.deciders[0], game.state
        player = self.people[seat]
        assert [recipient for recipient, _ in letters] == ([player.email] if seat != mover else [])
        told = " ".join(self.desk.newest(player).text.split())
        for choice in RULESET.story.choices(state, seat, RULESET.in_language(player.language)):
            assert " ".join(typeset(choice, player.language).split()) in told
        if seat != mover:
            own = YOUR_TURN_GOES_ON if is_same_turn else YOUR_TURN
            asked = own if seat == state.active else YOURS_TO_DECIDE
            assert letters[0][1].header("Subject").startswith(asked[player.language])
        if seat not in (mover, state.active):
            assert player is not self.people[3], "he has standing orders"
            assert state.debt or state.phase == Phase.FACE
            (self.asked_to_sell if state.debt else self.asked_to_face).append(player.language)


def test_four_people_of_four_languages_play_to_the_end_and_each_is_asked_what_is_theirs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [desk.person(name, language) for name, language in PEOPLE]
    with monkeypatch.context() as chance:
        chance.setattr(secrets, "token_bytes", lambda size: SECRET)
        desk.table(*people, rules="alturien")
    four = Round(desk, people)

    while desk.game().status == "running":
        four.one_mail()

    game = desk.game()
    assert four.asked_to_sell, "somebody is robbed in another's turn and must choose what to sell"
    assert four.asked_to_face, "the thief comes in another's turn"
    assert four.stood, "standing orders decide for Dario"
    told = [" ".join(mail.text.split()) for mail in desk.box(people[3])]
    assert sum("Le tue disposizioni hanno deciso per te" in each for each in told) >= 1
    for player in people:
        (attached,) = desk.newest(player).attachments
        assert replay(records.read(attached.content.decode())).state == game.state
    assert not verify(game.id, desk.mailer.ports.games.read(game.id), desk.mailer.ports.games.head(game.id)).faults
