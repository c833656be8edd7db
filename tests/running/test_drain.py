"""`marketpost drain`: nothing new is accepted, what waits is finished, and `resume` ends it."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.store import drain_flag
from tests.mail.desk import Desk
from tests.service import Service


def run(stores: dict[str, str], *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words), env=stores)
    return done.exit_code, done.output


@pytest.fixture
def stores(house: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.setattr(drain_flag, "ASK_AGAIN", 0.0)
    yield {"REDIS_URL": house.settings.redis_url, "QUEUE_REDIS_URL": house.settings.queue_redis_url}
    house.ports.drain.lift()


def test_while_it_drains_pages_are_read_and_moves_are_refused_for_a_moment(house: Service, stores: dict[str, str]) -> None:
    ann = house.person("ann")
    game = house.against_bot(ann)
    house.ports.drain.set(house.ports.clock())

    refused = ann.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"})

    assert (refused.status_code, refused.json["code"]) == (503, "draining")
    assert refused.headers["Retry-After"]
    assert ann.get(f"/v1/games/{game}").status_code == 200
    assert ann.get("/ready").status_code == 503
    assert run(stores, "resume") == (0, "everything is accepted again\n")
    assert ann.post(f"/v1/games/{game}/moves", {"orders": "bobby 3"}).status_code == 202
    assert run(stores, "resume") == (0, "the service did not drain\n")


def test_it_says_what_it_waits_for_and_when_nothing_waits(desk: Desk) -> None:
    settings = desk.mailer.settings
    stores = {"REDIS_URL": settings.redis_url, "QUEUE_REDIS_URL": settings.queue_redis_url}
    desk.table(desk.person("Ann"), desk.person("Ben"))

    status, said = run(stores, "drain", "--within", "0")

    assert (status, said.splitlines()[-1]) == (0, "nothing waits any more; `marketpost resume` accepts everything again")
    desk.mailer.mail_queue.redis.zadd(desk.mailer.mail_queue.key("unread"), {"waits": 0})
    status, said = run(stores, "drain", "--within", "0")
    assert status == 1
    assert "after 0 s 1 inbound message still wait" in said
    assert [act.what for act in desk.mailer.ports.audit.read()] == ["drain", "drain"]
    assert run(stores, "resume")[0] == 0
