"""The real `/metrics`, given to promtool: faults as `make chaos` causes them raise their alert, and the dashboard shows figures."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from marketpost.mail.inbound import receive
from marketpost.notify.engine import MOST_WRITTEN, send_letters
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.commit import existing
from marketpost.play.log.entries import digest
from marketpost.play.moves.decide import decide
from marketpost.play.moves.submit import submit
from marketpost.play.ports import now
from marketpost.play.table.seating import open_game
from marketpost.store.connections import connect_server
from marketpost.store.delivery_queue import EMAIL, Delivery
from marketpost.store.game_logs import GameLogs
from marketpost.store.heartbeat import Part
from marketpost.store.mail_queue import InboundMessage
from tests.running.live import until
from tests.running.test_alert_rules import RULES
from tests.service import Service, service, worker
from workers.notifier import make_callbacks
from workers.queue import HOOKS, MAIL, make_queue
from workers.run import check_some

HOUR = 3_600_000
CLOCK = "marketpost_clock_seconds"
GROWS = "marketpost_given_up"
SAMPLE = re.compile(r"^(marketpost_\w+(?:\{.*\})?) (\S+)$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not shutil.which("promtool"), reason="left out: there is no promtool (Debian package prometheus)")


@pytest.fixture
def idle() -> Iterator[Service]:
    """A service whose workers and sweeper do not run."""
    with service(workers=0) as found:
        found.ports.heartbeat.note(Part.SWEEPER, found.ports.clock())
        yield found


def alerts(found: Service, folder: Path) -> set[str]:
    """Let promtool name the alerts that fire when the metrics stay for an hour as they are now."""
    silence = [{"eval_time": "50m", "alertname": name, "exp_alerts": []} for name in re.findall(r"alert: (\w+)", RULES.read_text("utf-8"))]
    return set(re.findall(r"alertname: (\w+), time", promtool(found, folder, {"alert_rule_test": silence})))


def promtool(found: Service, folder: Path, tests: dict[str, Any]) -> str:
    """Return what promtool says to these tests on the metrics as they are."""
    answer = found.app.test_client().get("/metrics")
    answers = answer.status_code == 200
    samples = [*(SAMPLE.findall(answer.text) if answers else []), ('up{job="marketpost"}', int(answers))]
    series = [{"series": name, "values": _in_an_hour(name, value)} for name, value in samples]
    (folder / "test.json").write_text(
        json.dumps({"rule_files": [str(RULES)], "tests": [{"interval": "1m", "input_series": series, **tests}]}), "utf-8"
    )
    told = subprocess.run(["promtool", "test", "rules", folder / "test.json"], capture_output=True, text=True, check=False)
    return told.stdout + told.stderr


def _in_an_hour(name: str, value: Any) -> str:
    """What a metric shows in the hour of promtool, which begins at 0: a clock goes on, what is given up is so after half of it."""
    if CLOCK in name:
        return f"{float(value) - time.time():.0f}+60x60"
    return f"0x29 {value}x30" if GROWS in name else f"{value}x60"


def an_hour_ago(found: Service) -> int:
    return found.ports.clock() - HOUR


def leave_a_move(found: Service) -> None:
    ann = found.person("ann")
    game = found.ports.game(ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}).json["id"])
    assert game
    submit(replace(found.ports, clock=lambda: an_hour_ago(found)), game, ann.id, "bobby 5")


def leave_a_letter(found: Service) -> None:
    then = an_hour_ago(found)
    found.mailer.deliveries.put([Delivery("late", found.person("ann").id, "news", then, then)])


def leave_a_mail(found: Service) -> None:
    found.mailer.mail_queue.receive(InboundMessage("mail", an_hour_ago(found), ["play+x@localhost"]), b"Subject: x\n\nx")


def stop_the_heart(found: Service) -> None:
    found.ports.heartbeat.beat(an_hour_ago(found))


def silence(part: Part) -> Callable[[Service], None]:
    return lambda found: found.ports.heartbeat.note(part, an_hour_ago(found))


def forget_to_resume(found: Service) -> None:
    found.ports.drain.set(an_hour_ago(found))


def set_the_clock(found: Service) -> None:
    found.ports.clock = lambda: now() - HOUR


def opened(found: Service) -> str:
    """Return the host of the game `g`, who is to decide."""
    host = found.person("ann").id
    open_game(found.ports, "g", host, "portobello", [SeatPlan(player=host), SeatPlan(player=found.person("ben").id)], {})
    return host


def flip_a_byte(found: Service) -> None:
    opened(found)
    redis, newest = found.ports.games.redis, found.ports.games.read("g")[-1]
    redis.execute_command("XDEL", GameLogs.key("g", "log"), f"{newest.version}-0")
    redis.execute_command("XADD", GameLogs.key("g", "log"), f"{newest.version}-1", "e", newest.data.replace(b'"', b"#", 1))
    check_some(found.ports, [])


def set_the_store_back(found: Service) -> None:
    """As when it starts with less than it had written, and this process has read more."""
    opened(found)
    redis, [*earlier, newest] = found.ports.games.redis, found.ports.games.read("g")
    redis.execute_command("XDEL", GameLogs.key("g", "log"), f"{newest.version}-0")
    redis.set(GameLogs.key("g", "head"), digest(earlier[-1].data))
    found.ports.game("g")


def break_the_judge(found: Service) -> None:
    host, redis = opened(found), found.ports.games.redis
    game = existing(found.ports, "g")
    submit(found.ports, game, host, "bobby 5")
    found.ports.secrets.clear()
    redis.delete(GameLogs.key("g", "secret"))
    redis.hset(GameLogs.key("g", "secret"), "not", "a string")
    decide(found.ports, ["g"], make_callbacks(found.mailer, make_queue(found.settings)))


def break_the_reader(found: Service) -> None:
    found.mailer.mail_queue.receive(InboundMessage("mail", found.ports.clock(), [], attempts=receive.MOST_TRIES), b"Subject: x\n\nx")
    receive.process_waiting(found.mailer)


def break_a_mail(found: Service) -> None:
    queue = found.mailer.mail_queue
    queue.redis.set(queue.key("in", "mail"), b"{")
    queue.redis.zadd(queue.key("unread"), {"mail": 0})
    assert found.app.test_client().get("/metrics").status_code == 200
    receive.process_waiting(found.mailer)


def break_the_writer(found: Service) -> None:
    player, now = found.person("ann").id, found.ports.clock()
    found.mailer.deliveries.put([Delivery("broken", player, "answer", now, now, attempts=MOST_WRITTEN)])
    send_letters(found.notifier)


def break_a_letter(found: Service) -> None:
    deliveries = found.mailer.deliveries
    deliveries.redis.set(deliveries.key("out", "letter"), b"{")
    deliveries.redis.zadd(deliveries.line(EMAIL), {"letter": 0})
    send_letters(found.notifier)


def take_memory(redis: Redis) -> None:
    redis.config_set("maxmemory", redis.info("memory")["used_memory"])


def end_the_store(found: Service) -> None:
    connect_server(found.settings.redis_url).shutdown(nosave=True)


FAULTS: dict[str, tuple[Callable[[Service], None], str]] = {
    "every worker was killed": (lambda found: None, "MarketpostNoWorker"),
    "the queue lost its jobs and nobody sweeps": (leave_a_move, "MarketpostMovesWaiting"),
    "workers stand still": (stop_the_heart, "MarketpostNoHeartbeat"),
    "the sweeper was killed": (silence(Part.SWEEPER), "MarketpostPartSilent"),
    "mail-in was killed": (silence(Part.MAIL_DOOR), "MarketpostPartSilent"),
    "the mailbox is away or refuses our password": (silence(Part.MAILBOX), "MarketpostPartSilent"),
    "nobody resumed after a drain": (forget_to_resume, "MarketpostDraining"),
    "a clock is wrong": (set_the_clock, "MarketpostClockWrong"),
    "the smart host is away": (leave_a_letter, "MarketpostLettersWaiting"),
    "nobody reads what came in": (leave_a_mail, "MarketpostInboundWaiting"),
    "a byte of a log was flipped": (flip_a_byte, "MarketpostGameDamaged"),
    "the store came back with less than it had": (set_the_store_back, "MarketpostSetBack"),
    "a move makes its worker fail": (break_the_judge, "MarketpostGivenUp"),
    "a mail makes its reader fail": (break_the_reader, "MarketpostGivenUp"),
    "what is stored of a mail cannot be read": (break_a_mail, "MarketpostGivenUp"),
    "what is stored of a letter cannot be read": (break_a_letter, "MarketpostGivenUp"),
    "a letter cannot be composed": (break_the_writer, "MarketpostGivenUp"),
    "the games' Redis is out of memory": (lambda found: take_memory(connect_server(found.settings.redis_url)), "MarketpostMemory"),
    "the queue's Redis is out of memory": (lambda found: take_memory(connect_server(found.settings.queue_redis_url)), "MarketpostMemory"),
    "the games' Redis was killed or its disk is full": (end_the_store, "MarketpostDown"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_person_is_told_when(fault: str, idle: Service, tmp_path: Path) -> None:
    cause, alert = FAULTS[fault]

    cause(idle)

    assert alert in alerts(idle, tmp_path)


def test_of_a_service_without_workers_nothing_else_is_told(idle: Service, tmp_path: Path) -> None:
    assert alerts(idle, tmp_path) == {"MarketpostNoWorker"}


def test_nobody_is_told_of_a_service_that_runs(tmp_path: Path) -> None:
    with service(workers=1) as found, worker(found.environment, MAIL), worker(found.environment, HOOKS):
        found.against_bot(found.person("ann"))
        found.ports.heartbeat.note(Part.SWEEPER, found.ports.clock())

        until(lambda: alerts(found, tmp_path) == set())
        leave_a_mail(found)
        found.mailer.wake()
        until(lambda: "marketpost_inbound_total{" in found.app.test_client().get("/metrics").text)
        assert show_nothing(found, tmp_path, dashboard_queries()) == []
        assert show_nothing(found, tmp_path, ["marketpost_no_such_metric", "sum(", "1"]) == ["marketpost_no_such_metric", "sum("]


def dashboard_queries() -> list[str]:
    """The queries of all panels. Some show only what rarely happens: a letter of the canary, a limit that was reached."""
    panels = json.loads((RULES.parents[1] / "grafana/marketpost.json").read_text("utf-8"))["panels"]
    queries = [target["expr"].replace("$__rate_interval", "5m").removesuffix(" > 0") for panel in panels for target in panel["targets"]]
    return [query for query in queries if "canary" not in query]


def show_nothing(found: Service, folder: Path, queries: list[str]) -> list[str]:
    """Let Prometheus name those of the queries that it does not understand, or finds no value for."""
    told = promtool(found, folder, {"promql_expr_test": [{"expr": query, "eval_time": "50m", "exp_samples": []} for query in queries]})
    return [query for query in queries if not re.search(rf"expr: {re.escape(json.dumps(query))}, time: 50m, *\n +exp: nil\n +got: ", told)]
