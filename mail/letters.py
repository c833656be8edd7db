"""Every letter we send: from plain values to subject, text, HTML and attachments. Nothing is read or sent here."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from math import inf
from typing import Any, Literal

from babel.dates import format_date, format_time, format_timedelta, get_timezone, get_timezone_name

from mail.example_orders import example_orders
from mail.render import Sentences, render, typeset
from mail.replay import replay_html
from pictures.png import png
from play.game import Game
from play.look import picture
from play.submit import Outcome
from rules.chart import chart
from rules.refusal import Refusal, Refused
from rules.svg import description
from rules.words import COMMON, Words
from store.people import Player

MINUTE = timedelta(minutes=1)
SPANS: dict[Literal["day", "hour", "minute", "second"], int] = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
LONGEST_ORDERS = 2000
"""Of a player's own orders at most this much is quoted back."""
PICTURE_WIDTH = 520
"""Pixels: as broad as a mail is read, and small enough to be sent."""


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Picture:
    """What the HTML shows; it goes along with the letter, so that nothing is fetched."""

    name: str
    data: bytes
    """PNG."""
    alt: str

    @property
    def cid(self) -> str:
        """Another one for another picture: some programs take two with the same id for one."""
        return f"{self.name}-{sha256(self.data).hexdigest()[:16]}@marketpost"


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str
    html: str
    attachments: tuple[Attachment, ...] = ()
    reply: bool = False
    """Whether it answers a mail, rather than tell something by itself."""
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Links:
    """Where the reader finds us. `key` makes a link that shows this player this game, and nobody else."""

    home: str
    key: Callable[[str, str], str] = lambda game, player: ""
    new: str = ""
    """The address that opens games."""

    def game(self, game: str, player: str) -> str:
        key = self.key(game, player)
        return f"{self.home}/games/{game}" + (f"?as={player}&key={key}" if key else "")


@dataclass(frozen=True, slots=True)
class Clock:
    """Until when a player may decide, seen from now; both with a timezone."""

    now: datetime
    until: datetime
    saved: timedelta = timedelta()
    """How much of the time was saved earlier."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game in a digest."""

    game: Game
    seat: int
    names: Mapping[str, str]
    clock: Clock | None = None


Names = Mapping[str, str]
"""What each colour's player is called, as `play.look.names` tells."""


def confirm(player: Player, code: str, links: Links, minutes: int = 15) -> Letter:
    return _letter("confirm", player, links, code=code, minutes=minutes, address=player.email, new=links.new)


def sign_in(player: Player, code: str, links: Links, minutes: int = 15) -> Letter:
    return _letter("sign-in", player, links, code=code, minutes=minutes)


def invitation(game: Game, player: Player, names: Names, host: str, links: Links) -> Letter:
    """`host` is the name of whoever invites."""
    kept = next((number for number, seat in enumerate(game.seats) if seat.invited == player.id), None)
    pace = list(_pace(game, player.language))
    return _letter("invitation", player, links, host=host, pace=pace, **_table(game, kept, player, names, links))


def _pace(game: Game, language: str) -> Iterator[str]:
    """How long one may think in this game, what is saved, what does not count, and what happens at zero."""
    say, clock = Sentences(language, "invitation").say, game.clock
    if clock is None:
        yield say("no-limit")
        return
    yield say("think", time=_span(clock.per_decision, language))
    yield say("keep", bank=_span(clock.bank, language)) if clock.bank else say("keep-nothing")
    if not clock.weekends:
        yield say("weekends")
    if clock.quiet:
        first, last = (format_time(time(hour), "short", locale=_locale(language)) for hour in clock.quiet)
        yield say("quiet", first=first, last=last)
    yield say(f"zero-{clock.at_zero}")


def _span(milliseconds: int, language: str) -> str:
    """Exactly so long, in days, hours, minutes and seconds."""
    left, parts = milliseconds // 1000, []
    for unit, length in SPANS.items():
        count, left = divmod(left, length)
        # Babel's units lack the Italian day; an endless threshold keeps its spans in the unit that is asked for.
        parts += [format_timedelta(timedelta(**{f"{unit}s": count}), unit, inf, locale=_locale(language))] if count else []
    return _and(language, parts)


