"""Let bots play each other with the rules alone, without a service, and draw their scores: python compare_bots.py alturien 20 scores.png"""

import sys
from itertools import permutations

from matplotlib import pyplot

from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Ruleset, Setting, ruleset


def play(rules: Ruleset, names: tuple[str, ...], seed: int) -> list[int]:
    """Play one game and return the scores, seat by seat."""
    chance = Sealed(seed.to_bytes(32, "big"), "compare")
    state = rules.fold(rules.start(Setting(rules.colours[: len(names)], rules.boards()[0]), chance))
    happen(state, rules.proceed(state, chance))
    while not rules.winners(state):
        seat = rules.deciders(state)[0]
        orders = bot(rules, names[seat])(state, seat, chance)
        happen(state, rules.judge(state, seat, orders, chance).events)
        if not rules.winners(state):
            happen(state, rules.proceed(state, chance))
    return [int(score.split("+")[-1]) for score in rules.scores(state)]


def happen(state, events) -> None:
    for event in events:
        event.apply(state)


def main(name: str, games: int, picture: str) -> None:
    rules = ruleset(name)
    scores = {each: [] for each in ("random", "greedy")}
    for seed in range(games):
        seats = list(permutations(scores))[seed % 2]
        for each, score in zip(seats, play(rules, seats, seed), strict=True):
            scores[each].append(score)
    for each, reached in scores.items():
        print(f"{each:8} {sum(reached) / games:6.1f} points a game")
    pyplot.hist(list(scores.values()), label=list(scores))
    pyplot.xlabel("points at the end")
    pyplot.ylabel("games")
    pyplot.legend()
    pyplot.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
