"""The commands `profile` and `ratings`: what pages of players and rating lists show."""

from datetime import UTC, datetime
from typing import Any

from marketpost.mail.inbound.command_context import CommandContext, CommandRefused
from marketpost.mail.outbound.letters.tables import span
from marketpost.mail.outbound.letters.times import day_of, decimal
from marketpost.play.people.profile import Career, career, find_players, is_shown, rating_curve
from marketpost.play.people.ratings import ranking
from marketpost.rules.ruleset import Ruleset, ruleset, rulesets
from marketpost.rules.words import fold, tokens

MOST_LISTED = 20
MOST_FOUND = 50
MOST_OPPONENTS = 10
NEWEST = 10
"""Ratings after so many of the newest rated games are told."""
MINUTE = 60_000


def profile_command(context: CommandContext) -> list[str]:
    """Show a player's results, ratings and pace; without a name the player's own."""
    found = career(context.mailer.ports, _whom(context), context.player.id)
    since = day_of(datetime.fromtimestamp(found.since / 1000, UTC), context.player)
    pace = [] if found.pace is None else context.say("profile-pace", time=span(_minutes(found.pace), context.player.language))
    results = [line for rules in rulesets().values() for line in _result(context, found, rules)]
    lines = [f"    {line}" for line in (*results, *pace, *_against(context, found))]
    return [*context.say("profile-head", who=found.name, date=since), *(lines or context.say("profile-nothing"))]


def _against(context: CommandContext, found: Career) -> list[str]:
    """Compare the player with the most frequent opponents."""
    shown = [(each.name, each.score) for each in found.opponents[:MOST_OPPONENTS]]
    return [
        line
        for name, score in shown
        for line in context.say("profile-against", who=name, count=score.games, before=score.before, behind=score.behind)
    ]


def _minutes(milliseconds: int) -> int:
    return max(1, round(milliseconds / MINUTE)) * MINUTE


def _whom(context: CommandContext) -> str:
    """Find the player with this name; refused if there is none, or several have it."""
    name = " ".join(context.argument.split())
    if not name:
        return context.player.id
    found = find_players(context.mailer.ports, name, context.player.id, MOST_FOUND)
    meant = [each for each in found if fold(each.name) == fold(name)] or found
    if len(meant) != 1:
        key = "profile-several" if meant else "profile-none"
        raise CommandRefused(*context.say(key, text=name, names=sorted({each.name for each in meant})))
    return meant[0].id


def _result(context: CommandContext, found: Career, rules: Ruleset[Any]) -> list[str]:
    count, rating = found.finished(rules.name), found.ratings.get(rules.name)
    if not count.finished:
        return []
    key = "profile-rated" if rating else "profile-unrated"
    points = _points(context, rating.points) if rating else ""
    told = context.say(key, title=_title(context, rules), count=count.finished, won=count.won, points=points)
    for players, each in sorted(found.played[rules.name].items()):
        told += [f"    {line}" for line in context.say("profile-players", players=players, count=each.finished, won=each.won)]
    if rating:
        newest = [_points(context, step.points) for step in rating_curve(context.mailer.ports, found.player, rules.name)][-NEWEST:]
        told += [f"    {line}" for line in context.say("profile-curve", points=" → ".join(newest))]
    return told


def _points(context: CommandContext, points: float) -> str:
    return decimal(points, context.player.language)


def ratings_command(context: CommandContext) -> list[str]:
    """List the best players of a game; of all games, if none is named."""
    named = next((word for word in map(fold, tokens(context.argument)) if word in rulesets()), "")
    return [line for rules in ([ruleset(named)] if named else rulesets().values()) for line in _table(context, rules)]


def _table(context: CommandContext, rules: Ruleset[Any]) -> list[str]:
    ports = context.mailer.ports
    rated = ranking(ports, rules.name).best_first[: 4 * MOST_LISTED]
    people = ports.players.find_all(player for player, _ in rated)
    shown = [(people[player].name, rating) for player, rating in rated if player in people and is_shown(people[player])][:MOST_LISTED]
    if not shown:
        return context.say("ratings-none", title=_title(context, rules))
    lines = [
        f"    {line}"
        for place, (name, rating) in enumerate(shown, 1)
        for line in context.say("ratings-line", place=place, who=name, points=_points(context, rating.points), count=rating.games)
    ]
    return [*context.say("ratings-head", title=_title(context, rules)), *lines]


def _title(context: CommandContext, rules: Ruleset[Any]) -> str:
    return rules.title(rules.in_language(context.player.language))
