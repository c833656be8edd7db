"""Being forgotten while something breaks, and while somebody else is at the same thing."""

from pathlib import Path

import pytest
from redis import RedisError

from marketpost.play.keeping.backup import backup, restore
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.erasure import erase, finish_erasures
from marketpost.play.people.registration import invite, register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import join, open_game
from marketpost.store.game_logs import GameLogs
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.players import Player, Players
from marketpost.store.redis_client import RedisClient
from tests.play.over import everything

NUMBERS = "{mailbox}:numbers"


@pytest.fixture
def half_forgotten(ports: Ports, redis: RedisClient, ann: str) -> str:
    """The store broke when Ann had asked to be forgotten, before the letters that name her were looked at."""
    mailbox = LocalMailbox(redis)
    mailbox.add("ben@example.org", "", b"Subject: Your turn\r\n\r\nAnn has moved.\r\n", 1)
    numbers = redis.hgetall(NUMBERS)
    redis.set(NUMBERS, "broken")
    with pytest.raises(RedisError):
        erase(ports, ann)
    redis.delete(NUMBERS)
    redis.hset(NUMBERS, mapping=numbers)
    return ann


def traces(ports: Ports) -> list[bytes]:
    """What still tells of Ann."""
    return [each for each in everything(ports) if b"Ann" in each or b"ann@example.org" in each]


def test_whoever_was_not_erased_in_one_go_is_gone_when_they_ask_again(ports: Ports, half_forgotten: str) -> None:
    assert traces(ports)

    erase(ports, half_forgotten)

    assert not traces(ports)


def test_whoever_was_not_erased_in_one_go_is_gone_when_the_sweeper_has_come_by_twice(ports: Ports, half_forgotten: str) -> None:
    leaving = finish_erasures(ports, set())
    assert traces(ports), "somebody may just be at it"

    assert not finish_erasures(ports, leaving)
    assert not traces(ports)


def test_whoever_was_erased_by_half_when_a_backup_was_made_is_gone_where_it_is_restored(
    ports: Ports, half_forgotten: str, redis: RedisClient, tmp_path: Path
) -> None:
    backup(ports, tmp_path / "backup")
    redis.flushall()

    assert restore(ports, tmp_path / "backup").erased == 1
    assert not traces(ports)


class WhileForgotten(Players):
    """Somebody who claims an address is told whose it is, and just then its owner is forgotten."""

    def __init__(self, redis: RedisClient, ports: Ports) -> None:
        super().__init__(redis)
        self.ports = ports

    def claim(self, email: str, player: str) -> str:
        owner = super().claim(email, player)
        if owner != player:
            erase(self.ports, owner)
        return owner


@pytest.mark.parametrize("how", ["registered", "invited"])
def test_an_address_that_is_used_again_while_its_owner_is_erased_belongs_to_somebody_new(
    ports: Ports, redis: RedisClient, ann: str, how: str
) -> None:
    other = Ports(ports.games, WhileForgotten(redis, ports), ports.index, ports.enqueue)

    new = register(other, "ann@example.org", "Ann").id if how == "registered" else invite(other, "ann@example.org")

    assert new != ann
    assert ports.players.find(ann) is None
    assert ports.players.player_of("ann@example.org") == new
    assert ports.players.find(new)


def test_whoever_sits_down_while_they_are_erased_leaves_the_seat_to_a_bot(ports: Ports, redis: RedisClient, ann: str, ben: str) -> None:
    class SitsDown(Players):
        def erase(self, player: Player) -> None:
            super().erase(player)
            join(ports, "late", player.id)

    open_game(ports, "late", ben, "portobello", [SeatPlan(player=ben), SeatPlan()], {})

    erase(Ports(ports.games, SitsDown(redis), ports.index, ports.enqueue), ann)

    late = ports.game("late")
    assert late
    assert [seat.bot for seat in late.seats] == [None, "greedy"]


def test_a_game_that_begins_while_its_host_is_erased_goes_on_without_them(ports: Ports, redis: RedisClient, ann: str, ben: str) -> None:
    class Begins(GameLogs):
        def delete_standing_orders(self, game: str, player: str) -> None:
            super().delete_standing_orders(game, player)
            join(ports, game, ben)

    open_game(ports, "hosts", ann, "portobello", [SeatPlan(player=ann), SeatPlan()], {})

    erase(Ports(Begins(redis), ports.players, ports.index, ports.enqueue), ann)

    hosts = ports.game("hosts")
    assert hosts
    assert [(seat.bot, seat.player) for seat in hosts.seats] == [("greedy", None), (None, ben)]
    assert ports.players.find(ann) is None
