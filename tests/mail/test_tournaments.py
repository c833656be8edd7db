"""Tournaments by mail: announced, entered by a yes, one letter for each round."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.render import Sentences
from marketpost.notify.competition_letters import tell_of_competition
from marketpost.play.compete.advance import advance
from marketpost.play.compete.competition import Competition
from marketpost.play.compete.competition_actions import CompetitionEnded, CompetitionEnding, CompetitionFormat, CompetitionPlan
from marketpost.play.compete.competition_notices import CompetitionNews
from marketpost.play.compete.entering import all_competitions, announce, competition_of, enter
from marketpost.play.compete.plan_request import competition_clock, read_plan
from marketpost.play.compete.standings import standings
from marketpost.play.log.actions import ProposalKind
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.talk import say
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import COMMON, LANGUAGES, Words
from marketpost.store.players import Player
from tests.competitions import simulate
from tests.letter_gallery import LINKS
from tests.mail.desk import Desk
from tests.mail.test_table import HAND_OVER, flat, is_told, told, word

SAID = {
    "en": ("tournament Spring Cup: swiss portobello, 2 at a table, 3 rounds, 2 days per move, 2026-04-01, with bob@example.org", "yes"),
    "de": ("Turnier Spring Cup: Schweizer System portobello, 2 am Tisch, 3 Runden, 2 Tage pro Zug, 2026-04-01, mit bob@example.org", "ja"),
    "fr": ("tournoi Spring Cup: suisse portobello, 2 par table, 3 rondes, 2 jours par coup, 2026-04-01, avec bob@example.org", "oui"),
    "it": ("torneo Spring Cup: svizzero portobello, 2 per tavolo, 3 turni, 2 giorni per mossa, 2026-04-01, con bob@example.org", "sì"),
}


def moved_on(desk: Desk) -> Competition:
    [found] = all_competitions(desk.mailer.ports)
    advance(desk.mailer.ports, found.id, partial(tell_of_competition, desk.mailer))
    desk.work()
    return competition_of(desk.mailer.ports, found.id)


@pytest.mark.parametrize("language", SAID)
def test_a_tournament_is_announced_and_entered_by_mail(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob", language)
    asks, yes = SAID[language]
    desk.table(ann, bob)
    desk.answer(ann, asks)
    desk.work()
    moved_on(desk)
    invitation = desk.newest(bob)
    assert "Spring Cup" in invitation.header("Subject")
    desk.answer(bob, yes, invitation)
    desk.work()
    found = moved_on(desk)

    assert found.entrants == [ann.id, bob.id]
    assert (found.plan.rounds, found.plan.seats, found.plan.clock.per_decision) == (3, 2, 2 * 86_400_000)
    assert "Spring Cup" in desk.newest(bob).text

    desk.clock.now = found.plan.starts
    paired = moved_on(desk)
    assert len(paired.rounds) == 1
    [letter] = [each for each in desk.box(bob) if "Spring Cup" in each.header("Subject") and "1" in each.header("Subject")]
    assert "Ann" in letter.text
    assert f"/games/{paired.table_id(1, 0)}" in letter.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_at_a_table_is_not_handed_to_another_person(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob", language)
    plan = CompetitionPlan("Spring Cup", CompetitionFormat.SWISS, "portobello", 2, competition_clock(None), desk.clock.now + 1000)
    for player in (announce(desk.mailer.ports, "c-cup", ann.id, plan).host, bob.id):
        enter(desk.mailer.ports, "c-cup", player)
    desk.clock.forward(hours=1)
    id = moved_on(desk).table_id(1, 0)

    desk.answer(ann, HAND_OVER[language].format(who="cleo@example.org"), desk.newest(ann))
    assert flat(Words(language, COMMON).say("refusals.tournament-seat")) in flat(desk.newest(ann).text)
    assert "cleo@example.org" not in {each.recipient for each in desk.street.brought}
    desk.answer(ann, HAND_OVER[language].format(who="bot"), desk.newest(ann))
    desk.answer(ann, word(language, "yes"), desk.newest(ann))
    assert [bool(seat.bot) for seat in desk.game(id).seats].count(True) == 1


def test_who_says_no_does_not_take_part(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob")
    desk.table(ann, bob)
    desk.answer(ann, SAID["en"][0])
    desk.work()
    moved_on(desk)
    desk.answer(bob, "no", desk.newest(bob))
    desk.work()
    assert "You do not take part in Spring Cup." in desk.newest(bob).text
    assert moved_on(desk).entrants == [ann.id]


def test_tournaments_are_listed_shown_entered_and_left_by_a_command(desk: Desk) -> None:
    ann, bob = desk.person("Ann"), desk.person("Bob")
    desk.table(ann, bob)
    desk.answer(ann, SAID["en"][0].replace(", with bob@example.org", ""))
    desk.work()
    id = moved_on(desk).id
    said = {
        "tournaments": f"tournament {id}",
        f"tournament join {id}": "You take part in Spring Cup.",
        f"tournament {id}": "1. Bob: 0.00",
        f"tournament leave {id}": "You do not take part in Spring Cup any more.",
        f"tournament cancel {id}": "Only the host can do that.",
        "tournament c-nothing": "There is no such tournament.",
        "tournament Summer Cup: swiss": "To announce a tournament",
    }
    for words, answered in said.items():
        desk.clock.forward(hours=1)
        desk.answer(bob, words)
        desk.work()
        assert answered in " ".join(desk.newest(bob).text.split()), words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("format", "news", "key"),
    [
        (CompetitionFormat.SWISS, CompetitionNews.ROUND, "round"),
        (CompetitionFormat.LEAGUE, CompetitionNews.ROUND, "season"),
        (CompetitionFormat.SWISS, CompetitionNews.BYE, "bye"),
        (CompetitionFormat.DUPLICATE, CompetitionNews.BYE, "bye-half"),
        (CompetitionFormat.SWISS, CompetitionNews.FORFEITED, "forfeited"),
        (CompetitionFormat.LEAGUE, CompetitionNews.FORFEITED, "forfeited-league"),
        (CompetitionFormat.SWISS, CompetitionNews.OVER, "over"),
        (CompetitionFormat.LEAGUE, CompetitionNews.OVER, "over-league"),
        (CompetitionFormat.SWISS, CompetitionNews.CANCELLED, "stopped"),
    ],
)
def test_each_news_of_each_system_has_its_sentence(format: CompetitionFormat, news: CompetitionNews, key: str, language: str) -> None:
    cup = simulate(format, 7, 2, Random(1), rounds=2)
    assert sentence_of(cup, news, language)(key)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("how", "key"), [(CompetitionEnding.CANCELLED, "cancelled"), (CompetitionEnding.TOO_FEW, "too-few")])
def test_why_a_tournament_does_not_take_place_is_told(how: CompetitionEnding, key: str, language: str) -> None:
    cup = simulate(CompetitionFormat.SWISS, 4, 2, Random(1), rounds=1)
    cup.rounds.clear()
    cup.ended = CompetitionEnded(how)
    assert sentence_of(cup, CompetitionNews.CANCELLED, language)(key)


def sentence_of(cup: Competition, news: CompetitionNews, language: str) -> Callable[[str], bool]:
    """Write the letter to the first player, and return whether it tells the sentence of a key."""
    reader = Player("p00", "ann@example.org", "Ann", language=language)
    number = 1 if cup.rounds and news not in (CompetitionNews.OVER, CompetitionNews.CANCELLED) else 0
    lines = [(line, line.player) for line in standings(cup)]
    letter = letters.tournament(cup, reader, LINKS, news, number, lines, ["Bob", "Cy"])
    [own] = [line for line, _ in lines if line.player == reader.id]

    def is_told(key: str) -> bool:
        names = letters.listed(language, ["Bob", "Cy"])
        values = {"number": number, "players": names, "place": own.place, "division": own.division, "id": cup.id}
        return flat(Sentences(language, "tournament").say(key, name=cup.plan.name, **values)) in flat(letter.text)

    return is_told


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_enters_a_running_league_is_told_of_the_next_season(desk: Desk, language: str) -> None:
    people = [desk.person(name, language) for name in ("Ann", "Bob", "Cy")]
    ports = desk.mailer.ports
    desk.table(*people[:2])
    plan = CompetitionPlan("Market League", CompetitionFormat.LEAGUE, "portobello", 2, competition_clock(None), ports.clock() + 1)
    announce(ports, "c-1", people[0].id, plan)
    for player in people[:2]:
        enter(ports, "c-1", player.id)
    desk.clock.forward(hours=1)
    moved_on(desk)
    desk.table(people[2], people[0], id="g2")
    desk.answer(people[2], "tournament join c-1")
    assert is_told(desk, people[2], "tournament-entered-later", name="Market League")


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize(
    ("words", "format"),
    [
        ("round robin", CompetitionFormat.ROUND_ROBIN),
        ("K.-o.", CompetitionFormat.KNOCK_OUT),
        ("système suisse", CompetitionFormat.SWISS),
        ("girone all'italiana", CompetitionFormat.ROUND_ROBIN),
    ],
)
def test_systems_are_read_in_every_language(rules: str, words: str, format: CompetitionFormat) -> None:
    assert read_plan(f"Cup: {words}, {rules}, 2026-04-01").plan.format == format


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize(
    "words",
    [
        "league, 4 seasons, 14 days per season, 2 days per move",
        "Liga, 4 Saisons, 14 Tage pro Saison, 2 Tage pro Zug",
        "ligue, 4 saisons, 14 jours par saison, 2 jours par coup",
        "lega, 4 stagioni, 14 giorni per stagione, 2 giorni per mossa",
        "swiss, 4 rounds, 14 days per round, 2 days per move",
        "Schweizer System, 4 Runden, 14 Tage pro Runde, 2 Tage pro Zug",
        "système suisse, 4 rondes, 14 jours par ronde, 2 jours par coup",
        "sistema svizzero, 4 turni, 14 giorni tra i turni, 2 giorni per mossa",
    ],
)
def test_seasons_and_the_days_between_rounds_are_read_in_every_language(rules: str, words: str) -> None:
    plan = read_plan(f"Cup: {words}, {rules}, 2026-04-01").plan
    assert (plan.rounds, plan.every, plan.clock.per_decision) == (4, 14 * 86_400_000, 2 * 86_400_000)


@pytest.mark.parametrize(
    "text", ["Cup: swiss portobello", "swiss portobello 2026-04-01", "Cup: portobello 2026-04-01", "Cup: swiss portobello 2026-02-31"]
)
def test_an_announcement_without_system_date_or_name_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_plan(text)


CANCEL = {"en": "tournament cancel", "de": "Turnier absagen", "fr": "tournoi annuler", "it": "torneo annullare"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_host_cancels_by_mail_and_nobody_is_told_how_to_enter_any_more(desk: Desk, language: str) -> None:
    ann, bob = desk.person("Ann", language), desk.person("Bob", language)
    desk.table(ann, bob)
    desk.answer(ann, SAID[language][0])
    id, show = moved_on(desk).id, CANCEL[language].partition(" ")[0]
    desk.answer(bob, f"{show} {id}")
    assert is_told(desk, bob, "tournament-how", id=id)
    assert "Portobello Market" in desk.newest(bob).text
    assert f"/tournaments/{id}" in desk.newest(bob).text

    desk.answer(ann, f"{CANCEL[language]} {id}")
    assert any(flat(told(ann, "tournament-cancelled", name="Spring Cup")) in flat(mail.text) for mail in desk.box(ann))
    ended = moved_on(desk).ended
    assert ended
    assert ended.how == CompetitionEnding.CANCELLED
    desk.answer(bob, f"{show} {id}")
    assert not is_told(desk, bob, "tournament-how", id=id)


def test_no_mail_tells_others_what_a_sealed_table_drew(desk: Desk) -> None:
    ports, people = desk.mailer.ports, [desk.person(name) for name in ("Ann", "Bob", "Cleo", "Dora", "Eve")]
    desk.table(people[4], desk.person("Frank"), id="own")
    plan = CompetitionPlan("Same luck", CompetitionFormat.DUPLICATE, "portobello", 2, competition_clock(None), desk.clock.now + 1000)
    announce(ports, "c-same", people[0].id, plan)
    for player in people[:4]:
        enter(ports, "c-same", player.id)
    desk.clock.forward(hours=1)
    fast, slow = (moved_on(desk).table_id(1, number) for number in range(2))
    for _ in range(4):
        desk.by_rest(desk.to_play(fast), desk.good_orders(id=fast), fast)
    one, two = (seat.player or "" for seat in desk.game(fast).seats)
    say(ports, desk.game(fast), one, "so the bag gave three clerks")
    agree(ports, fast, two, proposed.number if (proposed := propose(ports, fast, one, ProposalKind.DRAW).proposal) else 0)
    desk.work()
    assert desk.game(fast).is_sealed

    game, others = desk.game(fast), [each for each in people if each.id not in (one, two)]
    secret = [ports.games.secret(fast).hex(), ports.competitions.secret("c-same").hex(), game.head, "three clerks"]
    for reader in others:
        needles = [*secret, *(line for line in letters.since(game, 1, reader) if line not in letters.since(desk.game(slow), 1, reader))]
        assert len(needles) > 6
        asked = ("watch", f"watch {fast}", f"watch {LINKS.home}/games/{fast}", "tournament", "tournament c-same", "games", "ratings")
        for text in (*asked, "profile Ann", "profile Bob", "profile Cleo", "profile Dora", f"new portobello {fast}"):
            desk.clock.forward(hours=3)
            desk.answer(reader, text)
        assert len(desk.box(reader)) > len(asked)
        for mail in desk.box(reader):
            assert not [needle for needle in needles if needle in flat(mail.text) + mail.html], mail.text
