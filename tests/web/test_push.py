"""Push subscriptions over REST and from the pages."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.notify.test_webpush import encoded
from tests.service import Person, Service
from tests.web.conftest import Open


@pytest.fixture
def pam(house: Service) -> Person:
    return house.person("pam")


def subscription(endpoint: str = "https://push.example.org/send/1") -> dict[str, object]:
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": encoded(point), "auth": encoded(bytes(16))}}


def test_a_browser_is_subscribed_and_ends_it_over_rest(house: Service, pam: Person) -> None:
    body = subscription()
    made = [pam.post("/v1/push/subscriptions", body) for _ in range(2)]
    assert [each.status_code for each in made] == [201, 201]
    assert made[0].json == made[1].json
    assert made[0].json["host"] == "push.example.org"

    path = f"/v1/push/subscriptions/{made[0].json['id']}"
    assert house.person("quin").call("DELETE", path).status_code == 404
    assert [pam.call("DELETE", path).status_code for _ in range(2)] == [204, 404]


def test_a_private_or_broken_endpoint_is_refused(pam: Person) -> None:
    for endpoint in ("https://10.0.0.1/x", "https://127.0.0.1/x", "ftp://push.example.org/", "https://localhost/x"):
        assert pam.post("/v1/push/subscriptions", subscription(endpoint)).status_code == 422
    assert (
        pam.post("/v1/push/subscriptions", subscription() | {"keys": {"p256dh": "AAAA", "auth": "AAAA"}}).json["code"] == "bad-subscription"
    )


def test_the_pages_bring_the_switch_to_players_and_not_to_guests(house: Service, pam: Person, browser: Open) -> None:
    page, guest = browser(pam), browser()
    game = guest.against_bot()

    assert 'id="push"' in page.get("/settings").text
    assert '<option value="webpush">' not in page.get("/settings").text, "nobody types a subscription"
    assert 'id="push"' in page.get(f"/games/{house.against_bot(pam)}").text
    assert 'id="push"' not in guest.get("/settings").text
    assert 'id="push"' not in guest.get(f"/games/{game}").text
    text = json.dumps(subscription("https://push.example.org/send/2"))
    assert page.post("/push", subscription=text).status_code == 204
    assert guest.post("/push", subscription=text).status_code == 403
    assert [each.channel for each in house.mailer.targets.of(pam.id)] == ["webpush"]
    assert page.post("/push/off", endpoint="https://push.example.org/send/2").status_code == 204
    assert house.mailer.targets.of(pam.id) == []


def test_signing_out_ends_the_notifications_of_this_browser_alone(house: Service, pam: Person, browser: Open) -> None:
    pages = [browser(house.person("pam")) for _ in range(3)]
    for number, page in enumerate(pages):
        page.post("/push", subscription=json.dumps(subscription(f"https://push.example.org/send/{number}")))
    ids = [each.id for each in house.mailer.targets.of(pam.id)]
    assert len(ids) == 3
    assert all(id in pages[0].get("/settings").text for id in ids)

    pages[0].post("/sign-out")
    assert len(house.mailer.targets.of(pam.id)) == 2

    quin = house.person("quin")
    pages[1].post("/sign-in", email=quin.email, code=house.code_for(quin.email))
    assert len(house.mailer.targets.of(pam.id)) == 1, "somebody else signs in there"

    for each in pam.get("/v1/tokens").json["items"]:
        if not each["current"]:
            pam.call("DELETE", f"/v1/tokens/{each['id']}")
    assert house.mailer.targets.of(pam.id) == []


def test_the_service_worker_is_served_for_the_whole_site(browser: Open) -> None:
    answer = browser().get("/service-worker.js")

    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
