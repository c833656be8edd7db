"""Compose the message of a letter that is due, from the game as it is now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.clock_times import time_left
from marketpost.mail.outbound.gameless_letters import answer_kind, compose_without_game
from marketpost.mail.outbound.gate import has_accepted
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import BesideOrders, Letter, Names, WaitingGame
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.mail.outbound.message import DkimKey, NamedAddress, build_message, message_id, thread_root
from marketpost.mail.outbound.told_once import is_end_told, is_own_doing, is_turn_told, led_to, said_beside, said_since
from marketpost.mail.outbound.waiting_games import next_game
from marketpost.play.log.actions import (
    AnyAction,
    Began,
    Disagreed,
    Ended,
    Ending,
    HandedOver,
    Offered,
    Proposed,
    Resigned,
    SeatPlan,
    Undone,
)
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names, names_among, record, situation
from marketpost.play.moves.submit import Outcome, OutcomeStatus, outcome
from marketpost.play.people.names import plain_name
from marketpost.play.table.invitations import invitee_name
from marketpost.play.table.talk import Message, said
from marketpost.play.table.undo import chance_answered
from marketpost.rules.words import Words
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage
from marketpost.store.players import Player

MOST_SAID = 30
"""Messages in one letter; older ones are only counted."""
ASKING = {LetterKind.YOUR_TURN, LetterKind.REMINDER, LetterKind.RECEIPT, LetterKind.ANSWER}
"""Letters after which the player may have to decide; the last two answer orders and other messages."""
Write = Callable[[Mailer, Delivery, Player, Game, Names], Letter | None]
"""Composes one kind of letter about a game; None if there is no more reason to send it."""


@dataclass(frozen=True, slots=True)
class MessageComposer:
    """Composes the whole message of a letter, signed if there is a DKIM key."""

    dkim: DkimKey | None = None

    def __call__(self, mailer: Mailer, mail: Delivery, player: Player, game: Game | None, people: Mapping[str, Player]) -> bytes | None:
        """Compose the message; None if the letter is no longer true."""
        letter = compose_letter(mailer, mail, player, game, people)
        return None if letter is None else self._wrap(mailer, letter, mail, player, game)

    def _wrap(self, mailer: Mailer, letter: Letter, mail: Delivery, player: Player, game: Game | None) -> bytes:
        """Build the MIME message of a letter with its headers."""
        domain = mailer.settings.mail_domain
        thread = [thread_root(game.id, domain)] if game else []
        reply_to = mailer.reply_address(mail)
        return build_message(
            letter,
            to=NamedAddress(player.email, player.name),
            sender=NamedAddress(f"play@{domain}", "Marketpost"),
            reply_to=reply_to,
            message_id=message_id(mail.game or "post", mail.version or 0, player.id, mail.id, domain),
            references=thread,
            list_id=f"{mail.game or 'post'}.{domain}",
            unsubscribe_url=unsubscribe_url(mailer, player),
            date=datetime.fromtimestamp((mail.due if mail.letter == LetterKind.DIGEST else mail.at) / 1000, UTC),
            dkim=self.dkim,
            json_part=_json(game, player, reply_to) if game and player.json and mail.letter in ASKING else None,
            letter_token=mailer.bounce_token(mail),
        )


def compose_letter(
    mailer: Mailer, mail: Delivery, player: Player, game: Game | None, people: Mapping[str, Player] | None = None
) -> Letter | None:
    """Compose a letter from the game as it is now; None if there is no more reason to send it.

    `people` are the players of the game, if they have been loaded.
    """
    if language := mail.values.get("language"):
        player = msgspec.structs.replace(player, language=language)
    if game is None:
        return compose_without_game(mailer, mail, player)
    write = WRITERS.get(mail.letter)
    called = names(mailer.ports, game) if people is None else names_among(people, game)
    _note_learnt(mailer, mail, player, game)
    return write(mailer, mail, player, game, called) if write else None


def _note_learnt(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> None:
    """Store that letters need not explain this ruleset to the player any more, in other games either."""
    name = game.rules.name
    if mail.seat is not None and name not in player.learnt and letters.own_moves(game, mail.seat) >= letters.FIRST_TURNS:
        mailer.ports.players.change(msgspec.structs.replace(player), lambda known: {"learnt": [*{*known.learnt, name}]})


def _json(game: Game, player: Player, reply_to: str) -> bytes:
    """Serialize the game and the reply address for a program that plays by mail."""
    return msgspec.json.encode({"game": situation(game, player.id), "reply_to": reply_to})


def unsubscribe_url(mailer: Mailer, player: Player) -> str:
    """Return the one-click unsubscribe URL of a player."""
    return f"{mailer.settings.public_url}/v1/unsubscribe/{player.id}/{mailer.token('unsubscribe', player.id)}"


def _your_turn(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose a letter about a turn; None once the decision is made, because the next one has a letter of its own."""
    made = mail.version or 0
    moved = any(played.seat == mail.seat and version > made for version, played in game.history)
    if moved or is_own_doing(mailer.ports, game, made, player) or is_turn_told(mailer, mail):
        return None
    return _turn(mailer, mail, player, game, called)


