"""Web Push: encrypted for one browser, signed by us, and over when the push service says so."""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from api.push import subscribe, unsubscribe
from marketpost.notify.push_subscription import check_subscription
from marketpost.notify.vapid_key import public_key
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import new_token
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.credentials import Token
from marketpost.store.players import Player
from tests.notify.bureau import Bureau, play_until_turn_of
from tests.notify.receivers import OK, Receiver, receiver, says

GONE = b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class PushedBrowser:
    """The side of a browser: it makes the keys, and alone can read what is pushed."""

    service: Receiver
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def subscription(self) -> str:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encoded(point), "auth": encoded(self.auth)}
        return json.dumps({"endpoint": self.service.url, "expirationTime": None, "keys": keys})

    def shown(self) -> list[dict[str, str]]:
        """What was pushed, decrypted by RFC 8291."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))
            for _, body in self.service.requests
        ]


def signed_in(bureau: Bureau, player: Player) -> tuple[str, Token]:
    """A session of a browser: its secret and its token."""
    return new_token(bureau.desk.mailer.ports, player.id, "browser", ("read", "play"))


@pytest.mark.parametrize("rules", rulesets())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_is_pushed_to_the_browser_and_to_nobody_else(bureau: Bureau, ben: Player, rules: str, language: str) -> None:
    ann = bureau.desk.person("Ann", language)
    with receiver(says(OK)) as service:
        page = PushedBrowser(service)
        subscribe(bureau.desk.mailer, signed_in(bureau, ann)[1], page.subscription)
        bureau.desk.table(ann, ben, rules=rules)
        play_until_turn_of(bureau, ann)
        bureau.work()

        told = page.shown()[-1]
        headers, body = service.requests[-1]
    assert told["link"] == f"{bureau.desk.mailer.settings.public_url}/games/g1"
    assert told["tag"] == "g1"
    game = bureau.desk.game()
    assert str(game.rules.title(game.rules.in_language(language))) in told["text"]
    assert "Ben" in told["text"]
    assert b"Ben" not in body
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert len({each["id"] for each in page.shown()}) == len(page.shown())


def test_a_push_is_signed_with_the_key_that_browsers_subscribe_with(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(says(OK)) as service:
        subscribe(bureau.desk.mailer, signed_in(bureau, ann)[1], PushedBrowser(service).subscription)
        bureau.desk.table(ann, ben)
        bureau.work()
        signed = service.requests[0][0]["Authorization"]

    scheme, _, parts = signed.partition(" ")
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert scheme == "vapid"
    assert given["k"].rstrip("=") == public_key(bureau.desk.mailer.settings)
    assert Vapid02.verify(signed)
    claims = json.loads(urlsafe_b64decode(given["t"].split(".")[1] + "=="))
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert claims["sub"].startswith("mailto:")


def test_a_subscription_that_is_over_is_deleted_without_a_letter(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(says(GONE)) as service:
        subscribe(bureau.desk.mailer, signed_in(bureau, ann)[1], PushedBrowser(service).subscription)
        bureau.desk.table(ann, ben)
        bureau.work()

    assert bureau.desk.mailer.targets.of(ann.id) == []
    assert "webhook-off" not in [each.letter for each in bureau.desk.mailer.deliveries.of(ann.id)]


def test_a_push_service_that_is_busy_is_asked_again_with_the_same_message(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(says(BUSY)) as service:
        page = PushedBrowser(service)
        subscribe(bureau.desk.mailer, signed_in(bureau, ann)[1], page.subscription)
        bureau.desk.table(ann, ben)
        bureau.work()
        first = page.shown()[0]["id"]
        service.answer = says(OK)
        bureau.pass_time(minutes=5)

        assert [each["id"] for each in page.shown()].count(first) == 2
    [target] = bureau.desk.mailer.targets.of(ann.id)
    assert target.failures == 0


def test_the_same_browser_subscribes_once_and_leaves(bureau: Bureau, ann: Player, honest: Receiver) -> None:
    mailer, page = bureau.desk.mailer, PushedBrowser(honest)
    for _ in range(2):
        subscribe(mailer, signed_in(bureau, ann)[1], page.subscription)
    assert len(mailer.targets.of(ann.id)) == 1

    unsubscribe(mailer, ann.id, honest.url)
    assert mailer.targets.of(ann.id) == []
    subscribe(mailer, signed_in(bureau, ann)[1], page.subscription)
    erase(mailer.ports, ann.id)
    assert mailer.targets.of(ann.id) == []


def test_a_subscription_is_over_with_its_session_however_that_ends(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    mailer, page = bureau.desk.mailer, PushedBrowser(honest)
    secret, session = signed_in(bureau, ann)
    subscribe(mailer, session, page.subscription)
    bureau.desk.table(ann, ben)
    mailer.ports.credentials.drop_token(secret, ann.id)
    bureau.work()
    assert honest.requests == []
    assert mailer.targets.of(ann.id) == []

    for _ in range(2):
        secret, session = signed_in(bureau, ann)
        subscribe(mailer, session, page.subscription)
    mailer.ports.credentials.drop_token(secret, ann.id)
    play_until_turn_of(bureau, ann)
    bureau.work()
    assert honest.requests == [], "the browser's last session counts"


def test_what_is_no_subscription_is_refused(honest: Receiver) -> None:
    good = json.loads(PushedBrowser(honest).subscription)
    wrong = [
        "",
        "[]",
        json.dumps(good | {"endpoint": 7}),
        json.dumps(good | {"keys": good["keys"] | {"auth": "AAAA"}}),
        json.dumps(good | {"keys": good["keys"] | {"p256dh": encoded(b"\x04" + bytes(64))}}),
        json.dumps(good | {"keys": {"auth": good["keys"]["auth"]}}),
        json.dumps(good | {"keys": good["keys"] | {"auth": "ä" * 22}}),
    ]
    for text in wrong:
        with pytest.raises(Refused) as refused:
            check_subscription(text, [])
        assert refused.value.code == "bad-subscription", text
    with pytest.raises(Refused) as refused:
        check_subscription(json.dumps(good), [])
    assert refused.value.code == "webhook-private"
