"""Folds a log into a game: what each action changes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from marketpost.play.log.actions import (
    Agreed,
    AnyAction,
    AtZero,
    Began,
    Contributed,
    Disagreed,
    Ended,
    HandedOver,
    HintAsked,
    Hinted,
    Joined,
    Left,
    Linked,
    Moved,
    Named,
    Offered,
    Opened,
    Postponed,
    PostponeReason,
    Proposed,
    Reminded,
    Resigned,
    Returned,
    Revealed,
    SeatDeadline,
    SeatPlan,
    TimedOut,
    Undone,
    Unlinked,
)
from marketpost.play.log.entries import Tampered, WrittenByNewer, read
from marketpost.play.log.game import Absent, Before, Game, Proposal, SeatTime
from marketpost.rules.records import Played
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Setting, ruleset
from marketpost.store.changes import Stored


def follow(game: Game, stored: Sequence[Stored]) -> Game:
    """Fold entries that follow the game's version into it. Raises `Tampered` or `WrittenByNewer`."""
    for entry, own_hash in read(game.id, stored, game.version, game.head):
        game.version, game.head, game.changed = entry.version, own_hash, entry.at
        if isinstance(entry.action, Opened):
            _check_rules(game, entry.action.rules, entry.rules_version)
        _take(game, entry.action)
        if isinstance(entry.action, Opened):
            game.rules = ruleset(game.rules.name, entry.rules_version)
        if entry.via:
            game.done.add(entry.via)
        for deadline in entry.deadlines:
            _set_deadline(game, deadline)
    if stored:
        game.last = stored[-1].data
    return game


def _check_rules(game: Game, name: str, version: int) -> None:
    """Raise `WrittenByNewer` for rules that this process does not know.

    Race: during a rolling update an old worker would judge a game of newer rules by its own, and append under the old version.
    """
    try:
        newest = ruleset(name).version
    except Refused:
        newest = 0
    if version > newest:
        raise WrittenByNewer(game.id, game.version, f"by the rules {name} {version}")


def after(game: Game, actions: Sequence[AnyAction], at: int) -> Game:
    """Compute the game as it will be when these actions are written; the game itself stays as it is."""
    then = game.copy()
    for action in actions:
        then.version, then.changed = then.version + 1, at
        _take(then, action)
    return then


def _take(game: Game, action: AnyAction) -> None:
    """Apply one action. Actions that we wrote always apply; an error means that somebody changed the log: `Tampered`."""
    try:
        TAKE[type(action)](game, action)
    except Exception as error:
        raise Tampered(game.id, game.version) from error


def _open(game: Game, action: Opened) -> None:
    game.rules = ruleset(action.rules)
    game.setting = Setting(action.colours, action.board, action.edition, action.options)
    game.seats, game.host, game.listed = list(action.seats), action.host, action.public
    game.seal, game.imported, game.created, game.clock = action.seal, action.imported, game.changed, action.clock
    game.scheme, game.shuffled, game.competition = action.scheme, action.shuffled, action.competition
    game.found = action.found
    game.hint_rule = action.hints


def _name(game: Game, action: Named) -> None:
    game.name = action.name


def _contribute(game: Game, action: Contributed) -> None:
    """Take a word that a seat contributes to chance. A word after the beginning has no effect; `verify` reports it."""
    if action.seat not in range(len(game.seats)):
        raise IndexError(action.seat)
    if game.state is None:
        game.words[action.seat] = action


def _join(game: Game, action: Joined) -> None:
    _sit(game, action.seat, SeatPlan(player=action.player))


def _sit(game: Game, seat: int, plan: SeatPlan) -> None:
    """Change who has a seat. A proposal lapses: it was made among other players."""
    game.seats[seat], game.proposal = plan, None
    game.offers.pop(seat, None)


def _leave(game: Game, action: Left) -> None:
    game.seats[action.seat] = SeatPlan()
    game.words.pop(action.seat, None)


def _begin(game: Game, action: Began) -> None:
    game.state = game.rules.blank()
    if action.order:
        game.seats = [game.seats[seat] for seat in action.order]
        game.words = {number: game.words[seat] for number, seat in enumerate(action.order) if seat in game.words}
    game.began_with = tuple(seat.player for seat in game.seats)
    events = game.rules.decode(action.events)
    opening = len(events) - action.due
    _play(game, None, events[:opening])
    _play(game, None, events[opening:])


