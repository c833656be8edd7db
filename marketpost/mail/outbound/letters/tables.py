"""Letters about a table: invitations, the start, talk, proposals, news and the end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import time, timedelta
from math import inf
from types import MappingProxyType
from typing import Any, Literal

from babel.dates import format_time, format_timedelta

from marketpost.mail.outbound.letters.answers import NOTHING, BesideOrders, quoted, shown
from marketpost.mail.outbound.letters.game_values import (
    at_table,
    listed,
    luck_and_skill,
    on_board,
    ranking,
    score_chart,
    since,
    since_own,
    start,
    the_aim,
    winner,
)
from marketpost.mail.outbound.letters.letter import Letter, LetterAttachment, Links, Names, render_letter
from marketpost.mail.outbound.letters.times import locale
from marketpost.mail.outbound.letters.turns import WaitingGame, waiting_game
from marketpost.mail.outbound.render import Sentences
from marketpost.mail.outbound.replay_page import replay_html
from marketpost.play.analyses import AnalysisStatus
from marketpost.play.log.actions import TimeControl
from marketpost.play.log.game import Game, GameStatus
from marketpost.rules.analysis import Analysis
from marketpost.rules.words import typeset
from marketpost.store.players import Player

SPANS: dict[Literal["day", "hour", "minute", "second"], int] = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}


def invitation(game: Game, player: Player, names: Names, host: str, links: Links, *, known: bool = True) -> Letter:
    """Write an invitation; the host's name is in the subject only if the reader is `known`, not merely invited."""
    kept = next((number for number, seat in enumerate(game.seats) if seat.invited == player.id), None)
    told = list(pace(game.clock, player.language))
    table = at_table(game, kept, player, names, links)
    seal = game.seal if game.scheme > 1 and game.status == GameStatus.OPEN else ""
    return render_letter("invitation", player, links, host=host, known=known, pace=told, seal=seal, **table, **the_aim(game, player))


def pace(clock: TimeControl | None, language: str) -> Iterator[str]:
    """Say the time control: time for a decision, what is saved, what does not count, and what happens at zero."""
    say = Sentences(language, "invitation").say
    if clock is None:
        yield say("no-limit")
        return
    yield say("think", time=span(clock.per_decision, language))
    yield say("keep", bank=span(clock.bank, language)) if clock.bank else say("keep-nothing")
    if not clock.weekends:
        yield say("weekends")
    if clock.quiet:
        first, last = (format_time(time(hour), "short", locale=locale(language)) for hour in clock.quiet)
        yield say("quiet", first=first, last=last)
    yield say(f"zero-{clock.at_zero}")


def span(milliseconds: int, language: str) -> str:
    """Format a duration exactly, in days, hours, minutes and seconds."""
    left, parts = milliseconds // 1000, []
    for unit, length in SPANS.items():
        count, left = divmod(left, length)
        # Babel's units lack the Italian day; an endless threshold keeps its spans in the unit that is asked for.
        parts += [format_timedelta(timedelta(**{f"{unit}s": count}), unit, inf, locale=locale(language))] if count else []
    return listed(language, parts)


def declined(game: Game, player: Player, names: Names, links: Links, *, who: str) -> Letter:
    """Write the letter to the host that somebody declined and the seat is free."""
    return render_letter("declined", player, links, who=who, **at_table(game, game.seat_of(player.id), player, names, links))


def started(game: Game, seat: int, player: Player, names: Names, links: Links) -> Letter:
    """Write the letter that the game has begun."""
    return render_letter("started", player, links, also=(), shown=(), **start(game, seat, player, names, links))


def message(
    game: Game, seat: int | None, player: Player, names: Names, links: Links, *, said: Sequence[tuple[str, str]], earlier: int = 0
) -> Letter:
    """Write the letter with what was said at the table and by whom; of `earlier` messages only the number."""
    return render_letter("message", player, links, said=said, earlier=earlier, **at_table(game, seat, player, names, links))


def proposal(
    game: Game,
    seat: int | None,
    player: Player,
    names: Names,
    links: Links,
    *,
    what: str,
    who: str,
    back_to: int | None = None,
    known: bool = True,
) -> Letter:
    """Write the letter about a proposal: an `undo`, a `draw`, to `abandon` the game, or to take over a `seat`.

    For an undo it shows what would be taken back. A player who is offered a seat may never have played, and is told as much as in an
    invitation.
    """
    lost = since(game, back_to, player) if back_to is not None else []
    told = on_board(game, player) | {"what": what, "who": who, "known": known, "happened": lost, "first": False, "aim": [], "pace": []}
    told |= the_aim(game, player) | {"pace": list(pace(game.clock, player.language))} if what == "seat" else {}
    return render_letter("proposal", player, links, **at_table(game, seat, player, names, links), **told)


def news(
    game: Game, seat: int | None, player: Player, names: Names, links: Links, *, what: str, who: str, whose: int, also: Sequence[str] = ()
) -> Letter:
    """Write the letter that `who` has done something about the seat `whose`; after an undo, or with sentences `also`, with the position."""
    table = at_table(game, seat, player, names, links) | (on_board(game, player) if what == "undone" or also else {"board": ""})
    about = game.rules.in_language(player.language).translate(game.setting.colours[whose])
    return render_letter("news", player, links, what=what, who=who, about=about, also=also, **table)


def taken_back(game: Game, seat: int, language: str) -> str:
    """Say that all have agreed to undo what this seat did."""
    words = game.rules.in_language(language)
    about = words.translate(game.setting.colours[seat])
    return Sentences(language, "news").say("undone", title=game.rules.title(words), who=about, about=about)


@dataclass(frozen=True, slots=True)
class LastOrders:
    """The reader's own last orders: the version they made, their text, and sentences about them."""

    version: int
    orders: str
    also: Sequence[str] = ()


def over(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    record: str,
    analysed: tuple[AnalysisStatus, Analysis | None],
    said: Sequence[tuple[str, str]] = (),
    last: LastOrders | None = None,
    beside: BesideOrders | None = None,
    waiting: Mapping[str, WaitingGame] = MappingProxyType({}),
) -> Letter:
    """Write the letter about the end: the result, the last moves, and the whole game as a record; `waiting` is the next game that waits.

    With `beside` it also answers the reader's last message; `last` are the orders in it, if there were any.
    """
    answered = beside or NOTHING
    winners = game.winners
    result: dict[str, Any] = {
        "won": seat in winners and seat not in game.absent,
        "shared": len(winners) > 1,
        "winners": listed(player.language, [winner(game, each, names, player.language) for each in winners]),
        "scores": ranking(game, names, player.language),
        "happened": since(game, last.version - 1, player) if last else since_own(game, seat, player),
        "first": False,
        "chart": score_chart(game, game.rules.in_language(player.language)),
        "said": said,
        "orders": quoted(last.orders) if last else "",
        "also": [typeset(line, player.language) for line in (*answered.also, *(last.also if last else ()))],
        "next": "",
        "id": game.id,
        "waiting": [waiting_game(label, each, player, links) for label, each in waiting.items()],
    }
    result |= luck_and_skill(game, seat, player, names, analysed)
    table = at_table(game, seat, player, names, links) | on_board(game, player) | shown(game, player, set(answered.asked) - {"board"})
    name = f"{game.rules.name}-{game.id}"
    attached = [LetterAttachment(f"{name}.txt", record)]
    if player.replay:
        attached.append(LetterAttachment(f"{name}.html", replay_html(game, player.language, names), "html"))
    return render_letter("over", player, links, tuple(attached), reply=beside is not None, **table, **result)
