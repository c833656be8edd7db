"""Letters about a decision: one is due, is overdue, was not made; or all that are due, once a day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters.game_values import at_table, has_begun, last_own, on_board, since_own, the_aim
from marketpost.mail.outbound.letters.letter import Letter, Links, Names, render_letter
from marketpost.mail.outbound.letters.times import TimeLeft, until
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
    """`also` is what there is to know before; `said` is what others said beside their moves, and who."""
    told = first_decision(game, seat, player, names, links, clock)
    return render_letter("your-turn", player, links, also=also, said=said, shown=(), **told)


def first_decision(game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None) -> dict[str, Any]:
    """All that a player needs in order to decide, and the aim of the game for whoever has not moved yet."""
    told = decision(game, seat, player, names, links, clock)
    return told | (the_aim(game, player) if told["first"] else {"aim": []})


def reminder(game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None) -> Letter:
    """The player's time to decide is running out."""
    return render_letter("reminder", player, links, **decision(game, seat, player, names, links, clock))


def timed_out(game: Game, seat: int, player: Player, names: Names, links: Links, what: str) -> Letter:
    """The player's time was up, and this is what happened then."""
    return render_letter("timed-out", player, links, what=what, **at_table(game, seat, player, names, links))


def digest(player: Player, links: Links, waiting: Sequence[WaitingGame]) -> Letter:
    """Once a day instead of one by one: the games that wait for this player."""
    games = [
        at_table(each.game, each.seat, player, each.names, links)
        | {"happened": since_own(each.game, each.seat, player), "until": until(each.clock, player)}
        for each in waiting
    ]
    return render_letter("digest", player, links, games=games)


def decision(game: Game, seat: int, player: Player, names: Names, links: Links, clock: TimeLeft | None = None) -> dict[str, Any]:
    """All that a player needs in order to decide."""
    words = game.rules.in_language(player.language)
    is_theirs, standing = seat in game.deciders, game.rules.standing
    choices = game.rules.story.choices(game.state, seat, words) if is_theirs else []
    return {
        **at_table(game, seat, player, names, links),
        **on_board(game, player),
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
