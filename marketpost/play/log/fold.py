"""What each deed changes: a game is what its log comes to, entry by entry."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from marketpost.play.log.actions import (
    BOT_PLAYS,
    BOT_TAKES,
    OUTAGE,
    Agreed,
    AnyDeed,
    Asked,
    Began,
    Disagreed,
    Ended,
    HandedOver,
    Joined,
    Left,
    Linked,
    Moved,
    Offered,
    Opened,
    Postponed,
    Proposed,
    Reminded,
    Resigned,
    Returned,
    Revealed,
    SeatPlan,
    TimedOut,
    Undone,
    Unlinked,
)
from marketpost.play.log.entries import Tampered, read
from marketpost.play.log.game import Absent, Before, Game, Proposal, SeatTime
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Setting, ruleset
from marketpost.store.changes import Stored


def follow(game: Game, stored: Sequence[Stored]) -> Game:
    """Take in what was added to the log since."""
    for entry, own_hash in read(game.id, stored, game.version, game.head):
        game.version, game.head, game.changed = entry.version, own_hash, entry.at
        _take(game, entry.deed)
        if isinstance(entry.deed, Opened):
            game.rules = ruleset(game.rules.name, entry.rules_version)
        if entry.via:
            game.done.add(entry.via)
        for asked in entry.asked:
            _ask(game, asked)
    if stored:
        game.last = stored[-1].data
    return game


def after(game: Game, deeds: Sequence[AnyDeed], at: int) -> Game:
    """The game as it will be when these have been written; this one stays as it is."""
    then = game.copy()
    for deed in deeds:
        then.version, then.changed = then.version + 1, at
        _take(then, deed)
    return then


def _take(game: Game, deed: AnyDeed) -> None:
    """What was written here applies without fail; what does not was written by somebody else."""
    try:
        TAKE[type(deed)](game, deed)
    except Exception as error:
        raise Tampered(game.id, game.version) from error


def _open(game: Game, deed: Opened) -> None:
    game.rules = ruleset(deed.rules)
    game.setting = Setting(deed.colours, deed.board, deed.edition, deed.options)
    game.seats, game.host, game.public = list(deed.seats), deed.host, deed.public
    game.seal, game.imported, game.created, game.clock = deed.seal, deed.imported, game.changed, deed.clock


def _join(game: Game, deed: Joined) -> None:
    _sit(game, deed.seat, SeatPlan(player=deed.player))


def _sit(game: Game, seat: int, plan: SeatPlan) -> None:
    """What was proposed among others than those who sit here now has lapsed."""
    game.seats[seat], game.proposal = plan, None
    game.offers.pop(seat, None)


def _leave(game: Game, deed: Left) -> None:
    game.seats[deed.seat] = SeatPlan()


def _begin(game: Game, deed: Began) -> None:
    game.state = game.rules.blank()
    game.began_with = tuple(seat.player for seat in game.seats)
    events = game.rules.decode(deed.events)
    opening = len(events) - deed.due
    _play(game, None, events[:opening])
    _play(game, None, events[opening:])


def _move(game: Game, deed: Moved) -> None:
    if deed.standing:
        game.stood[game.version] = deed
    if game.clock:
        game.earlier.append(Before(game.version, game.changed, game.times.copy(), game.stand_ins.copy()))
    events = game.rules.decode(deed.events)
    game.proposal = None
    if deed.told:
        game.told = game.version
    if not deed.due:
        _play(game, deed.seat, events)
        return
    _play(game, deed.seat, events[: -deed.due])
    _play(game, None, events[-deed.due :])


def _resign(game: Game, deed: Resigned) -> None:
    _sit(game, deed.seat, SeatPlan(bot=deed.bot))


def _hand_over(game: Game, deed: HandedOver) -> None:
    _sit(game, deed.seat, deed.to)


def _offer(game: Game, deed: Offered) -> None:
    game.offers.pop(deed.seat, None)
    if deed.player:
        game.offers[deed.seat] = deed.player


def _undo(game: Game, deed: Undone) -> None:
    game.history = [(version, played) for version, played in game.history if version <= deed.back_to]
    game.stood = {version: moved for version, moved in game.stood.items() if version <= deed.back_to}
    game.state = game.rules.fold([event for played in game.played for event in played.events])
    if then := game.before(deed.back_to):
        game.stand_ins = then.stand_ins.copy()
    game.earlier = [each for each in game.earlier if each.version <= deed.back_to]
    game.proposal = None
    if deed.agreed:
        game.undos.append((game.version, deed.back_to))


def _propose(game: Game, deed: Proposed) -> None:
    game.proposal = Proposal(game.version, deed.seat, deed.what, deed.back_to)


def _agree(game: Game, deed: Agreed) -> None:
    if game.proposal:
        game.proposal = replace(game.proposal, agreed=(*game.proposal.agreed, deed.seat))


def _disagree(game: Game, deed: Disagreed) -> None:
    game.proposal = None


def _end(game: Game, deed: Ended) -> None:
    game.ended, game.proposal = deed, None
    game.offers.clear()


def _link(game: Game, deed: Linked) -> None:
    game.links[game.version] = deed


def _unlink(game: Game, deed: Unlinked) -> None:
    game.links.pop(deed.number, None)


def _postpone(game: Game, deed: Postponed) -> None:
    time = replace(game.times[deed.seat], by=deed.by)
    game.times[deed.seat] = replace(time, outage=deed.reckoned) if deed.why == OUTAGE else replace(time, vacation=deed.reckoned)


def _remind(game: Game, deed: Reminded) -> None:
    game.times[deed.seat] = replace(game.times[deed.seat], reminded=deed.nth)


def _time_out(game: Game, deed: TimedOut) -> None:
    game.times[deed.seat] = SeatTime(game.changed, 0, 0)
    if deed.what == BOT_PLAYS:
        game.stand_ins[deed.seat] = (game.state.turn, deed.bot)
        return
    player = game.seats[deed.seat].player or ""
    game.absent[deed.seat] = Absent(player, deed.what == BOT_TAKES)
    game.seats[deed.seat] = SeatPlan(bot=deed.bot)


def _return(game: Game, deed: Returned) -> None:
    if deed.seat in game.deciders:
        game.stand_ins[deed.seat] = (game.state.turn, game.seats[deed.seat].bot or "")
    game.seats[deed.seat] = SeatPlan(player=deed.player)
    game.absent.pop(deed.seat, None)


def _ask(game: Game, asked: Asked) -> None:
    game.times[asked.seat] = SeatTime(game.changed, asked.by, asked.bank)


def _reveal(game: Game, deed: Revealed) -> None:
    game.secret, game.over_at = deed.secret, game.changed


def _play(game: Game, seat: int | None, events: Sequence[Any]) -> None:
    state = game.state
    for event in events:
        event.apply(state)
    if events:
        game.history.append((game.version, Played(seat, events)))


TAKE: dict[type, Callable[[Game, Any], None]] = {
    Opened: _open,
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
}
"""By class, for a replay goes through here for every entry."""
