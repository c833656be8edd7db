"""Saying yes and no like a person, to an invitation, a proposal, a held mail and a question of ours."""

from itertools import product

import pytest

from marketpost.mail.inbound.yes_or_no import agreement
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.proposals import propose
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests.mail.desk import Desk

RULES = sorted(rulesets())
YES = {
    "en": ["yes", "Yes please!", "sure, why not", "of course", "ok", "No problem", "I'm in, thanks for asking :-)", "Hi Ann, gladly!"],
    "de": ["Ja gerne", "Ja, kein Problem!", "einverstanden", "Na klar", "Hallo Ann,\n\nsehr gerne!\n\nViele Grüße\nBen", "bin dabei"],
    "fr": ["oui avec plaisir", "D'accord", "D’accord !", "Bien sûr, merci", "Pourquoi pas", "Oui, pas de problème."],
    "it": ["volentieri", "va bene", "certo", "Sì, con piacere!", "Ci sto, grazie per l'invito", "perché no"],
}
NO = {
    "en": ["no", "no thanks", "Rather not, sorry", "not this time"],
    "de": ["nein danke", "lieber nicht", "Leider nicht, danke!", "auf keinen Fall"],
    "fr": ["non merci", "Non, pas cette fois", "je ne peux pas, désolé", "plutôt pas"],
    "it": ["no grazie", "meglio di no", "Purtroppo non posso", "no, mi dispiace"],
}
UNCLEAR = {
    "en": ["yes but only tomorrow", "yes and no", "yes?", "sure, if Ben plays", "maybe"],
    "de": ["ja, aber erst morgen", "jein", "ja\nnein", "gerne nicht", "vielleicht"],
    "fr": ["oui mais demain", "oui si tu veux commencer", "peut-être", "oui, non"],
    "it": ["sì ma domani", "sì, se comincio io", "forse", "non va bene"],
}
everywhere = pytest.mark.parametrize(("rules", "language"), [*product(RULES, LANGUAGES)])
OURS = {"en": "“yes”", "de": "„ja“", "fr": "« oui »", "it": "“sì”"}


def flat(text: str) -> str:
    return " ".join(text.split())


def invited(desk: Desk, rules: str, language: str, id: str = "g1") -> Player:
    """Ben, whom Ann has asked to play."""
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    open_game(desk.mailer.ports, id, ann.id, rules, [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    desk.work()
    return ben


@pytest.mark.parametrize("word", [each for told in YES.values() for each in told if "\n" not in each])
def test_a_yes_is_a_yes(word: str) -> None:
    assert agreement(word, ["Ann", "Ben"]) == "yes"


@pytest.mark.parametrize("word", [each for told in NO.values() for each in told])
def test_a_no_is_a_no(word: str) -> None:
    assert agreement(word) == "no"


@pytest.mark.parametrize("word", [each for told in UNCLEAR.values() for each in told if "\n" not in each])
def test_a_yes_with_a_condition_is_none(word: str) -> None:
    assert agreement(word) == ""


@everywhere
def test_an_invitation_is_accepted_like_a_person_does(desk: Desk, rules: str, language: str) -> None:
    for number, word in enumerate(YES[language]):
        ben = invited(desk, rules, language, f"g{number}")

        assert desk.answer(ben, word, desk.newest(ben)) == "answered", word

        assert desk.game(f"g{number}").status == "running", word


@everywhere
def test_an_invitation_is_declined_like_a_person_does(desk: Desk, rules: str, language: str) -> None:
    for number, word in enumerate(NO[language]):
        ben = invited(desk, rules, language, f"g{number}")

        desk.answer(ben, word, desk.newest(ben))

        assert [(seat.player == ben.id, seat.invited) for seat in desk.game(f"g{number}").seats][1] == (False, None), word


@everywhere
def test_an_unclear_answer_to_an_invitation_is_asked_again_and_not_told_moves(desk: Desk, rules: str, language: str) -> None:
    ben = invited(desk, rules, language)
    for word in UNCLEAR[language]:
        desk.answer(ben, word, desk.newest(ben))

        letter = desk.newest(ben)
        assert desk.game().status == "open", word
        assert OURS[language] in flat(letter.text), word
        assert "Ann" in letter.text, "which game it is about"
        inset = [line.strip() for line in letter.text.splitlines() if line.startswith("    ") and line.strip()]
        assert [line.replace(">>", "").replace("<<", "") for line in inset] == word.splitlines(), "the own words, and no examples of moves"
        assert all(">>" in line for line in inset), "which are marked"

    desk.answer(ben, YES[language][0], desk.newest(ben))
    assert desk.game().status == "running", "the letter that asked again can be answered"


@everywhere
def test_a_proposal_is_agreed_to_like_a_person_does(desk: Desk, rules: str, language: str) -> None:
    ann, ben = desk.person("Ann", language), desk.person("Ben", language)
    desk.table(ann, ben, rules=rules)
    propose(desk.mailer.ports, "g1", ann.id, "draw")
    desk.work()
    question = desk.newest(ben)
    desk.answer(ben, UNCLEAR[language][0], question)
    assert desk.game().status == "running"
    assert "Ann" in desk.newest(ben).text
    assert OURS[language] in flat(desk.newest(ben).text)

    desk.answer(ben, YES[language][1], desk.newest(ben))

    assert desk.game().status == "over"


@everywhere
def test_a_held_mail_is_confirmed_like_a_person_does(desk: Desk, rules: str, language: str) -> None:
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=rules)
    player, version, orders = desk.to_play(), desk.game().version, desk.good_orders(language)
    desk.answer(player, orders, sender="at-work@firm.test")
    question = flat(desk.newest(player).text)
    assert flat(orders) in question, "what will be done"
    assert ("Ben" if player.name == "Ann" else "Ann") in question, "and in which game"

    desk.answer(player, UNCLEAR[language][0], desk.newest(player))
    assert desk.game().version == version
    assert flat(orders) in flat(desk.newest(player).text), "asked again"
    assert desk.answer(player, YES[language][-1], desk.newest(player)) == "submitted"

    assert desk.game().version > version


@everywhere
def test_a_question_of_ours_is_answered_like_a_person_does(desk: Desk, rules: str, language: str) -> None:
    words = {"en": "resign", "de": "aufgeben", "fr": "abandonner", "it": "abbandono"}
    desk.table(desk.person("Ann", language), desk.person("Ben", language), rules=rules)
    player = desk.to_play()
    desk.answer(player, words[language])
    desk.answer(player, UNCLEAR[language][0], desk.newest(player))
    assert OURS[language] in flat(desk.newest(player).text)

    desk.answer(player, YES[language][1], desk.newest(player))

    assert not any(seat.player == player.id for seat in desk.game().seats)


@pytest.mark.parametrize("rules", RULES)
def test_where_nothing_was_asked_a_friendly_word_agrees_to_nothing(desk: Desk, rules: str) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"), rules=rules)
    player, version = desk.to_play(), desk.game().version

    desk.answer(player, "sure, why not")

    assert desk.game().version == version
    assert "waits for your yes" not in flat(desk.newest(player).text)
