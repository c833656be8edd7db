"""Answers that show a hint: they wait until it is found, but not for long."""

from collections.abc import Sequence

from marketpost.mail.outbound.letters.game_values import renotated
from marketpost.mail.outbound.mailer import WORDS, Mailer, enqueue
from marketpost.play.log.game import Game
from marketpost.rules.hint_told import why_told
from marketpost.rules.words import Words
from marketpost.store.delivery_queue import Delivery
from marketpost.store.players import Player

HELD_FOR = 60_000
"""Milliseconds for which an answer waits for a hint."""


def enqueue_with_hints(mailer: Mailer, letter: Delivery, games: Sequence[str]) -> None:
    """Enqueue an answer that waits for a hint in each of these games; at once if there are none.

    Race: a bots' worker may give the last hint before the letter is held. It releases held letters after its commit, and this looks at the
    games after holding the letter: one of them sees the other.
    """
    letter.due += HELD_FOR if games else 0
    for game in games:
        mailer.deliveries.hold(game, [letter.id])
    enqueue(mailer, letter)
    known = mailer.ports.games_now(games) if games else {}
    if games and not any(game.awaits_hint(seat) for game in known.values() for seat in game.deciders):
        release(mailer, games)


def release(mailer: Mailer, games: Sequence[str]) -> None:
    """Let the letters that wait for hints in these games be sent."""
    released = [mailer.deliveries.release(game, mailer.ports.clock()) for game in games]
    if any(released):
        mailer.wake()


def hint_lines(game: Game, seat: int | None, position: int, player: Player) -> list[str]:
    """Tell the hint that was asked for in a position; if that has passed, say so instead."""
    say, words = Words(player.language, WORDS).say, game.rules.in_language(player.language)
    if seat is None or game.position != position or seat not in game.deciders:
        return [say("answers.hint-passed")]
    hint = game.hint_for(seat)
    if hint is None:
        return [say("answers.hint-late")]
    why = why_told(game.rules, hint, words)
    return [say("answers.hint"), f"    {renotated(game, hint.orders, words)}", why] if hint.orders else [why]
