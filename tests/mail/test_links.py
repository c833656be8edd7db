"""Links in letters: whole, and whoever opens one without having signed in comes where it says."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from api.http.app import create_app
from marketpost.mail.outbound.letters import Letter, Links, answer
from marketpost.mail.outbound.render import paragraph
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import DOMAIN, Desk, fresh
from tests.mail.every_letter import body, languages, mailed, parsed

URL = re.compile(r"https?://[^\s\"<>]+")
every_ruleset = pytest.mark.parametrize("rules", rulesets())


@pytest.fixture
def stranger(desk: Desk) -> FlaskClient:
    """A browser of somebody who has not signed in."""
    return create_app(desk.mailer.settings).test_client()


def links_in(mail: MailboxMessage) -> set[str]:
    """Of the text part, of the HTML part, and the one that ends these letters."""
    found = parsed(mail.raw)
    shown = [unescape(each) for each in re.findall(r'href="((?!mailto:)[^"]+)"', body(found, "html"))]
    return {*URL.findall(body(found, "plain")), *shown, *URL.findall(mail.header("List-Unsubscribe"))}


def open_all(desk: Desk, stranger: FlaskClient) -> set[str]:
    """Every link in every letter that went out; which games were seen."""
    base, games = desk.mailer.settings.public_url, set()
    for link in {link for brought in desk.street.brought for link in links_in(brought.mail)}:
        assert link.startswith(base), link
        page = stranger.get(link.removeprefix(base) or "/", follow_redirects=True)
        assert page.status_code == 200, link
        if game := re.search(r"/games/(\w+)", link):
            assert f"/games/{game[1]}" in page.text, link
            games.add(game[1])
    return games


@every_ruleset
def test_the_links_of_a_game_lead_to_it(desk: Desk, stranger: FlaskClient, ann: Player, ben: Player, rules: str) -> None:
    desk.table(ann, ben, rules=rules)
    player = desk.to_play()
    letter = desk.turn_letter(player)
    for text in ("say Hello", "board", "help", "link", "draw", desk.good_orders(player.language), "nonsense", "undo"):
        desk.answer(player, text, letter)
    assert open_all(desk, stranger) == {"g1"}

    letter = desk.newest(player)
    desk.street.brought.clear()
    desk.answer(player, "resign!", letter)
    assert open_all(desk, stranger) == {"g1"}


@every_ruleset
def test_the_links_to_a_new_game_lead_to_it(desk: Desk, stranger: FlaskClient, ann: Player, ben: Player, rules: str) -> None:
    desk.receive(fresh(f"{rules} with {ben.email}", f"new@{DOMAIN}", ann.email), f"new@{DOMAIN}")
    desk.answer(ann, "yes", desk.newest(ann))
    desk.answer(ann, "link", desk.newest(ann))
    assert len(open_all(desk, stranger)) == 1

    invitation = desk.newest(ben)
    desk.street.brought.clear()
    desk.answer(ben, "no", invitation)
    assert len(open_all(desk, stranger)) == 1


def test_the_link_to_a_rematch_leads_to_it(desk: Desk, stranger: FlaskClient, ann: Player) -> None:
    open_game(desk.mailer.ports, "g1", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(bot="greedy")], {})
    desk.work()
    while desk.game().status == "running":
        desk.by_rest(ann, desk.good_orders())
    desk.work()
    desk.answer(ann, "rematch", desk.newest(ann))

    assert len(open_all(desk, stranger)) == 2


@languages
@pytest.mark.parametrize("before", ["", "see ", "a few words before it, which are as long as this "])
def test_a_link_is_never_broken(language: str, before: str) -> None:
    links = Links("https://a-rather-long-name-of-a-host.marketpost.example", lambda game, player: "k" * 32)
    url = links.game("g" * 32, "p" * 16)
    letter = answer(Player("p0", "anna@example.org", "Anna", language, "UTC"), links, [f"{before}{url} and so on"])

    assert_whole(letter, url)
    assert url in paragraph(f"    {before}{url}").split()


def assert_whole(letter: Letter, url: str) -> None:
    found = parsed(mailed(letter))
    assert url in body(found, "plain").split()
    assert url in re.findall(r'href="([^"]+)"', unescape(body(found, "html")))
