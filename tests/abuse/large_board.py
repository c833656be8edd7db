"""The largest Alturien board that may be typed in. `python -m tests.abuse.large_board` prints how long everything takes on it."""

import sys
import time
from typing import Any

from marketpost.pictures.png import WIDTHS, png
from marketpost.play.limits import TABLE, Limit
from marketpost.play.moves.game_view import branches
from marketpost.rules.alturien.board import FARTHEST, GROUPS, LARGEST_TOWN, MOST_FACES, WAYS_OF_A_CROSSING
from marketpost.rules.bots import STRONG, bot
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from tests.games import one_move, open_game, sealed

TURNS = 16


def largest_board(spaces: int = LARGEST_TOWN, ways: int = WAYS_OF_A_CROSSING) -> dict[str, Any]:
    """As many spaces as may be, each with as many ways, and a die that goes as far as it may on every face."""
    names = [f"s{number}" for number in range(spaces)]
    rings = [names[offset:] + names[:offset] for offset in range(1, ways // 2 + 1)]
    streets = [f"{one} {other}" for ring in rings for one, other in zip(names, ring, strict=True)]
    sites = names[1:]
    return {
        "name": "largest",
        "rules": "alturien",
        "streets": streets,
        "sites": {f"g{number}": " ".join(sites[number::GROUPS]) for number in range(GROUPS)},
        "grey": " ".join(sites[: spaces // 2]),
        "middle": names[0],
        "die": " ".join([f"1-{FARTHEST}"] * MOST_FACES),
    }


def measure(rules: Ruleset[Any], board: dict[str, Any]) -> dict[str, float]:
    """The longest CPU time of each operation in the first turns of a game of bots with as many players as may be."""
    chance, longest = sealed(3), dict[str, float]()
    state, played = open_game(rules, Setting(rules.colours, board, None, {}), chance)
    words = rules.in_language("en")

    def timed(what: str, work: Any) -> Any:
        began = time.process_time()
        result = work()
        longest[what] = max(longest.get(what, 0.0), time.process_time() - began)
        return result

    for number in range(TURNS):
        seat = rules.deciders(state)[0]
        timed("legal", lambda seat=seat: rules.legal(state, seat))
        orders = timed("greedy", lambda seat=seat: bot(rules, "greedy")(state.copy(), seat, chance))
        timed("preview", lambda seat=seat, orders=orders: branches(rules, state, seat, orders))
        if number % 8 == 0:
            until = time.process_time() + TABLE[Limit.BOT_DECISION_SERVICE].amount / 1000
            out_of_time = bot(rules, STRONG, lambda until=until: time.process_time() > until)
            timed(STRONG, lambda seat=seat, out_of_time=out_of_time: out_of_time(state.copy(), seat, chance))
        one_move(rules, state, seat, orders, chance, played)
    timed("picture", lambda: png(rules.picture(state, words), WIDTHS[-1]))
    return longest


if __name__ == "__main__":
    for what, seconds in measure(ruleset("alturien"), largest_board()).items():
        sys.stdout.write(f"{what:<8} {seconds:.2f} s\n")
