"""One table of limits: what holds, how it is set, counted and told."""

from pathlib import Path

import pytest
from redis import Redis

from marketpost.play.limits import TABLE, USUAL, Limit, Limits, OverLimit, Period, network, read_limits
from marketpost.rules.words import COMMON, LANGUAGES, Wait, Words
from marketpost.store.connections import connect_server
from marketpost.store.rate_counters import RateCounters

OPERATE = (Path(__file__).parents[2] / "docs/operate-details.md").read_text()


def limits(redis: Redis, text: str = "") -> Limits:
    return Limits(read_limits(text), RateCounters(redis), "a secret")


def row(limit: Limit) -> str:
    words, (_, amount, period, why) = Words("en", COMMON), TABLE[limit]
    return f"| `{limit}` | {words.translate(f'limit-{limit}')} | {amount} {words.translate(period)} | {why} |"


def test_the_table_for_operators_is_the_table_in_the_code() -> None:
    section = OPERATE.partition("\n## Limits\n")[2].partition("\n## ")[0]

    assert [line for line in section.splitlines() if line.startswith("| `")] == [row(limit) for limit in Limit]


def test_every_limit_stands_in_the_table() -> None:
    assert list(TABLE) == list(Limit)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("limit", Limit)
def test_every_limit_is_told_in_every_language_with_its_end(language: str, limit: Limit) -> None:
    words = Words(language, COMMON)

    told = words.explain(OverLimit(limit, 5, 7200).refusal)

    assert words.knows(f"names.limit-{limit}")
    assert words.translate(f"limit-{limit}") in told
    assert " 5" in told
    if TABLE[limit].period.seconds:
        assert words.translate(Wait(7200)) in told
        assert words.translate(TABLE[limit].period) in told


def test_amounts_can_be_set_and_are_the_usual_ones_otherwise() -> None:
    assert read_limits("") == USUAL
    assert read_limits("requests-player=3, codes-recipient=1")[Limit.REQUESTS_PLAYER] == 3
    assert read_limits("requests-player=3").keys() == USUAL.keys()
    assert read_limits(" off ") == {}


@pytest.mark.parametrize(
    "text", ["requests=3", "requests-player", "requests-player=often", "requests-player=-1", "requests-player=3/minute"]
)
def test_what_is_no_limit_cannot_be_set(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        read_limits(text)


def test_an_actor_spends_until_the_amount_is_used_up(redis: Redis) -> None:
    redis.flushall()
    counted = limits(redis, "codes-recipient=3")

    left = [use.left for use in (counted.spend(Limit.CODES_RECIPIENT, "ann@example.org") for _ in range(3)) if use]

    with pytest.raises(OverLimit) as refused:
        counted.spend(Limit.CODES_RECIPIENT, "Ann@Example.org")
    assert left == [2, 1, 0]
    assert 3500 < refused.value.seconds <= 3600
    assert counted.spend(Limit.CODES_RECIPIENT, "bob@example.org")
    assert counted.counters
    assert counted.counters.refused() == {Limit.CODES_RECIPIENT: 1}
    assert not any(b"example.org" in key.lower() for key in redis.scan_iter())


def test_more_than_one_can_be_spent_at_once(redis: Redis) -> None:
    redis.flushall()
    counted = limits(redis, "codes-recipient=3")

    counted.spend(Limit.CODES_RECIPIENT, "ann", 2)

    with pytest.raises(OverLimit):
        counted.spend(Limit.CODES_RECIPIENT, "ann", 2)


def test_where_nothing_can_be_counted_nothing_is_refused() -> None:
    away = limits(connect_server("unix:///tmp/there-is-no-such.sock"), "codes-recipient=0")

    assert away.spend(Limit.CODES_RECIPIENT, "ann")
    assert limits(connect_server("unix:///tmp/there-is-no-such.sock"), "off").spend(Limit.CODES_RECIPIENT, "ann") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::7", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_a_network_of_64_bits_is_one_actor(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same


def test_periods_are_as_long_as_they_are_called() -> None:
    assert [period.seconds for period in Period] == [60, 3600, 86400, 0, 0]
