"""`marketpost trace`: an operator follows a move, or a mail, from the door to the last letter."""

import re

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.mail.inbound.message_status import MEANINGS, MessageStatus
from marketpost.play.keeping.compaction import compact
from marketpost.play.log.actions import Moved, SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.moves.submit import submit
from marketpost.rules.ruleset import rulesets
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.players import MailPreference
from tests.finished import finished
from tests.mail.desk import MONDAY, Desk, reply
from tests.mail.test_automatic import MAILS
from tests.mail.test_digest import UNREADABLE, digest, labels, waiting_tables


def trace(desk: Desk, *words: str, status: int = 0) -> str:
    settings = desk.mailer.settings
    stores = {"REDIS_URL": settings.redis_url, "QUEUE_REDIS_URL": settings.queue_redis_url}
    done = CliRunner().invoke(main, ["trace", *words], env=stores)
    assert done.exit_code == status, done.output
    return done.output


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_a_move_by_mail_is_followed_to_the_letters_it_caused(desk: Desk, rules: str) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"), rules=rules)
    mover = desk.to_play()
    desk.answer(mover, desk.good_orders())
    game = desk.game()
    moved = next(line for line in trace(desk, game.id).splitlines() if ": Moved" in line)
    move = moved.split(", move ")[1].split(",")[0]

    told = trace(desk, game.id, move)

    assert f"move {move} was decided: applied" in told
    assert "(receipt)" in told
    assert ": sent at once" in told


def messages(desk: Desk) -> list[str]:
    """Ids of the messages that came in, the newest last."""
    queue = desk.mailer.mail_queue
    named = (key.decode().rpartition(":")[2] for key in queue.redis.scan_iter("{mail}:in:*", count=1000))
    return sorted(named, key=lambda each: found.at if (found := queue.inbound(each)) else 0)


