"""Compose each kind of letter about a game, from the game as it is now; None where there is no more reason to send it."""

from collections.abc import Callable, Mapping, Sequence

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.clock_times import time_left
from marketpost.mail.outbound.gameless_letters import answer_kind
from marketpost.mail.outbound.gate import has_accepted
from marketpost.mail.outbound.hint_letters import hint_lines
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import BesideOrders, Letter, Names, WaitingGame
from marketpost.mail.outbound.mailer import WORDS, Mailer
from marketpost.mail.outbound.render import Sentences
from marketpost.mail.outbound.told_once import is_end_told, is_own_doing, is_turn_told, led_to, said_beside, said_since
from marketpost.mail.outbound.waiting_games import next_game
from marketpost.play.analyses import find_analysis
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
from marketpost.play.moves.game_view import record
from marketpost.play.moves.submit import Outcome, OutcomeStatus, outcome
from marketpost.play.people.names import plain_name
from marketpost.play.table.invitations import invitee_name
from marketpost.play.table.talk import Message
from marketpost.play.table.undo import chance_answered
from marketpost.rules.words import Words
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import InboundMessage
from marketpost.store.players import Player

MOST_SAID = 30
"""Messages in one letter; older ones are only counted."""
Write = Callable[[Mailer, Delivery, Player, Game, Names], Letter | None]
"""Composes one kind of letter about a game; None if there is no more reason to send it."""


def _your_turn(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose a letter about a turn; None once the decision is made, because the next one has a letter of its own."""
    made = mail.version or 0
    moved = any(played.seat == mail.seat and version > made for version, played in game.history)
    if moved or is_own_doing(mailer.ports, game, made, player) or is_turn_told(mailer, mail):
        return None
    return turn_letter(mailer, mail, player, game, called)


def turn_letter(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose a letter about a turn while the player has to decide, whatever other letters have said."""
    if mail.seat not in game.deciders or game.seats[mail.seat].player != player.id:
        return None
    ahead = letters.ahead_told(game, mail.values["ahead"], player) if mail.values.get("ahead") else []
    also, talk = [*_taken_back(mailer, mail, player, game), *ahead], _talk(mailer, mail, player, game)
    return letters.your_turn(game, mail.seat, player, called, mailer.links_in(mail), time_left(mailer, game, mail.seat), also, talk)


def _taken_back(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> list[str]:
    """Return the sentence that all agreed to an undo, for the player who has to decide because of it."""
    if not any(undone == mail.version for undone, _ in game.undos):
        return []
    action = _action(mailer, game, mail.version or 0)[1]
    return [letters.taken_back(game, action.seat, player.language)] if isinstance(action, Undone) and action.agreed else []


def _talk(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> list[tuple[str, str]]:
    """Return what was said beside the move that this letter is about, with the authors' names."""
    return with_authors(mailer, said_beside(mailer, mail, player, game), player.language)


def with_authors(mailer: Mailer, found: Sequence[Message], language: str) -> list[tuple[str, str]]:
    """Return messages as letters show them: the name of each author, and the text."""
    people = mailer.ports.players.find_all({each.player for each in found}) if found else {}
    return [(_called(people.get(each.player), language), each.text) for each in found]


def _called(player: Player | None, language: str) -> str:
    """Return the name of a player as others may read it; a bot account is said to be a bot."""
    name = plain_name(player.name) if player else "?"
    return Sentences(language, "words").say("bot-account", name=name) if player and player.owner else name


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
        analysed = find_analysis(ports, game)
        return letters.over(
            game, mail.seat, player, called, url, record(ports, game), analysed, last=last, beside=beside, waiting=following
        )
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
    talk, analysed = _talk(mailer, mail, player, game), find_analysis(ports, game)
    return letters.over(game, mail.seat, player, called, mailer.links_in(mail), record(ports, game), analysed, talk)


def _invitation(mailer: Mailer, mail: Delivery, player: Player, game: Game, called: Names) -> Letter | None:
    """Compose an invitation; None once the seat is taken or the game has begun."""
    if game.status != GameStatus.OPEN or not any(seat.invited == player.id for seat in game.seats):
        return None
    host = mailer.ports.players.find(game.host)
    return letters.invitation(game, player, called, _called(host, player.language), mailer.links_in(mail), known=player.confirmed)


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
    shown = with_authors(mailer, found[-MOST_SAID:], player.language)
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
    if told := mail.values.get("ahead"):
        whose, also = mail.seat or 0, letters.ahead_told(game, told, player)
        return letters.news(game, mail.seat, player, called, mailer.links_in(mail), what="ahead", who="", whose=whose, also=also)
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
    lines = [*mail.values["lines"], *(hint_lines(game, mail.seat, mail.values["hint"], player) if "hint" in mail.values else ())]
    return letters.answer(player, url, lines, asked=asked, game=game, seat=mail.seat, names=called, record=told, kind=kind)


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
        analysed = find_analysis(mailer.ports, game)
        return letters.over(game, seat, player, called, url, record(mailer.ports, game), analysed, beside=beside)
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
