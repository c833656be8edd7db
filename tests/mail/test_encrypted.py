"""Mails are carried over TLS, with a password and by LMTP."""

import ssl
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiosmtpd.smtp import AuthResult

from marketpost.mail.outbound.attempt import delivered
from marketpost.mail.outbound.smtp import PORTS, SmtpTransport
from marketpost.mail.outbound.smtp_server_url import BadUrl, MailServer
from tests.mail.servers import Certificates, listener, make_certificates
from tests.mail.street import ANN, MAIL, Answers, connected_transport, serving


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("tls"))


def server_tls(made: Certificates) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(made.certificate, made.key)
    return context


def only_ann(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    return AuthResult(handled=False, success=(data.login, data.password) == (b"ann", b"p@ss/#1"))


def test_starttls_with_a_good_certificate_and_a_password(certificates: Certificates) -> None:
    answers = Answers()
    options = {"tls_context": server_tls(certificates), "require_starttls": True, "authenticator": only_ann, "auth_required": True}
    login = f"ann:{quote('p@ss/#1', safe='')}@"
    with (
        serving(answers, **options) as controller,
        connected_transport(controller, f"?starttls=require&ca={certificates.ca}", login) as transport,
    ):
        assert transport.deliver("", ANN, MAIL) == delivered()


def test_a_wrong_password_means_later_and_is_told_without_the_password(certificates: Certificates) -> None:
    options = {"tls_context": server_tls(certificates), "require_starttls": True, "authenticator": only_ann, "auth_required": True}
    with (
        serving(Answers(), **options) as controller,
        connected_transport(controller, f"?starttls=require&ca={certificates.ca}", "ann:nonsense@") as transport,
    ):
        outcome = transport.deliver("", ANN, MAIL)

    assert outcome.kind == "later"
    assert "name and password" in outcome.reason
    assert "nonsense" not in outcome.reason + repr(transport.server)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_unknown_certificate_is_not_trusted(certificates: Certificates, host: str) -> None:
    answers = Answers()
    with (
        serving(answers, tls_context=server_tls(certificates)) as controller,
        connected_transport(controller, "?starttls=if-offered", host=host) as transport,
    ):
        outcome = transport.deliver("", ANN, MAIL)

    assert outcome.kind == "later"
    assert "certificate is not good" in outcome.reason
    assert not answers.taken


def test_a_server_without_tls_gets_nothing_when_tls_is_required() -> None:
    answers = Answers()
    with serving(answers) as controller, connected_transport(controller, "?starttls=require") as transport:
        assert transport.deliver("", ANN, MAIL).kind == "later"

    assert not answers.taken


def test_tls_from_the_first_byte(certificates: Certificates) -> None:
    answers = Answers()
    with serving(answers, ssl_context=server_tls(certificates), server_hostname="localhost") as controller:
        transport = SmtpTransport(f"smtps://127.0.0.1:{controller.port}?ca={certificates.ca}", "games.test")
        assert transport.deliver("", ANN, MAIL) == delivered()
        transport.close()


def test_lmtp(tmp_path: Path) -> None:
    with listener(tmp_path, lmtp=True) as ours:
        transport = SmtpTransport(f"lmtp://127.0.0.1:{ours.port}", "games.test")
        assert transport.deliver("", "play+0@games.test", MAIL) == delivered()
        assert transport.deliver("", "other@games.test", MAIL).kind == "bounced"
        transport.close()

        assert [each.raw for each in ours.received()] == [MAIL]


@pytest.mark.parametrize(
    ("url", "starttls"),
    [
        ("smtp://mail.example.org", "if-offered"),
        ("smtp://ann:x@mail.example.org:587", "require"),
        ("smtp://ann:x@mail.example.org:587?starttls=no", "no"),
        ("smtp://ann:x@127.0.0.1", "no"),
        ("smtps://ann:x@mail.example.org", "no"),
    ],
)
def test_a_password_never_travels_in_the_open_unless_somebody_says_so(url: str, starttls: str) -> None:
    assert MailServer.parse(url, PORTS).starttls == starttls


@pytest.mark.parametrize(
    "url",
    [
        "http://x",
        "smtp://",
        "smtp://h:port",
        "smtp://h:99999",
        "smtp://h?tls=1",
        "smtp://h?starttls=maybe",
        "smtp://ann:s3#x@h",
        "smtp://a:s3/x@h",
    ],
)
def test_a_wrong_url_is_told_without_its_password(url: str) -> None:
    with pytest.raises(BadUrl) as wrong:
        SmtpTransport(url)

    assert "s3" not in str(wrong.value)
