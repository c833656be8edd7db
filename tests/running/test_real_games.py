"""Whoever runs the bundled Redis server is told in one line which server is meant for real games."""

from pathlib import Path

import pytest

from marketpost.cli.up import welcome
from marketpost.store.embedded_redis import BUNDLED, FOR_REAL_GAMES
from tests.running.live import marketpost, stores

OPERATE = Path(__file__).parents[2] / "docs/operate.md"


def written_by(data: Path, server: str) -> Path:
    (data / "games").mkdir(parents=True)
    (data / "games/written-by").write_text(f"{server}\n")
    return data


def test_the_doctor_names_the_server_for_real_games(tmp_path: Path) -> None:
    with stores(written_by(tmp_path, BUNDLED)):
        lines = marketpost(tmp_path, "doctor").stdout.splitlines()

    place = lines.index(f"note {'server':<17}{BUNDLED}, good for trying it out")
    assert lines[place + 1].strip() == f"→ {FOR_REAL_GAMES}"


def test_so_does_the_message_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(written_by(tmp_path, BUNDLED)))

    assert any(BUNDLED in line and FOR_REAL_GAMES in line for line in welcome("http://127.0.0.1:8000").splitlines())


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:6379"])
def test_with_a_server_of_their_own_nobody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATA_DIR", str(written_by(tmp_path, BUNDLED if url else "/usr/bin/redis-server")))
    monkeypatch.setenv("REDIS_URL", url)

    assert FOR_REAL_GAMES not in welcome("http://127.0.0.1:8000")


def test_the_page_for_operators_names_the_same_settings() -> None:
    text = OPERATE.read_text("utf-8")

    assert "For real games use a Redis or Valkey server of your own" in text
    assert all(setting in FOR_REAL_GAMES and f"`{setting}`" in text for setting in ("REDIS_URL", "appendonly yes", "appendfsync always"))
