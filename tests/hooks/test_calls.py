"""Calls on their way: each event once, in order, with patience for the receiver, and letters where no webhook works."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from hooks.calls import LEAST_FAILURES, LONGEST_WAIT, Exchange, call_due
from hooks.make import MOST_HOOKS, make_hook, secret_of
from hooks.shapes import Event, write
from mail.incoming import receive
from play.log import SeatPlan
from play.open import decline, open_game
from play.propose import disagree, propose
from play.talk import say
from play.wishes import no_more_letters, wish
from rules.refusal import Refused
from store.hooks import LEASE, Hook
from store.mailbox import Mail
from store.people import Player
from store.settings import Settings
from tests.hooks.receivers import OK, Receiver, never_answers, receiver, says, status
from tests.mail.office import Desk, open_desk, two_redis
from tests.play.timed import DAY, live, timed_game
from workers.office import make_exchange


@dataclass(frozen=True, slots=True)
class Bureau:
    """The office, and the telephone beside it."""

    desk: Desk
    exchange: Exchange

    def hook(self, player: Player, receiver: Receiver, kind: str = "plain", game: str | None = None) -> Hook:
        office, id = self.desk.office, f"h{len(self.desk.office.hooks.of(player.id))}"
        return make_hook(office, self.exchange.caller.allowed, id, player.id, receiver.url, kind, game)

    def again(self, hook: Hook) -> Hook:
        found = self.desk.office.hooks.find(hook.player, hook.id)
        assert found
        return found

    def work(self) -> None:
        """Everything that is due now: moves, letters, calls."""
        self.desk.work()
        call_due(self.exchange, 10.0)
        self.desk.work()

    def pass_time(self, **much: float) -> None:
        self.desk.clock.forward(**much)
        self.work()


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    with two_redis() as found:
        yield replace(found, webhook_allow="127.0.0.1/32")


@pytest.fixture
def bureau(settings: Settings) -> Bureau:
    desk = open_desk(settings)
    return Bureau(desk, make_exchange(desk.office, desk.kicks))


@pytest.fixture
def ann(bureau: Bureau) -> Player:
    return bureau.desk.person("Ann", "de", mail="webhook")


@pytest.fixture
def ben(bureau: Bureau) -> Player:
    return bureau.desk.person("Ben", "en")


@pytest.fixture
def honest() -> Iterator[Receiver]:
    with receiver(says(OK)) as found:
        yield found


def choose(bureau: Bureau, player: Player, choice: str, game: str = "g1") -> None:
    bureau.desk.office.ports.people.choose(player.id, game, choice)


def subjects(bureau: Bureau, player: Player) -> list[str]:
    return [mail.header("Subject") for mail in bureau.desk.box(player)]


def play_until_turn_of(bureau: Bureau, player: Player, id: str = "g1") -> None:
    """At least one turn passes."""
    desk = bureau.desk
    desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
    while desk.to_play(id).id != player.id:
        desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)


# What is told


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
    assert told["game"]["position"] == json.loads(json.dumps(game.rules.view(game.state, 0)))


def test_the_signature_can_be_checked_with_the_secret_alone(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    hook = bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    bureau.work()

    [(headers, body), *_] = honest.requests
    said = dict(part.split("=") for part in headers["Marketpost-Signature"].split(","))
    secret = secret_of(bureau.desk.office, hook.id).encode()
    assert said["v1"] == hmac.new(secret, f"{said['t']}.".encode() + body, hashlib.sha256).hexdigest()
    assert abs(int(said["t"]) - bureau.desk.clock.now // 1000) < 60


def test_every_kind_of_event_is_told(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    ports = bureau.desk.office.ports
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
    ports = bureau.desk.office.ports
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
    bureau.desk.office.ports.people.save(ann)
    say(bureau.desk.office.ports, bureau.desk.game(), ben.id, "Are you there?")
    bureau.work()

    assert honest.kinds()
    assert "said" not in honest.kinds()


def test_a_notice_told_twice_is_one_call(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    told: list[Any] = []
    tell = bureau.desk.office.ports.tell
    bureau.desk.office.ports.tell = lambda notices: (told.extend(notices), tell(notices))[1]
    bureau.desk.table(ann, ben)
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
    call_due(bureau.exchange, 10.0)

    assert "turn" not in honest.kinds()
    assert bureau.desk.office.hooks.waiting() == 0


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
    event = Event("e1", "said", "@everyone [x](http://evil.example) <!channel> & *Ann*", "https://marketpost.example/games/g1", {})

    discord, slack = json.loads(write("discord", event)), json.loads(write("slack", event))

    assert discord["allowed_mentions"] == {"parse": []}
    assert discord["content"].startswith(r"@everyone \[x\](http://evil.example) <!channel\> & \*Ann\*")
    assert slack == {"text": "@everyone [x](http://evil.example) &lt;!channel&gt; &amp; *Ann*\nhttps://marketpost.example/games/g1"}
    assert len(json.loads(write("discord", replace(event, text="*" * 9000)))["content"]) <= 2000


@pytest.mark.parametrize(("kind", "field"), [("discord", "content"), ("slack", "text")])
def test_discord_and_slack_get_their_own_shape(bureau: Bureau, ann: Player, ben: Player, honest: Receiver, kind: str, field: str) -> None:
    bureau.hook(ann, honest, kind)
    bureau.desk.table(ann, ben)
    bureau.work()

    assert "Portobello" in honest.events[0][field]
    assert "/games/g1" in honest.events[0][field]
    assert "key=" not in honest.events[0][field], "what shows this player's side must not stand in a room"


# Receivers that fail


def test_a_call_that_fails_is_made_again_later_and_later(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        tries, waits = [], []
        for _ in range(12):
            bureau.work()
            tries.append(broken.connections)
            found = bureau.again(hook)
            waits.append(found.again - (found.last_error_at or 0))
            bureau.pass_time(milliseconds=waits[-1])

        assert tries == sorted(set(tries)), "each time again"
        assert waits == sorted(waits)
        assert waits[0] < waits[-1]
        assert waits[-1] <= LONGEST_WAIT
        assert (bureau.again(hook).last_error, bureau.again(hook).off) == ("status 500", None)

        broken.answer = says(OK)
        bureau.pass_time(hours=1)
        healed = bureau.again(hook)
        assert (healed.failures, healed.failing_since) == (0, None)
        assert healed.last_success
        assert healed.last_error == "status 500", "still shown"
        assert bureau.desk.office.hooks.waiting() == 0


def test_after_days_of_failure_it_is_switched_off_with_one_letter_and_letters_come_again(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ben, ann)
        for _ in range(4 * 24):
            bureau.pass_time(hours=1)
        off = bureau.again(hook)
        made = broken.connections

        play_until_turn_of(bureau, ann)
        bureau.pass_time(hours=1)

    assert off.off
    assert off.failures >= LEAST_FAILURES
    assert broken.connections == made, "no more calls"
    assert subjects(bureau, ann)[0] == "Dein Webhook bei 127.0.0.1 ist abgeschaltet"
    assert [subject for subject in subjects(bureau, ann) if "Webhook" in subject] == subjects(bureau, ann)[:1]
    assert "Die Antwort war 500." in bureau.desk.box(ann)[0].text
    assert "/hook" not in bureau.desk.box(ann)[0].text, "the rest of the address may be a secret"
    assert subjects(bureau, ann)[-1].startswith("Du bist am Zug")
    assert bureau.desk.office.hooks.waiting() == 0


def test_a_webhook_that_was_hardly_called_is_not_switched_off(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        bureau.work()
        bureau.desk.clock.forward(days=30)
        bureau.work()

        assert broken.connections >= 2
        assert bureau.again(hook).off is None


def test_a_broken_webhook_does_not_hold_up_another_of_the_same_player(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    with receiver(status(500)) as broken:
        bureau.hook(ann, broken)
        bureau.hook(ann, honest)
        bureau.desk.table(ann, ben)
        bureau.work()

    assert honest.requests


def test_a_receiver_that_breaks_its_caller_has_only_failed(bureau: Bureau, ann: Player, ben: Player) -> None:
    def breaks(url: str, body: bytes, headers: Any) -> str:
        raise LookupError(url)

    with receiver(says(OK)) as strange:
        hook = bureau.hook(ann, strange)
        bureau.exchange.caller = breaks
        bureau.desk.table(ann, ben)
        bureau.work()

    assert bureau.again(hook).last_error == "unreadable"
    assert bureau.desk.office.hooks.waiting() == 1


def test_a_deleted_webhook_is_not_called_and_does_not_come_back(bureau: Bureau, ann: Player, ben: Player) -> None:
    with receiver(status(500)) as broken:
        hook = bureau.hook(ann, broken)
        bureau.desk.table(ann, ben)
        bureau.work()
        bureau.desk.office.hooks.delete(ann.id, hook.id)
        bureau.desk.office.hooks.keep(hook)
        bureau.pass_time(hours=1)

    assert broken.connections == 1
    assert bureau.desk.office.hooks.of(ann.id) == []
    assert bureau.desk.office.hooks.waiting() == 0


def test_a_call_whose_worker_died_is_made_by_another(bureau: Bureau, ann: Player, ben: Player, honest: Receiver) -> None:
    bureau.hook(ann, honest)
    bureau.desk.table(ann, ben)
    hooks = bureau.desk.office.hooks
    assert hooks.take(bureau.desk.clock(), 10)

    call_due(bureau.exchange, 10.0)
    assert honest.requests == []
    bureau.pass_time(milliseconds=LEASE + 1)
    assert honest.requests


def test_a_slow_receiver_of_one_player_does_not_delay_the_calls_of_others(
    bureau: Bureau, ann: Player, ben: Player, honest: Receiver
) -> None:
    """Each player has one line: however many slow receivers one has, the others' calls are made meanwhile."""
    with receiver(never_answers) as slow:
        bureau.exchange.caller = replace(bureau.exchange.caller, deadline=3.0)
        for _ in range(MOST_HOOKS):
            bureau.hook(ann, slow)
        bureau.hook(ben, honest)
        bureau.desk.table(ann, ben)
        slow_ones_while_told: list[int] = []
        honest.answer = lambda connection, over: (slow_ones_while_told.append(slow.connections), connection.sendall(OK))[1]
        bureau.desk.work()

        call_due(bureau.exchange, 1.0)

    assert slow_ones_while_told, "called"
    assert max(slow_ones_while_told) <= 1
    assert bureau.desk.office.hooks.due(bureau.desk.clock()) == MOST_HOOKS - 1, "the rest is given back"


def test_nobody_has_more_webhooks_than_is_good(bureau: Bureau, ann: Player, honest: Receiver) -> None:
    for _ in range(MOST_HOOKS):
        bureau.hook(ann, honest)

    with pytest.raises(Refused) as refused:
        bureau.hook(ann, honest)

    assert refused.value.code == "too-many-webhooks"


# What players choose


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
    office = bureau.desk.office

    assert wish(office.ports, office.hooks, ann, "g1").letters == "every"
    assert wish(office.ports, office.hooks, ann, "g2").letters == "none"


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

    no_more_letters(bureau.desk.office.ports, bureau.desk.again(cleo))
    for id in ("g1", "g2"):
        bureau.desk.table(cleo, ben, id=id)
        play_until_turn_of(bureau, cleo, id)
    bureau.work()

    assert bureau.desk.box(cleo) == []
    assert {each["game"]["id"] for each in honest.events} == {"g1"}


# Letters for programs


def decision(raw: bytes) -> dict[str, Any] | None:
    found = [each for each in Mail(raw).attachments if each.kind == "application/json"]
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
        receive(bureau.desk.office, mail.encode(), [to])
        bureau.work()
        letter = bureau.desk.newest(cleo)

    assert bureau.desk.game().state.turn > turn