def declined(game: Game, player: Player, names: Names, links: Links, *, who: str) -> Letter:
    """To the host: somebody does not want to play, and the seat is free."""
    return _letter("declined", player, links, who=who, **_table(game, game.seat_of(player.id), player, names, links))


def started(game: Game, seat: int, player: Player, names: Names, links: Links) -> Letter:
    return _letter("started", player, links, **_table(game, seat, player, names, links), **_position(game, player))


def your_turn(game: Game, seat: int, player: Player, names: Names, links: Links, clock: Clock | None = None) -> Letter:
    return _letter("your-turn", player, links, **_decision(game, seat, player, names, links, clock))


@dataclass(frozen=True, slots=True)
class Beside:
    """What a mail asked for beside its orders: sentences that tell what was done, and what is shown below the board."""

    also: Sequence[str] = ()
    asked: Collection[str] = ()
    record: str = ""


NOTHING = Beside()


def drawn(
    game: Game, seat: int, player: Player, names: Names, links: Links, clock: Clock | None = None, beside: Beside = NOTHING
) -> Letter:
    """Chance has answered and the turn goes on: what happened in it so far."""
    told = {"happened": _own_turn(game, seat, player), "first": False}
    return _reply("drawn", game, player, links, beside, _decision(game, seat, player, names, links, clock) | told)


def receipt(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    *,
    version: int,
    orders: str,
    beside: Beside = NOTHING,
    clock: Clock | None = None,
) -> Letter:
    """The orders were carried out and made this version of the game. Others may have moved since."""
    told = {
        "happened": _since(game, version - 1, player),
        "first": False,
        "orders": _quoted(orders),
        "next": _next(game, player),
        "again": seat in game.deciders and any(number > version for number, _ in game.history),
    }
    return _reply("receipt", game, player, links, beside, _decision(game, seat, player, names, links, clock) | told)


def refused(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    *,
    orders: str,
    outcome: Outcome,
    beside: Beside = NOTHING,
    clock: Clock | None = None,
) -> Letter:
    """Which step was wrong and why, what stands nevertheless, and what would be possible."""
    words = game.rules.in_language(player.language)
    refusal = Refusal(outcome.code or "", outcome.step or 0, outcome.values)
    told = {
        "happened": _since(game, outcome.version - 1, player) if outcome.version else [],
        "orders": _quoted(orders),
        "step": refusal.step,
        "step_text": _step(game, orders, refusal.step, words),
        "why": typeset(words.explain(refusal), player.language),
        "dropped": [_renotated(game, step, words) for step in outcome.dropped],
        "next": _next(game, player),
    }
    return _reply("refused", game, player, links, beside, _decision(game, seat, player, names, links, clock) | told)


def _reply(name: str, game: Game, player: Player, links: Links, beside: Beside, values: dict[str, Any]) -> Letter:
    """To orders: what became of them, and whatever the mail asked for beside them. The board stands in it anyway."""
    also = [typeset(line, player.language) for line in beside.also]
    shown = _shown(game, player, set(beside.asked) - {"board"})
    return _letter(name, player, links, _attached(game, beside.record), reply=True, **values | shown, also=also)


def _shown(game: Game, player: Player, asked: set[str], rules: str = "") -> dict[str, Any]:
    words = game.rules.in_language(player.language)
    return {"shown": asked, "help": _help(words), "rules": _rules(words, rules)}


def _attached(game: Game, record: str) -> tuple[Attachment, ...]:
    return (Attachment(f"{game.rules.name}-{game.id}.txt", record),) if record else ()


def reminder(game: Game, seat: int, player: Player, names: Names, links: Links, clock: Clock | None = None) -> Letter:
    return _letter("reminder", player, links, **_decision(game, seat, player, names, links, clock))


def timed_out(game: Game, seat: int, player: Player, names: Names, links: Links, what: str) -> Letter:
    """The player's time was up, and this is what happened then."""
    return _letter("timed-out", player, links, what=what, **_table(game, seat, player, names, links))


def message(game: Game, seat: int | None, player: Player, names: Names, links: Links, *, author: str, text: str) -> Letter:
    return _letter("message", player, links, author=author, said=text, **_table(game, seat, player, names, links))


