"""A game asked for in words is the game that was meant, or none."""

import pytest

from marketpost.mail.inbound.command_context import WORDS
from marketpost.play.log.actions import TimeControl
from marketpost.play.table.new_game_request import NewGameRequest, language_of, read_request
from marketpost.rules.bots import usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.request_words import EDITION, NUMBER, phrase
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words, lexicon, read_words

DAY = 24 * 3_600_000
CARLO = ("carlo@example.org",)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("portobello with carlo@example.org and a greedy bot", NewGameRequest("portobello", CARLO, ("greedy",))),
        ("alturien with two greedy bots", NewGameRequest("alturien", (), ("greedy", "greedy"))),
        ("A game of Portobello with 3 bots, please.", NewGameRequest("portobello", (), ("greedy",) * 3)),
        ("portobello with carlo@example.org and a strong bot", NewGameRequest("portobello", CARLO, ("strong",))),
        ("portobello with greedy and random", NewGameRequest("portobello", (), ("greedy", "random"))),
        ("Hi! I would like to play The Market of Alturien against a robot", NewGameRequest("alturien", (), ("greedy",))),
        ("portobello carlo@example.org, CARLO@example.org", NewGameRequest("portobello", CARLO, ())),
        ("Eine Partie Portobello mit carlo@example.org und einem Bot, bitte", NewGameRequest("portobello", CARLO, ("greedy",))),
        ("alturien mit fünf random Bots", NewGameRequest("alturien", (), ("random",) * 5)),
        ("alturien mit fuenf Bots", NewGameRequest("alturien", (), ("greedy",) * 5)),
        (
            "Une partie d’Alturien avec carlo@example.org et deux bots greedy, s’il vous plaît",
            NewGameRequest("alturien", CARLO, ("greedy",) * 2),
        ),
        ("portobello avec un robot", NewGameRequest("portobello", (), ("greedy",))),
        (
            "Una partita di portobello con carlo@example.org e due bot greedy, per favore",
            NewGameRequest("portobello", CARLO, ("greedy",) * 2),
        ),
        ("alturien con tre bot e carlo@example.org", NewGameRequest("alturien", CARLO, ("greedy",) * 3)),
        ("portobello", NewGameRequest("portobello", (), ())),
    ],
)
def test_a_game_is_asked_for_as_people_say_it(text: str, meant: NewGameRequest) -> None:
    assert read_request(text) == meant


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
        read_request(text)

    assert refused.value.code == "request-unclear"
    for language in LANGUAGES:
        assert unclear in Words(language, COMMON).explain(refused.value.refusal)


def test_where_no_game_is_named_there_is_no_request() -> None:
    assert read_request("chess with carlo@example.org") is None
    assert read_request("") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_that_are_told_can_be_read(language: str) -> None:
    told = Words(language, WORDS)
    how, unclear, untimed = (told.say(key, text="x") for key in ("answers.new-how", "refusals.request-unclear", "refusals.request-untimed"))

    assert read_request(how[how.index("portobello") :]) == NewGameRequest("portobello", ("bob@example.org",), ("strong",))
    assert read_request(unclear[unclear.index("portobello") :]) == NewGameRequest("portobello", ("bob@example.org",), ("easy", "easy"))
    timed = read_request(untimed[untimed.index("portobello") :])
    assert timed
    assert timed.clock == TimeControl(3 * 86_400_000, weekends=False)


@pytest.mark.parametrize("rules", sorted(rulesets()))
@pytest.mark.parametrize("language", LANGUAGES)
def test_free_weekends_without_a_time_are_understood_and_asked_about(rules: str, language: str) -> None:
    for weekends in lexicon(COMMON, "request", language):
        if lexicon(COMMON, "request")[weekends] == ("weekends-off",):
            with pytest.raises(Refused) as refused:
                read_request(f"{rules} 2 bots, {weekends}")
            assert refused.value.code == "request-untimed"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("portobello 2.0 con 3 bot, fine settimana libero", "it"),
        ("alturien, 2 Bots, Wochenende frei", "de"),
        ("alturien avec 2 bots, 3h", "fr"),
        ("alturien with 2 bots, 3h", "en"),
    ],
)
def test_figures_belong_to_no_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_no_word_of_a_request_means_two_things() -> None:
    assert [word for word, meanings in lexicon(COMMON, "request").items() if len(meanings) > 1] == []


# Edition, options and clock


RULES = sorted(rulesets())


