"""The embedded Redis: found again, repaired where it can be, and a clear word where it cannot."""

import os
from pathlib import Path

import pytest

from marketpost.store import embedded_redis as embedded
from marketpost.store.embedded_redis import CannotStart, find_server, lock_data, lock_holder, servers
from tests.running.live import marketpost, stores

INCREMENT = "games/appendonlydir/appendonly.aof.1.incr.aof"


def test_what_was_written_is_there_at_the_next_start(tmp_path: Path) -> None:
    with stores(tmp_path) as ports:
        ports.games.redis.set("kept", 1)

    with stores(tmp_path) as ports:
        assert ports.games.redis.get("kept") == b"1"


def test_an_entry_cut_off_at_the_end_costs_only_that_entry(tmp_path: Path) -> None:
    with stores(tmp_path) as ports:
        ports.games.redis.set("kept", 1)
        ports.games.redis.set("torn", 1)
    os.truncate(tmp_path / INCREMENT, (tmp_path / INCREMENT).stat().st_size - 3)

    with stores(tmp_path) as ports:
        assert ports.games.redis.get("kept") == b"1"
        assert ports.games.redis.get("torn") is None


def test_damage_in_the_middle_is_explained_and_left_as_it_is(tmp_path: Path) -> None:
    with stores(tmp_path) as ports:
        for number in range(10):
            ports.games.redis.set(f"key-{number}", number)
    damaged = (tmp_path / INCREMENT).read_bytes().replace(b"$5\r\nkey-5", b"X5\r\nkey-5")
    (tmp_path / INCREMENT).write_bytes(damaged)

    done = marketpost(tmp_path, "up", "--port", "0")

    assert done.returncode == 1
    assert "is damaged, and not only at its end" in done.stderr
    assert "put a backup in its place" in done.stderr
    assert (tmp_path / INCREMENT).read_bytes() == damaged


def test_a_data_folder_may_lie_as_deep_as_it_likes(tmp_path: Path) -> None:
    deep = tmp_path / ("deep " * 12) / ("deeper " * 10)

    with stores(deep / "data"):
        done = marketpost(deep / "data", "token", "ann@example.org", "--name", "Ann")

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.strip()) == 8


def test_a_link_that_somebody_else_has_laid_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded.tempfile, "gettempdir", lambda: str(tmp_path))
    deep = tmp_path / ("deep" * 40)
    link = Path(embedded.socket_url(deep, "games").removeprefix("unix://")).parent
    link.unlink()
    link.symlink_to("/somewhere/else")

    with pytest.raises(CannotStart, match="is in the way"):
        embedded.socket_url(deep, "games")


def test_a_folder_is_held_by_one_service_and_free_after_it(tmp_path: Path) -> None:
    with lock_data(tmp_path, "http://here"):
        assert lock_holder(tmp_path) == (str(os.getpid()), "http://here")
        with pytest.raises(CannotStart, match=f"in use by pid {os.getpid()}"), lock_data(tmp_path, "http://there"):
            pass

    assert lock_holder(tmp_path) is None


def test_the_server_on_the_path_is_taken_unless_another_wrote_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = find_server(tmp_path / "old")
    installed = tmp_path / "bin" / "valkey-server"
    installed.parent.mkdir()
    installed.write_text("#!/bin/sh\n")
    installed.chmod(0o755)
    monkeypatch.setenv("PATH", str(installed.parent))

    assert find_server(tmp_path / "new") == str(installed)
    assert find_server(tmp_path / "old") == bundled


def test_only_what_has_no_address_is_started(tmp_path: Path) -> None:
    def names(**environment: str) -> list[str]:
        return [server.name for server in servers(tmp_path, environment)]

    assert names() == ["games", "queue"]
    assert names(QUEUE_REDIS_URL="redis://elsewhere") == ["games"]
    assert names(REDIS_URL="redis://elsewhere") == []
