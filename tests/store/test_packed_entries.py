"""Entries are packed where no earlier release has to read them; everything above the store sees their text."""

from pathlib import Path

import pytest

from marketpost.store.game_logs import GameLogs
from marketpost.store.owner import OWNER, OwnedByAnother, claim
from marketpost.store.packed_entries import MARK, PACKED, pack, unpack
from marketpost.store.raw_copies import read_games
from marketpost.store.redis_client import RedisClient
from marketpost.store.settings import Settings
from tests.logs import files, read

SETTINGS = Settings("redis://ours", "redis://ours", secret_key="ours")


@pytest.fixture(autouse=True)
def empty(redis: RedisClient) -> None:
    redis.delete(OWNER, MARK)


@pytest.mark.parametrize("file", [*files()], ids=lambda file: file.stem)
def test_every_kind_of_entry_is_the_same_after_packing(file: Path) -> None:
    entries = [each.data for each in read(file)[1]]

    assert [unpack(pack(each)) for each in entries] == entries
    assert all(pack(each)[:1] == PACKED for each in entries)


def test_an_entry_takes_half_of_its_text() -> None:
    entries = [each.data for file in files() for each in read(file)[1] if b'["moved"' in each.data]

    assert sum(map(len, map(pack, entries))) < 0.5 * sum(map(len, entries))


@pytest.mark.parametrize("stored", [b"", b"[1]", PACKED, PACKED + b"nobody packed this", pack(b"[1,2,3]")[:-1]])
def test_what_nobody_packed_is_returned_as_it_is(stored: bytes) -> None:
    assert unpack(stored) == stored


def test_a_store_that_release_1_0_began_is_not_packed(redis: RedisClient) -> None:
    redis.set(OWNER, "whoever games.example")
    with pytest.raises(OwnedByAnother):
        claim(redis, SETTINGS)

    assert not GameLogs(redis).packs


def test_a_new_store_is_packed_and_read_as_text(redis: RedisClient) -> None:
    claim(redis, SETTINGS)
    games, [first, second, *_] = GameLogs(redis), [each.data for each in read(next(files()))[1]]

    games.open("g", b"secret", [first], "")
    games.commit("g", 1, [second])

    assert [each.data for each in games.read("g")] == [first, second]
    assert [fields[b"e"][:1] for _, fields in redis.xrange(games.key("g", "log"), "-")] == [PACKED, PACKED]
    [copied] = [each for each in read_games(redis, ["g"]) if each.kind == "stream"]
    assert [fields for _, fields in copied.value] == [[b"e", first], [b"e", second]]
