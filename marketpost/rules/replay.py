"""Replays records and checks everything they say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.rules.chance import RecordedChance
from marketpost.rules.records import Played, Record, RecordLine, RecordWrong
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Event, Ruleset, Verdict


@dataclass(slots=True)
class Replay:
    """The result of a replay."""

    record: Record
    state: Any
    played: list[Played]
    turns: int = 0


def replay(record: Record) -> Replay:
    """Play a record again and check everything it says; raises `RecordWrong` at the first difference."""
    rules = record.rules
    told = RecordedChance(record.queue)
    opening = _at(record.head_line, lambda: rules.start(record.setting, told))
    _check_all_told(told, record.head_line)
    done = Replay(record, rules.fold(opening), [Played(None, opening)])
    for line in record.lines:
        _replay_line(done, line)
    _check_end(done)
    return done


def _at(line: int, action: Callable[[], Any]) -> Any:
    """Attribute refusals inside this block to a line of the record."""
    try:
        return action()
    except RecordWrong:
        raise
    except Refused as refused:
        raise RecordWrong(refused.code, line, **refused.refusal.values) from refused


def _replay_line(done: Replay, line: RecordLine) -> None:
    if line.colour not in done.state.colours:
        raise RecordWrong("unknown-colour", line.number, colour=line.colour, colours=done.state.colours)
    if line.refused_with:
        _replay_refused(done, line)
        return
    if line.turn != done.state.turn and not done.record.rules.winners(done.state):
        raise RecordWrong("record-turn", line.number, turn=done.state.turn, told=line.turn)
    orders, outcomes = done.record.rules.parse_turn(line.orders)
    told = RecordedChance(outcomes)
    done.turns = done.state.turn
    for played in _at(line.number, lambda: list(_play_line(done, line, orders, told))):
        done.played.append(played)
    _check_all_told(told, line.number)
    if line.check is not None:
        _check_scores(done, line.number, line.check)


def _play_line(done: Replay, line: RecordLine, orders: str, told: RecordedChance) -> Iterator[Played]:
    """Play what was due by itself, such as a roll, then the player's orders, then what was due after them."""
    rules, state = done.record.rules, done.state
    seat = state.colours.index(line.colour)
    if due := _proceed(rules, state, told):
        yield Played(None, due)
    if orders or not due or seat not in rules.deciders(state):
        verdict = rules.judge(state, seat, orders, told)
        if verdict.refusal:
            raise RecordWrong("record-refused", line.number, refusal=verdict.refusal.code, step=verdict.refusal.step)
        _apply(state, verdict.events)
        yield Played(seat, verdict.events)
    if seat in rules.deciders(state) and (due := _proceed(rules, state, told)):
        yield Played(None, due)


def _proceed(rules: Ruleset[Any], state: Any, told: RecordedChance) -> Sequence[Event]:
    """Play what is due with the outcomes that the line tells, so that a dealt set-up replays like a chosen one."""
    due = rules.proceed(state, told) if told.left and not rules.winners(state) else []
    _apply(state, due)
    return due


def _apply(state: Any, events: Sequence[Event]) -> None:
    for event in events:
        event.apply(state)


def _replay_refused(done: Replay, line: RecordLine) -> None:
    verdict = _at(line.number, lambda: _try_line(done, line))
    found = verdict.refusal.code if verdict.refusal else None
    if found is None:
        raise RecordWrong("record-not-refused", line.number, told=line.refused_with)
    if found != line.refused_with:
        raise RecordWrong("record-refused-otherwise", line.number, found=found, told=line.refused_with)


def _try_line(done: Replay, line: RecordLine) -> Verdict:
    """Judge refused orders on a copy, because the next line tells the due roll again."""
    rules = done.record.rules
    orders, outcomes = rules.parse_turn(line.orders, refused=True)
    told = RecordedChance(outcomes)
    state = done.state.copy()
    _proceed(rules, state, told)
    return rules.judge(state, state.colours.index(line.colour), orders, told)


def _check_all_told(told: RecordedChance, line: int) -> None:
    if told.left:
        raise RecordWrong("outcome-unused", line, outcome=told.left[0])


def _check_scores(done: Replay, line: int, check: str) -> None:
    told = _scores_told(check, line)
    scores = dict(zip(done.state.colours, done.record.rules.scores(done.state), strict=True))
    if told.keys() != scores.keys():
        raise RecordWrong("record-braces", line, colours=done.state.colours)
    for colour, score in scores.items():
        if told[colour] != score:
            raise RecordWrong("record-score", line, colour=colour, score=score, told=told[colour])


def _scores_told(check: str, line: int) -> dict[str, str]:
    pairs = [tuple(part.split()) for part in check.split(",")]
    if any(len(pair) != 2 for pair in pairs) or len({pair[0] for pair in pairs}) < len(pairs):
        raise RecordWrong("record-line", line, line=check[:80])
    return {pair[0]: pair[1] for pair in pairs}


def _check_end(done: Replay) -> None:
    winners = [done.state.colours[seat] for seat in done.record.rules.winners(done.state)]
    if not done.record.end:
        if winners:
            raise RecordWrong("record-end-missing", done.record.last_line)
        return
    line, scores, told = done.record.end
    if not winners:
        raise RecordWrong("record-still-running", line)
    _check_scores(done, line, scores)
    if told.split() != winners:
        raise RecordWrong("record-winners", line, winners=winners, told=told)
