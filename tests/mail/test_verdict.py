"""Each mail gets one verdict, from real DNS lookups at a real SMTP door or from the operator's own mail server."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from marketpost.mail.inbound.authentication import SmtpClient, authenticate
from marketpost.mail.inbound.dns_lookup import read_dns_servers
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh, reply
from tests.mail.dns_server import FAILS, SILENT, Zone, dns_server
from tests.mail.doors import by_smtp, trust
from tests.mail.signing import Domain, signed

PASS, FAIL, NONE = AuthVerdict.PASS, AuthVerdict.FAIL, AuthVerdict.NONE
REJECTS = Domain(spf="ip4:192.0.2.0/24 -all", dmarc="p=reject")
HERE = Domain(spf="ip4:127.0.0.1 -all", dmarc="p=reject")
SILENCE = Domain()


@contextmanager
def at_the_door(desk: Desk, zone: Zone, relays: str = "10.0.0.0/8") -> Iterator[None]:
    with dns_server(zone) as port:
        trust(desk, dns=port, relays=relays)
        yield


def verdict_on(desk: Desk, raw: bytes, envelope: str = "ann@example.org") -> str:
    """What the mail is stored with when it comes in by SMTP."""
    by_smtp(desk, raw, envelope, f"new@{DOMAIN}")
    redis = desk.mailer.mail_queue.redis
    [key] = redis.scan_iter(desk.mailer.mail_queue.key("in", "*"), count=100)
    found = desk.mailer.mail_queue.inbound(key.decode().rpartition(":")[2])
    assert found
    return found.verdict


def hello(sender: str = "ann@example.org") -> bytes:
    return fresh("Hello", f"new@{DOMAIN}", sender)


@pytest.mark.parametrize(
    ("domain", "raw", "envelope", "verdict"),
    [
        (REJECTS, signed(hello()), "ann@example.org", PASS),
        (REJECTS, signed(hello()), "list@elsewhere.test", PASS),
        (REJECTS, signed(hello()).replace(b"Hello", b"Hullo"), "ann@example.org", FAIL),
        (REJECTS, hello(), "ann@example.org", FAIL),
        (REJECTS, hello(), "", FAIL),
        (HERE, hello(), "ann@example.org", PASS),
        (HERE, hello(), "ann@elsewhere.test", FAIL),
        (HERE, hello("ann@mail.example.org"), "ann@example.org", PASS),
        (Domain(spf="ip4:192.0.2.0/24 -all"), hello(), "ann@example.org", FAIL),
        (Domain(spf="ip4:192.0.2.0/24 ~all"), hello(), "ann@example.org", NONE),
        (SILENCE, hello(), "ann@example.org", NONE),
        (SILENCE, signed(hello()), "ann@example.org", PASS),
        (SILENCE, signed(hello()).replace(b"Hello", b"Hullo"), "ann@example.org", NONE),
        (Domain("my-example.org", dmarc="p=reject"), signed(hello("ann@my-example.org"), "my-example.org"), "ann@my-example.org", PASS),
        (Domain(dmarc="p=reject; adkim=r"), signed(hello("ann@mail.example.org")), "", PASS),
        (Domain(dmarc="p=reject; adkim=s"), signed(hello("ann@mail.example.org")), "", FAIL),
        (Domain("co.uk", dmarc="p=reject"), signed(hello("ann@example.co.uk"), "co.uk"), "", NONE),
        (Domain("elsewhere.test", dmarc="p=reject"), signed(hello(), "elsewhere.test"), "", NONE),
    ],
)
def test_signature_client_and_policy_make_one_verdict(desk: Desk, domain: Domain, raw: bytes, envelope: str, verdict: str) -> None:
    with at_the_door(desk, domain.zone):
        assert verdict_on(desk, raw, envelope) == verdict


def test_a_second_signature_counts_as_well_as_the_first(desk: Desk) -> None:
    both = {**REJECTS.zone, **Domain("carrier.test").zone}

    with at_the_door(desk, both):
        assert verdict_on(desk, signed(signed(hello()), "carrier.test"), "bulk@carrier.test") == PASS


def test_a_signature_over_the_beginning_of_the_body_is_none(desk: Desk) -> None:
    """Anybody could append orders to such a mail."""
    with at_the_door(desk, REJECTS.zone):
        assert verdict_on(desk, signed(hello(), length=True) + b"resign!\r\n") == FAIL


def test_a_mail_from_our_own_mail_server_cannot_fail_spf(desk: Desk) -> None:
    with at_the_door(desk, REJECTS.zone, relays=""):
        assert verdict_on(desk, hello()) == NONE


def test_a_signature_counts_behind_our_own_mail_server_too(desk: Desk) -> None:
    with at_the_door(desk, REJECTS.zone, relays=""):
        assert verdict_on(desk, signed(hello())) == PASS


@pytest.mark.parametrize("name", ["_dmarc.example.org", "test._domainkey.example.org", "example.org"])
def test_dns_that_fails_is_no_failure_of_the_mail(desk: Desk, name: str) -> None:
    raw = hello() if name == "example.org" else signed(hello())

    with at_the_door(desk, {**REJECTS.zone, (name, "TXT"): FAILS}):
        assert verdict_on(desk, raw) == NONE


def test_dns_that_says_nothing_is_waited_for_within_a_bound(desk: Desk) -> None:
    with at_the_door(desk, {**REJECTS.zone, ("_dmarc.example.org", "TXT"): SILENT}):
        began = time.monotonic()

        assert authenticate(desk.mailer.settings, signed(hello()), SmtpClient("192.0.2.1", "mx", "ann@example.org")) == NONE
        assert time.monotonic() - began < 10


TRUSTED = "mx.games.test"
RECEIVED = "Received: from somewhere by mx.games.test; Mon, 2 Mar 2026 10:00:00 +0000\r\n"


def results(*told: str, server: str = TRUSTED) -> str:
    return f"Authentication-Results: {server}; {'; '.join(told)}\r\n"


@pytest.mark.parametrize(
    ("header", "verdict"),
    [
        (results("dmarc=pass header.from=example.org"), PASS),
        (results("dmarc=fail (p=reject) header.from=example.org"), FAIL),
        (results("dkim=pass header.d=example.org"), PASS),
        (results("dkim=pass header.i=@mail.example.org", "dmarc=none"), PASS),
        (results("dkim=pass header.d=elsewhere.test"), NONE),
        (results("spf=pass smtp.mailfrom=ann@example.org"), PASS),
        (results("spf=pass smtp.mailfrom=elsewhere.test"), NONE),
        (results("spf=fail smtp.mailfrom=example.org"), FAIL),
        (results("dkim=fail header.d=example.org"), NONE),
        (results("dmarc=temperror header.from=example.org"), NONE),
        (results("none"), NONE),
        ("", NONE),
        (results("dmarc=pass", server="mx.elsewhere.test"), NONE),
        (results("dmarc=((("), NONE),
        (results("dmarc=fail") + RECEIVED + results("dmarc=pass"), FAIL),
        (RECEIVED + results("dmarc=fail") + results("dmarc=pass"), FAIL),
        (RECEIVED + results("spf=none", "dkim=none") + results("dmarc=pass"), NONE),
        (results("dmarc=((((") + RECEIVED + results("dmarc=pass"), NONE),
        (results("dkim=pass header.d=elsewhere.test") + results("dmarc=pass") + RECEIVED, PASS),
        ("Authentication-Results: MX.games.TEST 1;\r\n dmarc=pass\r\n header.from=example.org\r\n", PASS),
    ],
)
def test_only_what_our_own_server_wrote_counts(desk: Desk, header: str, verdict: str) -> None:
    trust(desk, TRUSTED)

    assert verdict_on(desk, header.encode() + hello()) == verdict


def test_a_mail_without_one_clear_sender_has_no_verdict(desk: Desk) -> None:
    trust(desk, TRUSTED)

    assert authenticate(desk.mailer.settings, results("dmarc=pass").encode() + b"From: a@x.org\r\nFrom: b@y.org\r\n\r\nHi") == NONE


def test_a_mailbox_and_a_provider_bring_the_verdict_of_their_server(desk: Desk, playing: Player) -> None:
    """Without an SMTP session there is no client to check; the header and the signature are still there."""
    raw = reply(desk.turn_letter(playing), playing.email, desk.good_orders())

    with dns_server(REJECTS.zone) as port:
        trust(desk, dns=port)
        assert authenticate(desk.mailer.settings, signed(raw)) == PASS
        assert authenticate(desk.mailer.settings, raw) == NONE
    trust(desk, TRUSTED)
    assert authenticate(desk.mailer.settings, results("dmarc=fail").encode() + raw) == FAIL


@pytest.mark.parametrize("text", ["dns.example.org", "127.0.0.1:", "127.0.0.1:x", "::1:5353:"])
def test_what_is_no_dns_server_cannot_be_set(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_dns_servers(text)
