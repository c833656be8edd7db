"""What somebody who plays for the first time reads: nothing in a letter can be taken for something else."""

import re
from html import unescape

import pytest

from marketpost.mail.inbound.command_context import words_of
from marketpost.mail.outbound.letters import pace
from marketpost.mail.outbound.letters.game_values import the_aim
from marketpost.mail.outbound.render import COLUMNS, orders, read_words
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Setting, rulesets
from marketpost.rules.words import LANGUAGES
from tests.mail.desk import Desk

every_ruleset = pytest.mark.parametrize("rules", rulesets())
every_language = pytest.mark.parametrize("language", LANGUAGES)


def flat(text: str) -> str:
    return " ".join(text.split())


@every_ruleset
@every_language
def test_an_empty_answer_is_told_how_steps_are_separated(desk: Desk, rules: str, language: str) -> None:
    desk.table(desk.person("Anna", language), desk.person("Ben", language), rules=rules)
    player = desk.to_play()

    desk.answer(player, "")

    assert flat(words_of(player).say("answers.separate")) in flat(desk.newest(player).text)


@every_ruleset
@every_language
def test_who_talks_to_the_others_is_told_how(desk: Desk, rules: str, language: str) -> None:
    desk.table(desk.person("Anna", language), desk.person("Ben", language), rules=rules)
    player = desk.to_play()

    assert desk.answer(player, "What a lovely market") == "strange"

    assert flat(words_of(player).say("answers.to-say")) in flat(desk.newest(player).text)


@every_ruleset
@every_language
def test_a_long_example_goes_on_further_to_the_right(rules: str, language: str) -> None:
    each = rulesets()[rules]
    state = each.fold(each.start(Setting(each.colours[:2], each.boards()[0]), Sealed(bytes(32), "long")))
    step = each.notate(each.parse(each.legal(state, each.deciders(state)[0])[0]), each.in_language(language))
    steps = [step] * (2 * COLUMNS // len(step))

    first, *further = orders(["; ".join(steps)]).split("\n")

    assert first.startswith(f"    {step};")
    assert further
    assert all(line.startswith(f"      {step}") for line in further)
    assert [part for line in (first, *further) for part in line.strip().rstrip(";").split("; ")] == steps


@every_language
def test_who_has_won_alone_is_not_told_who_won(language: str) -> None:
    assert "{winners}" not in read_words("over", language)["result-won"]


@every_ruleset
@every_language
def test_what_is_dropped_is_not_called_done(desk: Desk, rules: str, language: str) -> None:
    desk.table(desk.person("Anna", language), desk.person("Ben", language), rules=rules)
    player = desk.to_play()
    desk.answer(player, "resign")

    assert desk.answer(player, "no", desk.newest(player)) == "dropped"

    assert desk.newest(player).header("Subject").startswith(read_words("answer", language)["subject-dropped"].partition(" ")[0])


@every_ruleset
@every_language
def test_whoever_is_offered_a_seat_is_told_as_much_as_in_an_invitation(desk: Desk, rules: str, language: str) -> None:
    desk.table(anna := desk.person("Anna", language), desk.person("Ben", language), rules=rules)
    cleo = desk.person("Cleo", language)

    desk.answer(anna, f"hand over! to {cleo.email}", desk.box(anna)[-1])

    letter = desk.newest(cleo)
    for part in ("text", "html"):
        shown = flat(unescape(re.sub(r"<[^>]+>", " ", getattr(letter, part))))
        assert flat(the_aim(desk.game(), cleo)["aim"][1]) in shown
        assert flat(read_words("words", language)["languages"]) in flat(shown.replace("\N{NO-BREAK SPACE}", " "))
        assert flat(" ".join(pace(desk.game().clock, language))) in shown
