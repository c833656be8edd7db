"""Serialize games, moves and log entries as JSON documents."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from api.http.problems import explain
from marketpost.play.log.actions import Moved, SeatPlan, TimeControl
from marketpost.play.log.entries import Entry, decode, digest
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import PreviewBranch, names_for, proposal_of
from marketpost.play.moves.submit import Outcome, entry_at
from marketpost.play.moves.what_if import TriedLine, TriedMove
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refusal
from marketpost.rules.ruleset import Ruleset
from marketpost.rules.words import Words
from marketpost.store.changes import Stored
from marketpost.store.players import is_bot_id

SOME = 12
"""How many legal steps a game shows."""


def moment(milliseconds: int) -> str:
    """Format a time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def summary(ports: Ports, game: Game, reader: str | None) -> dict[str, Any]:
    """Serialize a game as lists show it to this reader."""
    colours = game.setting.colours
    board = game.setting.board
    state = game.state
    return {
        "id": game.id,
        "name": game.name or None,
        "version": game.version,
        "status": game.status,
        "rules": game.rules.name,
        "board": board if isinstance(board, str) else board["name"],
        "edition": game.setting.edition,
        "options": game.setting.options,
        "public": game.public,
        "imported": game.imported,
        "host": game.host,
        "seats": _seats(game, names_for(ports, game, reader)),
        "decides": [colours[seat] for seat in game.deciders],
        "scores": dict(zip(colours, game.rules.scores(state), strict=True)) if state else {},
        "winners": [colours[seat] for seat in game.winners],
        "ended": game.how_ended,
        "proposal": proposal_of(game),
        "clock": _clock(game, game.clock) if game.clock else None,
        "created": moment(game.created),
        "changed": moment(game.changed),
    }


def _seats(game: Game, named: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "colour": colour,
            "player": seat.player,
            "name": named.get(colour) if seat.player else None,
            "bot": seat.bot,
            "bot_account": seat.player is not None and is_bot_id(seat.player),
            "invited": seat.invited is not None,
            "open": seat == SeatPlan(),
            "offered": number in game.offers,
            "was": gone.player if (gone := game.absent.get(number)) else None,
            "may_return": gone is not None and gone.may_return,
            "word": game.words[number].word if number in game.words else None,
            "word_drawn": number in game.words and game.words[number].drawn,
        }
        for number, (colour, seat) in enumerate(zip(game.setting.colours, game.seats, strict=True))
    ]