def proposal(
    game: Game, seat: int | None, player: Player, names: Names, links: Links, *, what: str, who: str, back_to: int | None = None
) -> Letter:
    """`what`: an `undo`, a `draw`, to `abandon` the game, or to take over a `seat`. With what an undo would take back."""
    lost = _since(game, back_to, player) if back_to is not None else []
    told = _position(game, player) | {"what": what, "who": who, "happened": lost, "first": False}
    return _letter("proposal", player, links, **_table(game, seat, player, names, links), **told)


def news(game: Game, seat: int | None, player: Player, names: Names, links: Links, *, what: str, who: str, whose: int) -> Letter:
    """Something was done at the table, by `who`, about the seat `whose`."""
    table = _table(game, seat, player, names, links)
    about = game.rules.in_language(player.language).tell(game.setting.colours[whose])
    return _letter("news", player, links, what=what, who=who, about=about, **table)


def person(game: Game, seat: int, names: Names, language: str) -> str:
    """Whoever sits there, at the beginning of a sentence."""
    called = _winner(game, seat, names, language)
    return called[:1].upper() + called[1:]


def over(game: Game, seat: int, player: Player, names: Names, links: Links, record: str) -> Letter:
    """The result, the last moves, and the whole game as a record to keep."""
    winners = game.winners
    result: dict[str, Any] = {
        "won": seat in winners and seat not in game.absent,
        "shared": len(winners) > 1,
        "winners": _and(player.language, [_winner(game, each, names, player.language) for each in winners]),
        "scores": _scores(game, names, player.language),
        "happened": _since_own(game, seat, player),
        "first": False,
        "chart": _chart(game, game.rules.in_language(player.language)),
    }
    table = _table(game, seat, player, names, links) | _position(game, player)
    name = f"{game.rules.name}-{game.id}"
    attached = [Attachment(f"{name}.txt", record)]
    if player.replay:
        attached.append(Attachment(f"{name}.html", replay_html(game, player.language, names), "html"))
    return _letter("over", player, links, tuple(attached), **table, **result)


def bouncing(player: Player, links: Links, *, reason: str, at: datetime) -> Letter:
    """Mails to the player's address came back; nothing more is sent there."""
    return _letter("bouncing", player, links, address=player.email, reason=reason, date=_day(at, player))


def webhook_off(player: Player, links: Links, *, host: str, reason: str, since: datetime) -> Letter:
    """A webhook failed for days. Only its host is named, for the rest of its address may be a secret."""
    return _letter("webhook-off", player, links, host=host, reason=reason, date=_day(since, player))


def digest(player: Player, links: Links, waiting: Sequence[Waiting]) -> Letter:
    """Once a day instead of one by one: the games that wait for this player."""
    games = [
        _table(each.game, each.seat, player, each.names, links)
        | {"happened": _since_own(each.game, each.seat, player), "until": _until(each.clock, player)}
        for each in waiting
    ]
    return _letter("digest", player, links, games=games)


def answer(
    player: Player,
    links: Links,
    lines: Sequence[str] = (),
    *,
    asked: Collection[str] = (),
    game: Game | None = None,
    seat: int | None = None,
    names: Names | None = None,
    record: str = "",
    rules: str = "",
    kind: str = "shown",
) -> Letter:
    """To a mail that asked for something: sentences, and whatever of `help`, `board`, `rules` and `record` was asked for.

    `kind` is what the subject tells: `done`, `refused`, `partly`, `shown`, `thanks`, or that we are `asking` something.
    """
    asked = set(asked)
    if game is None and not lines and asked != {"help"}:
        lines = [Sentences(player.language, "answer").say("no-game")]
    values: dict[str, Any] = {"kind": kind, "lines": [typeset(line, player.language) for line in lines], "board": ""}
    if game is None:
        nothing = {"title": "Marketpost", "url": links.home, "new": links.new, "help": [], "rules": [], "shown": asked & {"help"}}
        return _letter("answer", player, links, reply=True, **values | nothing)
    values |= _table(game, seat, player, names or {}, links) | _shown(game, player, asked, rules)
    values |= _position(game, player) if game.state is not None else {}
    return _letter("answer", player, links, _attached(game, record), reply=True, **values)


def _help(words: Words) -> list[str]:
    return typeset(words.say("help.orders"), words.language).strip("\n").splitlines()


def _rules(words: Words, given: str) -> list[str]:
    """The rules in short, one a line, unless longer ones are given."""
    known = words.say("choices.rules") if words.knows("choices.rules") else ""
    return typeset(given or known, words.language).strip("\n").splitlines()


