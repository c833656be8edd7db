"""Compose the message of a letter that is due, from the game as it is now."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import msgspec

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.game_letters import WRITERS, turn_letter, with_authors
from marketpost.mail.outbound.gameless_letters import compose_without_game
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import Letter
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.message import DkimKey, NamedAddress, build_message, message_id, thread_root
from marketpost.play.analyses import find_analysis
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.game_view import names, names_among, names_seen, record, seated, situation
from marketpost.play.moves.orders_ahead import look
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.table.talk import said
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player

ASKING = {LetterKind.YOUR_TURN, LetterKind.REMINDER, LetterKind.RECEIPT, LetterKind.ANSWER}
"""Letters after which the player may have to decide; the last two answer orders and other messages."""


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
    called = _names(mail, game, mailer.ports.players.find_all(seated(game)) if people is None else people)
    _note_learnt(mailer, mail, player, game)
    mailer = replace(mailer, ahead=_ahead_now(mailer, player, game))
    return write(mailer, mail, player, game, called) if write else None


def _names(mail: Delivery, game: Game, people: Mapping[str, Player]) -> dict[str, str]:
    """Name the players as the recipient may read them: to somebody who only watches, hidden players have no name."""
    return names_among(people, game) if mail.seat is not None else names_seen(people, game, mail.player)


def _ahead_now(mailer: Mailer, player: Player, game: Game) -> tuple[str, ...]:
    """Return the player's orders ahead, which every letter about the game shows to them alone."""
    if game.status != GameStatus.RUNNING:
        return ()
    return tuple(look(mailer.ports, game.id, player.id, game.rules.in_language(player.language)).splitlines())


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


def news_letter(mailer: Mailer, mail: Delivery, player: Player, game: Game) -> Letter | None:
    """Compose a letter for another channel, whatever letters have said to the player; None if it is no longer true."""
    called = names(mailer.ports, game)
    match mail.letter:
        case LetterKind.YOUR_TURN:
            return turn_letter(mailer, mail, player, game, called)
        case LetterKind.MESSAGE:
            ports = mailer.ports
            told = [each for each in said(ports, game.id) if each.id == mail.values["move"]]
            spoken = [each for each in told if not is_shut_out(ports, each.player, player.silenced)]
            heard = with_authors(mailer, spoken, player.language)
            return letters.message(game, mail.seat, player, called, mailer.links_in(mail), said=heard, earlier=0) if heard else None
        case LetterKind.OVER if mail.seat is not None:
            return letters.over(
                game, mail.seat, player, called, mailer.links_in(mail), record(mailer.ports, game), find_analysis(mailer.ports, game)
            )
        case _:
            return compose_letter(mailer, mail, player, game)
