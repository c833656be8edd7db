"""Calls: each event once, in order, in the receiver's shape, and none that is stale."""

import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any

import pytest

from marketpost.notify.channel_message import ChannelMessage
from marketpost.notify.channels import discord, slack
from marketpost.notify.engine import call_targets
from marketpost.notify.targets import secret_of
from marketpost.play.log.actions import SeatPlan
from marketpost.play.table.proposals import disagree, propose
from marketpost.play.table.seating import decline, open_game
from marketpost.play.table.talk import say
from marketpost.store.players import Player
from tests.notify.bureau import Bureau, play_until_turn_of
from tests.notify.receivers import OK, Receiver, receiver, says, status
from tests.play.timed import DAY, live, timed_game


def test_a_call_brings_the_position_and_every_legal_step(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    play_until_turn_of(bureau, ann)
    bureau.work()

    game, told = bureau.desk.game(), honest.events[-1]
    assert told["event"] == "turn"
    assert told["text"].startswith("Du bist am Zug")
    assert told["link"].endswith("/games/g1")
    assert told["game"]["id"] == "g1"
    assert told["game"]["version"] == game.version
    assert told["game"]["you"] in told["game"]["decides"]
    assert told["game"]["steps"] == list(game.rules.legal(game.state, game.deciders[0]))
    assert told["game"]["position"] == json.loads(json.dumps(game.rules.document(game.state, 0)))


def test_the_signature_can_be_checked_with_the_secret_alone(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    hook = bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    bureau.work()

    [(headers, body), *_] = honest.requests
    said = dict(part.split("=") for part in headers["Marketpost-Signature"].split(","))
    secret = secret_of(bureau.desk.mailer, hook.id).encode()
    assert said["v1"] == hmac.new(secret, f"{said['t']}.".encode() + body, hashlib.sha256).hexdigest()
    assert abs(int(said["t"]) - bureau.desk.clock.now // 1000) < 60


def test_every_kind_of_event_is_told(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    ports = bureau.desk.mailer.ports
    open_game(ports, "invited", ben.id, "portobello", [SeatPlan(player=ben.id), SeatPlan(invited=ann.id)], {})
    bureau.work()
    decline(ports, "invited", ann.id)
    for number, seats in enumerate([(ann, ben), (ben, ann)]):
        bureau.desk.table(*seats, id=f"t{number}")
    bureau.work()
    say(ports, bureau.desk.game("t0"), ben.id, "Guten Tag!")
    bureau.work()
    while bureau.desk.game("t0").status == "running":
        bureau.desk.by_rest(bureau.desk.to_play("t0"), bureau.desk.good_orders(id="t0"), "t0")
    bureau.work()

    assert set(honest.kinds()) == {"invited", "started", "turn", "said", "over"}
    [said] = [each for each in honest.events if each["event"] == "said"]
    assert said["text"].endswith("Guten Tag!")
    assert honest.events[-1]["game"]["status"] == "over"
    assert honest.events[-1]["game"]["winners"]


def test_what_is_agreed_on_at_the_table_is_told_with_what_waits_for_an_answer(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver
) -> None:
    bureau.hook(ann, honest)
    ports = bureau.desk.mailer.ports
    open_game(ports, "invited", ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(invited=ben.id)], {})
    decline(ports, "invited", ben.id)
    bureau.desk.table(ann, ben)
    bureau.work()
    propose(ports, "g1", ben.id, "draw")
    bureau.work()
    asked = honest.events[-1]
    disagree(ports, "g1", ann.id, asked["game"]["proposal"]["number"])
    propose(ports, "g1", ann.id, "abandon")
    disagree(ports, "g1", ben.id, bureau.desk.game().proposal.number)
    bureau.work()

    assert (asked["event"], asked["text"]) == ("proposed", "Ben schlägt ein Remis vor: Portobello Market")
    assert asked["game"]["proposal"]["asked"] == [asked["game"]["you"]]
    [declined] = [each for each in honest.events if each["event"] == "declined"]
    assert "Ben" in declined["text"]
    assert honest.events[-1]["event"] == "news"
    assert honest.events[-1]["game"]["proposal"] is None


def test_a_program_is_reminded_and_told_that_its_time_is_up(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    timed_game(bureau.desk, ann, ben, per_decision=DAY)
    for hours in (23, 2):
        live(bureau.desk, hours=hours)
        bureau.work()

    told = dict.fromkeys(kind for kind in honest.kinds() if kind in ("reminder", "timed-out"))
    assert list(told) == ["reminder", "timed-out"]


def test_whoever_is_muted_rings_no_more(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    ann = bureau.desk.again(ann)
    ann.muted = [ben.id]
    bureau.desk.mailer.ports.players.save(ann)
    say(bureau.desk.mailer.ports, bureau.desk.game(), ben.id, "Are you there?")
    bureau.work()

    assert honest.kinds()
    assert "said" not in honest.kinds()


def test_a_notice_told_twice_is_one_call(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    told: list[Any] = []
    tell = bureau.desk.callbacks.notify
    callbacks = replace(bureau.desk.callbacks, notify=lambda notices: (told.extend(notices), tell(notices))[1])
    replace(bureau.desk, callbacks=callbacks).table(ann, ben)
    bureau.work()
    before = len(honest.requests)

    tell(told)
    bureau.work()

    assert before
    assert len(honest.requests) == before


def test_a_turn_that_was_played_meanwhile_is_not_told(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    play_until_turn_of(bureau, ann)
    play_until_turn_of(bureau, ben)
    call_targets(bureau.desk.notifier, 10.0)

    assert "turn" not in honest.kinds()
    assert bureau.desk.mailer.deliveries.waiting("webhook") == 0


def test_a_program_that_dies_within_its_turn_is_called_again_for_the_rest_of_it(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as dying:
        bureau.hook(ann, dying)
        bureau.desk.table(ann, ben)
        play_until_turn_of(bureau, ann)
        number = bureau.desk.good_orders().partition(":")[0]
        bureau.work()
        bureau.desk.by_rest(ann, f"{number}:")
        dying.answer = says(OK)
        bureau.pass_time(minutes=1)

    assert dying.kinds()[-1] == "turn"
    assert dying.events[-1]["game"]["version"] == bureau.desk.game().version
    assert bureau.desk.to_play().id == ann.id


def test_a_webhook_for_one_game_is_silent_in_others(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest, game="g2")
    bureau.desk.table(ann, ben, id="g1")
    bureau.desk.table(ann, ben, id="g2")
    bureau.work()

    assert {each["game"]["id"] for each in honest.events} == {"g2"}


def test_chat_rooms_get_a_line_in_which_nothing_rings_or_misleads() -> None:
    message = ChannelMessage(
        "e1", "said", "g1", "@everyone [x](http://evil.example) <!channel> & *Ann*", "https://marketpost.example/games/g1"
    )
    told, chat = json.loads(discord.encode_body(message)), json.loads(slack.encode_body(message))
    long = json.loads(discord.encode_body(replace(message, text="*" * 9000)))

    assert told["allowed_mentions"] == {"parse": []}
    assert told["content"].startswith(r"@everyone \[x\](http://evil.example) <!channel\> & \*Ann\*")
    assert chat == {"text": "@everyone [x](http://evil.example) &lt;!channel&gt; &amp; *Ann*\nhttps://marketpost.example/games/g1#e1"}
    assert len(long["content"]) <= 2000


@pytest.mark.parametrize(("kind", "field"), [("discord", "content"), ("slack", "text")])
def test_discord_and_slack_get_their_own_shape(bureau: Bureau, ann: Player, ben: Player, honest: Receiver, kind: str, field: str) -> None:
    bureau.hook(ann, honest, kind)
    bureau.desk.table(ann, ben)
    bureau.work()

    assert "Portobello" in honest.events[0][field]
    assert "/games/g1" in honest.events[0][field]
    assert "key=" not in honest.events[0][field], "what shows this player's side must not stand in a room"
