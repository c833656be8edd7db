"""Letters about a decision: it is due, it is urgent, its time ran out; and the daily digest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters.game_values import at_table, explanation, has_begun, last_own, on_board, since_own
from marketpost.mail.outbound.letters.letter import Letter, Links, Names, render_letter
from marketpost.mail.outbound.letters.times import TimeLeft, until
from marketpost.pictures.png import AMONG_SEVERAL, IN_LETTERS
from marketpost.play.log.game import Game
from marketpost.rules.words import typeset
from marketpost.store.players import Player


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A game in a digest."""

    game: Game
    seat: int
    names: Mapping[str, str]
    clock: TimeLeft | None = None


def your_turn(
    game: Game,
    seat: int,
    player: Player,
    names: Names,
    links: Links,
    clock: TimeLeft | None = None,
    also: Sequence[str] = (),
    said: Sequence[tuple[str, str]] = (),
) -> Letter:
    """Write the letter that a decision is due; `also` are sentences before it, `said` is what others said beside their moves."""
    told = decision(game, seat, player, names, links, clock)
    return render_letter("your-turn", player, links, also=also, said=said, shown=(), **told)


def reminder(game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None) -> Letter:
    """Write the letter that the player's time is running out."""
    return render_letter("reminder", player, links, **decision(game, seat, player, names, links, clock))


def timed_out(game: Game, seat: int, player: Player, names: Names, links: Links, what: str) -> Letter:
    """Write the letter that the player's time ran out, and what happened then."""
    return render_letter("timed-out", player, links, what=what, **at_table(game, seat, player, names, links))


def digest(player: Player, links: Links, waiting: Mapping[str, WaitingGame], count: int = 0) -> Letter:
    """Write the daily letter about the games that wait for the player, by their labels; `count` is the number of all that wait."""
    games = [waiting_game(label, each, player, links) for label, each in waiting.items()]
    explained = [*{each["title"]: each for each in games if each["explained"]}.values()]
    return render_letter("digest", player, links, games=games, count=max(count, len(games)), explained=explained)


def waiting_game(label: str, waiting: WaitingGame, player: Player, links: Links) -> dict[str, Any]:
    """Return the values of a game that waits, in a letter about several games."""
    told = decision(waiting.game, waiting.seat, player, waiting.names, links, waiting.clock, AMONG_SEVERAL)
    return told | {"label": label, "orders": "", "why": "", "also": (), "next": ""}


def decision(
    game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None, width: int = IN_LETTERS
) -> dict[str, Any]:
    """Return everything that a player needs to decide: position, with a picture of this width, choices, examples and deadline."""
    words = game.rules.in_language(player.language)
    is_theirs, standing = seat in game.deciders, game.rules.standing
    choices = game.rules.story.choices(game.state, seat, words) if is_theirs else []
    return {
        **at_table(game, seat, player, names, links),
        **on_board(game, player, width),
        **explanation(game, seat, player),
        "happened": since_own(game, seat, player),
        "first": not last_own(game, seat),
        "choices": [typeset(choice, player.language) for choice in choices],
        "examples": example_orders(game.rules, game.state, seat, words) if is_theirs else [],
        "until": until(clock, player),
        "goes_on": has_begun(game, seat),
        "aside": standing is not None and standing.concerns(game.state, seat),
        "standing": typeset(words.say("help.standing"), player.language) if standing else "",
        "unlimited": game.clock is None and clock is None,
    }