def _clock(game: Game, clock: TimeControl) -> dict[str, Any]:
    return {
        "per_decision": clock.per_decision // 1000,
        "bank": clock.bank // 1000,
        "weekends": clock.weekends,
        "quiet": "{:02}-{:02}".format(*clock.quiet) if clock.quiet else None,
        "at_zero": clock.at_zero,
        "times": [
            {"colour": game.setting.colours[seat], "by": moment(time.by) if time.by else None, "bank": time.bank // 1000}
            for seat, time in sorted(game.times.items())
        ],
    }


def detail(ports: Ports, game: Game, reader: str | None) -> dict[str, Any]:
    """Serialize a game with its position, as this reader may see it."""
    seat = game.seat_of(reader)
    steps = legal(game, seat)
    return summary(ports, game, reader) | {
        "you": None if seat is None else game.setting.colours[seat],
        "position": game.rules.document(game.state, seat) if game.state else None,
        "legal": {"count": len(steps), "some": steps[:SOME]},
        "board_data": None if isinstance(game.setting.board, str) else game.setting.board,
        "seal": game.seal,
        "scheme": game.scheme,
        "secret": game.secret,
        "hints": game.hint_rule,
    }


def legal(game: Game, seat: int | None) -> list[str]:
    """List the legal steps of a seat; empty while others decide."""
    return list(game.rules.legal(game.state, seat)) if seat in game.deciders and seat is not None else []


def events(rules: Ruleset[Any], happened: Iterable[Any]) -> list[dict[str, Any]]:
    """Serialize events."""
    return [{"rules": rules.name, "event": type(each).__struct_config__.tag, **_as_object(each)} for each in happened]


def _as_object(value: Any) -> Any:
    """Serialize a struct as an object, where the log has a short array."""
    if isinstance(value, msgspec.Struct):
        return {name: _as_object(getattr(value, name)) for name in value.__struct_fields__}
    return [_as_object(each) for each in value] if isinstance(value, (list, tuple)) else msgspec.to_builtins(value)


def move(ports: Ports, game: Game, outcome: Outcome, news: Sequence[Stored] = ()) -> dict[str, Any]:
    """Serialize a move with its outcome. `news` are entries that were read already."""
    refusal = refusal_of(outcome)
    return {
        "id": outcome.id,
        "game": game.id,
        "status": outcome.status,
        "at": moment(outcome.at),
        "version": outcome.version,
        "events": _events_of(game, entry_at(ports, game.id, outcome.version, news)) if outcome.version else [],
        "code": outcome.code,
        "step": outcome.step,
        "detail": explain(refusal) if refusal else None,
        "dropped": outcome.dropped,
        "legal": outcome.legal,
        "legal_count": outcome.legal_count,
    }


def refusal_of(outcome: Outcome) -> Refusal | None:
    """Return the refusal of an outcome, if it was refused."""
    return Refusal(outcome.code, outcome.step or 0, outcome.values) if outcome.code else None


def _events_of(game: Game, stored: Stored) -> list[dict[str, Any]]:
    action = decode(stored.data).action
    return events(game.rules, game.rules.decode(action.events)) if isinstance(action, Moved) else []


def entry(rules: Ruleset[Any], stored: Stored) -> dict[str, Any]:
    """Serialize a log entry, with the stored bytes and their hash; the secret is in it only once the log reveals it."""
    found = decode(stored.data)
    return {
        "version": found.version,
        "at": moment(found.at),
        "by": found.by,
        "kind": kind(found),
        "action": _action(rules, found),
        "rules": found.rules,
        "asked": [{"seat": each.seat, "by": moment(each.by) if each.by else None, "bank": each.bank // 1000} for each in found.deadlines],
        "before": found.before,
        "hash": digest(stored.data),
        "entry": stored.data.decode(),
    }


def kind(found: Entry) -> str:
    """Return the kind of action that an entry records."""
    return str(type(found.action).__struct_config__.tag)


def _action(rules: Ruleset[Any], found: Entry) -> dict[str, Any]:
    fields = msgspec.structs.asdict(found.action)
    shown = {name: _of_log(rules, value) for name, value in fields.items()}
    return {"kind": kind(found), **shown}


def _of_log(rules: Ruleset[Any], value: Any) -> Any:
    """Serialize a field of an action: the encoded events of a move, or something plain."""
    return events(rules, rules.decode(value)) if isinstance(value, msgspec.Raw) else _as_object(value)


def branch(game: Game, seat: int, words: Words, found: PreviewBranch) -> dict[str, Any]:
    """Serialize one branch of a preview."""
    rules = game.rules
    return {
        "outcomes": list(found.outcomes),
        "probability": float(found.probability),
        "refusal": _refusal(words, found.refusal) if found.refusal else None,
        "scores": _changes(game.setting.colours, rules.scores(game.state), rules.scores(found.state)),
        "events": events(rules, found.events),
        "position": rules.document(found.state, seat),
        "board": rules.draw(found.state, words),
    }


def tried_line(game: Game, seat: int, words: Words, line: TriedLine) -> dict[str, Any]:
    """Serialize a tried line, and the position after it as this seat may see it."""
    rules, colours, state = game.rules, game.setting.colours, line.state
    deciders = () if line.open else rules.deciders(state)
    return {
        "moves": [_tried_move(game, words, move) for move in line.moves],
        "open": [{"outcome": outcome, "probability": float(probability)} for outcome, probability in line.open],
        "decides": [colours[each] for each in deciders],
        "steps": list(rules.legal(state, deciders[0])) if deciders else [],
        "scores": dict(zip(colours, rules.scores(state), strict=True)),
        "winners": [colours[each] for each in rules.winners(state)],
        "position": rules.document(state, seat),
        "board": rules.draw(state, words),
    }


def _tried_move(game: Game, words: Words, move: TriedMove) -> dict[str, Any]:
    return {
        "colour": game.setting.colours[move.seat],
        "orders": move.orders,
        "outcomes": list(move.outcomes),
        "events": events(game.rules, move.events),
        "refusal": _refusal(words, move.refusal) if move.refusal else None,
    }


def _refusal(words: Words, refusal: Refusal) -> dict[str, Any]:
    return {"code": refusal.code, "step": refusal.step, "detail": words.explain(refusal)}


def _changes(colours: Sequence[str], before: Sequence[str], after: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {
        colour: {"before": old, "after": new, "change": int(new) - int(old) if _is_whole(old) and _is_whole(new) else None}
        for colour, old, new in zip(colours, before, after, strict=True)
    }


def _is_whole(score: str) -> bool:
    return score.removeprefix("-").isascii() and score.removeprefix("-").isdigit()
