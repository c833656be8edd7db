"""Public profile of a player: results, opponents, ratings and pace. Never an address; nothing of a hidden player."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from marketpost.play.people.blocking import are_apart
from marketpost.play.people.ratings import Rating, ratings, ratings_after
from marketpost.play.people.results import RatingPool, Result, results
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.store.players import Player, is_bot_id

CURVE = 500
"""Newest games that the curve of ratings is drawn from."""
DECISIONS = 200
"""Newest decisions that the pace is computed from."""
MOST_OPPONENTS = 30
LOOKED_UP = 4 * MOST_OPPONENTS
"""Opponents whose names are looked up for a list, because some of them are hidden."""


class PlayedCount(msgspec.Struct, array_like=True):
    """Finished games of one kind."""

    finished: int = 0
    won: int = 0


class HeadToHead(msgspec.Struct, array_like=True):
    """Games against one opponent: how many, and in how many the player was placed before and behind them."""

    games: int = 0
    before: int = 0
    behind: int = 0


class CareerFold(msgspec.Struct, array_like=True):
    """The results of a player after a number of games, folded in the order in which they ended."""

    games: int = 0
    last: str = ""
    """The game that was folded last."""
    played: dict[str, dict[int, PlayedCount]] = {}
    """By ruleset and number of players."""
    opponents: dict[str, HeadToHead] = {}
    newest: list[int] = []
    """Milliseconds of the newest decisions."""
    decisions: int = 0
    late: int = 0
    """How often the player's time was up."""


_career = msgspec.json.Decoder(CareerFold)


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent as a profile lists them."""

    player: str
    name: str
    score: HeadToHead


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A player's rating after a game."""

    game: str
    at: int
    points: float


@dataclass(frozen=True, slots=True)
class Career:
    """Results, ratings, opponents and pace of a player."""

    player: str
    name: str
    since: int
    hidden: bool
    played: dict[str, dict[int, PlayedCount]]
    ratings: dict[str, Rating]
    opponents: list[Opponent]
    """Those with most games first; without hidden and erased players."""
    pace: int | None
    """The median time of the newest decisions, in milliseconds."""
    decisions: int
    late: int

    def finished(self, rules: str) -> PlayedCount:
        """Add up the finished games of a ruleset."""
        counts = self.played.get(rules, {}).values()
        return PlayedCount(sum(each.finished for each in counts), sum(each.won for each in counts))


def career(ports: Ports, id: str, reader: str = "") -> Career:
    """Compute a player's career; refused for an unknown, erased or hidden player, and for one who was only invited."""
    player = shown_player(ports, id, reader)
    folded = career_so_far(ports, id)
    rated = {name: found[id] for name in rulesets() if id in (found := ratings(ports, name, _pool(id)))}
    pace = round(median(folded.newest)) if folded.newest else None
    shown = id, player.name, player.created, player.hidden
    return Career(*shown, folded.played, rated, _opponents(ports, folded, reader), pace, folded.decisions, folded.late)


def _pool(id: str) -> RatingPool:
    return RatingPool.BOTS if is_bot_id(id) else RatingPool.PEOPLE


def shown_player(ports: Ports, id: str, reader: str = "") -> Player:
    """Find a player whom this reader may see as a person; refused for anybody else. Everybody may see themselves."""
    player = ports.players.find(id)
    if player is None or not (is_shown(player) or id == reader):
        raise Refused("no-such-player")
    return player


def is_shown(player: Player) -> bool:
    """Whether lists and pages of players may show this one."""
    return not player.hidden and (player.confirmed or not player.invited)


def _opponents(ports: Ports, folded: CareerFold, reader: str) -> list[Opponent]:
    often = sorted(folded.opponents.items(), key=lambda each: (-each[1].games, each[0]))[:LOOKED_UP]
    known = ports.players.find_all(id for id, _ in often)
    found = [Opponent(id, known[id].name, score) for id, score in often if id in known and (is_shown(known[id]) or id == reader)]
    return found[:MOST_OPPONENTS]


def career_so_far(ports: Ports, id: str) -> CareerFold:
    """Read the stored results of a player and fold the games that have ended since; all of them if an earlier one was listed late."""
    [kept] = ports.index.derived([_stored_as(id)])
    folded = _career.decode(kept) if kept else CareerFold()
    if folded.games and ports.index.place_of(_list_of(id), folded.last) != folded.games - 1:
        folded = CareerFold()
    new = [game for _, game in ports.index.oldest_first(_list_of(id), folded.games)]
    if new:
        fold_career(folded, id, new, results(ports, new))
        ports.index.store_derived(_stored_as(id), msgspec.json.encode(folded))
    return folded


def _list_of(id: str) -> str:
    return f"played:{id}"


def _stored_as(id: str) -> str:
    return f"career:{id}"


def fold_career(folded: CareerFold, id: str, games: Sequence[str], ended: Mapping[str, Result]) -> None:
    """Fold games of a player, in this order; games without a result only count."""
    for game in games:
        if result := ended.get(game):
            _add(folded, id, result)
        folded.games, folded.last = folded.games + 1, game


def _add(folded: CareerFold, id: str, result: Result) -> None:
    seats = [seat for seat, player in enumerate(result.players) if player == id]
    count = folded.played.setdefault(result.rules, {}).setdefault(len(result.players), PlayedCount())
    count.finished += 1
    count.won += any(result.places[seat] == 1 for seat in seats)
    for seat in seats:
        folded.newest = [*folded.newest, *result.took[seat]][-DECISIONS:]
        folded.decisions += len(result.took[seat])
        folded.late += result.late[seat] if result.late else 0
    _meet(folded, result, id, min(result.places[seat] for seat in seats))


def _meet(folded: CareerFold, result: Result, id: str, own: int) -> None:
    """Compare the player's place with the best one of each opponent."""
    others: dict[str, int] = {}
    for player, place in zip(result.players, result.places, strict=True):
        if player and player != id:
            others[player] = min(place, others.get(player, place))
    for player, place in others.items():
        score = folded.opponents.setdefault(player, HeadToHead())
        score.games, score.before, score.behind = score.games + 1, score.before + (own < place), score.behind + (place < own)


def careers_again(ports: Ports, players: Collection[str], played: Mapping[str, Result]) -> dict[str, bytes]:
    """Compute the stored results of players again. Of archived games only the stored results are known."""
    right = {}
    for id in players:
        folded, games = CareerFold(), [game for _, game in ports.index.oldest_first(_list_of(id))]
        fold_career(folded, id, games, results(ports, [game for game in games if game not in played]) | dict(played))
        right[_stored_as(id)] = msgspec.json.encode(folded)
    return right


def rating_curve(ports: Ports, id: str, rules: str) -> list[RatingStep]:
    """List a player's ratings in a ruleset after each of the newest rated games, oldest first."""
    ratings(ports, rules, _pool(id))
    newest = ports.index.page(_list_of(id), None, CURVE)[::-1]
    games = [game for _, game in newest]
    ended, after = results(ports, games), ratings_after(ports, games)
    return [
        RatingStep(game, int(at), after[game][ended[game].players.index(id)].points)
        for at, game in newest
        if game in after and game in ended and ended[game].rules == rules
    ]


def find_players(ports: Ports, name: str, reader: str, most: int) -> list[Player]:
    """Find players whom this reader may see by a name, or its beginning; none who has blocked the reader."""
    found = ports.players.named(name, 4 * most)
    return [each for each in found if is_shown(each) and each.confirmed and not (reader and are_apart(ports, reader, each.id))][:most]
