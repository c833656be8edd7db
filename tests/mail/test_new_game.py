"""A game by mail, asked for at the address for new ones or in answer to the first letter."""

import re
from itertools import product

import pytest

from marketpost.mail.inbound.held import MOST_REQUESTS
from marketpost.mail.outbound.letters import pace
from marketpost.mail.outbound.mailer import enqueue
from marketpost.mail.outbound.render import Sentences
from marketpost.mail.strangers import stranger
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.log.game import Game
from marketpost.play.table.new_game_request import NewGameRequest, read_request
from marketpost.play.table.seating import open_game
from marketpost.rules.request_words import EDITION, NUMBER
from marketpost.rules.ruleset import Setting, ruleset, rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.delivery_queue import Delivery as Waiting
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh, reply

STRANGER = "mallory@elsewhere.test"
INVITED = (STRANGER, "dora@example.org")


# A game by mail


def test_a_mail_to_new_starts_a_game_after_a_yes(desk: Desk, ann: Player) -> None:
    asked = "Hallo,\n\nportobello mit carla@example.org und greedy bot\n\nGruß\nAnn"

    assert desk.receive(fresh(asked, f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}") == "held"
    assert "carla@example.org" in desk.newest(ann).text
    assert not desk.mailer.ports.games.all_games()
    assert desk.answer(ann, "Ja", desk.newest(ann)) == "new-game"

    (id,) = desk.mailer.ports.games.all_games()
    assert sorted((bool(seat.player), bool(seat.invited), seat.bot) for seat in desk.game(id).seats) == [
        (False, False, "greedy"),
        (False, True, None),
        (True, False, None),
    ]
    invitation = next(each for each in desk.street.brought if each.recipient == "carla@example.org")
    desk.receive(reply(invitation.mail, "carla@example.org", "yes"), invitation.mail.reply_to)
    assert desk.game(id).status == "running"


def test_nobody_starts_a_game_in_anothers_name(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("portobello with carla@example.org", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    question = desk.newest(ann)

    assert desk.answer(ann, "yes", question, sender=STRANGER) == "held"
    assert desk.answer(ann, "nein", question) == "dropped"

    assert not desk.mailer.ports.games.all_games()
    assert {each.recipient for each in desk.street.brought} == {ann.email}


def test_the_own_address_below_the_request_invites_nobody(desk: Desk, ann: Player) -> None:
    asked = f"portobello with carla@example.org\n\n{ann.email}"
    desk.receive(fresh(asked, f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))

    (id,) = desk.mailer.ports.games.all_games()
    assert len(desk.game(id).seats) == 2


def test_a_request_that_nobody_understands_is_told_how(desk: Desk, ann: Player) -> None:
    assert desk.receive(fresh("I would like to play chess", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}") == "not-opened"

    assert "portobello" in desk.newest(ann).text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_a_name_that_is_nearly_right_is_proposed(desk: Desk, ann: Player, rules: str, language: str) -> None:
    misspelt = f"{rules[:-3]}{rules[-2]}{rules[-3]}{rules[-1]}" if rules[-2] != rules[-3] else f"{rules[:-3]}{rules[-2:]}"
    asked = f"{misspelt} {WITH[language]} {bots(rules)}"

    assert write_to_new(desk, asked, ann.email) == "held"

    question = desk.newest(ann)
    assert misspelt in question.text
    assert f"{rules} {WITH[language]} {bots(rules)}" in flat(question.text)
    assert desk.answer(ann, "yes", question) == "new-game"
    assert [game.rules.name for game in games(desk)] == [rules]


def test_a_name_that_is_nearly_right_in_answer_to_a_letter_is_proposed(desk: Desk, ann: Player) -> None:
    write_to_new(desk, "chess", ann.email)

    assert desk.answer(ann, "new portobelo with a greedy bot", desk.newest(ann)) == "asked"
    assert not games(desk)
    desk.answer(ann, "yes", desk.newest(ann))

    assert [game.rules.name for game in games(desk)] == ["portobello"]


def test_a_request_with_a_word_that_nobody_understands_opens_nothing(desk: Desk) -> None:
    for name, language, text, unclear in (
        ("Eva", "en", "Hello,\n\nportobello with carlo@example.org and a clever bot\n\nRegards\nEva", "“clever”"),
        ("Uwe", "de", "Hallo,\n\nportobello mit carlo@example.org und einem schlauen Bot\n\nGruß\nUwe", "„schlauen“"),
        ("Luc", "fr", "Bonjour,\n\nportobello avec carlo@example.org et trois mages\n\nMerci\nLuc", "trois mages"),
        ("Ugo", "it", "Ciao,\n\nportobello con carlo@example.org e un bot furbo\n\nSaluti\nUgo", "“furbo”"),
    ):
        player = desk.person(name, language)
        desk.receive(fresh(text, f"new@{DOMAIN}", player.email), f"new@{DOMAIN}")

        assert unclear in desk.newest(player).text
    assert not desk.mailer.ports.games.all_games()
    assert "carlo@example.org" not in {each.recipient for each in desk.street.brought}


def test_a_request_may_go_on_in_the_next_line(desk: Desk, ann: Player) -> None:
    desk.receive(fresh("Hi,\nPortobello\nwith two\ngreedy bots\n\nThanks\nAnn", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))

    (id,) = desk.mailer.ports.games.all_games()
    assert [seat.bot for seat in desk.game(id).seats] == [None, "greedy", "greedy"]


# Told at once, and in the language of the request


WITH = {"en": "with", "de": "mit", "fr": "avec", "it": "con"}
HELLO = {"en": "Hello", "de": "Hallo", "fr": "Bonjour", "it": "Ciao"}
YES = {"en": "Sure!", "de": "Ja gerne", "fr": "oui avec plaisir", "it": "volentieri"}
SHOWN = {
    "en": {"help": "help", "rules": "rules", "games": "games"},
    "de": {"help": "Hilfe", "rules": "Regeln", "games": "Partien"},
    "fr": {"help": "aide", "rules": "règles", "games": "parties"},
    "it": {"help": "aiuto", "rules": "regole", "games": "partite"},
}
everywhere = pytest.mark.parametrize(("rules", "language"), [*product(sorted(rulesets()), LANGUAGES)])


def write_to_new(desk: Desk, text: str, sender: str) -> str:
    return desk.receive(fresh(text, f"new@{DOMAIN}", sender), f"new@{DOMAIN}")


def flat(text: str) -> str:
    return " ".join(text.split())


def games(desk: Desk) -> list[Game]:
    return [desk.game(id) for id in desk.mailer.ports.games.all_games()]


def unknown(address: str) -> Player:
    """Somebody without an account."""
    return stranger(address, "en")


def bots(rules: str) -> str:
    """As many as the smallest table needs beside one person."""
    return ", ".join(["bot"] * (rulesets()[rules].players[0] - 1))


@everywhere
def test_a_stranger_is_told_at_once_how_to_write_and_their_answer_opens_the_game(desk: Desk, rules: str, language: str) -> None:
    text = f"{HELLO[language]}, {rules} {WITH[language]} nonsense"
    assert write_to_new(desk, text, "Nora Lind <nora@example.org>") == "not-opened"
    nora_then = unknown("nora@example.org")
    assert desk.mailer.ports.players.at_address(nora_then.email) is None
    assert "nonsense" not in desk.newest(nora_then).text

    desk.answer(nora_then, f"{rules} {WITH[language]} {bots(rules)}", desk.newest(nora_then), From="Nora Lind <nora@example.org>")

    nora = desk.mailer.ports.players.at_address("nora@example.org")
    assert nora
    assert (nora.language, nora.name, nora.confirmed) == (language, "Nora Lind", True)
    [game] = games(desk)
    assert game.rules.name == rules
    assert game.status == "running"


@everywhere
def test_the_proposed_form_is_read_with_and_without_the_word_new(desk: Desk, rules: str, language: str) -> None:
    new = {"en": "new", "de": "neu", "fr": "nouvelle", "it": "nuova"}
    nora = welcomed(desk, "Nora", language)
    letter = desk.newest(nora)

    desk.answer(nora, f"{rules} {WITH[language]} {bots(rules)}", letter)
    desk.answer(nora, f"{new[language]} {rules} {WITH[language]} {bots(rules)}", letter)
    desk.receive(fresh(f"{new[language].title()} {rules} {WITH[language]} {bots(rules)}", f"new@{DOMAIN}", nora.email), f"new@{DOMAIN}")
    desk.answer(nora, "yes", desk.newest(nora))

    assert [game.rules.name for game in games(desk)] == [rules] * 3


@everywhere
def test_the_letter_that_asks_and_the_one_that_confirms_tell_options_and_clock(desk: Desk, rules: str, language: str) -> None:
    ruleset, nora = rulesets()[rules], desk.person("Nora", language)
    words = ruleset.in_language(language)
    usual = {EDITION: ruleset.editions[0] if ruleset.editions else "", **ruleset.settle(None, {})}
    phrase, option, value = next(
        (text, option, value)
        for text, (option, value) in ruleset.choices.items()
        if value not in (NUMBER, str(usual[option])) and " " in text
    )
    text = f"{HELLO[language]}, {rules} {WITH[language]} {bots(rules)}, {phrase}, 36h"
    setting = Setting(ruleset.colours[:2], "", value if option == EDITION else None, {} if option == EDITION else {option: value})

    assert write_to_new(desk, text, nora.email) == "held"
    told = ruleset.variant(setting, words)
    assert told in flat(desk.newest(nora).text)
    desk.answer(nora, YES[language], desk.newest(nora))

    [game] = games(desk)
    assert (game.setting.edition if option == EDITION else game.setting.options[option]) == value
    assert game.clock == TimeControl(36 * 3_600_000)
    confirmed = flat(next(mail for mail in desk.box(nora) if f"/games/{game.id}" in mail.text).text)
    assert confirmed.count(told) == 1
    assert flat(next(pace(game.clock, language))) in confirmed


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", rulesets())
def test_whoever_starts_a_game_is_told_what_is_not_as_printed_and_how_to_ask_for_it(desk: Desk, rules: str, language: str) -> None:
    """What is quoted for that is understood in a request."""
    game, asker = rulesets()[rules], desk.person("Gerda", language)
    words, usual = game.in_language(language), Setting(game.colours[: game.players[0]], game.boards()[0])
    told = [" ".join(line.split()) for line in game.unprinted(usual, words)]
    bots = " ".join(["bob@example.org"] * (game.players[0] - 1))

    desk.receive(fresh(f"{rules} {bots}", f"new@{DOMAIN}", asker.email), f"new@{DOMAIN}")
    asked = desk.newest(asker)
    desk.answer(asker, words.order("yes", "commands"), asked)

    for letter in (asked, desk.newest(asker)):
        text = " ".join(letter.text.split())
        assert all(line in text for line in told)
    for line in told:
        [quoted] = re.findall("[“„«] ?([^”“»]+?) ?[”“»]", line)
        request = read_request(f"{rules} {bots}, {quoted}")
        assert request
        assert game.unprinted(Setting(usual.colours, usual.board, None, request.options), words) == []


@everywhere
def test_help_rules_and_games_are_answered_at_the_address_for_new_games(desk: Desk, rules: str, language: str) -> None:
    one, two = desk.person("One", language), desk.person("Two", language)
    desk.table(one, two, rules=rules)
    title = rulesets()[rules].title(rulesets()[rules].in_language(language))
    for command, told in (("help", f"new@{DOMAIN}"), ("rules", title), ("games", "/games/g1")):
        assert write_to_new(desk, SHOWN[language][command], one.email) == "answered"

        assert told.upper() in flat(desk.newest(one).text).upper(), command
    assert len(games(desk)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_is_new_and_asks_for_help_is_answered_in_the_language_of_the_word(desk: Desk, language: str) -> None:
    write_to_new(desk, SHOWN[language]["help"], "uwe@example.org")

    uwe = unknown("uwe@example.org")
    assert desk.mailer.ports.players.at_address(uwe.email) is None
    assert Sentences(language, "answer").say("intro") in flat(desk.newest(uwe).text)


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_the_answer_is_written_in_the_language_of_the_request(desk: Desk, rules: str) -> None:
    ann = desk.person("Ann", "de")

    write_to_new(desk, f"I would like to play {rules} with nonsense", ann.email)

    assert "I do not understand" in flat(desk.newest(ann).text)
    assert desk.again(ann).language == "de", "her other letters stay as they were"


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_too_many_players_are_told_at_once(desk: Desk, rules: str) -> None:
    ann = desk.person("Ann")
    most = rulesets()[rules].players[-1]

    assert write_to_new(desk, f"{rules} with {', '.join(['bot'] * most)}", ann.email) == "not-opened"

    assert str(most) in desk.newest(ann).text


def test_nobody_is_written_to_more_often_than_before_in_anothers_name(desk: Desk) -> None:
    for number in range(2 * MOST_REQUESTS):
        write_to_new(desk, f"nonsense {number}", "victim@elsewhere.test")
        write_to_new(desk, f"help\n\n{'please ' * number}", "victim@elsewhere.test")

    assert len(desk.street.brought) == MOST_REQUESTS


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_who_was_only_an_address_gets_the_name_of_their_mails(desk: Desk, rules: str) -> None:
    ann = desk.person("Ann")
    write_to_new(desk, f"{rules} with carla@example.org", ann.email)
    desk.answer(ann, "yes", desk.newest(ann))
    carla = desk.mailer.ports.players.at_address("carla@example.org")
    assert carla
    assert carla.name == "carla"
    invitation = desk.newest(carla)

    desk.receive(reply(invitation, "carla@example.org", "Sì, volentieri", From='"Rossi, Carla" <carla@example.org>'), invitation.reply_to)
    desk.answer(ann, "say hello", desk.newest(ann), From="Somebody Else <ann@example.org>")

    assert desk.again(carla).name == "Rossi, Carla"
    assert desk.again(ann).name == "Ann", "she had chosen one"


# The first letter


def welcomed(desk: Desk, name: str, language: str = "en") -> Player:
    """Just registered, with the letter that asks to confirm the address."""
    player = desk.person(name, language, confirmed=False)
    at = desk.clock()
    enqueue(desk.mailer, Waiting(f"confirm-{player.id}", player.id, "confirm", at, at, values={"code": "K7MPX2QD"}))
    desk.work()
    return player


@pytest.mark.parametrize(("language", "help"), [("en", "help"), ("de", "Hilfe"), ("fr", "aide"), ("it", "aiuto")])
def test_who_has_no_game_yet_is_told_how_to_begin(desk: Desk, language: str, help: str) -> None:
    nora = welcomed(desk, "Nora", language)
    letter = desk.newest(nora)
    desk.answer(nora, help, letter)
    answer = desk.newest(nora)

    for each in (letter, answer):
        text = " ".join(each.text.split())
        assert f"new@{DOMAIN}" in text
        assert read_request(re.split("[”“»]", text[text.index("portobello") :])[0]) == NewGameRequest(
            "portobello", ("bob@example.org",), ("strong",)
        )
    assert Sentences(language, "answer").say("shown-help").upper() not in answer.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "new portobello with carla@example.org and a greedy bot\n\nThanks\nNora"),
        ("de", "Neue Partie Portobello mit carla@example.org und einem Bot, bitte"),
        ("fr", "Nouvelle partie : portobello avec carla@example.org et un bot"),
        ("it", "nuova partita portobello con carla@example.org\ne un bot greedy"),
    ],
)
def test_the_answer_to_our_first_letter_opens_a_game_once(desk: Desk, language: str, text: str) -> None:
    nora = welcomed(desk, "Nora", language)

    assert desk.answer(nora, text, desk.newest(nora)) == "answered"

    (id,) = desk.mailer.ports.games.all_games()
    assert [(seat.player == nora.id, bool(seat.invited), seat.bot) for seat in desk.game(id).seats] == [
        (True, False, None),
        (False, True, None),
        (False, False, "greedy"),
    ]
    assert f"/games/{id}" in desk.newest(nora).text


def test_two_games_in_one_mail_are_two(desk: Desk) -> None:
    nora = welcomed(desk, "Nora")
    desk.answer(nora, "new portobello with a bot\nnew alturien with two bots", desk.newest(nora))

    assert sorted(desk.game(id).rules.name for id in desk.mailer.ports.games.all_games()) == ["alturien", "portobello"]


def test_new_alone_or_unclear_opens_nothing_and_tells_how(desk: Desk) -> None:
    nora = welcomed(desk, "Nora")
    letter = desk.newest(nora)
    for text, told in (
        ("new", "write for instance"),
        ("new portobello with a clever bot", "“clever”"),
        ("new to this, sorry", "new to this"),
    ):
        desk.answer(nora, text, letter)

        assert told in " ".join(desk.newest(nora).text.split())
    assert not desk.mailer.ports.games.all_games()


@everywhere
def test_whoever_is_new_is_invited_in_the_language_of_the_host(desk: Desk, rules: str, language: str) -> None:
    host, known = desk.person("Ann", language), desk.person("Dora", "en")
    title = ruleset(rules).title(ruleset(rules).in_language(language))

    open_game(desk.mailer.ports, "g1", host.id, rules, [SeatPlan(player=host.id), *(SeatPlan(invited=each) for each in INVITED)], {})
    desk.work()

    new, old = (desk.mailer.ports.players.at_address(each) for each in INVITED)
    assert new
    assert old
    assert new.language == language
    assert old.language == known.language
    assert Sentences(language, "invitation").say("subject-stranger", title=title) == desk.newest(new).header("Subject")
