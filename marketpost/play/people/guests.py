"""Playing without an address, and taking the games along once there is one."""

from marketpost.play.log.actions import Done, HandedOver, SeatPlan
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import new_id
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import find_games
from marketpost.store.players import Player

MOST_TAKEN = 200


def is_guest(ports: Ports, player: str) -> bool:
    """Whether this is a player without a mail address."""
    found = ports.players.find(player)
    return found is not None and not found.email


def new_guest(ports: Ports, name: str, language: str) -> Player:
    """A player like any other, whom no letter can reach."""
    guest = Player(new_id(), "", name, language, created=ports.clock())
    ports.players.save(guest)
    return guest


def take_along(ports: Ports, guest: str, player: str) -> None:
    """The guest turned out to be this player: every seat of theirs changes hands, and the guest is gone."""
    known = ports.players.find(guest)
    if known is None or known.email or guest == player:
        return

    def hand_over(game: Game) -> Done:
        return [HandedOver(seat, SeatPlan(player=player)) for seat in game.seats_of(guest)], []

    games, _ = find_games(ports, [f"player:{guest}"], lambda game: bool(game.seats_of(guest)), None, MOST_TAKEN)
    for game in games:
        change(ports, game.id, player, hand_over)
    erase(ports, guest)
