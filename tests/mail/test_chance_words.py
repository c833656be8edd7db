"""A player brings a word for chance by mail: beside the yes, or afterwards until the game begins."""

import pytest

from marketpost.mail.link_keys import publish_link
from marketpost.play.log.actions import LinkKind, SeatPlan
from marketpost.play.table.invite_links import make_link
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot
from marketpost.rules.chance import drawn_word
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.players import Player
from tests.games import sealed
from tests.mail.desk import DOMAIN, Desk, fresh

YES = {"en": "Yes lucky-7", "de": "Ja gerne, Glück-7!", "fr": "oui: chance-7", "it": "Sì fortuna-7"}
OWN = {language: text.rstrip("!").rpartition(" ")[2] for language, text in YES.items()}


def open_for(desk: Desk, rules: str, host: Player, *invited: Player, free: int = 0, shuffled: bool = False) -> None:
    seats = [SeatPlan(player=host.id), *(SeatPlan(invited=each.id) for each in invited), *[SeatPlan()] * free]
    open_game(desk.mailer.ports, "g1", host.id, rules, seats, {}, shuffled=shuffled)
    desk.work()


def word_of(desk: Desk, player: Player) -> tuple[str, bool]:
    game = desk.game()
    found = game.words[game.seats_of(player.id)[0]]
    return found.word, found.drawn


def told(desk: Desk, player: Player) -> str:
    return " ".join(desk.newest(player).text.split())


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_behind_the_yes_is_the_players_own(desk: Desk, ann: Player, language: str, rules: str) -> None:
    ben = desk.person("Ben", language)
    open_for(desk, rules, ann, ben, free=1)
    invitation = desk.newest(ben).text

    desk.answer(ben, YES[language])

    assert word_of(desk, ben) == (OWN[language], False)
    assert OWN[language] in told(desk, ben)
    assert "-7" in invitation


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_one_the_answer_tells_the_drawn_word_and_how_to_bring_ones_own(desk: Desk, ann: Player, language: str) -> None:
    ben, say = desk.person("Ben", language), Words(language, COMMON)
    open_for(desk, "portobello", ann, ben, free=1)
    drawn = drawn_word(desk.mailer.ports.games.secret("g1"), "g1", 1)

    desk.answer(ben, say.order("yes", "commands"))
    assert word_of(desk, ben) == (drawn, True)
    assert drawn in told(desk, ben)
    assert f"{say.order('word', 'commands')} " in told(desk, ben)

    desk.answer(ben, f"{say.order('word', 'commands')} {OWN[language]}")
    assert word_of(desk, ben) == (OWN[language], False)
    assert OWN[language] in told(desk, ben)


@pytest.mark.parametrize("text", ["yes tomorrow", "yes but", "yes maybe", "yes lucky 7 or so", "yes http://x.example/7"])
def test_a_yes_with_a_condition_is_no_word(desk: Desk, ann: Player, ben: Player, text: str) -> None:
    open_for(desk, "portobello", ann, ben)

    desk.answer(ben, text)

    assert desk.game().seat_of(ben.id) is None


def test_a_word_that_comes_too_early_or_too_late_is_refused(desk: Desk, ann: Player, ben: Player) -> None:
    open_for(desk, "portobello", ann, ben)
    desk.answer(ben, "word early-1")
    assert desk.game().seat_of(ben.id) is None
    desk.answer(ben, "yes")

    desk.answer(ben, "word late-1")

    assert word_of(desk, ben)[1]
    assert "La partie a déjà commencé" in told(desk, ben)


def test_who_opens_a_game_by_mail_may_bring_a_word_while_others_are_waited_for(desk: Desk, ann: Player, ben: Player) -> None:
    desk.receive(fresh(f"portobello with {ben.email}", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))
    assert "word lucky-7" in told(desk, ann)

    desk.answer(ann, "word mine-1", desk.newest(ann))

    [id] = desk.mailer.ports.games.all_games()
    assert desk.game(id).words[0].word == "mine-1"
    assert "mine-1" in told(desk, ann)


@pytest.mark.parametrize("text", ["yes lucky-7", "yes"])
def test_who_takes_a_seat_by_its_address_may_bring_a_word(desk: Desk, ann: Player, ben: Player, text: str) -> None:
    open_for(desk, "portobello", ann, free=2)
    game, number = make_link(desk.mailer.ports, "g1", ann.id, LinkKind.SEAT)
    address = publish_link(desk.mailer, game, number).address
    assert address
    desk.receive(fresh("I would like to play", address, ben.email), address)

    desk.answer(ben, text, desk.newest(ben))

    word, drawn = word_of(desk, ben)
    assert drawn == (text == "yes")
    assert word in told(desk, ben)


@pytest.mark.parametrize("rules", rulesets())
def test_orders_in_answer_to_an_older_letter_are_for_the_seat_that_chance_gave(desk: Desk, rules: str) -> None:
    """The letters before the beginning were written for other seats."""
    ann, ben, cy = (desk.person(name, "en") for name in ("Ann", "Ben", "Cy"))
    open_for(desk, rules, ann, ben, cy, shuffled=True)
    invitations = {each.id: desk.newest(each) for each in (ben, cy)}
    for each in (ben, cy):
        desk.answer(each, "yes lucky-7", invitations[each.id])

    people = {each.id: each for each in (ann, ben, cy)}
    while invitations:
        game = desk.game()
        version, seat = game.version, game.deciders[0]
        player, orders = people[game.seats[seat].player or ""], bot(game.rules, "greedy")(game.state, seat, sealed(game.version))
        if letter := invitations.pop(player.id, None):
            desk.answer(player, orders, letter)
        else:
            desk.by_rest(player, orders)
            desk.work()

        assert desk.game().version > version
        assert desk.game().played[-1 if desk.game().played[-1].seat is not None else -2].seat == seat
