"""Notifications of a real browser: the switch on the pages, and what the service worker shows when no page is open."""

import json
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import CDPSession, Worker, expect
from py_vapid import Vapid02

from marketpost.notify.engine import call_targets
from marketpost.notify.targets import send_test
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.notify.receivers import OK, receiver, says
from tests.service import Service

ENDPOINT = "https://push.example.org/send/abc"
SUBSCRIBED = """
const keys = crypto.subtle.generateKey({name: "ECDH", namedCurve: "P-256"}, true, ["deriveBits"]);
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
let made = null;
PushManager.prototype.getSubscription = async () => made;
PushManager.prototype.subscribe = async (options) => {
  const p256dh = text(await crypto.subtle.exportKey("raw", (await keys).publicKey)), auth = text(new Uint8Array(16));
  window.subscribedWith = options;
  window.privateKey = await crypto.subtle.exportKey("jwk", (await keys).privateKey);
  made = {
    endpoint: "ENDPOINT",
    toJSON: () => ({endpoint: "ENDPOINT", expirationTime: null, keys: {p256dh, auth}}),
    unsubscribe: async () => { made = null; return true; },
  };
  return made;
};
"""
"""A push service of this browser at ENDPOINT, as its maker's cannot be reached from here; the keys are real."""


def until(found: Callable[[], Any]) -> Any:
    end = time.monotonic() + 120
    while not (value := found()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return value


def worker_of(visitor: Visitor) -> tuple[Worker, CDPSession, str]:
    """The service worker of the site, and its registration."""
    page = visitor.goto("/")
    devtools, registered = visitor.context.new_cdp_session(page), list[str]()
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated", lambda told: registered.extend(e["registrationId"] for e in told["registrations"])
    )
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(() => true)")
    until(lambda: page.wait_for_timeout(50) or registered)
    return until(lambda: visitor.context.service_workers)[0], devtools, registered[0]


def test_the_switch_in_the_settings_and_on_a_game_page_stores_the_subscription(house: Service, visitor: Visit) -> None:
    pia, ann = house.person("pia"), visitor(permissions=["notifications"])
    ann.context.add_init_script(SUBSCRIBED.replace("ENDPOINT", ENDPOINT))
    ann.sign_in(pia)
    page = ann.goto("/settings")

    page.get_by_role("button", name="Notify me in this browser").click()

    expect(page.get_by_text("also when the page is closed")).to_be_visible()
    [target] = house.mailer.targets.of(pia.id)
    assert (target.channel, target.host) == ("webpush", "push.example.org")
    assert page.evaluate("window.subscribedWith.applicationServerKey") == pia.get("/v1/push/key").json["key"]
    page.get_by_role("button", name="in this browser no more").click()
    expect(page.get_by_role("button", name="Notify me in this browser", exact=True)).to_be_visible()
    assert house.mailer.targets.of(pia.id) == []

    page = ann.goto(f"/games/{house.against_bot(pia)}")
    page.keyboard.press("End")
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.get_by_text("also when the page is closed")).to_be_visible()
    assert len(house.mailer.targets.of(pia.id)) == 1


def test_a_push_is_shown_while_no_game_is_open_and_a_click_opens_it(visitor: Visit) -> None:
    ann = visitor(permissions=["notifications"])
    worker, devtools, registration = worker_of(ann)
    link = f"{ann.site}/games/g1"
    told = {"id": "n1", "text": "It is your turn", "link": link, "tag": "g1"}

    devtools.send("ServiceWorker.deliverPushMessage", {"origin": ann.site, "registrationId": registration, "data": json.dumps(told)})

    shown = until(
        lambda: worker.evaluate("registration.getNotifications().then((all) => all.map((each) => [each.body, each.tag, each.data]))")
    )
    assert shown == [["It is your turn", "g1", link]]
    opened = worker.evaluate(
        """async () => {
          const [notification] = await registration.getNotifications();
          const opened = new Promise((done) => { Clients.prototype.openWindow = async (url) => done(url); });
          self.dispatchEvent(new NotificationEvent("notificationclick", {notification}));
          return opened;
        }"""
    )
    assert opened == link
    assert worker.evaluate("registration.getNotifications().then((all) => all.length)") == 0


def test_what_we_post_to_the_push_service_is_what_the_browser_shows(
    house: Service, visitor: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The push service is here: it checks our signature, and the text is read with the key that the page has made, and no other."""
    monkeypatch.setattr(house.mailer, "settings", house.settings_allowing("127.0.0.1/32"))
    pat, ann = house.person("pat"), visitor(permissions=["notifications"])
    with receiver(says(OK)) as service:
        ann.context.add_init_script(SUBSCRIBED.replace("ENDPOINT", service.url))
        ann.sign_in(pat)
        page = ann.goto("/settings")
        page.get_by_role("button", name="Notify me in this browser").click()
        expect(page.get_by_text("also when the page is closed")).to_be_visible()
        made = page.evaluate("[window.privateKey.d, window.subscribedWith.applicationServerKey]")
        [target] = house.mailer.targets.of(pat.id)
        send_test(house.mailer, pat.id, target.id)
        call_targets(house.notifier, 10.0)
        house.mailer.targets.delete(pat.id, target.id)

    [(headers, body)] = service.requests
    assert Vapid02.verify(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={made[1]}")
    own = ec.derive_private_key(int.from_bytes(urlsafe_b64decode(made[0] + "=")), ec.SECP256R1())
    told = http_ece.decrypt(body, private_key=own, auth_secret=bytes(16), version="aes128gcm").decode()
    worker, devtools, registration = worker_of(ann)
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": ann.site, "registrationId": registration, "data": told})
    shown = until(lambda: worker.evaluate("registration.getNotifications().then((all) => all.map((each) => [each.body, each.data]))"))
    assert shown == [["A test: messages from Marketpost arrive here.", house.settings.public_url]]