def _letter(
    name: str, player: Player, links: Links, attachments: tuple[Attachment, ...] = (), *, reply: bool = False, **values: object
) -> Letter:
    subject, text, html = render(name, player.language, {"name": player.name, "home": links.home, **values})
    shown = (value for value in values.values() if isinstance(value, Picture))
    return Letter(subject, text, html, attachments, reply, tuple(picture for picture in shown if picture.cid in html))


def _table(game: Game, seat: int | None, player: Player, names: Names, links: Links) -> dict[str, Any]:
    """Which game it is and who plays in it."""
    words = game.rules.in_language(player.language)
    return {
        "title": words.say("story.title") if words.knows("story.title") else game.rules.name.title(),
        "others": _others(game, seat, names, player.language),
        "players": [_seat(game, each, seat, names, player.language) for each in range(len(game.seats))],
        "colour": words.tell(game.setting.colours[seat]) if seat is not None else "",
        "url": links.game(game.id, player.id),
    }


def _others(game: Game, own: int | None, names: Names, language: str) -> str:
    """The people beside the reader by name, the bots by their number."""
    people = [_person(game, seat, names, language) for seat, plan in enumerate(game.seats) if plan.player and seat != own]
    bots = sum(bool(plan.bot) for seat, plan in enumerate(game.seats) if seat != own)
    return _and(language, [*people, Sentences(language, "words").say("bots", count=bots)] if bots else people)


def _seat(game: Game, seat: int, own: int | None, names: Names, language: str) -> str:
    colour = game.rules.in_language(language).tell(game.setting.colours[seat])
    who = Sentences(language, "words").say("you") if seat == own else _person(game, seat, names, language)
    return f"{colour} ({who})"


def _person(game: Game, seat: int, names: Names, language: str) -> str:
    """The name of whoever sits there, a bot's kind, or what a nameless seat is called."""
    say, plan = Sentences(language, "words").say, game.seats[seat]
    if plan.bot:
        return say("bot-after" if seat in game.absent else "bot", bot=plan.bot)
    if not plan.player:
        return say("invited" if plan.invited else "free-seat")
    colour = game.setting.colours[seat]
    return names.get(colour) or game.rules.in_language(language).tell(colour)


def _winner(game: Game, seat: int, names: Names, language: str) -> str:
    plan = game.seats[seat]
    return Sentences(language, "words").say("the-bot", bot=plan.bot) if plan.bot else _person(game, seat, names, language)


def _position(game: Game, player: Player) -> dict[str, Any]:
    words = game.rules.in_language(player.language)
    deciding = [words.tell(game.setting.colours[seat]) for seat in game.deciders]
    return {
        "board": game.rules.draw(game.state, words).rstrip("\n"),
        "picture": _picture(game, words),
        "turn": game.state.turn,
        "deciding": _and(player.language, deciding),
    }


def _picture(game: Game, words: Words) -> Picture:
    """For those who see none it tells what it shows."""
    svg = picture(game, game.version, words)
    return Picture("board", png(svg, PICTURE_WIDTH), typeset(description(svg), words.language))


def _chart(game: Game, words: Words) -> Picture:
    svg = chart(game.rules, [event for played in game.played for event in played.events], words)
    return Picture("chart", png(svg, PICTURE_WIDTH), typeset(words.say("chart.title"), words.language))


def _decision(game: Game, seat: int, player: Player, names: Names, links: Links, clock: Clock | None = None) -> dict[str, Any]:
    """All that a player needs in order to decide."""
    words = game.rules.in_language(player.language)
    is_theirs, standing = seat in game.deciders, game.rules.standing
    choices = game.rules.story.choices(game.state, seat, words) if is_theirs else []
    return {
        **_table(game, seat, player, names, links),
        **_position(game, player),
        "happened": _since_own(game, seat, player),
        "first": not _last_own(game, seat),
        "choices": [typeset(choice, player.language) for choice in choices],
        "examples": example_orders(game.rules, game.state, seat, words) if is_theirs else [],
        "until": _until(clock, player),
        "aside": standing is not None and standing.concerns(game.state, seat),
        "standing": typeset(words.say("help.standing"), player.language) if standing else "",
        "unlimited": game.clock is None and clock is None,
    }


