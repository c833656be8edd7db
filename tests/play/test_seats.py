"""Who sits where, who lets whom in, and how a game may end before its end."""

import pytest

from marketpost.play.keeping.verify import rebuild, verify
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.entries import decode
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import record
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.outbox.notices import Notice
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import MOST_MUTED, mute, register
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import cancel
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.invite_links import links_of, make_link, revoke_link
from marketpost.play.table.notes import add_note, note, noted
from marketpost.play.table.proposals import agree, disagree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import decline, import_game, join, leave, open_game, resign
from marketpost.rules import records
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import replay
from marketpost.rules.ruleset import Setting, ruleset
from tests.games import decide, deciding, play_to_the_end


def now(ports: Ports, id: str = "g1") -> Game:
    game = ports.game(id)
    assert game
    return game


def running(ports: Ports, *players: str, bots: int = 0) -> Game:
    seats = [SeatPlan(player=each) for each in players] + [SeatPlan(bot="random")] * bots
    open_game(ports, "g1", players[0], "portobello", seats, {})
    decide(ports, ["g1"], deciding())
    return now(ports)


def deliver(ports: Ports, id: str = "g1") -> list[Notice]:
    """What is told to whom."""
    told: list[Notice] = []
    decide(ports, [id], deciding(notify=told.extend))
    return told


def is_sound(ports: Ports, id: str = "g1") -> bool:
    return not verify(id, ports.games.read(id), ports.games.head(id)).faults and rebuild(ports).differences == ()


def test_the_host_may_cancel_before_the_start_and_everyone_asked_is_told(ports: Ports, ann: str, ben: str, cy: str) -> None:
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(invited=ben), SeatPlan()], {}, public=True)
    join(ports, "g1", cy)
    deliver(ports)
    for somebody in (ben, cy):
        with pytest.raises(Refused, match="not-the-host"):
            cancel(ports, "g1", somebody)

    game = cancel(ports, "g1", ann)

    assert (game.status, game.how_ended, game.winners, game.deciders) == ("over", "cancelled", (), ())
    assert {(each.kind, each.player) for each in deliver(ports)} == {("news", ben), ("news", cy)}
    assert game.secret == ports.games.secret("g1").hex()
    assert cancel(ports, "g1", ann).version == game.version
    assert is_sound(ports)
    for late in (join, leave, resign, rematch):
        with pytest.raises(Refused):
            late(ports, "g1", ann if late is not join else register(ports, "dee@example.org", "Dee").id)
    with pytest.raises(Refused, match="game-over"):
        submit(ports, game, ann, "bobby 3")


def test_what_has_begun_cannot_be_cancelled(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben)

    with pytest.raises(Refused, match="already-started"):
        cancel(ports, "g1", ann)


def test_a_draw_that_all_agree_on_is_shared_by_all(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben, bots=1)
    proposal = propose(ports, "g1", ann, "draw").proposal
    assert proposal
    assert [(each.kind, each.player, each.by) for each in deliver(ports) if each.kind == "proposed"] == [("proposed", ben, ann)]

    game = agree(ports, "g1", ben, proposal.number)

    assert (game.status, game.how_ended, game.winners) == ("over", "draw", (0, 1, 2))
    assert {(each.kind, each.player) for each in deliver(ports)} == {("over", ann), ("over", ben)}
    assert is_sound(ports)
    assert replay(records.read(record(ports, game))).state == game.state


def test_proposing_what_is_proposed_already_is_agreeing(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben)
    propose(ports, "g1", ann, "abandon")
    with pytest.raises(Refused, match="proposal-open"):
        propose(ports, "g1", ben, "draw")

    game = propose(ports, "g1", ben, "abandon")

    assert (game.how_ended, game.winners) == ("abandoned", ())
    assert {(each.kind, each.player) for each in deliver(ports) if each.kind == "news"} == {("news", ann)}, "ben has said the last yes"
    assert is_sound(ports)


def test_a_no_is_told_and_the_proposer_may_take_it_back(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben)
    first = propose(ports, "g1", ann, "draw").proposal
    assert first
    deliver(ports)
    disagree(ports, "g1", ben, first.number)
    assert [(each.kind, each.player) for each in deliver(ports)] == [("news", ann)]
    second = propose(ports, "g1", ann, "draw").proposal
    assert second

    assert disagree(ports, "g1", ann, second.number).proposal is None
    assert now(ports).status == "running"


