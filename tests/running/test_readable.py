"""A setting that nobody can read is refused before anything begins, by everything that reads settings."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from marketpost.cli.doctor import DEFAULTS
from marketpost.cli.main import COMMANDS, main
from marketpost.cli.settings_check import SETTINGS, unreadable
from tests.running.live import environment, marketpost

WRONG = {
    "LIMITS": "foo",
    "LOG_FORMAT": "xml",
    "LOG_LEVEL": "loud",
    "MAIL_LISTEN": "foo",
    "PROXIES": "x",
    "WAIT_REPLICAS": "x",
    "SMTP_URL": "foo",
    "WEBHOOK_ALLOW": "foo",
    "DKIM_KEY": "/nonexistent",
    "PUBLIC_URL": "foo",
    "REDIS_URL": "foo",
    "QUEUE_REDIS_URL": "redis://host:port",
    "IMAP_URL": "imaps://host",
    "MAIL_DOMAIN": "two words",
    "TRUSTED_AUTHSERV": "two words",
    "MAIL_RELAYS": "foo",
    "DNS_SERVERS": "dns.example.org",
    "REPORTS_TO": "foo",
    "OPERATORS": "ann:secret",
    "CANARY_EVERY": "x",
}
READ_SETTINGS = {
    "up": ("--port", "0"),
    "api": ("--bind", "127.0.0.1:0"),
    "worker": (),
    "mail-in": (),
    "sweeper": (),
    "token": ("ann@example.org",),
    "rebuild": (),
    "verify": ("--all",),
    "backup": ("file",),
    "mailbox": (),
}


def test_every_setting_that_can_be_wrong_is_tried() -> None:
    assert SETTINGS.keys() == WRONG.keys() < DEFAULTS.keys()
    assert READ_SETTINGS.keys() < COMMANDS.keys()


@pytest.mark.parametrize("command", READ_SETTINGS)
def test_whatever_reads_settings_refuses_a_wrong_one_in_one_line_and_starts_nothing(command: str, tmp_path: Path) -> None:
    done = marketpost(tmp_path / "data", command, *READ_SETTINGS[command], PROXIES="x")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: PROXIES should be a number such as 1: 'x' is no number\n"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", WRONG)
def test_the_line_names_the_setting_and_says_what_it_should_look_like(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["up", "--port", "0"], env=environment(tmp_path / "data", **{name: WRONG[name]}))

    assert done.exit_code == 2
    assert done.stderr.startswith(f"Error: {name} should be {SETTINGS[name].looks}: ")
    assert done.stderr.count("\n") == 1


def test_the_doctor_calls_each_of_them_bad_and_looks_at_the_rest(tmp_path: Path) -> None:
    said = marketpost(tmp_path / "data", "doctor", **WRONG).stdout.splitlines()

    for name in WRONG:
        at = said.index(f"BAD  {name:<17}set, but cannot be read")
        assert said[at + 1].strip().startswith(f"→ it should be {SETTINGS[name].looks}: ")
    assert any(line.startswith("ok   python") for line in said)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("LIMITS", "player=5"),
        ("LIMITS", "requests-player=often"),
        ("MAIL_LISTEN", "127.0.0.1:99999"),
        ("PROXIES", "-1"),
        ("SMTP_URL", "smtp://host?starttls=maybe"),
        ("WEBHOOK_ALLOW", "10.1.2.3/16"),
        ("PUBLIC_URL", "https://"),
        ("PUBLIC_URL", "http://[half"),
        ("DKIM_KEY", "-----BEGIN RSA PRIVATE KEY-----\nbm90aGluZw==\n-----END RSA PRIVATE KEY-----"),
    ],
)
def test_what_is_only_nearly_right_is_refused_too(name: str, text: str) -> None:
    assert unreadable({name: text}).keys() == {name}


def test_no_line_tells_a_password() -> None:
    words = {"SMTP_URL": "smtp://ann:hush/hush@host", "REDIS_URL": "redis://:hush/hush@host", "IMAP_URL": "imaps://ann:hush[@host"}

    said = unreadable({**words, "DKIM_KEY": "-----hush-----"})

    assert said.keys() == {*words, "DKIM_KEY"}
    assert "hush" not in str(said)


def test_what_is_empty_is_not_set_and_what_is_right_is_taken() -> None:
    right = {
        "REDIS_URL": "redis+sentinel://one:26379,other:26379/service/0",
        "QUEUE_REDIS_URL": "unix:///tmp/queue.sock",
        "WAIT_REPLICAS": "1",
        "PUBLIC_URL": "https://games.example.org/",
        "MAIL_DOMAIN": "games.example.org",
        "LIMITS": "requests-player=3, codes-recipient=1",
        "SMTP_URL": "lmtp:///run/lmtp.sock",
        "MAIL_LISTEN": "off",
        "WEBHOOK_ALLOW": "127.0.0.1/32, fd00::/8",
        "DNS_SERVERS": "127.0.0.1:5353, 10.0.0.2, fd00::1, [::1]:53",
    }

    assert unreadable(right) == unreadable(dict.fromkeys(WRONG, "")) == unreadable({"REDIS_URL": "redis+cluster://host:6379"}) == {}
