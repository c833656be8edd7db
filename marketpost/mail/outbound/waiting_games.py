"""Games that wait for a player's decision, and the labels by which one reply can answer several of them."""

from collections.abc import Iterable, Mapping

import msgspec

from marketpost.mail.outbound.clock_times import time_left
from marketpost.mail.outbound.letters import WaitingGame
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import names
from marketpost.play.people.preferences import delivery_preference
from marketpost.rules.refusal import Refused
from marketpost.store.delivery_queue import Delivery
from marketpost.store.mail_queue import ReplyContext
from marketpost.store.players import MailPreference, Player

Contexts = Mapping[str, ReplyContext]
"""What each label of a letter stands for."""


def waiting_games(mailer: Mailer, player: Player, most: int, but: Iterable[str] = ()) -> list[WaitingGame]:
    """Return the games that wait for the player, nearest deadline first; games about which the player wants no letters are left out."""
    found = (mailer.ports.sound_game(id) for id in mailer.ports.index.unfinished_of(player.id) if id not in but)
    waiting = [(game, seat) for game in found if game for seat in game.deciders if game.seats[seat].player == player.id]
    waiting.sort(key=lambda each: (_deadline(*each), each[0].id))
    wanted: list[WaitingGame] = []
    for game, seat in waiting:
        if len(wanted) == most:
            break
        if delivery_preference(mailer.ports, mailer.targets, player, game.id).letters != MailPreference.NONE:
            wanted.append(WaitingGame(game, seat, names(mailer.ports, game), time_left(mailer, game, seat)))
    return wanted


def _deadline(game: Game, seat: int) -> float:
    return (game.times[seat].by if seat in game.times else 0) or float("inf")


def label_games(mailer: Mailer, mail: Delivery, games: Iterable[WaitingGame], known: Contexts) -> dict[str, WaitingGame]:
    """Give each game a label: the first letter of its ruleset's name and a number that is used once in the letter.

    A game has the label that `known` gives it. Fault: a letter may be delivered twice, composed from different positions. The labels of
    the first copy are stored with its reply token and are used again, so that both copies mean the same.
    """
    before = mailer.mail_queue.reply(mailer.token(mail.id))
    used = {label: each.game for label, each in {**known, **(before.games if before else {})}.items()}
    found = {}
    for each in games:
        label = next((label for label, game in used.items() if game == each.game.id), None) or _free_label(each.game, used)
        used[label] = each.game.id
        found[label] = each
    return found


def _free_label(game: Game, used: Mapping[str, str | None]) -> str:
    """Return a label whose number no other game has, and that is no order of this game."""
    taken = {label[1:] for label in used}
    return next(
        label
        for number in range(1, 1000)
        if str(number) not in taken and not _is_order(game, label := f"{game.rules.name[0].upper()}{number}")
    )


def _is_order(game: Game, text: str) -> bool:
    try:
        game.rules.parse(text)
    except Refused:
        return False
    return True


def name_games(mail: Delivery, known: Contexts, shown: Mapping[str, WaitingGame]) -> None:
    """Set what a reply to the letter may name: the games that are shown now, and those that an earlier letter has shown."""
    now = {label: _context(mail, each) for label, each in shown.items()}
    mail.values["games"] = msgspec.to_builtins({**known, **now})


def next_game(mailer: Mailer, mail: Delivery, player: Player, own: WaitingGame, known: Contexts) -> dict[str, WaitingGame]:
    """Return the next game that waits, by its label, for a letter about the player's own orders; none while that game waits itself.

    `known` are the labels of the letter that the orders answered. They stay valid in a reply to this one.
    """
    waits = own.seat in own.game.deciders
    found = label_games(mailer, mail, [] if waits else waiting_games(mailer, player, 1, but={own.game.id}), known)
    here = {label: own for label, each in known.items() if each.game == own.game.id}
    if known or found:
        name_games(mail, known, here | found)
        mail.values["shows_next"] = bool(found)
    return found


def _context(mail: Delivery, waiting: WaitingGame) -> ReplyContext:
    game = waiting.game
    turn = game.state.turn if game.state is not None else None
    return ReplyContext(mail.player, game.id, waiting.seat, turn, game.version, letter=mail.letter)