def test_a_stranger_has_no_say(ports: Ports, ann: str, ben: str, cy: str) -> None:
    running(ports, ann, ben)
    proposal = propose(ports, "g1", ann, "draw").proposal
    assert proposal

    for verb in (agree, disagree):
        with pytest.raises(Refused, match="not-your-game"):
            verb(ports, "g1", cy, proposal.number)
    with pytest.raises(Refused, match="not-your-game"):
        propose(ports, "g1", cy, "abandon")


def test_orders_that_waited_when_the_game_was_abandoned_are_refused(ports: Ports, ann: str, ben: str) -> None:
    game = running(ports, ann, ben)
    mover = game.seats[game.deciders[0]].player
    assert mover
    propose(ports, "g1", ann, "abandon")
    sent = submit(ports, game, mover, "bobby 3")
    propose(ports, "g1", ben, "abandon")

    decide(ports, ["g1"], deciding())

    decided = outcome(ports, "g1", sent)
    assert decided
    assert (decided.status, decided.code, decided.legal) == ("refused", "game-over", [])


def test_a_seat_is_handed_to_a_player_who_accepts_it(ports: Ports, ann: str, ben: str, cy: str) -> None:
    running(ports, ann, ben)
    deliver(ports)
    offered = hand_over(ports, "g1", ann, SeatPlan(invited=cy))
    assert offered.seats[0].player == ann
    assert offered.may_see(cy)
    assert [(each.kind, each.player, each.by) for each in deliver(ports)] == [("proposed", cy, ann)]
    assert rebuild(ports).differences == ()

    game = join(ports, "g1", cy)

    assert (game.seats[0], game.offers) == (SeatPlan(player=cy), {})
    assert {each.player for each in deliver(ports) if each.kind == "news"} == {ann, ben}
    assert is_sound(ports)
    with pytest.raises(Refused, match="already-started"):
        join(ports, "g1", ann)


def test_a_seat_that_was_declined_stays_where_it_is(ports: Ports, ann: str, ben: str, cy: str) -> None:
    running(ports, ann, ben)
    hand_over(ports, "g1", ann, SeatPlan(invited=cy))
    deliver(ports)

    game = decline(ports, "g1", cy)

    assert (game.seats[0].player, game.offers) == (ann, {})
    assert [(each.kind, each.player) for each in deliver(ports)] == [("news", ann)]
    assert is_sound(ports)


def test_a_seat_is_handed_to_a_bot_at_once(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben)

    game = hand_over(ports, "g1", ann, SeatPlan(bot="random"))

    assert game.seats[0] == SeatPlan(bot="random")
    for wrong, code in ((SeatPlan(bot="nobody"), "unknown-bot"), (SeatPlan(invited=ben), "seat-twice")):
        with pytest.raises(Refused, match=code):
            hand_over(ports, "g1", ben, wrong)
    assert is_sound(ports)


def test_a_rematch_is_one_game_with_the_same_rules(ports: Ports, ann: str, ben: str) -> None:
    game = running(ports, ann, ben, bots=1)
    with pytest.raises(Refused, match="not-over"):
        rematch(ports, "g1", ann)
    resign(ports, "g1", ben)
    assert propose(ports, "g1", ann, "draw").how_ended == "draw", "bots agree to everything"
    with pytest.raises(Refused, match="not-your-game"):
        rematch(ports, "g1", ben)

    again = rematch(ports, "g1", ann)

    assert (again.rules.name, again.setting, again.host) == (game.rules.name, game.setting, ann)
    assert rematch(ports, "g1", ann).id == again.id
    assert [bool(seat.bot) for seat in again.seats] == [False, True, True]


def test_in_a_rematch_the_winner_sits_last_and_all_keep_their_colours(ports: Ports, ann: str, ben: str) -> None:
    rules = ruleset("portobello")
    state, played = play_to_the_end(rules, Setting(rules.colours[:2], rules.boards()[0]), 5)
    done = replay(records.read(records.write(rules, played)))
    game = import_game(ports, "g1", ann, done, [SeatPlan(player=ann), SeatPlan(player=ben)])
    [winner] = rules.winners(state)

    again = rematch(ports, "g1", ann)

    assert again.setting.colours == (rules.colours[1 - winner], rules.colours[winner])
    assert [seat.player or seat.invited for seat in again.seats] == [game.seats[1 - winner].player, game.seats[winner].player]


