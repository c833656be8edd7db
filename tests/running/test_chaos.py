"""A little of what `make chaos` does at length."""

from tests.chaos.__main__ import MUST_BE, NONE_MAY_BE, run

FROM_OUTSIDE = ("queue-memory", "foreign-ids", "flipped", "newer", "bad-post")


def test_whatever_is_killed_or_cut_nothing_acknowledged_is_lost_and_everyone_is_answered() -> None:
    done, result = run(1, {"worker": 3, "redis": 1, "cut": 1, "clock-jump": 1, "set-back": 1, "poison": 1} | dict.fromkeys(FROM_OUTSIDE, 1))

    assert done["cut"] == done["set-back"] == done["poison"] == 1
    assert all(done[name] == 1 for name in FROM_OUTSIDE)
    assert all(result[name] for name in MUST_BE), result
    assert {name: result[name] for name in (*NONE_MAY_BE, "mails lost") if result[name]} == {}
