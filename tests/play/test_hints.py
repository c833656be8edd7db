"""Hints: what a bot would play, for whoever is to decide, as the table allows it; logged, and never shown for another position."""

import pytest

from marketpost.play.limits import Limit, Limits, OverLimit
from marketpost.play.log.actions import Hinted, HintRule, ProposalKind, SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.moves import hints
from marketpost.play.moves.bot_moves import move_bots
from marketpost.play.moves.hints import HintStatus, ask_hint, give_hint, hint_status
from marketpost.play.moves.submit import OutcomeStatus, outcome, submit
from marketpost.play.outbox import notices
from marketpost.play.people.results import RatingPool, pool_of
from marketpost.play.ports import Ports
from marketpost.play.table.new_game_request import read_request
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.seating import open_game
from marketpost.play.table.undo import undo
from marketpost.rules.analysis_told import percent
from marketpost.rules.hint_told import orders_told, why_told
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.rate_counters import RateCounters
from tests.play.over import greedy, work

every_ruleset = pytest.mark.parametrize("rules", sorted(rulesets()))


@pytest.fixture(autouse=True)
def brief(ports: Ports) -> None:
    """A bot may think for 60 ms."""
    ports.limits = Limits({Limit.BOT_DECISION_SERVICE: 60, Limit.HINTS_PLAYER: 3}, RateCounters(ports.games.redis))


def opened(ports: Ports, rules: str, *seats: SeatPlan, rule: str = "") -> Game:
    game = open_game(ports, "g1", seats[0].player or "", rules, seats, {"hints": rule} if rule else {})
    work(ports, "g1")
    return game


def now(ports: Ports) -> Game:
    """The game from its log alone."""
    return follow(Game("g1"), ports.games.read("g1"))


def hinted(ports: Ports, player: str) -> Hinted:
    ask_hint(ports, "g1", player)
    work(ports, "g1")
    game = now(ports)
    found = game.hint_for(game.deciders[0])
    assert found
    return found


def notice_of(ports: Ports) -> notices.Notice:
    """The request for a hint, as a bots' worker finds it."""
    [(_, waiting)] = ports.at_work(["g1"]).values()
    return next(notice for each in waiting.notices if (notice := notices.decode(each)).kind == "hint")


def reasons(game: Game, hint: Hinted) -> set[str]:
    """What may be said of a hint, in each language: compared with the next best, as good as that, or not compared."""
    key = "unsure" if not hint.trials else "same" if hint.chance == hint.less else "why"
    found = set()
    for language in LANGUAGES:
        words = game.rules.in_language(language)
        compared = {"chance": percent(hint.chance, words), "less": percent(hint.less, words), "trials": hint.trials}
        found.add(words.say(f"hint.{key}", text=orders_told(game.rules, hint.other, words), **compared))
    return found


def kinds(ports: Ports) -> list[str]:
    return [str(type(decode(each.data).action).__struct_config__.tag) for each in ports.games.read("g1")]


@every_ruleset
def test_a_hint_is_legal_told_in_four_languages_given_once_and_gone_after_the_move(ports: Ports, ann: str, rules: str) -> None:
    before = opened(ports, rules, SeatPlan(player=ann), SeatPlan(bot="greedy"))
    version = now(ports).version
    assert hint_status(before, 0) == HintStatus.NONE
    assert hint_status(ask_hint(ports, "g1", ann), 0) == HintStatus.PENDING
    ask_hint(ports, "g1", ann, "asked once more")
    hint = hinted(ports, ann)

    assert kinds(ports)[version:] == ["hint-asked", "hinted"]
    assert hint_status(now(ports), 0) == HintStatus.READY
    assert {why_told(before.rules, hint, before.rules.in_language(language)) for language in LANGUAGES} == reasons(before, hint)
    move = submit(ports, now(ports), ann, hint.orders, if_match=version)
    work(ports, "g1")
    decided = outcome(ports, "g1", move)
    assert decided
    assert decided.status == OutcomeStatus.APPLIED, "orders for the version before the hint are not stale"
    assert now(ports).hint_for(0) is None


@every_ruleset
def test_among_people_there_are_hints_only_where_the_table_allows_them(ports: Ports, ann: str, ben: str, rules: str) -> None:
    pair = (SeatPlan(player=ann), SeatPlan(player=ben))
    opened(ports, rules, *pair)
    with pytest.raises(Refused, match="hints-off"):
        ask_hint(ports, "g1", ann)
    ports.games.redis.flushall()
    ports.evict("g1")
    opened(ports, rules, *pair, rule="allowed")
    deciding = now(ports).deciders[0]
    with pytest.raises(Refused, match="not-your-turn"):
        ask_hint(ports, "g1", (ben, ann)[deciding])
    assert hinted(ports, (ann, ben)[deciding]).seat == deciding


