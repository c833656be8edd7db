"""What a letter tells when something happens at the table: everybody hears it, once, under a subject that is true."""

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound.render import read_words
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh

every_ruleset = pytest.mark.parametrize("rules", rulesets())
every_language = pytest.mark.parametrize("language", LANGUAGES)


def subject(folder: str, key: str, language: str) -> str:
    """How the subject begins, up to what is filled in."""
    return str(read_words(folder, language)[key]).partition("{")[0]


def flat(text: str) -> str:
    return " ".join(text.split())


def calls(letter: MailboxMessage, player: Player) -> bool:
    """To a turn of their own, or to a decision in another's, as chance has brought it."""
    return any(letter.header("Subject").startswith(subject("your-turn", key, player.language)) for key in ("subject", "subject-aside"))


def since(desk: Desk, player: Player, before: int) -> list[MailboxMessage]:
    return desk.box(player)[before:]


def play_until_passed(desk: Desk, player: Player) -> None:
    """By mail, until somebody else is to decide."""
    while desk.to_play().id == player.id:
        desk.answer(player, desk.good_orders(player.language), desk.newest(player))


@pytest.fixture
def pair(desk: Desk, ann: Player, ben: Player, rules: str) -> tuple[Player, Player]:
    """Whose turn it is, and the other one."""
    desk.table(ann, ben, rules=rules)
    return (ann, ben) if desk.to_play().id == ann.id else (ben, ann)


@every_ruleset
def test_whoever_asked_for_an_undo_hears_that_all_agreed(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    asking, other = pair
    play_until_passed(desk, asking)
    desk.answer(asking, "undo", desk.newest(asking))
    before = len(desk.box(asking))

    desk.answer(other, "yes", desk.newest(other))

    [letter] = since(desk, asking, before)
    undone = read_words("news", asking.language)["undone"].partition(":")[0]
    assert undone in " ".join(letter.text.split()).replace("\N{NO-BREAK SPACE}", " ")
    assert desk.answer(asking, desk.good_orders(asking.language), letter) == "submitted"


@every_ruleset
def test_a_proposal_is_not_called_done(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    asking, other = pair
    for what in ("draw", "abandon", "undo"):
        play_until_passed(desk, asking)
        desk.answer(asking, what, desk.newest(asking))
        assert desk.newest(asking).header("Subject").startswith(subject("answer", "subject-asked", asking.language)), what
        desk.answer(other, "no", desk.newest(other))


@every_ruleset
def test_a_turn_that_goes_on_is_not_called_done(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    done = 0
    for _ in range(12):
        player = desk.to_play()
        step = desk.game().rules.legal(desk.game().state, desk.game().deciders[0])[0]
        desk.answer(player, step, desk.newest(player))
        is_done = desk.newest(player).header("Subject").startswith(subject("receipt", "subject", player.language))
        assert is_done == (desk.to_play().id != player.id), (step, desk.newest(player).header("Subject"))
        done += is_done
    assert done


@every_ruleset
def test_the_answer_to_orders_tells_what_they_did_and_whose_turn_it_is(desk: Desk, ann: Player, rules: str) -> None:
    """Against a bot, whose decisions in between are in the same letter: the turn that goes on after them is no new one."""
    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="random")], {})
    desk.work()
    titles = [read_words(folder, ann.language)["happened"].upper() for folder in ("words", "drawn")]
    again = read_words("receipt", ann.language)["again"]
    while desk.game().status == "running":
        turn = desk.game().state.turn
        desk.answer(ann, desk.good_orders(), desk.newest(ann))
        letter, game = desk.newest(ann), desk.game()
        if game.status == "running":
            assert any(title in letter.text for title in titles), letter.text
            is_new = game.rules.standing is None or (game.state.turn != turn and not game.rules.standing.concerns(game.state, 0))
            assert is_new or again not in " ".join(letter.text.split()), letter.text


