"""The whole way of a game, a move or a mail through the service, with times, for an operator who looks for what went wrong."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from marketpost.mail.inbound.message_status import MEANINGS
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import Entry, decode
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.ports import Ports
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.bounce_addresses import BounceAddresses
from marketpost.store.delivery_queue import Delivery, DeliveryQueue, DeliveryStatus
from marketpost.store.mail_queue import InboundMessage, MailQueue
from marketpost.store.message_parts import part_id, part_of

VERDICTS = {
    AuthVerdict.PASS: "the domain of its sender's address has sent it",
    AuthVerdict.FAIL: "the domain of its sender's address says that it has not sent it",
    AuthVerdict.NONE: "nobody can know whether the domain of its sender's address has sent it",
}
ANSWER = "answer-"
"""The id of a letter that answers an inbound message begins with this, and goes on with that of the message."""
AT_ONCE = 500
"""Games that are searched for a move in one request."""
MOST_LETTERS = 500
"""Letters of each player that are searched for those of a game."""


class TraceLine(NamedTuple):
    """What happened at one moment."""

    at: int
    what: str


def trace_game(ports: Ports, deliveries: DeliveryQueue, game: Game, move: str = "") -> list[TraceLine]:
    """Tell what happened in a game, oldest first; with a move, only its own way: the mail it came by, decided, and who was told of it."""
    entries = [entry for entry in map(decode, (stored.data for stored in ports.games.read(game.id))) if not move or _is_of(entry, move)]
    versions = {entry.version for entry in entries}
    letters = [each for each in _letters(deliveries, game) if not move or each.version in versions or move in each.id]
    mail_queue = MailQueue(deliveries.redis)
    mails = filter(None, (mail_queue.inbound(each.id.removeprefix(ANSWER)) for each in letters if each.id.startswith(ANSWER)))
    lines = [line for each in mails for line in _inbound(each)]
    lines += [*map(_entry, entries), *_waiting(ports, game, move), *_decided(ports, game, move), *_deliveries(letters, deliveries)]
    return sorted(lines, key=lambda line: line.at)


def find_move(ports: Ports, move: str) -> Game | None:
    """Find the game of a move, the newest first; finished games, whose logs have to be read for it, last."""
    games = [game for _, game in reversed(ports.index.oldest_first("all"))]
    for begin in range(0, len(games), AT_ONCE):
        if found := ports.games.with_move(games[begin : begin + AT_ONCE], move):
            return ports.game(found[0])
    over = (game for _, game in reversed(ports.index.oldest_first(GameStatus.OVER)))
    return next((ports.game(game) for game in over if outcome(ports, game, move)), None)


def trace_mail(ports: Ports, mail_queue: MailQueue, deliveries: DeliveryQueue, id: str) -> list[TraceLine]:
    """Tell the way of an inbound message, with that of the moves it became, or of a letter; empty if neither has this id."""
    lines = [*_deliveries(filter(None, [deliveries.find(id)]), deliveries)]
    for each in _belonging(mail_queue, id):
        lines += _inbound(each)
        lines += _deliveries(filter(None, (deliveries.find(letter) for letter in (f"{ANSWER}{each.id}", each.came_back))), deliveries)
        if game := ports.game(each.game) if each.game else None:
            lines += trace_game(ports, deliveries, game, each.move)
    return sorted(dict.fromkeys(lines), key=lambda line: line.at)


def _belonging(mail_queue: MailQueue, id: str) -> Iterator[InboundMessage]:
    """Find a message and those that belong to it: its parts and copies, the first of which it is a copy, the yes or no to it."""
    left, seen = [id], set[str]()
    while left:
        seen.add(id := left.pop())
        if found := mail_queue.inbound(id):
            yield found
            parts = (part_id(found.id, label) for label in found.labels)
            left += {*parts, *found.copies, found.copy_of, found.settled_by, found.settles or ""} - seen - {""}


def _is_of(entry: Entry, move: str) -> bool:
    return isinstance(entry.action, Moved) and entry.action.move == move


def _entry(entry: Entry) -> TraceLine:
    by = f" by player {entry.by}" if entry.by else ""
    move = f", move {entry.action.move}" if isinstance(entry.action, Moved) else ""
    via = f", asked for by {entry.via}" if entry.via else ""
    return TraceLine(entry.at, f"entry {entry.version}: {type(entry.action).__name__}{by}{move}{via}")


def _waiting(ports: Ports, game: Game, move: str) -> Iterator[TraceLine]:
    for each in ports.games.pending(game.id):
        if not move or each.id == move:
            yield TraceLine(each.at, f"move {each.id} of player {each.player} was accepted and waits for a worker")


def _decided(ports: Ports, game: Game, move: str) -> Iterator[TraceLine]:
    for id in [move] if move else ports.games.outcomes(game.id):
        found = outcome(ports, game.id, id)
        if found and found.status != OutcomeStatus.QUEUED:
            if found.accepted:
                yield TraceLine(found.accepted, f"move {id} was accepted")
            why = f": {found.code}" if found.code else ""
            yield TraceLine(found.at, f"move {id} was decided: {found.status}{why}")


def _letters(deliveries: DeliveryQueue, game: Game) -> list[Delivery]:
    found = {each.id: each for player in game.people for each in deliveries.history(player, MOST_LETTERS) if each.game == game.id}
    return list(found.values())


def _deliveries(letters: Iterable[Delivery], queue: DeliveryQueue) -> Iterator[TraceLine]:
    bounces = BounceAddresses(queue.redis)
    for each in letters:
        name = f"{each.channel} {each.id} ({each.letter}) to player {each.player}"
        yield TraceLine(each.at, f"{name} was put into the queue")
        attempts = f"at attempt {each.attempts + 1}" if each.attempts else "at once"
        if each.done:
            yield TraceLine(each.done, f"{name}: {each.status} {attempts}{f', {each.reason}' if each.reason else ''}")
        elif each.status == DeliveryStatus.WAITING and each.attempts:
            yield TraceLine(each.due, f"{name}: is tried again then, for attempt {each.attempts + 1}, because of: {each.reason}")
        if used := bounces.used(each.id):
            yield TraceLine(used, f"{name}: came back, or was marked as spam")


def _inbound(inbound: InboundMessage) -> Iterator[TraceLine]:
    name = f"part {inbound.id}" if part_of(inbound.id) else f"message {inbound.id}"
    to = ", ".join(inbound.recipients)
    done = inbound.done or inbound.at
    yield TraceLine(inbound.at, f"{name}{f' to {to}' if to else ''} came in: {VERDICTS[inbound.verdict]} (verdict {inbound.verdict})")
    if inbound.other_address:
        yield TraceLine(done, f"{name} came from another address than that of its player")
    for did in inbound.also:
        yield TraceLine(done, f"{name} did: {did}")
    if inbound.orders:
        became = f", which became move {inbound.move} in game {inbound.game}" if inbound.move else ""
        yield TraceLine(done, f"{name} had orders: {inbound.orders}{became}")
    if inbound.too_late:
        yield TraceLine(done, f"{name} had orders for a turn that is over, which were not submitted")
    if inbound.came_back:
        yield TraceLine(done, f"{name} is about letter {inbound.came_back}")
    if inbound.copy_of:
        yield TraceLine(done, f"{name} has the Message-ID of message {inbound.copy_of}, which came before")
    if inbound.settles:
        yield TraceLine(done, f"{name} says yes or no to the held message {inbound.settles}")
    attempts = f" at attempt {inbound.attempts}" if inbound.attempts > 1 else ""
    yield TraceLine(done, f"{name}: {inbound.status}{attempts}. {MEANINGS.get(inbound.status, '')}")
