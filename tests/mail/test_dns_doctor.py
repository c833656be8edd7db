"""What `marketpost doctor --dns` says of a good zone and of broken ones, on a real DNS server, and the records it has us publish."""

import ssl
from collections.abc import Mapping
from pathlib import Path

import dns.rrset
import pytest
from click.testing import CliRunner

from marketpost.cli.dns_doctor import examine_dns
from marketpost.cli.main import main
from marketpost.mail.dns_records import policy_faults
from marketpost.store.settings import Settings
from tests.mail.dns_server import FAILS, Zone, dns_server
from tests.mail.servers import Certificates, make_certificates
from tests.mail.signing import key_record, private_key
from tests.mail.street import Answers, serving
from workers.health_checks import Finding

DOMAIN = "games.example.org"
SENDER = "192.0.2.7"
GOOD: Mapping[tuple[str, str], list[str] | str] = {
    (DOMAIN, "MX"): ["10 mx.example.org."],
    ("mx.example.org", "A"): [SENDER],
    (DOMAIN, "TXT"): [f'"v=spf1 ip4:{SENDER} -all"', '"another=thing"'],
    (f"marketpost._domainkey.{DOMAIN}", "TXT"): [key_record()],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=reject; rua=mailto:postmaster@example.org"'],
    ("7.2.0.192.in-addr.arpa", "PTR"): ["mx.example.org."],
}
DKIM = f"marketpost._domainkey.{DOMAIN}"
OTHER_KEY = (
    '"v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ij'
    'SsKcd6VUXF6YiiOVDD6SOOpHS9P5QaHuxkjOdL6AEoRBUQgPKvGXHsQnGJC8JYH6KEBQ6wLiGhEYtaNZ7r5C3yE3M2GfM0MpQIDAQAB"'
)
BROKEN: dict[str, tuple[str, Mapping[tuple[str, str], list[str] | str], str]] = {
    "no MX": ("MX", {(DOMAIN, "MX"): []}, "none"),
    "takes no mail": ("MX", {(DOMAIN, "MX"): ["0 ."]}, "takes no mail"),
    "MX without an address": ("MX", {(DOMAIN, "MX"): ["10 gone.example.org."]}, "gone.example.org has no address"),
    "no SPF": ("SPF", {(DOMAIN, "TXT"): ['"another=thing"']}, "none"),
    "two SPF records": ("SPF", {(DOMAIN, "TXT"): ['"v=spf1 mx -all"', '"v=spf1 a -all"']}, "2 records"),
    "SPF for others": ("SPF", {(DOMAIN, "TXT"): ['"v=spf1 ip4:198.51.100.1 -all"']}, f"does not allow {SENDER}"),
    "SPF that cannot be read": ("SPF", {(DOMAIN, "TXT"): ['"v=spf1 ip4:1.2.3 -all"']}, "cannot be read"),
    "SPF for everybody": ("SPF", {(DOMAIN, "TXT"): ['"v=spf1 mx +all"']}, "lets everybody send"),
    "no DKIM key": ("DKIM", {(DKIM, "TXT"): []}, "no key"),
    "another DKIM key": ("DKIM", {(DKIM, "TXT"): [OTHER_KEY]}, "another than DKIM_KEY"),
    "revoked DKIM key": ("DKIM", {(DKIM, "TXT"): ['"v=DKIM1; p="']}, "revoked"),
    "no DMARC": ("DMARC", {("_dmarc.example.org", "TXT"): []}, "none"),
    "two DMARC records": ("DMARC", {("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=none"', '"v=DMARC1; p=reject"']}, "2 records"),
    "DMARC without a policy": ("DMARC", {("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=maybe"']}, "no policy"),
    "no PTR": ("PTR", {("7.2.0.192.in-addr.arpa", "PTR"): []}, "has no name"),
    "PTR that leads elsewhere": ("PTR", {("7.2.0.192.in-addr.arpa", "PTR"): ["other.example.org."]}, "does not lead back"),
    "half of MTA-STS": ("MTA-STS", {(f"_mta-sts.{DOMAIN}", "TXT"): ['"v=STSv1; id=1"']}, "has no address"),
    "a name server that fails": ("DMARC", {("_dmarc.example.org", "TXT"): FAILS}, "DNS does not say"),
}


def settings(**given: str) -> Settings:
    usual = {"MAIL_DOMAIN": DOMAIN, "DKIM_KEY": private_key().decode(), "SMTP_URL": "smtp://127.0.0.1:1", "SECRET_KEY": "x"}
    return Settings.read(usual | given)


def findings(zone: Zone, **given: str) -> dict[str, Finding]:
    with dns_server(zone) as port:
        return {each.about: each for each in examine_dns(settings(DNS_SERVERS=f"127.0.0.1:{port}", **given), [SENDER])}


def published(finding: Finding) -> Zone:
    """The zone with the records that a finding has us paste; each is read as a name server reads it."""
    lines = (line.split(None, 4) for line in finding.paste.splitlines() if " IN " in line)
    records = [
        (name.rstrip(".").lower(), kind, str(dns.rrset.from_text(name, 60, "IN", kind, value)[0])) for name, _, _, kind, value in lines
    ]
    return {(name, kind): [value] for name, kind, value in records}


def test_nothing_is_wrong_with_a_good_zone() -> None:
    found = findings(GOOD)

    assert {each.about for each in found.values() if each.mark != "ok"} == {"MTA-STS"}
    assert not found["MTA-STS"].grave
    assert published(found["DKIM"])[(DKIM, "TXT")][0].replace('" "', "") == key_record().replace('" "', "")


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_broken_is_named_and_what_is_to_be_published_mends_it(fault: str) -> None:
    about, change, says = BROKEN[fault]
    zone = {**GOOD, **change}

    found = findings(zone)

    assert (found[about].mark, says in found[about].says) == ("BAD", True), found[about]
    assert {each.about for each in found.values() if each.mark == "BAD"} == {about}
    if about == "MTA-STS" or FAILS in change.values():
        return
    hosts = {(f"{name}.example.org", "A"): [SENDER] for name in ("mail.games", "gone")}
    assert findings({**zone, **published(found[about]), **hosts})[about].mark == "ok"


def test_the_policy_of_a_domain_without_mx_names_the_host_that_is_to_be_its_mx() -> None:
    found = findings({**GOOD, (DOMAIN, "MX"): []})

    assert f"IN MX 10 mail.{DOMAIN}." in found["MX"].paste
    assert f"mx: mail.{DOMAIN}\n" in found["MTA-STS"].paste


def test_spf_keeps_what_it_allows_and_adds_where_letters_leave_from() -> None:
    zone = {**GOOD, (DOMAIN, "TXT"): ['"v=spf1 include:_spf.example.net ~all"'], ("_spf.example.net", "TXT"): ['"v=spf1 -all"']}

    assert f'"v=spf1 include:_spf.example.net ip4:{SENDER} -all"' in findings(zone)["SPF"].paste


def test_without_a_key_it_is_told_how_to_make_one() -> None:
    told = findings(GOOD, DKIM_KEY="")["DKIM"]

    assert (told.mark, "openssl genrsa" in told.advice) == ("note", True)


@pytest.mark.parametrize(
    ("policy", "fault"),
    [
        ("version: STSv1\nmode: enforce\nmx: mx.example.org\nmax_age: 604800", ""),
        ("version: STSv1\r\nmode: testing\r\nmx: *.example.org\r\nmax_age: 86400\r\n", ""),
        ("version: STSv1\nmode: enforce\nmx: mx.example.net\nmax_age: 604800", "does not name mx.example.org"),
        ("<html>Not found</html>", "needs"),
    ],
)
def test_a_policy_of_mta_sts_fits_the_mx_or_not(policy: str, fault: str) -> None:
    found = policy_faults(policy, ["mx.example.org"])

    assert fault in found
    assert bool(fault) == bool(found)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("tls"))


def tls_context(certificates: Certificates) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates.certificate, certificates.key)
    return context


@pytest.mark.parametrize(
    ("offers", "ca", "says"), [(False, False, "offers none"), (True, False, "certificate"), (True, True, "speaks TLS")]
)
def test_the_smart_host_must_speak_tls_with_a_good_certificate(certificates: Certificates, offers: bool, ca: bool, says: str) -> None:
    options = {"tls_context": tls_context(certificates)} if offers else {}
    with serving(Answers(), **options) as server:
        query = "?starttls=require" + (f"&ca={certificates.ca}" if ca else "")
        told = findings(GOOD, SMTP_URL=f"smtp://127.0.0.1:{server.port}{query}")["TLS"]

    assert says in told.says
    assert (told.mark == "ok") == ca


def test_the_command_prints_records_at_the_beginning_of_a_line(tmp_path: Path) -> None:
    key = tmp_path / "dkim.pem"
    key.write_bytes(private_key())
    with dns_server({**GOOD, (DOMAIN, "MX"): []}) as port:
        given = {"MAIL_DOMAIN": DOMAIN, "DNS_SERVERS": f"127.0.0.1:{port}", "DKIM_KEY": str(key), "PUBLIC_URL": "https://www.example.org"}
        done = CliRunner().invoke(main, ["doctor", "--dns", "--sends-from", SENDER], env=given)

    assert done.exit_code == 1
    assert f"{DOMAIN}. 3600 IN MX 10 www.example.org." in done.output.splitlines()
    assert CliRunner().invoke(main, ["doctor", "--dns", "--sends-from", "here"]).exit_code == 2
    assert "MAIL_DOMAIN" in CliRunner().invoke(main, ["doctor", "--dns"], env={"MAIL_DOMAIN": "localhost"}).output
