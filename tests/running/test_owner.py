"""Two services on one Redis: the second is refused before it can send a letter."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marketpost.store.connections import connect
from marketpost.store.owner import OWNER
from tests.redis import games_redis
from tests.running.live import command, marketpost

OURS = {"SECRET_KEY": "ours", "MAIL_DOMAIN": "games.example"}
REFUSED = "this Redis belongs to the service of games.example"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with games_redis(tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.fixture(autouse=True)
def ours(store: str, tmp_path: Path) -> None:
    """The store is our service's."""
    connect(store).delete(OWNER)
    assert command(tmp_path, "adopt", REDIS_URL=store, **OURS).returncode == 0


@pytest.mark.parametrize("other", [{"SECRET_KEY": "theirs"}, {"MAIL_DOMAIN": "other.example"}], ids=["key", "domain"])
@pytest.mark.parametrize("process", ["api", "worker", "mail-in", "sweeper", "up --port 0"])
def test_no_process_of_another_service_starts_on_our_store(store: str, tmp_path: Path, process: str, other: dict[str, str]) -> None:
    answer = marketpost(tmp_path, *process.split(), REDIS_URL=store, **OURS | other)

    assert answer.returncode == 1
    assert REFUSED in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_doctor_tells_that_a_store_is_another_services(store: str, tmp_path: Path) -> None:
    theirs = marketpost(tmp_path, "doctor", REDIS_URL=store, **OURS | {"SECRET_KEY": "theirs"})
    mine = marketpost(tmp_path, "doctor", REDIS_URL=store, **OURS)

    assert REFUSED in theirs.stdout
    assert "the service of games.example" in mine.stdout


def test_a_store_is_taken_over_on_purpose(store: str, tmp_path: Path) -> None:
    assert marketpost(tmp_path, "adopt", REDIS_URL=store, **OURS | {"MAIL_DOMAIN": "new.example"}).returncode == 0

    assert "the service of new.example" in marketpost(tmp_path, "worker", REDIS_URL=store, **OURS).stderr
