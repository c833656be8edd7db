"""The largest Alturien board that may be typed in, to measure how long everything takes on it."""

from typing import Any

from marketpost.rules.alturien.board import FARTHEST, GROUPS, LARGEST_TOWN, MOST_FACES, WAYS_OF_A_CROSSING


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