@every_ruleset
def test_whoever_ends_the_game_gets_one_letter(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    while desk.game().status == "running":
        player, before = desk.to_play(), {each.id: len(desk.box(each)) for each in pair}
        last = desk.good_orders(player.language)
        desk.answer(player, f"{last}\nsay Thank you for the game", desk.newest(player))
    other = next(each for each in pair if each != player)

    [letter] = since(desk, player, before[player.id])
    assert letter.header("Subject").startswith(subject("over", "subject", player.language))
    assert last.splitlines()[0] in letter.text
    assert desk.newest(other).header("Subject").startswith(subject("over", "subject", other.language))


@every_ruleset
def test_what_is_said_beside_a_move_is_told_in_the_same_letter(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    player, other = pair
    while desk.to_play().id == player.id:
        before = len(desk.box(other))
        desk.answer(player, f"{desk.good_orders(player.language)}\nsay Now it is you", desk.newest(player))

    [letter] = since(desk, other, before)
    assert "Now it is you" in letter.text
    assert "Now it is you" in letter.html
    assert calls(letter, other)
    assert desk.answer(other, desk.good_orders(other.language), letter) == "submitted"


@every_ruleset
def test_those_who_are_not_next_hear_what_was_said_at_once(desk: Desk, rules: str) -> None:
    people = [desk.person(name) for name in ("Ann", "Ben", "Cleo")]
    desk.table(*people, rules=rules)
    player = desk.to_play()
    while desk.to_play().id == player.id:
        desk.clock.forward(hours=1)
        before = {each.id: len(desk.box(each)) for each in people}
        desk.answer(player, f"{desk.good_orders(player.language)}\nsay Now it goes on", desk.newest(player))

    for each in people:
        if each != player:
            [letter] = since(desk, each, before[each.id])
            assert "Now it goes on" in letter.text


@every_ruleset
def test_what_is_said_beside_orders_that_are_refused_is_said_nevertheless(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    player, other = pair
    orders = desk.good_orders(player.language)
    play_until_passed(desk, player)
    before = len(desk.box(other))

    desk.answer(player, f"{orders}\nsay Too late", desk.box(player)[0])

    assert "Too late" in since(desk, other, before)[0].text


@every_ruleset
def test_after_a_bots_last_move_there_is_one_letter_too(desk: Desk, ann: Player, rules: str) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    desk.work()
    while desk.game().status == "running":
        before = len(desk.box(ann))
        desk.answer(ann, desk.good_orders(ann.language), desk.newest(ann))

    [letter] = since(desk, ann, before)
    assert letter.header("Subject").startswith(subject("over", "subject", ann.language))


@every_ruleset
def test_what_is_said_beside_a_move_is_told_in_the_letter_after_a_bots_move(desk: Desk, ann: Player, ben: Player, rules: str) -> None:
    seats = [SeatPlan(player=ann.id), SeatPlan(bot="random"), SeatPlan(player=ben.id)]
    open_game(desk.mailer.ports, "g1", ann.id, rules, seats, {})
    desk.work()
    while desk.to_play().id == ben.id:
        desk.answer(ben, desk.good_orders(ben.language), desk.newest(ben))
    while desk.to_play().id == ann.id:
        before = len(desk.box(ben))
        desk.answer(ann, f"{desk.good_orders(ann.language)}\nsay Now it is you", desk.newest(ann))

    [letter] = since(desk, ben, before)
    assert "Now it is you" in letter.text
    assert calls(letter, ben)
    assert "Now it is you" not in desk.newest(ann).text, "nobody is told their own words"


@every_ruleset
def test_the_last_yes_to_a_draw_gets_one_letter(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    asking, other = pair
    desk.answer(asking, "draw", desk.newest(asking))
    before = {each.id: len(desk.box(each)) for each in pair}

    desk.answer(other, "yes", desk.newest(other))

    for each in pair:
        [letter] = since(desk, each, before[each.id])
        assert letter.header("Subject").startswith(subject("over", "subject", each.language))
        assert letter.attachments
    assert flat(words_of(other).say("answers.agreed-done")) in flat(desk.newest(other).text)
    assert desk.newest(other).header("Auto-Submitted") == "auto-replied"


@every_ruleset
def test_a_draw_against_bots_is_told_in_one_letter(desk: Desk, ann: Player, rules: str) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="random")], {})
    desk.work()
    before = len(desk.box(ann))

    desk.answer(ann, "draw\nhelp", desk.newest(ann))

    [letter] = since(desk, ann, before)
    assert letter.header("Subject").startswith(subject("over", "subject", ann.language))
    assert read_words("words", ann.language)["shown-help"].upper() in letter.text, "what it asked for besides"


@every_ruleset
def test_the_last_yes_to_abandoning_gets_one_letter(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    asking, other = pair
    desk.answer(asking, "abandon", desk.newest(asking))
    before = len(desk.box(other))

    desk.answer(other, "yes", desk.newest(other))

    assert len(since(desk, other, before)) == 1


@every_ruleset
@every_language
def test_whoever_takes_an_offered_seat_on_its_turn_gets_one_letter(desk: Desk, rules: str, language: str) -> None:
    people = [desk.person(name, language) for name in ("One", "Two")]
    heir = desk.person("Heir", language)
    desk.table(*people, rules=rules)
    leaving = desk.to_play()
    desk.answer(leaving, f"hand over! to {heir.email}", desk.newest(leaving))
    before = len(desk.box(heir))

    desk.answer(heir, "yes", desk.newest(heir))

    [letter] = since(desk, heir, before)
    taken, called = (flat(words_of(heir).say(f"answers.{key}")) for key in ("taken-over", "called"))
    assert taken in flat(letter.text)
    assert taken in flat(letter.html)
    assert called not in flat(letter.text), "it is their turn now"
    assert letter.header("Subject").startswith(subject("your-turn", "subject", language))
    assert desk.answer(heir, desk.good_orders(language), letter) == "submitted"


@every_ruleset
def test_whoever_takes_an_offered_seat_before_its_turn_is_called_later(desk: Desk, pair: tuple[Player, Player], rules: str) -> None:
    _, leaving = pair
    heir = desk.person("Heir")
    desk.answer(leaving, f"hand over! to {heir.email}", desk.newest(leaving))
    before = len(desk.box(heir))

    desk.answer(heir, "yes", desk.newest(heir))

    [letter] = since(desk, heir, before)
    assert letter.header("Subject").startswith(subject("answer", "subject-done", "en"))
    assert words_of(heir).say("answers.called") in flat(letter.text)


@every_ruleset
def test_the_yes_that_begins_a_game_gets_one_letter(desk: Desk, rules: str) -> None:
    """Whoever is to decide first is called in it; the other one learns that it has begun."""
    one, two = desk.person("One"), desk.person("Two")
    for id, host, guest in (("g1", one, two), ("g2", two, one)):
        seats = [SeatPlan(player=host.id), SeatPlan(invited=guest.id)]
        open_game(desk.mailer.ports, id, host.id, rules, seats, {})
        desk.work()
        before = len(desk.box(guest))

        desk.answer(guest, "yes", desk.newest(guest))

        [letter] = since(desk, guest, before)
        folder = "your-turn" if desk.to_play(id) == guest else "started"
        assert letter.header("Subject").startswith(subject(folder, "subject", "en"))
        assert words_of(guest).say("answers.joined") in flat(letter.text)


@every_ruleset
def test_whoever_agrees_to_an_undo_is_shown_the_position(desk: Desk, rules: str) -> None:
    """The one whose yes was the last, and the one who had agreed before."""
    people = [desk.person(name) for name in ("One", "Two", "Three")]
    desk.table(*people, rules=rules)
    asking = desk.to_play()
    play_until_passed(desk, asking)
    desk.answer(asking, "undo", desk.newest(asking))
    others = [each for each in people if each != asking]

    for each in others:
        desk.answer(each, "yes", desk.newest(each))

    game = desk.game()
    board = game.rules.draw(game.state, game.rules.in_language("en")).strip().splitlines()
    for each in people:
        assert all(line.strip() in desk.newest(each).text for line in board), each.name
        assert "cid:board" in desk.newest(each).html
    assert words_of(others[-1]).say("answers.agreed-done") in flat(desk.newest(others[-1]).text)


@every_ruleset
def test_an_undo_against_bots_is_told_in_one_letter(desk: Desk, ann: Player, rules: str) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(bot="random")], {})
    desk.work()
    play_turn = desk.game().state.turn
    while desk.game().state.turn == play_turn:
        desk.answer(ann, desk.good_orders(ann.language), desk.newest(ann))
    before = len(desk.box(ann))

    desk.answer(ann, "undo", desk.newest(ann))

    [letter] = since(desk, ann, before)
    assert flat(words_of(ann).say("answers.undone")) in flat(letter.text)
    assert desk.answer(ann, desk.good_orders(ann.language), letter) == "submitted"


