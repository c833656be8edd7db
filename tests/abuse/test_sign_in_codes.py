"""Sign-in codes: they serve whoever asked, are always sent, and nobody spoils those of others or locks them out."""

import re
from collections.abc import Iterator
from secrets import token_hex

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http.context import inside
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.notify.engine import send_letters
from marketpost.play.limits import USUAL, Limit
from tests.service import Service, service
from tests.web.conftest import OURS

OWNER, THIEF, ELSEWHERE = "192.0.2.1", "198.51.100.9", "2001:db8:1:2::7"


@pytest.fixture(scope="module")
def limited() -> Iterator[Service]:
    """With the usual limits, and nobody at work."""
    with service(workers=0, LIMITS="") as found:
        yield found


@pytest.fixture
def email(limited: Service) -> str:
    """Somebody who is registered, for each test somebody else."""
    inside(limited.app).work_queue.redis.flushdb()
    return limited.person(f"owner-{token_hex(4)}").email


def call(service: Service, network: str, **body: str) -> TestResponse:
    return service.app.test_client().post("/v1/tokens", json=body, environ_base={"REMOTE_ADDR": network})


def codes(service: Service, email: str) -> list[str]:
    """Those on their way to this address, oldest first."""
    player = service.ports.players.player_of(email)
    return [mail.values["code"] for mail in reversed(service.mailer.deliveries.of(player or "")) if mail.values.get("code")]


def ask(service: Service, email: str, network: str = OWNER) -> tuple[str, str]:
    """The code that was sent, and the id of the request."""
    answer = call(service, network, email=email)
    assert answer.status_code == 202, answer.text
    return codes(service, email)[-1], answer.json["request"]


class Page:
    """The form for signing in, in one browser."""

    def __init__(self, service: Service) -> None:
        self.client: FlaskClient = service.app.test_client()
        self.asked = ""

    def post(self, path: str, **form: str) -> TestResponse:
        answer = self.client.post(path, data={"token": "", **form}, headers=OURS)
        found = re.search(r'name="asked" value="(\w*)"', answer.text)
        self.asked = found[1] if found else self.asked
        return answer


def test_wrong_guesses_of_a_stranger_do_not_end_the_owners_code(limited: Service, email: str) -> None:
    code, _ = ask(limited, email)
    for number in range(20):
        assert call(limited, THIEF, email=email, code=f"WRONG{number:03}").status_code == 403

    assert call(limited, OWNER, email=email, code=code).status_code == 201


def test_wrong_guesses_from_the_owners_own_network_do_not_end_it_either(limited: Service, email: str) -> None:
    code, _ = ask(limited, email)
    for number in range(10):
        call(limited, OWNER, email=email, code=f"WRONG{number:03}")

    assert call(limited, OWNER, email=email, code=code).status_code == 201


def test_a_second_request_does_not_end_the_first_code(limited: Service, email: str) -> None:
    first, _ = ask(limited, email)
    second, _ = ask(limited, email)
    ask(limited, email, THIEF)

    assert [call(limited, OWNER, email=email, code=code).status_code for code in (first, second)] == [201, 201]


def test_a_code_serves_nobody_else(limited: Service, email: str) -> None:
    code, request = ask(limited, email)

    assert call(limited, THIEF, email=email, code=code).status_code == 403
    assert call(limited, THIEF, email=email, code=code, request="0" * 32).status_code == 403
    assert call(limited, ELSEWHERE, email=email, code=code, request=request).status_code == 201
    assert call(limited, OWNER, email=email, code=code).status_code == 403, "it is used up"


def test_the_code_of_one_browser_serves_no_other(limited: Service, email: str) -> None:
    mine, other = Page(limited), Page(limited)
    mine.post("/sign-in/code", email=email)
    other.post("/sign-in/code", email=email)
    first, second = codes(limited, email)

    assert other.post("/sign-in", email=email, code=first, asked=other.asked).status_code == 403
    assert mine.post("/sign-in", email=email, code="WRONG", asked=mine.asked).status_code == 403
    assert mine.post("/sign-in", email=email, code=first, asked=mine.asked).status_code == 303
    assert other.post("/sign-in", email=email, code=second, asked=other.asked).status_code == 303


def test_one_asker_gets_only_so_many_codes_and_is_told_when_there_are_more(limited: Service, email: str) -> None:
    for _ in range(USUAL[Limit.CODES_ADDRESS]):
        ask(limited, email, THIEF)

    refused = call(limited, THIEF, email=email)

    assert (refused.status_code, refused.json["code"]) == (429, "over-limit")
    assert int(refused.headers["Retry-After"]) > 0
    more = {"email": f"more-{email}", "name": "More"}
    refused = limited.app.test_client().post("/v1/players", json=more, environ_base={"REMOTE_ADDR": THIEF})
    assert refused.status_code == 429
    assert limited.ports.players.at_address(more["email"]) is None
    ask(limited, email)


def test_strangers_who_use_up_the_codes_of_an_address_do_not_lock_its_owner_out(limited: Service, email: str) -> None:
    code, _ = ask(limited, email)
    assert call(limited, OWNER, email=email, code=code).status_code == 201
    statuses = [call(limited, f"198.51.100.{number}", email=email).status_code for number in range(40)]
    assert statuses.count(202) == USUAL[Limit.CODES_RECIPIENT] - 1

    code, _ = ask(limited, email)

    assert call(limited, OWNER, email=email, code=code).status_code == 201


def test_a_code_is_sent_to_an_address_that_bounced_and_has_unsubscribed(limited: Service, email: str) -> None:
    player = limited.ports.players.at_address(email)
    assert player
    limited.ports.players.change(player, lambda known: {"bounces": DEAD_AFTER, "mail": "none"})
    ask(limited, email)

    while send_letters(limited.notifier):
        pass

    assert [mail.status for mail in limited.mailer.deliveries.of(player.id)] == ["sent"]
