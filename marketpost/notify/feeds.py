"""Write a player's feeds: what waits for them as Atom, and their deadlines as iCalendar."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from feedgen.feed import FeedGenerator  # type: ignore[import-untyped]
from icalendar import Calendar, Event, vDuration
from icalendar.enums import TRANSP

from marketpost.mail.outbound.letters import TimeLeft, game_name, until
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.notify.feed_links import FeedLinks
from marketpost.play.clock.deadlines import running
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import names
from marketpost.rules.words import Words
from marketpost.store.players import Player

OVER_FOR = 14 * 24 * 3600_000
"""Milliseconds for which the feed tells that a game is over."""
MOST_OVER = 20
ASKED_EVERY = timedelta(hours=1)
"""How often calendar programs are asked to come back."""


class FeedItemKind(StrEnum):
    """What an item of a feed tells."""

    TURN = "turn"
    INVITED = "invited"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One thing that a feed tells: a decision of the player, an invitation, or the end of a game."""

    kind: FeedItemKind
    key: str
    """The same as long as it is the same thing: programs show an item with a new key as new."""
    table: str
    """The name of the game."""
    url: str
    at: int
    """When it happened or changed, in milliseconds since 1970."""
    by: int = 0
    """Deadline of the decision; 0 if no time runs."""
    moved: int = 0
    """How often the deadline was moved."""


def feed_items(mailer: Mailer, player: Player) -> list[FeedItem]:
    """List what waits for a player and which of their games have ended lately, newest first."""
    found = [*_waiting(mailer, player), *_over(mailer, player)]
    return sorted(found, key=lambda item: (-item.at, item.key))


def _waiting(mailer: Mailer, player: Player) -> Iterator[FeedItem]:
    for id in mailer.ports.index.unfinished_of(player.id):
        if game := mailer.ports.sound_game(id):
            yield from (_turn(mailer, player, game, seat) for seat in game.deciders if game.seats[seat].player == player.id)
            if any(seat.invited == player.id for seat in game.seats):
                yield _item(mailer, player, game, FeedItemKind.INVITED, f"{game.id}-invited", game.created)


def _turn(mailer: Mailer, player: Player, game: Game, seat: int) -> FeedItem:
    """Describe a decision. It is named by when its time began, or by the last version that another seat played."""
    if time := running(game).get(seat):
        changed = max(time.since, time.outage, time.vacation) if time.moved else time.since
        return _item(mailer, player, game, FeedItemKind.TURN, f"{game.id}-{seat}-{time.since}", changed, time.by, time.moved)
    asked = max((version for version, played in game.history if played.seat != seat), default=0)
    return _item(mailer, player, game, FeedItemKind.TURN, f"{game.id}-{seat}-after-{asked}", game.changed)


def _over(mailer: Mailer, player: Player) -> Iterator[FeedItem]:
    for over_at, id in mailer.ports.index.page(f"played:{player.id}", None, MOST_OVER):
        if over_at + OVER_FOR > mailer.ports.clock() and (game := mailer.ports.sound_game(id)):
            yield _item(mailer, player, game, FeedItemKind.OVER, f"{game.id}-over", int(over_at))


def _item(mailer: Mailer, player: Player, game: Game, kind: FeedItemKind, key: str, at: int, by: int = 0, moved: int = 0) -> FeedItem:
    table = game_name(game, game.seat_of(player.id), names(mailer.ports, game), player.language)
    return FeedItem(kind, key, table, f"{mailer.settings.public_url}/games/{game.id}", at, by, moved)


def atom(mailer: Mailer, player: Player, links: FeedLinks) -> bytes:
    """Write the Atom feed. Its text depends on what it tells and not on when it is asked for, so that its ETag stays."""
    say, items = Words(player.language, WORDS).say, feed_items(mailer, player)
    feed = FeedGenerator()
    feed.id(f"urn:marketpost:{mailer.settings.mail_domain}:feed:{player.id}")
    feed.title(say("feed.title"))
    feed.author(name="Marketpost")
    feed.language(player.language)
    feed.link(href=links.atom, rel="self", type="application/atom+xml")
    feed.link(href=mailer.settings.public_url, rel="alternate", type="text/html")
    feed.updated(_moment(max((item.at for item in items), default=player.created)))
    for item in items:
        entry = feed.add_entry(order="append")
        entry.id(f"urn:marketpost:{mailer.settings.mail_domain}:{item.key}")
        entry.title(say(f"feed.{item.kind}", table=item.table))
        entry.link(href=item.url, rel="alternate", type="text/html")
        entry.content(_told(player, item), type="text")
        entry.updated(_moment(item.at))
        entry.category(term=item.kind)
    return bytes(feed.atom_str(pretty=True))


def _told(player: Player, item: FeedItem) -> str:
    """Return the text of an item, with its deadline in the player's timezone."""
    say, deadline = Words(player.language, WORDS).say, _moment(item.by) if item.by else None
    when = until(TimeLeft(deadline, deadline), player) if deadline else None
    return say("feed.turn-until", **when) if when else say(f"feed.{item.kind}-how")


def calendar(mailer: Mailer, player: Player) -> bytes:
    """Write the calendar of the player's deadlines. A deadline that is moved keeps its UID, and its SEQUENCE grows (RFC 5545)."""
    say = Words(player.language, WORDS).say
    made = Calendar.new(
        name=say("feed.calendar"),
        prodid="-//Marketpost//deadlines//EN",
        refresh_interval=ASKED_EVERY,
        uid=f"deadlines-{player.id}@{mailer.settings.mail_domain}",
        last_modified=_moment(player.created),
    )
    made.add("X-PUBLISHED-TTL", vDuration(ASKED_EVERY))
    for item in feed_items(mailer, player):
        if item.by:
            made.add_component(_event(mailer, player, item))
    return bytes(made.to_ical())


def _event(mailer: Mailer, player: Player, item: FeedItem) -> Event:
    """Describe a deadline as an event that takes no time, so that the player does not appear as busy."""
    return Event.new(
        uid=f"{item.key}@{mailer.settings.mail_domain}",
        sequence=item.moved,
        stamp=_moment(item.at),
        start=_moment(item.by),
        end=_moment(item.by),
        summary=Words(player.language, WORDS).say("feed.turn", table=item.table),
        description=_told(player, item),
        url=item.url,
        transparency=TRANSP.TRANSPARENT,
    )


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)