def spoken(rules: str, language: str) -> list[str]:
    """What this language calls the ruleset's editions and options, in letters and in requests."""
    words = read_words(rulesets()[rules].words, language)
    told = [each for part in ("editions", "values") for each in words.get(part, {}).values()]
    return [each for each in told if isinstance(each, str)] + [each for list in words.get("request", {}).values() for each in list]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_and_option_is_understood_by_each_of_its_names(rules: str, language: str) -> None:
    ruleset = rulesets()[rules]
    for text in spoken(rules, language):
        option, value = ruleset.choices[phrase(text)]
        said, value = text.replace(NUMBER, "7"), "7" if value == NUMBER else value
        for form in (f"{rules} {said}, bob@example.org", f"{rules} bob@example.org, {said}"):
            request = read_request(form)

            assert request, form
            assert (request.edition if option == EDITION else request.options.get(option)) == value, form
            assert (request.addresses, request.bots, request.clock) == (("bob@example.org",), (), None), form


@pytest.mark.parametrize("rules", RULES)
def test_no_name_of_an_option_means_two_things(rules: str) -> None:
    meant: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for key, told in read_words(rulesets()[rules].words, language).get("request", {}).items():
            for text in told:
                meant.setdefault(phrase(text), set()).add(key)

    assert [text for text, keys in meant.items() if len(keys) > 1] == []
    assert {each for keys in meant.values() for each in keys} >= {
        f"{option}={value}" for option, value in rulesets()[rules].settle(None, {}).items() if not str(value).isdecimal()
    }, "each option that is usual can be said"


@pytest.mark.parametrize("rules", RULES)
def test_the_codes_of_editions_and_options_are_understood(rules: str) -> None:
    ruleset = rulesets()[rules]
    for code in ruleset.editions:
        assert read_request(f"{rules} {code} with a bot") == NewGameRequest(rules, (), (usual_bot(ruleset),), code)
    for option, value in ruleset.settle(None, {}).items():
        assert read_request(f"{rules} with a bot, {option}={value}") == NewGameRequest(
            rules, (), (usual_bot(ruleset),), options={option: str(value)}
        )


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("1 day, weekends off", TimeControl(DAY, weekends=False)),
        ("3 days per move", TimeControl(3 * DAY)),
        ("a day per move", TimeControl(DAY)),
        ("24h", TimeControl(DAY)),
        ("1d12h", TimeControl(DAY * 3 // 2)),
        ("36 hours", TimeControl(DAY * 3 // 2)),
        ("1 day 12 hours", TimeControl(DAY * 3 // 2)),
        ("two weeks", TimeControl(14 * DAY)),
        ("no clock", None),
        ("3 Tage pro Zug, Wochenenden frei", TimeControl(3 * DAY, weekends=False)),
        ("ein Tag je Zug, ohne Wochenenden", TimeControl(DAY, weekends=False)),
        ("ohne Uhr", None),
        ("2 jours par coup, sans les week-ends", TimeControl(2 * DAY, weekends=False)),
        ("un jour par coup", TimeControl(DAY)),
        ("sans pendule", None),
        ("1 giorno a mossa, fine settimana liberi", TimeControl(DAY, weekends=False)),
        ("tre giorni per mossa", TimeControl(3 * DAY)),
        ("senza limite di tempo", None),
    ],
)
def test_the_clock_can_be_said(rules: str, text: str, clock: TimeControl | None) -> None:
    for form in (f"{rules} bob@example.org, {text}", f"{rules} {text} bob@example.org"):
        assert read_request(form) == NewGameRequest(rules, ("bob@example.org",), clock=clock)


@pytest.mark.parametrize("text", ["weekends off", "no clock, 1 day", "90 days", "0 days", "soon"])
def test_a_clock_that_nobody_can_set_is_quoted(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_request(f"portobello with a bot, {text}")

    assert refused.value.refusal.values["text"] == text.replace(",", "")


def test_two_values_of_one_option_are_unclear() -> None:
    with pytest.raises(Refused):
        read_request("alturien with two bots, with expansion, without expansion")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("portobello with bob@example.org", "en"),
        ("I would like to play chess", "en"),
        ("portobello mit carla@example.org und greedy bot", "de"),
        ("Ich möchte Schach spielen", "de"),
        ("portobello avec un robot", "fr"),
        ("Bonjour, je voudrais jouer", "fr"),
        ("alturien con due bot", "it"),
        ("Vorrei giocare a scacchi", "it"),
        ("Hilfe", "de"),
        ("règles", "fr"),
        ("games", "en"),
        ("partite", "it"),
        ("portobello", None),
        ("", None),
    ],
)
def test_the_language_of_a_request_is_known_by_its_words(text: str, language: str | None) -> None:
    assert language_of(text) == language
