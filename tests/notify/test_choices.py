"""What players choose: calls, letters, a digest, or the decision as JSON in a letter."""

import json
from typing import Any

import pytest

from marketpost.mail.inbound.receive import receive
from marketpost.notify.targets import MOST_TARGETS
from marketpost.play.people.preferences import delivery_preference, no_more_letters
from marketpost.play.table.talk import say
from marketpost.rules.refusal import Refused
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.notify.bureau import Bureau, play_until_turn_of, subjects
from tests.notify.receivers import Receiver


def choose(bureau: Bureau, player: Player, choice: str, game: str = "g1") -> None:
    bureau.desk.mailer.ports.players.set_preference(player.id, game, choice)


def test_nobody_has_more_webhooks_than_is_good(bureau: Bureau, ann: Player, honest: Receiver) -> None:
    for _ in range(MOST_TARGETS):
        bureau.hook(ann, honest)

    with pytest.raises(Refused) as refused:
        bureau.hook(ann, honest)

    assert refused.value.code == "too-many-targets"


@pytest.mark.parametrize(
    ("of_player", "of_game", "letters", "called"),
    [
        ("every", None, True, True),
        ("none", None, False, True),
        ("webhook", None, False, True),
        ("none", "every", True, True),
        ("every", "none", False, False),
        ("every", "webhook", False, True),
        ("digest", None, False, True),
        ("every", "digest", False, True),
        ("digest", "every", True, True),
    ],
)
def test_a_choice_for_the_game_goes_before_the_players_own(
    bureau: Bureau, ben: Player, honest: Receiver, of_player: str, of_game: str | None, letters: bool, called: bool
) -> None:
    cleo = bureau.desk.person("Cleo", mail=of_player)
    bureau.hook(cleo, honest)
    if of_game:
        choose(bureau, cleo, of_game)
    bureau.desk.table(cleo, ben)
    play_until_turn_of(bureau, cleo)
    bureau.work()

    assert any(subject.startswith("Your turn") for subject in subjects(bureau, cleo)) == letters
    assert ("turn" in honest.kinds()) == called


def test_whoever_chose_a_webhook_and_has_none_gets_letters(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest, game="g2")
    mailer = bureau.desk.mailer

    assert delivery_preference(mailer.ports, mailer.targets, ann, "g1").letters == "every"
    assert delivery_preference(mailer.ports, mailer.targets, ann, "g2").letters == "none"


def test_the_digest_comes_at_the_players_hour_and_tells_of_the_games_that_are_not_silent(bureau: Bureau, ben: Player) -> None:
    cleo = bureau.desk.person("Cleo", mail="none", digest_hour=18, timezone="America/New_York")
    choose(bureau, cleo, "digest", "g2")
    for id in ("g1", "g2"):
        bureau.desk.table(cleo, ben, id=id)
        play_until_turn_of(bureau, cleo, id)
    bureau.pass_time(hours=12, minutes=59)
    early = list(bureau.desk.box(cleo))
    bureau.pass_time(minutes=2)

    assert early == []
    [digest] = bureau.desk.box(cleo)
    assert digest.header("Subject") == "1 game is waiting for you"
    assert "/games/g2" in digest.text
    assert "/games/g1" not in digest.text


def test_who_wants_no_more_letters_gets_none_in_any_game_but_is_still_called(bureau: Bureau, ben: Player, honest: Receiver) -> None:
    cleo = bureau.desk.person("Cleo")
    bureau.hook(cleo, honest)
    choose(bureau, cleo, "every", "g1")
    choose(bureau, cleo, "none", "g2")

    no_more_letters(bureau.desk.mailer.ports, bureau.desk.again(cleo))
    for id in ("g1", "g2"):
        bureau.desk.table(cleo, ben, id=id)
        play_until_turn_of(bureau, cleo, id)
    bureau.work()

    assert bureau.desk.box(cleo) == []
    assert {each["game"]["id"] for each in honest.events} == {"g1"}


def decision(raw: bytes) -> dict[str, Any] | None:
    found = [each for each in MailboxMessage(raw).attachments if each.kind == "application/json"]
    return json.loads(found[0].content) if found else None


def test_letters_that_ask_bring_the_decision_as_json_if_the_player_likes(bureau: Bureau, ben: Player) -> None:
    cleo = bureau.desk.person("Cleo", json=True)
    bureau.desk.table(cleo, ben)
    play_until_turn_of(bureau, cleo)
    bureau.work()
    letter, others = bureau.desk.turn_letter(cleo), bureau.desk.box(ben)
    asked = decision(letter.raw)

    assert asked
    assert asked["reply_to"] == letter.reply_to
    assert asked["game"]["version"] == bureau.desk.game().version
    assert asked["game"]["steps"]
    assert others
    assert not any(decision(each.raw) for each in others)


def test_a_game_can_be_played_on_the_json_alone(bureau: Bureau, ben: Player) -> None:
    """The answer to a mail brings the next decision, if it is still the same player's."""
    cleo = bureau.desk.person("Cleo", json=True)
    bureau.desk.table(cleo, ben)
    play_until_turn_of(bureau, cleo)
    bureau.work()
    turn, letter = bureau.desk.game().state.turn, bureau.desk.newest(cleo)

    while (asked := decision(letter.raw)) and asked["game"]["steps"]:
        to, orders = asked["reply_to"], asked["game"]["steps"][0]
        mail = f"From: {cleo.email}\r\nTo: {to}\r\nMessage-ID: <re-{to}>\r\n\r\n{orders}\r\n"
        receive(bureau.desk.mailer, mail.encode(), [to])
        bureau.work()
        letter = bureau.desk.newest(cleo)

    assert bureau.desk.game().state.turn > turn


def test_who_gets_letters_too_hears_by_every_channel_what_was_said(bureau: Bureau, ann: Player, honest: Receiver) -> None:
    cleo = bureau.desk.person("Cleo", mail="every")
    bureau.hook(cleo, honest)
    bureau.desk.table(ann, cleo)
    say(bureau.desk.mailer.ports, bureau.desk.game(), ann.id, "Good morning!")
    bureau.desk.work()
    letters = [mail.text for mail in bureau.desk.box(cleo) if "Good morning!" in mail.text]
    bureau.work()

    assert letters
    assert [each["text"].splitlines()[-1] for each in honest.events if each["event"] == "said"] == ["Good morning!"]