def _move(game: Game, action: Moved) -> None:
    if action.standing or action.ahead:
        game.stood[game.version] = action
    if game.clock:
        game.earlier.append(Before(game.version, game.changed, game.times.copy(), game.stand_ins.copy()))
    events = game.rules.decode(action.events)
    game.proposal = None
    if action.told:
        game.told = game.version
    if not action.due:
        _play(game, action.seat, events)
        return
    _play(game, action.seat, events[: -action.due])
    _play(game, None, events[-action.due :])


def _resign(game: Game, action: Resigned) -> None:
    _sit(game, action.seat, SeatPlan(bot=action.bot))


def _hand_over(game: Game, action: HandedOver) -> None:
    _sit(game, action.seat, action.to)


def _offer(game: Game, action: Offered) -> None:
    game.offers.pop(action.seat, None)
    if action.player:
        game.offers[action.seat] = action.player


def _undo(game: Game, action: Undone) -> None:
    game.history = [(version, played) for version, played in game.history if version <= action.back_to]
    game.stood = {version: moved for version, moved in game.stood.items() if version <= action.back_to}
    game.state = game.rules.fold([event for played in game.played for event in played.events])
    if then := game.before(action.back_to):
        game.stand_ins = then.stand_ins.copy()
    game.earlier = [each for each in game.earlier if each.version <= action.back_to]
    game.proposal = None
    game.set_backs.append((game.version, action.back_to))
    if action.agreed:
        game.undos.append((game.version, action.back_to))


def _propose(game: Game, action: Proposed) -> None:
    game.proposal = Proposal(game.version, action.seat, action.what, action.back_to)


def _agree(game: Game, action: Agreed) -> None:
    if game.proposal:
        game.proposal = replace(game.proposal, agreed=(*game.proposal.agreed, action.seat))


def _disagree(game: Game, action: Disagreed) -> None:
    game.proposal = None


def _end(game: Game, action: Ended) -> None:
    game.ended, game.proposal = action, None
    game.offers.clear()


def _link(game: Game, action: Linked) -> None:
    game.links[game.version] = action


def _unlink(game: Game, action: Unlinked) -> None:
    game.links.pop(action.number, None)


def _postpone(game: Game, action: Postponed) -> None:
    before = game.times[action.seat]
    time = replace(before, by=action.by, moved=before.moved + 1)
    game.times[action.seat] = (
        replace(time, outage=action.counted) if action.why == PostponeReason.OUTAGE else replace(time, vacation=action.counted)
    )


def _remind(game: Game, action: Reminded) -> None:
    game.times[action.seat] = replace(game.times[action.seat], reminded=action.nth)


def _time_out(game: Game, action: TimedOut) -> None:
    game.times[action.seat] = SeatTime(game.changed, 0, 0)
    if action.what == AtZero.BOT_PLAYS:
        game.stand_ins[action.seat] = (game.state.turn, action.bot)
        return
    player = game.seats[action.seat].player or ""
    game.absent[action.seat] = Absent(player, action.what == AtZero.BOT_TAKES)
    game.seats[action.seat] = SeatPlan(bot=action.bot)


def _return(game: Game, action: Returned) -> None:
    if action.seat in game.deciders:
        game.stand_ins[action.seat] = (game.state.turn, game.seats[action.seat].bot or "")
    game.seats[action.seat] = SeatPlan(player=action.player)
    game.absent.pop(action.seat, None)


def _set_deadline(game: Game, deadline: SeatDeadline) -> None:
    game.times[deadline.seat] = SeatTime(game.changed, deadline.by, deadline.bank)


def _reveal(game: Game, action: Revealed) -> None:
    game.secret, game.over_at = action.secret, game.changed


def _ask_hint(game: Game, action: HintAsked) -> None:
    game.hints_asked[action.position, action.seat] = game.version


def _hint(game: Game, action: Hinted) -> None:
    game.hints[game.version] = action


def _play(game: Game, seat: int | None, events: Sequence[Any]) -> None:
    state = game.state
    for event in events:
        event.apply(state)
    if events:
        game.history.append((game.version, Played(seat, events)))


TAKE: dict[type, Callable[[Game, Any], None]] = {
    Opened: _open,
    Named: _name,
    Contributed: _contribute,
    Joined: _join,
    Left: _leave,
    Began: _begin,
    Moved: _move,
    Resigned: _resign,
    Undone: _undo,
    Proposed: _propose,
    Agreed: _agree,
    Disagreed: _disagree,
    Ended: _end,
    Offered: _offer,
    HandedOver: _hand_over,
    Linked: _link,
    Unlinked: _unlink,
    Revealed: _reveal,
    Postponed: _postpone,
    Reminded: _remind,
    TimedOut: _time_out,
    Returned: _return,
    HintAsked: _ask_hint,
    Hinted: _hint,
}
"""The function that applies each action, looked up by its class."""
