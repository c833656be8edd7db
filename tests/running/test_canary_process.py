"""The canary of a whole service, whose own door is its smart host."""

import json
import urllib.request
from pathlib import Path
from typing import Any

from tests.mail.servers import free_port
from tests.running.live import Live, marketpost, running, until


def canary(live: Live) -> Any:
    with urllib.request.urlopen(f"{live.url}/ready", timeout=60) as answer:
        found = json.load(answer)["canary"]
    return found if found and found["back"] else None


def test_the_sweeper_sends_it_and_so_does_the_operator(tmp_path: Path) -> None:
    door = f"127.0.0.1:{free_port()}"
    given = {"SMTP_URL": f"smtp://{door}", "MAIL_LISTEN": door, "MAIL_DOMAIN": "games.test", "CANARY_EVERY": "3600"}
    with running(tmp_path / "data", **given) as live:
        assert 0 < until(lambda: canary(live), within=60)["seconds"] < 60

        done = marketpost(tmp_path / "data", "canary", "--within", "50", **given)

        assert done.stdout.startswith("the letter came back after"), done.stderr
        lost = marketpost(tmp_path / "data", "canary", "--within", "1", **{**given, "SMTP_URL": ""})
        assert (lost.returncode, "SMTP_URL" in lost.stderr) == (1, True)