@every_ruleset
@every_language
def test_an_invitation_is_asked_again_in_the_language_that_was_chosen(desk: Desk, rules: str, language: str) -> None:
    host, guest = desk.person("Host", "en"), desk.person("Guest", "en")
    open_game(desk.mailer.ports, "g1", host.id, rules, [SeatPlan(player=host.id), SeatPlan(invited=guest.id)], {})
    desk.work()

    desk.answer(guest, f"language {language}", desk.newest(guest))

    asked = flat(words_of(desk.again(guest)).say("answers.ask-invited", text="|", who="")).partition("|")[0]
    assert asked.strip() in flat(desk.newest(guest).text).replace("\N{NO-BREAK SPACE}", " ")
    assert desk.answer(guest, "yes", desk.newest(guest)) == "answered"
    assert desk.game().seats[1].player == guest.id


@every_ruleset
def test_scores_are_set_as_french_is_printed(desk: Desk, ben: Player, rules: str) -> None:
    desk.table(ben, desk.person("Cleo"), rules=rules)

    desk.answer(ben, "score", desk.newest(ben))

    assert "(Ben) :" in desk.newest(ben).text.replace("\N{NO-BREAK SPACE}", " ")


def test_two_players_of_a_new_game_are_joined_by_and(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("portobello mit bob@example.org", f"new@{DOMAIN}", ann.email))

    assert ": du und bob@example.org." in flat(desk.newest(ann).text)