def test_a_mail_that_was_refused_shows_its_verdict_and_its_answer(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    desk.answer(desk.to_play(), "stall nowhere", verdict=AuthVerdict.NONE)
    [message] = messages(desk)

    told = trace(desk, message)

    assert "verdict none" in told
    assert f"answer-{message}" in told


@pytest.mark.parametrize("rules", sorted(rulesets()))
def test_a_mail_is_followed_to_the_move_that_it_became(desk: Desk, rules: str) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"), rules=rules)
    desk.answer(desk.to_play(), desk.good_orders())

    told = trace(desk, messages(desk)[-1])

    assert "which became move" in told
    assert "was decided: applied" in told
    assert "(receipt)" in told


def test_a_held_mail_and_the_yes_to_it_name_each_other(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    mover, orders = desk.to_play(), desk.good_orders()
    desk.answer(mover, orders, sender="mallory@example.org")
    desk.answer(mover, "yes", to=desk.newest(mover))
    held, yes = messages(desk)

    assert f"message {held}: held. Waits for a yes from the player's own address." in trace(desk, held)
    assert f"message {held} came from another address than that of its player" in trace(desk, held)
    assert f"message {yes} says yes or no to the held message {held}" in trace(desk, held)
    assert "was decided: applied" in trace(desk, held)
    assert f"says yes or no to the held message {held}" in trace(desk, yes)
    assert "was decided: applied" in trace(desk, yes)


def test_a_mail_is_found_by_the_message_id_that_its_sender_sees(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    desk.answer(desk.to_play(), desk.good_orders(), Message_ID="<sent.by.ann@mail.example.org>")

    assert "was decided: applied" in trace(desk, "<sent.by.ann@mail.example.org>")
    assert trace(desk, "sent.by.ann@mail.example.org") == trace(desk, *messages(desk))


def test_a_second_copy_leads_to_the_way_of_the_first(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    mover, orders, letter = desk.to_play(), desk.good_orders(), desk.newest(desk.to_play())
    for way in ("one", "other"):
        desk.answer(mover, orders, to=letter, Message_ID="<twice@mail.example.org>", X_Came_By=way)
    first, second = messages(desk)

    told = trace(desk, second)

    assert f"message {second} has the Message-ID of message {first}, which came before" in told
    assert f"message {second}: seen. Another copy of a message that was acted on before." in told
    assert "was decided: applied" in told


def test_of_a_mail_with_two_parts_each_tells_what_became_of_it(desk: Desk) -> None:
    ann = desk.person("Ann", mail=MailPreference.DIGEST)
    waiting_tables(desk, ann, ["portobello"] * 2)
    letter = digest(desk, ann)
    (good, game), (bad, _) = labels(desk, letter).items()
    desk.receive(reply(letter, ann.email, f"{good}: {desk.good_orders(id=game)}\n{bad}: {UNREADABLE}"), letter.reply_to)
    message = next(each for each in messages(desk) if "." not in each)

    told = trace(desk, message)

    assert f"message {message}: several-games." in told
    assert re.search(rf"part {message}.{good} had orders: .*, which became move \w+ in game {game}", told)
    assert f"part {message}.{bad}: strange. Has a line that is neither order nor command" in told


def test_orders_for_a_turn_that_is_over_are_called_so(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    mover, orders = desk.to_play(), desk.good_orders()
    letter = desk.newest(mover)
    desk.by_rest(mover, orders)
    desk.answer(mover, orders, to=letter)

    assert "had orders for a turn that is over, which were not submitted" in trace(desk, *messages(desk))


def test_a_mail_with_nothing_to_read_in_it_says_so(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    desk.answer(desk.to_play(), "")

    assert "nothing-found. Has neither orders nor commands" in trace(desk, *messages(desk))


def test_a_forged_mail_says_who_denies_it(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    desk.answer(desk.to_play(), desk.good_orders(), verdict=AuthVerdict.FAIL)

    told = trace(desk, *messages(desk))

    assert "the domain of its sender's address says that it has not sent it (verdict fail)" in told
    assert "held. Waits for a yes" in told


@pytest.mark.parametrize("status", MessageStatus)
def test_every_status_of_a_mail_has_a_sentence(status: MessageStatus) -> None:
    assert MEANINGS[status].endswith(".")


def test_a_letter_that_came_back_says_so(desk: Desk) -> None:
    ann = desk.person("Ann")
    desk.table(ann, desk.person("Ben"))
    letter = next(each for each in desk.street.brought if each.recipient == ann.email)
    desk.receive((MAILS / "bounce_failed.eml").read_bytes(), letter.sender)

    assert "came back" in trace(desk, letter.mail.header("Message-ID"))
    assert "came back" in trace(desk, desk.game().id)
    told = trace(desk, *messages(desk))
    assert "is about letter g1-" in told
    assert ": sent at once" in told


def test_what_cannot_be_read_is_said_so_in_one_line(desk: Desk) -> None:
    desk.mailer.deliveries.redis.set(desk.mailer.deliveries.key("out", "poisoned"), b"{")

    assert "what is stored of poisoned cannot be read" in trace(desk, "poisoned", status=1)


def test_a_damaged_game_is_called_so(desk: Desk) -> None:
    game = desk.table(desk.person("Ann"), desk.person("Ben"))
    key = desk.mailer.ports.games.key(game.id, "log")
    desk.mailer.ports.games.redis.xadd(key, {"e": b"who wrote this?"}, id=f"{game.version + 1}-0")

    assert f"`marketpost verify {game.id}`" in trace(desk, game.id, status=1)


def test_a_letter_is_found_by_its_message_id(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    letter = desk.street.brought[-1]

    assert "was put into the queue" in trace(desk, letter.mail.header("Message-ID"))


def test_what_is_not_there_is_said_so(desk: Desk) -> None:
    assert "nothing is stored of no-such-game" in trace(desk, "no-such-game", status=1)


def test_a_move_is_found_without_its_game_and_shows_the_mail_that_it_came_by(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    desk.answer(desk.to_play(), desk.good_orders())
    [message] = messages(desk)
    inbound = desk.mailer.mail_queue.inbound(message)
    assert inbound

    assert f"message {message} had orders" in trace(desk, inbound.move)
    assert f"message {message} came in" in trace(desk, "g1")


def test_a_move_of_a_game_that_was_compacted_is_found_too(desk: Desk) -> None:
    ports = desk.mailer.ports
    finished(ports, "old", [SeatPlan(player=desk.person(name).id) for name in ("Ann", "Ben")], began=MONDAY)
    move = next(each.action.move for each in map(decode, (one.data for one in ports.games.read("old"))) if isinstance(each.action, Moved))
    assert compact(ports, "old")

    assert f"move {move} was decided: applied" in trace(desk, move)


def test_a_move_that_waited_for_long_says_when_it_was_accepted(desk: Desk) -> None:
    desk.table(desk.person("Ann"), desk.person("Ben"))
    ports, mover = desk.mailer.ports, desk.to_play()
    move = submit(ports, desk.game(), mover.id, desk.good_orders())
    desk.clock.forward(minutes=7)
    desk.decide()
    accepted, decided = [line for line in trace(desk, move).splitlines() if f"move {move} was" in line]

    assert accepted.endswith("was accepted")
    assert " +420.0" in trace(desk, move)
    assert decided.endswith("was decided: applied")