def news_letter(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> Letter | None:
    """Compose a letter for another channel, whatever letters have said to the player; None if it is no longer true."""
    called = names(mailer.ports, game)
    match mail.letter:
        case LetterKind.YOUR_TURN:
            return _turn(mailer, mail, player, game, called)
        case LetterKind.MESSAGE:
            spoken = [each for each in said(mailer.ports, game.id) if each.id == mail.values["move"] and each.player not in player.silenced]
            heard = _authored(mailer, spoken)
            return letters.message(game, mail.seat, player, called, mailer.links_in(mail), said=heard, earlier=0) if heard else None
        case LetterKind.OVER if mail.seat is not None:
            return letters.over(game, mail.seat, player, called, mailer.links_in(mail), record(mailer.ports, game))
        case _:
            return compose_letter(mailer, mail, player, game)


def _turn(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose a letter about a turn while the player has to decide, whatever other letters have said."""
    if mail.seat not in game.deciders or game.seats[mail.seat].player != player.id:
        return None
    also, talk = _taken_back(mailer, mail, player, game), _talk(mailer, mail, player, game)
    return letters.your_turn(game, mail.seat, player, called, mailer.links_in(mail), time_left(mailer, game, mail.seat), also, talk)


def _taken_back(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> list[str]:
    """Return the sentence that all agreed to an undo, for the player who has to decide because of it."""
    if not any(undone == mail.version for undone, _ in game.undos):
        return []
    action = _action(mailer, game, mail.version or 0)[1]
    return [letters.taken_back(game, action.seat, player.language)] if isinstance(action, Undone) and action.agreed else []


def _talk(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> list[tuple[str, str]]:
    """Return what was said beside the move that this letter is about, with the authors' names."""
    return _authored(mailer, said_beside(mailer, mail, player, game))


def _authored(mailer: Mailer, found: Sequence[Message]) -> list[tuple[str, str]]:
    people = mailer.ports.players.find_all({each.player for each in found}) if found else {}
    return [(_called(people.get(each.player)), each.text) for each in found]


def _called(player: Player | None) -> str:
    """Return the name of a player as others may read it."""
    return plain_name(player.name) if player else "?"


def _reminder(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose a reminder; None once nobody waits for this player any more."""
    if mail.seat is None or game.seats[mail.seat].player != player.id or not (clock := time_left(mailer, game, mail.seat)):
        return None
    return letters.reminder(game, mail.seat, player, called, mailer.links_in(mail), clock)


def _timed_out(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter that the player's time ran out."""
    if mail.seat is None or game.clock is None:
        return None
    return letters.timed_out(game, mail.seat, player, called, mailer.links_in(mail), game.clock.at_zero)


def _answered(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the answer to orders that came by mail, for the position right after them: applied, refused, or chance drawn."""
    ports, url = mailer.ports, mailer.links_in(mail)
    decided = outcome(ports, game.id, mail.values["move"])
    inbound = mailer.mail_queue.inbound(mail.values["inbound"])
    if decided is None or inbound is None or mail.seat is None:
        return None
    if decided.status == OutcomeStatus.REFUSED:
        beside, clock = _beside(mailer, inbound, game), time_left(mailer, game, mail.seat)
        return letters.refused(game, mail.seat, player, called, url, orders=inbound.orders, outcome=decided, beside=beside, clock=clock)
    version = decided.version or game.version
    if game.rules.winners(game.state):
        mail.values["told"], last = game.version, letters.LastOrders(version, inbound.orders, _dropped(decided, player))
        following, beside = _next_game(mailer, mail, player, game, called), _beside(mailer, inbound, game)
        return letters.over(game, mail.seat, player, called, url, record(ports, game), last=last, beside=beside, waiting=following)
    then = follow(Game(game.id), ports.games.read(game.id, most=version))
    clock = time_left(mailer, then, mail.seat)
    if mail.seat in then.deciders and chance_answered(then):
        beside = _beside(mailer, inbound, then, _dropped(decided, player))
        return letters.drawn(then, mail.seat, player, called, url, clock, beside=beside)
    if _is_asked_again(mail.seat, then, game):
        then, mail.values["told"] = game, game.version
    beside, clock = _beside(mailer, inbound, then, _dropped(decided, player)), time_left(mailer, then, mail.seat)
    following = _next_game(mailer, mail, player, then, called)
    return letters.receipt(
        then, mail.seat, player, called, url, version=version, orders=inbound.orders, beside=beside, clock=clock, waiting=following
    )


def _next_game(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Mapping[str, WaitingGame]:
    """Return the next game that waits for the player after their orders in this one."""
    inbound = mailer.mail_queue.inbound(mail.values["inbound"])
    known = inbound.reply.games if inbound and inbound.reply else {}
    return next_game(mailer, mail, player, WaitingGame(game, mail.seat or 0, called), known)


def _beside(mailer: Mailer, inbound: InboundMessage, game: Game, more: Sequence[str] = ()) -> BesideOrders:
    """Collect what a message asked for beside its orders."""
    told = record(mailer.ports, game) if "record" in inbound.asked else ""
    return BesideOrders([*inbound.also, *more], inbound.asked, told)


def _is_asked_again(seat: int, then: Game, now: Game) -> bool:
    """Whether the others, such as bots, have moved already: one letter then tells both."""
    moved = any(played.seat == seat and version > then.version for version, played in now.history)
    return seat not in then.deciders and seat in now.deciders and not moved


def _dropped(decided: Outcome, player: Player) -> list[str]:
    """Return a sentence about steps that were not played because chance came out otherwise."""
    words = Words(player.language, WORDS)
    return [words.say("answers.dropped-steps", text="; ".join(decided.dropped))] if decided.dropped else []


def _started(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter that a game has begun."""
    if game.status != GameStatus.RUNNING or mail.seat is None or is_own_doing(mailer.ports, game, mail.version or 0, player):
        return None
    return letters.started(game, mail.seat, player, called, mailer.links_in(mail))


def _over(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter about the end of a game; None if the answer to the player's own mail says so already."""
    ports = mailer.ports
    if mail.seat is None or is_end_told(ports, mailer.deliveries, mail) or is_own_doing(ports, game, mail.version or 0, player):
        return None
    talk = _talk(mailer, mail, player, game)
    return letters.over(game, mail.seat, player, called, mailer.links_in(mail), record(mailer.ports, game), talk)


def _invitation(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose an invitation; None once the seat is taken or the game has begun."""
    if game.status != GameStatus.OPEN or not any(seat.invited == player.id for seat in game.seats):
        return None
    host = mailer.ports.players.find(game.host)
    return letters.invitation(game, player, called, _called(host), mailer.links_in(mail), known=player.confirmed)


def _declined(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter that somebody declined; None once the seat is taken by another."""
    if game.status != GameStatus.OPEN or mail.seat is None or game.seats[mail.seat] != SeatPlan():
        return None
    who = invitee_name(mailer.ports, game.id, mail.values["about"])
    return letters.declined(game, player, called, mailer.links_in(mail), who=who or "?")


def _message(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose one letter with everything said since, so that the letters collected behind it need not be sent."""
    found = said_since(mailer, mail, player)
    if not found:
        return None
    mail.values["said"] = [each.id for each in found]
    shown = _authored(mailer, found[-MOST_SAID:])
    return letters.message(game, mail.seat, player, called, mailer.links_in(mail), said=shown, earlier=len(found) - len(shown))


def _proposal(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter about a proposal; None once it was answered or has lapsed."""
    url, seat = mailer.links_in(mail), mail.seat
    action = _action(mailer, game, mail.version or 0)[1]
    if isinstance(action, Offered) and game.offered_to(player.id) == action.seat:
        who = letters.person(game, action.seat, called, player.language)
        return letters.proposal(game, seat, player, called, url, what="seat", who=who, known=has_accepted(player, game))
    standing = game.proposal
    if standing is None or standing.number != mail.version or player.id not in game.asked_by(standing):
        return None
    who = letters.person(game, standing.seat, called, player.language)
    return letters.proposal(game, seat, player, called, url, what=standing.what, who=who, back_to=standing.back_to)


def _news(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the letter about what was done at the table, from the entry of the log that records it."""
    by, action = _action(mailer, game, mail.version or 0)
    what, whose = _told(mailer, game, action)
    known = invitee_name(mailer.ports, game.id, by) if by else None
    who = known or letters.person(game, whose, called, player.language)
    return letters.news(game, mail.seat, player, called, mailer.links_in(mail), what=what, who=who, whose=whose) if what else None


def _action(mailer: Mailer, game: Game, version: int) -> tuple[str | None, AnyAction]:
    """Read who did what, from one entry of a log."""
    [stored] = mailer.ports.games.read(game.id, version - 1, 1)
    entry = decode(stored.data)
    return entry.by, entry.action


def _told(mailer: Mailer, game: Game, action: AnyAction) -> tuple[str, int]:
    """Return the key of the sentence for an action, and the seat it is about."""
    match action:
        case Resigned(seat=seat):
            return "resigned", seat
        case HandedOver(seat=seat, to=to):
            return ("handed-to-bot" if to.bot else "taken-over"), seat
        case Offered(seat=seat):
            return "offer-declined", seat
        case Undone(seat=seat):
            return "undone", seat
        case Disagreed(seat=seat, number=number):
            proposed = _action(mailer, game, number)[1]
            return (f"disagreed-{proposed.what}" if isinstance(proposed, Proposed) else ""), seat
        case Ended(how=how):
            return how, next((number for number, seat in enumerate(game.seats) if seat.player == game.host), 0)
        case _:
            return "", 0


def _asked(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose the answer to a message without orders; if it made its sender decide, or began or ended the game, with that."""
    url, kind, asked = mailer.links_in(mail), answer_kind(mail), mail.values["asked"]
    told = record(mailer.ports, game) if "record" in asked and game.state is not None else ""
    inbound = mailer.mail_queue.inbound(mail.id.removeprefix("answer-"))
    done = led_to(mailer.ports, game, inbound.key) if inbound else None
    if done and (letter := _led_to(mailer, mail, player, game, called, done, BesideOrders(mail.values["lines"], asked, told))):
        return letter
    asked = [*asked, "board"] if isinstance(done, Undone) else asked
    return letters.answer(player, url, mail.values["lines"], asked=asked, game=game, seat=mail.seat, names=called, record=told, kind=kind)


def _led_to(
    mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names, done: AnyAction, beside: BesideOrders
) -> Letter | None:
    """Compose the answer to a message that made its sender decide, or began or ended the game."""
    url, seat = mailer.links_in(mail), mail.seat
    if seat is None or game.seats[seat].player != player.id:
        return None
    if seat in game.deciders:
        return letters.called(game, seat, player, called, url, time_left(mailer, game, seat), beside)
    if isinstance(done, Began) and game.status == GameStatus.RUNNING:
        return letters.begun(game, seat, player, called, url, beside)
    if isinstance(done, Ended) and done.how == Ending.DRAW:
        return letters.over(game, seat, player, called, url, record(mailer.ports, game), beside=beside)
    return None


WRITERS: dict[str, Write] = {
    LetterKind.YOUR_TURN: _your_turn,
    LetterKind.RECEIPT: _answered,
    LetterKind.STARTED: _started,
    LetterKind.OVER: _over,
    LetterKind.INVITATION: _invitation,
    LetterKind.DECLINED: _declined,
    LetterKind.MESSAGE: _message,
    LetterKind.PROPOSAL: _proposal,
    LetterKind.NEWS: _news,
    LetterKind.REMINDER: _reminder,
    LetterKind.TIMED_OUT: _timed_out,
    LetterKind.ANSWER: _asked,
}
"""The function that composes each kind of letter about a game."""