def test_a_table_without_hints_has_none_against_bots_either_and_a_player_has_so_many_an_hour(ports: Ports, ann: str) -> None:
    opened(ports, "portobello", SeatPlan(player=ann), SeatPlan(bot="random"), rule="off")
    with pytest.raises(Refused, match="hints-off"):
        ask_hint(ports, "g1", ann)
    ports.games.redis.flushall()
    ports.evict("g1")
    opened(ports, "portobello", SeatPlan(player=ann), SeatPlan(bot="random"))
    for _ in range(3):
        submit(ports, now(ports), ann, hinted(ports, ann).orders)
        work(ports, "g1")
    with pytest.raises(OverLimit):
        ask_hint(ports, "g1", ann)


@pytest.mark.parametrize("rule", HintRule)
def test_a_game_is_not_rated_if_people_may_ask_for_hints(ports: Ports, ann: str, ben: str, rule: HintRule) -> None:
    opened(ports, "alturien", SeatPlan(player=ann), SeatPlan(player=ben), rule=rule)
    asked = propose(ports, "g1", ann, ProposalKind.DRAW).proposal
    assert asked
    agree(ports, "g1", ben, asked.number)

    assert pool_of(now(ports)) == (None if rule == HintRule.ALLOWED else RatingPool.PEOPLE)


def test_a_hint_that_comes_after_the_move_or_a_second_time_is_not_written(ports: Ports, ann: str) -> None:
    opened(ports, "portobello", SeatPlan(player=ann), SeatPlan(bot="greedy"))
    asked = ask_hint(ports, "g1", ann)
    for _ in range(2):
        give_hint(ports, asked, notice_of(ports))
    [first] = now(ports).hints.values()
    submit(ports, now(ports), ann, first.orders)
    work(ports, "g1")
    again = ask_hint(ports, "g1", ann)
    asked_again = notice_of(ports)
    submit(ports, again, ann, greedy(again))
    work(ports, "g1")
    give_hint(ports, again, asked_again)

    assert kinds(ports).count("hint-asked") == 2
    assert [*now(ports).hints.values()] == [first]


def test_after_an_undo_the_hint_of_that_position_counts_again(ports: Ports, ann: str) -> None:
    opened(ports, "alturien", SeatPlan(player=ann), SeatPlan(bot="greedy"))
    hint = hinted(ports, ann)
    submit(ports, now(ports), ann, hint.orders)
    work(ports, "g1")
    undo(ports, "g1", ann)
    work(ports, "g1")

    assert now(ports).hint_for(0) == hint
    ask_hint(ports, "g1", ann)
    assert kinds(ports).count("hint-asked") == 1


def test_a_worker_that_dies_while_it_thinks_leaves_the_hint_to_another(ports: Ports, ann: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(ports, "portobello", SeatPlan(player=ann), SeatPlan(bot="greedy"))
    ask_hint(ports, "g1", ann)
    monkeypatch.setattr(hints, "weigh", _killed)
    with pytest.raises(KeyboardInterrupt):
        move_bots(ports, "g1")
    monkeypatch.undo()
    work(ports, "g1")

    assert hint_status(now(ports), 0) == HintStatus.READY


def _killed(*args: object, **more: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("portobello with a bot", HintRule.AGAINST_BOTS),
        ("portobello with ben@example.org, with hints", HintRule.ALLOWED),
        ("alturien mit ben@example.org, Tipps erlaubt", HintRule.ALLOWED),
        ("alturien avec ben@example.org, avec des conseils", HintRule.ALLOWED),
        ("portobello con ben@example.org, suggerimenti permessi", HintRule.ALLOWED),
        ("portobello with a bot, no hints", HintRule.OFF),
        ("alturien mit einem Bot ohne Tipps", HintRule.OFF),
        ("alturien avec un bot, sans conseils", HintRule.OFF),
        ("portobello con un bot senza suggerimenti", HintRule.OFF),
    ],
)
def test_a_request_for_a_game_says_whether_there_are_hints(text: str, rule: HintRule) -> None:
    request = read_request(text)
    assert request
    assert request.setting["hints"] == rule