def test_whoever_also_says_rematch_sits_down_in_the_same_game(ports: Ports, ann: str, ben: str) -> None:
    running(ports, ann, ben)
    propose(ports, "g1", ann, "draw")
    propose(ports, "g1", ben, "draw")
    opened = rematch(ports, "g1", ben)
    assert (opened.status, {seat.invited for seat in opened.seats}) == ("open", {ann, None})
    assert [(each.kind, each.player) for each in deliver(ports, opened.id)] == [("invited", ann)]

    begun = rematch(ports, "g1", ann)

    assert (begun.id, begun.status) == (opened.id, "running")


def test_links_are_made_once_by_those_who_may_and_revoked(ports: Ports, ann: str, ben: str, cy: str) -> None:
    open_game(ports, "g1", ann, "portobello", [SeatPlan(player=ann), SeatPlan(invited=ben), SeatPlan()], {})
    _, number = make_link(ports, "g1", ann, "seat")
    assert make_link(ports, "g1", ann, "seat")[1] == number
    for who, what, code in ((ben, "seat", "not-the-host"), (ben, "look", "not-your-game"), (cy, "look", "not-your-game")):
        with pytest.raises(Refused, match=code):
            make_link(ports, "g1", who, what)
    join(ports, "g1", ben)
    game, other = make_link(ports, "g1", ben, "look")
    assert (set(links_of(game, ann)), set(links_of(game, ben)), set(links_of(game, cy))) == ({number, other}, {other}, set())
    for who, which in ((ben, number), (cy, other), (ann, 999)):
        with pytest.raises(Refused, match="no-such-link"):
            revoke_link(ports, "g1", who, which)

    assert revoke_link(ports, "g1", ann, other).links.keys() == {number}
    assert make_link(ports, "g1", ben, "look")[1] > other


def test_notes_are_kept_for_each_player_and_added_once(ports: Ports, ann: str, ben: str) -> None:
    game = running(ports, ann, ben)
    add_note(ports, game, ann, "Ben wants G.")
    add_note(ports, game, ann, "Watch the Bobby.")
    add_note(ports, game, ann, "Watch the Bobby.")

    assert (noted(ports, game, ann), noted(ports, game, ben)) == ("Ben wants G.\nWatch the Bobby.", "")
    with pytest.raises(Refused, match="notes-too-long"):
        add_note(ports, game, ann, "x" * 10_000)
    assert note(ports, game, ann, "") == ""


def test_nobody_mutes_themselves_or_the_whole_world(ports: Ports, ann: str) -> None:
    player = ports.players.find(ann)
    assert player
    with pytest.raises(Refused, match="no-such-player"):
        mute(ports, player, ann)
    player.muted = [f"{number:016}" for number in range(MOST_MUTED)]
    ports.players.save(player)
    with pytest.raises(Refused, match="too-many-muted"):
        mute(ports, player, "somebody")
    mute(ports, player, player.muted[0], off=True)
    mute(ports, player, "somebody")


def test_whoever_is_erased_leaves_every_table_as_it_should_be(ports: Ports, ann: str, ben: str, cy: str) -> None:
    running(ports, ann, ben)
    make_link(ports, "g1", ann, "look")
    three = [SeatPlan(player=ben), SeatPlan(invited=ann), SeatPlan()]
    open_game(ports, "hosts", ann, "portobello", [SeatPlan(player=ann), SeatPlan(invited=ben)], {})
    open_game(ports, "sits", ben, "portobello", [SeatPlan(player=ben), SeatPlan(), SeatPlan()], {})
    join(ports, "sits", ann)
    open_game(ports, "asked", ben, "portobello", three, {})
    open_game(ports, "offered", ben, "portobello", [SeatPlan(player=ben), SeatPlan(player=cy)], {})
    hand_over(ports, "offered", ben, SeatPlan(invited=ann))

    erase(ports, ann)

    assert [each.bot for each in now(ports).seats] == ["greedy", None]
    assert not now(ports).links
    assert now(ports, "hosts").how_ended == "cancelled"
    assert now(ports, "sits").seats[1] == now(ports, "asked").seats[1] == SeatPlan()
    assert not now(ports, "offered").offers
    assert ports.players.find(ann) is None
    assert rebuild(ports).differences == ()
    assert all(decode(each.data).version for each in ports.games.read("g1"))


def test_whoever_is_erased_while_they_change_something_stays_erased(ports: Ports, ann: str, ben: str) -> None:
    player = ports.players.find(ann)
    assert player
    erase(ports, ann)

    mute(ports, player, ben)

    assert ports.players.find(ann) is None
