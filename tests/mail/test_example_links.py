"""Each example in a letter is a link that opens a mail with the orders in it; whatever program sends that mail, it is read."""

import re
from datetime import datetime
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from marketpost.mail.inbound.labelled_parts import split_parts
from marketpost.mail.outbound import letters
from marketpost.mail.outbound.example_orders import example_orders
from marketpost.mail.outbound.letters import WaitingGame
from marketpost.rules.ruleset import rulesets
from marketpost.rules.words import LANGUAGES
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.letter_gallery import LINKS, table
from tests.mail.corpus import KINDS, PEOPLE, SIGNATURES, pack, understood
from tests.mail.desk import Desk, fresh
from tests.mail.programs.answer import Answer
from tests.mail.programs.composed import COMPOSERS
from tests.mail.turns import Turn

LINK = re.compile(r'href="(mailto:[^"]+)"')
games = pytest.mark.parametrize("name", rulesets())
languages = pytest.mark.parametrize("language", LANGUAGES)


def opened(html: str) -> list[tuple[str, str, str]]:
    """Recipient, subject and body of every mail that the links of a letter open, as RFC 6068 says."""
    found = [urlsplit(unescape(link)) for link in LINK.findall(html)]
    given = [parse_qs(link.query, strict_parsing=True) for link in found]
    return [(unquote(link.path), each["subject"][0], each["body"][0]) for link, each in zip(found, given, strict=True)]


@games
@languages
def test_what_the_links_open_is_read_from_every_program(name: str, language: str) -> None:
    game, player = table(2, 9, name=name), Player("p0", "player@example.org", "", language)
    letter = letters.your_turn(game, 0, player, {}, LINKS)
    examples = example_orders(game.rules, game.state, 0, game.rules.in_language(language))
    mails = opened(letter.html)

    assert [(to, subject, body.replace("\r\n", "\n")) for to, subject, body in mails] == [
        (LINKS.reply, f"Re: {letter.subject}", each) for each in examples
    ]
    for _, subject, body in mails:
        for compose in COMPOSERS:
            for number, kind in enumerate(KINDS):
                answer = _answer(language, body, subject, number)
                _, said = understood(pack(answer, compose(answer), kind, "quoted-printable"), Turn(game.rules, game.state, 0, body))
                read = game.rules.parse("\n".join(said.orders))
                assert (read, said.strange, said.commands) == (game.rules.parse(body), (), ()), (compose.__name__, kind, answer.lines)


def _answer(language: str, body: str, subject: str, number: int) -> Answer:
    me = PEOPLE[language][0]
    sign = tuple(line.format(me=me, word="Lord") for line in SIGNATURES[language][number % len(SIGNATURES[language])])
    lines = tuple(body.split("\r\n"))
    return Answer(language, lines, datetime(2026, 1, 1), "Marketpost", LINKS.reply, me, "player@example.org", subject, "", "", "", sign)


@languages
def test_links_in_a_digest_bring_the_label(language: str) -> None:
    player = Player("p0", "player@example.org", "", language)
    tables = {f"{name[0].upper()}{number}": WaitingGame(table(2, 9, name=name), 0, {}) for number, name in enumerate(rulesets(), 1)}

    for _, _, body in opened(letters.digest(player, LINKS, tables).html):
        [(label, lines)] = split_parts(body.split("\r\n"), tables, lambda label, text: False).parts.items()
        assert tables[label].game.rules.parse("\n".join(lines))


@games
def test_a_click_plays_the_example(desk: Desk, name: str) -> None:
    ann, ben = desk.person("Ann"), desk.person("Ben")
    desk.table(ann, ben, rules=name)
    player = desk.to_play()
    letter: MailboxMessage = desk.turn_letter(player)
    to, subject, body = opened(letter.html)[0]

    assert to == letter.reply_to
    assert desk.receive(fresh(body, to, player.email, subject), to) == "submitted"
    assert any(played.seat is not None for _, played in desk.game().history)
