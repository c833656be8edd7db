"""No webhook leads to where only we can go, however it is spelt and whatever its name server says."""

from collections.abc import Sequence
from ipaddress import ip_address, ip_network

import pytest

from marketpost.notify.target_address import AddressNotAllowed, is_open, open_addresses, read_networks, read_url, resolve
from marketpost.notify.webhook_client import WebhookClient
from marketpost.rules.refusal import Refused
from tests.notify.receivers import OK, receiver, says

HERE = [ip_network("127.0.0.1/32")]
CLOSED = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.254", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.7",
    "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2001:0:7f00:1::", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "3fff::1", "5f00::1",
    "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "ff0e::1",
]  # fmt: skip
OPEN = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"]

SPELT = [
    "http://127.0.0.1/", "http://127.1/", "http://127.0.1/", "http://2130706433/", "http://017700000001/", "http://0177.0.0.1/",
    "http://0x7f.0.0.1/", "http://0x7f000001/", "http://0x7f.1/", "http://127.0.0.1./", "http://0/", "http://0.0.0.0:8080/",
    "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:127.0.0.1]:8000/",
    "http://[64:ff9b::127.0.0.1]/", "http://[fe80::1]/", "http://[fd00:ec2::254]/latest/", "http://169.254.169.254/latest/meta-data/",
    "http://0xa9fea9fe/", "http://2852039166/", "http://localhost/", "http://localhost./", "http://LOCALHOST:8000/", "https://redis/",
    "http://api.localhost/", "http://printer.local/", "http://metadata.google.internal/", "http://router.lan/", "http://10.1/",
    "http://192.168.1/", "http://224.0.0.1/",
]  # fmt: skip
UNREADABLE = [
    "", "bots.example.org", "//bots.example.org/", "ftp://bots.example.org/", "file:///etc/passwd", "gopher://bots.example.org/",
    "javascript:alert(1)", "unix:///run/redis.sock", "http://", "http:///path", "http://user:pw@bots.example.org/",
    "http://bots.example.org@127.0.0.1/", "http://127.0.0.1\\@bots.example.org/", "http://bots.example.org\\.evil/",
    "http://bots.example.org/#part", "http://bots.example.org/a b", "http://bots.example.org/\r\nHost: evil", "http://bots.example.org:x/",
    "http://bots.example.org:99999/", "http://bots.example.org:-1/", "http://[::1/", "http://[fe80::1%25eth0]/", "http://[v1.x]/",
    "http://b\u00f6ts.example.org/", "http://127\u30020\u30020\u30021/", "http://\u2460\u2461\u2466.0.0.1/", "http://bots..example.org/",
    "http://-bots.example.org/", "http://.../", "http://bots.example.org/" + "x" * 500, "http://%31%32%37.0.0.1/",
]  # fmt: skip


@pytest.mark.parametrize("address", CLOSED)
def test_what_is_not_on_the_open_internet_is_not_called(address: str) -> None:
    assert not is_open(ip_address(address))


@pytest.mark.parametrize("address", OPEN)
def test_what_is_on_the_open_internet_is_called(address: str) -> None:
    assert is_open(ip_address(address))


@pytest.mark.parametrize("url", SPELT)
def test_a_private_address_is_known_in_every_spelling(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_url(url)

    assert refused.value.code == "webhook-private"


@pytest.mark.parametrize("url", UNREADABLE)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_url(url)

    assert refused.value.code == "webhook-url"


@pytest.mark.parametrize("port", [1, 22, 25, 81, 444, 1023])
def test_ports_of_other_services_are_not_called(port: int) -> None:
    with pytest.raises(Refused) as refused:
        read_url(f"https://bots.example.org:{port}/")

    assert refused.value.code == "webhook-port"


def test_a_good_address_is_taken_apart() -> None:
    plain, other = read_url("https://bots.example.org"), read_url("http://Bots.example.org:8080/a/b?c=d@e")

    assert (plain.host, plain.port, plain.path, plain.name) == ("bots.example.org", 443, "/", "bots.example.org")
    assert (other.host, other.port, other.path, other.name) == ("bots.example.org", 8080, "/a/b?c=d@e", "bots.example.org:8080")


def test_an_operator_may_open_networks_of_their_own() -> None:
    allowed = read_networks("127.0.0.1/32, 10.1.0.0/16,fd00::/8")

    assert read_url("http://127.0.0.1:8080/", allowed)
    assert is_open(ip_address("10.1.2.3"), allowed)
    assert is_open(ip_address("fd00::1"), allowed)
    assert not is_open(ip_address("10.2.0.1"), allowed)
    assert not is_open(ip_address("127.0.0.2"), allowed)
    assert not is_open(ip_address("::ffff:127.0.0.1"), allowed)
    with pytest.raises(ValueError, match=r"10\.1\.0\.1/16"):
        read_networks("10.1.0.1/16")


# Names


class NameServer:
    """Answers differently each time; after the last answer, with that one."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.mark.parametrize("address", CLOSED)
def test_a_name_that_stands_for_a_private_address_is_not_called(address: str) -> None:
    with pytest.raises(AddressNotAllowed):
        open_addresses(read_url("http://bots.example.org/"), NameServer([address]), [])


def test_one_private_address_among_many_is_enough() -> None:
    with pytest.raises(AddressNotAllowed):
        open_addresses(read_url("http://bots.example.org/"), NameServer(["93.184.216.34", "10.0.0.1"]), [])


def test_the_system_itself_is_asked_for_all_addresses() -> None:
    assert set(resolve("localhost", 80)) <= {"127.0.0.1", "::1"}


def test_a_name_that_changes_its_mind_gains_nothing() -> None:
    """The address that was looked at is the one that is called: the name is asked for once in a call."""
    with receiver(says(OK)) as inner:
        fickle = NameServer(["127.0.0.1"], ["127.0.0.9"])
        taken = WebhookClient(HERE, fickle).post(f"http://bots.example.org:{inner.port}/", b"{}").reason
        again = WebhookClient(HERE, fickle).post(f"http://bots.example.org:{inner.port}/", b"{}").reason

    assert taken == ""
    assert fickle.asked == 2
    assert again == "not-allowed"
    assert inner.connections == 1
    assert inner.requests[0][0]["Host"] == f"bots.example.org:{inner.port}"


def test_the_first_answer_may_be_the_bad_one() -> None:
    with receiver(says(OK)) as inner:
        error = WebhookClient([], NameServer(["127.0.0.1"], ["93.184.216.34"])).post(f"http://bots.example.org:{inner.port}/", b"{}").reason

    assert error == "not-allowed"
    assert inner.connections == 0
