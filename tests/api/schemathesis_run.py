"""The API against its own description, by schemathesis: `python -m tests.api.schemathesis_run 20000`."""

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema
from schemathesis.python import wsgi
from werkzeug.test import Client, TestResponse

from tests.service import Person, Service, service

ORDERS = ["bobby 3", "3:", "2: stall A-B; stall A-B", "customer C", "3: customer", "end", "mark 5", "if citizen: place C", ""]
REFUSABLE = ["2xx", "3xx", "401", "403", "404", "405", "406", "409", "412", "422"]
"""What fits the schema may still be refused: a game that has begun, orders that are illegal, a timezone that does not exist."""
NETWORK = ("max_redirects", "verify", "cert", "proxies")
REJECTED = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422"]


@schemathesis.serializer("message/rfc822")
def raw_mail(context: schemathesis.SerializationContext, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


class InProcess(Client):
    """schemathesis 4.32 hands settings of a network connection to its probes without a token, which no WSGI client knows."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        return super().open(*args, **{name: value for name, value in kwargs.items() if name not in NETWORK})


@dataclass(slots=True)
class Found:
    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


SIGNING_OUT = {"method": "DELETE", "path": ["/v1/tokens", "/v1/players/me"]}
"""Whoever signs out or is erased cannot call any more: these come last, and alone."""


def config(cases: int, token: str, games: list[str]) -> dict[str, Any]:
    """About so many cases, half of them with games and orders that exist; systematic ones only for whoever is let in."""
    return {
        "headers": {"Authorization": f"Bearer {token}"} if token else {},
        "checks": {
            "enabled": True,
            "positive_data_acceptance": {"expected-statuses": REFUSABLE},
            "negative_data_rejection": {"expected-statuses": REJECTED},
        },
        "generation": {"max-examples": cases, "database": "none"},
        "continue-on-failure": True,
        "phases": {"coverage": {"enabled": bool(token)}},
        "dictionaries": {
            "games": {"values": games},
            "orders": {"values": ORDERS},
            "versions": {"values": ['"1"', '"3"', "*"]},
            "waits": {"values": ["wait=5", "respond-async"]},
        },
        "parameters": {
            "path.game": {"dictionary": "games", "probability": 0.6},
            "body.orders": {"dictionary": "orders", "probability": 0.5},
            "header.If-Match": {"dictionary": "versions", "probability": 0.5},
            "header.Prefer": {"dictionary": "waits", "probability": 0.5},
        },
    }


def run(house: Service, each: int, token: str = "", games: tuple[str, ...] = ("nosuchgame",), signing_out: bool = False) -> Found:
    """Every check on every call, `each` examples a call and kind of data."""
    settings = SchemathesisConfig.from_dict(config(each, token, list(games)))
    schema = schemathesis.openapi.from_wsgi("/openapi.yaml", house.app, config=settings)
    schema = schema.include(**SIGNING_OUT) if signing_out else schema.exclude(**SIGNING_OUT)
    wsgi.get_client = InProcess
    found = Found()
    for event in from_schema(schema).execute():
        _take(found, event)
    return found


def _take(found: Found, event: Any) -> None:
    if isinstance(event, (events.NonFatalError, events.FatalError)):
        found.failures.append(f"{type(event).__name__}: {getattr(event, 'label', '')} {getattr(event, 'value', None) or event.exception}")
    if not isinstance(event, events.ScenarioFinished):
        return
    found.cases += len(event.recorder.interactions)
    found.statuses.update(each.response.status_code for each in event.recorder.interactions.values() if each.response)
    for case, checks in event.recorder.checks.items():
        for check in checks:
            if check.failure_info:
                found.failures.append(f"{event.label}: {check.name}\n{check.failure_info.failure}\n{_told(event.recorder, case)}")


def _told(recorder: Any, case: str) -> str:
    asked = recorder.interactions[case]
    body = asked.response.content[:600] if asked.response else b""
    return f"  {asked.request.method} {asked.request.uri} {asked.request.body!r}\n  {asked.request.headers}\n  {body!r}"


def players_and_games(house: Service) -> tuple[Person, tuple[str, ...]]:
    """Somebody with a game of their own, and one of somebody else's."""
    ann, bob = house.person("ann"), house.person("bob")
    return ann, (house.against_bot(ann), house.against_bot(bob, public=True), house.against_bot(bob))


def all_runs(house: Service, each: int) -> list[Found]:
    ann, games = players_and_games(house)
    leaver = house.person("leaver")
    return [
        run(house, each, ann.token, games),
        run(house, max(each // 4, 1), "", games),
        run(house, max(each // 4, 1), leaver.token, games, signing_out=True),
    ]


def main(cases: int) -> int:
    began, done, statuses, failures = time.monotonic(), 0, Counter[int](), list[str]()
    while done < cases and not failures:
        with service() as house:
            for found in all_runs(house, max((cases - done) // 120, 10)):
                done += found.cases
                statuses += found.statuses
                failures += found.failures
        sys.stdout.write(f"{done} cases, {len(failures)} failures, {time.monotonic() - began:.0f} s, {dict(sorted(statuses.items()))}\n")
    sys.stdout.write("\n\n".join(sorted(set(failures), key=failures.index)[:40]) + "\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