def _last_own(game: Game, seat: int) -> int:
    """The version of the last move that was made by the player themselves; 0 before the first."""
    return max((version for version, played in game.history if played.seat == seat and version not in game.stood), default=0)


def _since_own(game: Game, seat: int, player: Player) -> list[str]:
    """What happened since the player's last move, and what their standing orders had a part in."""
    words, last = game.rules.in_language(player.language), _last_own(game, seat)
    stood = [deed.orders for version, deed in game.stood.items() if version > last and deed.seat == seat]
    say = Sentences(player.language, "words").say
    return _since(game, last, player) + [say("stood", orders=_renotated(game, orders, words)) for orders in stood]


def _since(game: Game, version: int, player: Player) -> list[str]:
    """What happened after that version, told."""
    before = [event for number, played in game.history if number <= version for event in played.events]
    after = [event for number, played in game.history if number > version for event in played.events]
    told = game.rules.story(game.rules.fold(before), after, game.rules.in_language(player.language))
    return [typeset(each, player.language) for each in told]


def _own_turn(game: Game, seat: int, player: Player) -> list[str]:
    """The seat's moves since anybody else's."""
    others = max((version for version, played in game.history if played.seat != seat), default=0)
    return _since(game, others, player)


def _next(game: Game, player: Player) -> str:
    """Who is to decide, if it is somebody else."""
    words, say = game.rules.in_language(player.language), Sentences(player.language, "words").say
    deciders = [game.setting.colours[seat] for seat in game.deciders if game.seats[seat].player != player.id]
    return say("next", who=_and(player.language, map(words.tell, deciders))) if deciders else ""


def _scores(game: Game, names: Names, language: str) -> list[tuple[str, str]]:
    words = game.rules.in_language(language)
    scores = [(seat, score) for seat, score in enumerate(game.rules.scores(game.state))]
    ranked = sorted(scores, key=lambda each: _numbers(each[1]), reverse=True)
    return [(_seat(game, seat, None, names, language), words.score(score)) for seat, score in ranked]


def _numbers(score: str) -> list[int]:
    """The last number of a score counts first."""
    return [int(each) for each in reversed(re.findall(r"-?\d+", score))]


def _and(language: str, parts: Iterable[str]) -> str:
    return Words(language, COMMON).listed(parts, "and")


def _until(clock: Clock | None, player: Player) -> dict[str, str] | None:
    """The end of the time in the player's own timezone and way to write it."""
    if clock is None:
        return None
    there = clock.until.astimezone(get_timezone(player.timezone))
    return {
        "date": format_date(there, "full", locale=_locale(player.language)),
        "time": format_time(there, "short", locale=_locale(player.language)),
        "zone": _zone(there, player.language),
        "left": format_timedelta(clock.until - clock.now, add_direction=True, threshold=1.5, locale=_locale(player.language)),
        "saved": format_timedelta(clock.saved, threshold=1.5, locale=_locale(player.language)) if clock.saved >= MINUTE else "",
    }


def _locale(language: str) -> str:
    """Our English is British."""
    return "en_GB" if language == "en" else language


def _zone(at: datetime, language: str) -> str:
    """Babel's Italian names begin with a capital, as if they stood alone."""
    name = get_timezone_name(at, locale=_locale(language))
    return name[:1].lower() + name[1:] if language == "it" else name


def _day(at: datetime, player: Player) -> str:
    return day(at.astimezone(get_timezone(player.timezone)), player.language)


def day(at: date, language: str) -> str:
    return format_date(at, "long", locale=_locale(language))


def _quoted(orders: str) -> str:
    return orders.strip() if len(orders) <= LONGEST_ORDERS else orders[:LONGEST_ORDERS].strip() + " …"


def _step(game: Game, orders: str, number: int, words: Words) -> str:
    """The step that was wrong, as this language writes it; nothing where it cannot be told apart."""
    try:
        steps = game.rules.parse(orders)
        return str(game.rules.notate(steps[number - 1 : number], words)) if isinstance(steps, tuple) and number else ""
    except Refused:
        return ""


def _renotated(game: Game, step: str, words: Words) -> str:
    """An order as this language writes it."""
    try:
        return str(game.rules.notate(game.rules.parse(step), words))
    except Refused:
        return step
