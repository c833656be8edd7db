"""What letters link to, and mail that a provider hands over: open to those who have the key, and to nobody else."""

import re
from collections.abc import Iterator

import pytest

from marketpost.mail.inbound.receive import process_waiting
from marketpost.notify.engine import send_letters
from marketpost.store.local_mailbox import LocalMailbox
from tests.service import Person, Service, service


@pytest.fixture(scope="module")
def house() -> Iterator[Service]:
    """One of its own: in that of all tests, the letters of all would be sent."""
    with service() as running:
        yield running


@pytest.fixture
def reader(house: Service) -> Person:
    return house.person("reader")


def links(house: Service, person: Person) -> Iterator[str]:
    """All that the letters to this person link to, without the host."""
    mailer, notifier = house.mailer, house.notifier
    while process_waiting(mailer) + send_letters(notifier):
        pass
    mailbox = LocalMailbox(mailer.ports.games.redis)
    address = mailer.ports.players.find(person.id).email
    for line in mailbox.list(address):
        mail = mailbox.read(address, line.number)
        yield from re.findall(r"https?://[^/\s]+(/[^\s>]*)", mail.text + mail.header("List-Unsubscribe"))


def test_a_letter_links_to_the_game_for_its_reader(house: Service, reader: Person) -> None:
    game = house.against_bot(reader)
    link = next(each for each in links(house, reader) if each.startswith(f"/games/{game}"))

    page = house.app.test_client().get(link)

    assert page.status_code == 200
    assert 'data-place="A"' in page.text
    assert 'id="orders"' not in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]


def test_without_the_key_of_the_letter_the_page_does_not_exist(house: Service, reader: Person) -> None:
    game = house.against_bot(reader)
    link = next(each for each in links(house, reader) if each.startswith(f"/games/{game}"))
    other = house.person("other reader")
    for wrong in (f"/games/{game}", link[:-1], link.replace(reader.id, other.id), link.replace(game, "nosuchgame")):
        assert house.app.test_client().get(wrong).status_code == 404


def test_one_click_ends_the_letters_and_merely_opening_the_link_does_not(house: Service, reader: Person) -> None:
    house.against_bot(reader)
    link = next(each for each in links(house, reader) if "/unsubscribe/" in each)
    client = house.app.test_client()

    assert client.get(link).status_code == 200
    assert house.ports.players.find(reader.id).mail == "every"
    assert client.post(link[:-1] + ("a" if link[-1] != "a" else "b")).status_code == 404
    assert client.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert house.ports.players.find(reader.id).mail == "none"


def test_a_mail_is_taken_from_a_provider_who_knows_the_secret(house: Service) -> None:
    client = house.app.test_client()
    mail = b"From: someone@example.org\r\nTo: play@localhost\r\nSubject: hello\r\n\r\nhello\r\n"
    send = {"data": mail, "content_type": "message/rfc822"}

    assert client.post("/v1/inbound", **send).status_code == 403
    assert client.post("/v1/inbound", headers={"X-Inbound-Secret": "wrong"}, **send).status_code == 403
    taken = client.post("/v1/inbound", headers={"X-Inbound-Secret": house.settings.inbound_secret}, **send)
    again = client.post("/v1/inbound", headers={"X-Inbound-Secret": house.settings.inbound_secret}, **send)

    assert (taken.status_code, again.status_code) == (202, 202)
    assert taken.json == again.json


def test_a_mail_as_something_else_is_refused(house: Service) -> None:
    headers = {"X-Inbound-Secret": house.settings.inbound_secret}
    answer = house.app.test_client().post("/v1/inbound", headers=headers, data=b"{}", content_type="application/json")
    assert (answer.status_code, answer.json["code"]) == (415, "wrong-media-type")
