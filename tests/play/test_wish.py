"""A game asked for in words is the game that was meant, or none."""

import pytest

from mail.commands import WORDS
from play.wish import Wish, read_wish
from rules.refusal import Refused
from rules.words import COMMON, LANGUAGES, Words, lexicon

CARLO = ("carlo@example.org",)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("portobello with carlo@example.org and a greedy bot", Wish("portobello", CARLO, ("greedy",))),
        ("alturien with two greedy bots", Wish("alturien", (), ("greedy", "greedy"))),
        ("A game of Portobello with 3 bots, please.", Wish("portobello", (), ("greedy",) * 3)),
        ("portobello with carlo@example.org and a strong bot", Wish("portobello", CARLO, ("strong",))),
        ("portobello with greedy and random", Wish("portobello", (), ("greedy", "random"))),
        ("Hi! I would like to play The Market of Alturien against a robot", Wish("alturien", (), ("greedy",))),
        ("portobello carlo@example.org, CARLO@example.org", Wish("portobello", CARLO, ())),
        ("Eine Partie Portobello mit carlo@example.org und einem Bot, bitte", Wish("portobello", CARLO, ("greedy",))),
        ("alturien mit fünf random Bots", Wish("alturien", (), ("random",) * 5)),
        ("alturien mit fuenf Bots", Wish("alturien", (), ("greedy",) * 5)),
        ("Une partie d’Alturien avec carlo@example.org et deux bots greedy, s’il vous plaît", Wish("alturien", CARLO, ("greedy",) * 2)),
        ("portobello avec un robot", Wish("portobello", (), ("greedy",))),
        ("Una partita di portobello con carlo@example.org e due bot greedy, per favore", Wish("portobello", CARLO, ("greedy",) * 2)),
        ("alturien con tre bot e carlo@example.org", Wish("alturien", CARLO, ("greedy",) * 3)),
        ("portobello", Wish("portobello", (), ())),
    ],
)
def test_a_game_is_asked_for_as_people_say_it(text: str, wish: Wish) -> None:
    assert read_wish(text) == wish


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("portobello with carlo@example.org and a clever bot", "clever"),
        ("portobello with carlo@example.org and nonsense and 3 wizards", "nonsense 3 wizards"),
        ("portobello mit carlo@example.org und einem schlauen Bot", "schlauen"),
        ("portobello avec carlo@example.org et un bot malin", "malin"),
        ("portobello con carlo@example.org e un bot furbo", "furbo"),
        ("portobello without bots", "without bots"),
        ("portobello with bots", "bots"),
        ("portobello with 7 bots", "7 bots"),
        ("portobello with 0 bots", "0 bots"),
        ("portobello with two", "two"),
        ("portobello with a random greedy bot", "random greedy"),
        ("portobello with carlo@", "carlo @"),
        ("portobello or alturien with a bot", "or alturien"),
        ("portobello with 🤖", "🤖"),
    ],
)
def test_what_nobody_understands_is_quoted_and_opens_nothing(text: str, unclear: str) -> None:
    with pytest.raises(Refused) as refused:
        read_wish(text)

    assert refused.value.code == "wish-unclear"
    for language in LANGUAGES:
        assert unclear in Words(language, COMMON).explain(refused.value.refusal)


def test_where_no_game_is_named_there_is_no_wish() -> None:
    assert read_wish("chess with carlo@example.org") is None
    assert read_wish("") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_that_are_told_can_be_read(language: str) -> None:
    told = Words(language, WORDS)
    how, unclear = told.say("answers.new-how"), told.say("refusals.wish-unclear", text="x")

    assert read_wish(how[how.index("portobello") :]) == Wish("portobello", ("bob@example.org",), ("greedy",))
    assert read_wish(unclear[unclear.index("portobello") :]) == Wish("portobello", ("bob@example.org",), ("greedy", "greedy"))


def test_no_word_of_a_wish_means_two_things() -> None:
    assert [word for word, meanings in lexicon(COMMON, "wish").items() if len(meanings) > 1] == []
