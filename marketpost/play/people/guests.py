"""Guests: playing without a mail address, and moving the games to a player who signs in."""

from marketpost.play.limits import Limit, OverLimit
from marketpost.play.log.actions import Done, HandedOver, SeatPlan
from marketpost.play.log.commit import change, lists_of
from marketpost.play.log.game import Game
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import new_id
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import find_games
from marketpost.store.players import Player

MOST_TAKEN = 200
IDLE = 30 * 24 * 3600_000
"""Milliseconds without activity after which a guest is erased."""
AT_ONE_GO = 20
FULL = 0.9
"""Share of the limit of guests above which they are erased sooner, so that there is room for others."""
IDLE_IF_FULL = 3600_000
"""Milliseconds without activity after which that may happen."""


def new_guest(ports: Ports, name: str, language: str, address: str = "") -> Player:
    """Create a guest, a player without a mail address, for somebody at a network address."""
    _check_room(ports)
    ports.limits.spend(Limit.GUESTS_ADDRESS, address)
    guest = Player(new_id(), "", name, language, created=ports.clock())
    ports.guests.seen(guest.id, guest.created)
    ports.players.save(guest)
    return guest


def _check_room(ports: Ports) -> None:
    ports.limits.check(Limit.GUESTS_SERVICE, ports.guests.count() + 1)


def has_room(ports: Ports) -> bool:
    """Whether the service has room for one more guest or unconfirmed address."""
    try:
        _check_room(ports)
    except OverLimit:
        return False
    return True


def erase_idle_guests(ports: Ports) -> None:
    """Erase guests who were not active for long, and their games against bots; and who registered an address and never signed in.

    Anybody can register any address. One that is invited to a game stays, because its owner may still answer. Fault: somebody with many
    network addresses may take up all room. Where it gets scarce, an hour without activity is long.
    """
    most = ports.limits.amounts.get(Limit.GUESTS_SERVICE)
    idle = IDLE_IF_FULL if most is not None and ports.guests.count() > FULL * most else IDLE
    for guest in ports.guests.idle_since(ports.clock() - idle, AT_ONE_GO):
        known = ports.players.find(guest)
        if known and known.confirmed:
            ports.guests.drop(guest)
            continue
        if known and known.email and ports.index.page(f"player:{guest}", None, 1):
            ports.guests.seen(guest, ports.clock())
            continue
        for _, id in ports.index.page(f"player:{guest}", None, MOST_TAKEN):
            _delete_own_game(ports, guest, id)
        erase(ports, guest)


def _delete_own_game(ports: Ports, guest: str, id: str) -> None:
    game = ports.sound_game(id)
    if game and game.people == {guest}:
        ports.games.delete(id)
        ports.index.place(id, {}, {*lists_of(ports, game), "clock"})
        ports.evict(id)


def merge_guest(ports: Ports, guest: str, player: str) -> None:
    """Hand the seats of a guest over to the player whom they signed in as, and erase the guest."""
    known = ports.players.find(guest)
    if known is None or not known.is_guest or guest == player:
        return

    def hand_over(game: Game) -> Done:
        return [HandedOver(seat, SeatPlan(player=player)) for seat in game.seats_of(guest)], []

    games, _ = find_games(ports, [f"player:{guest}"], lambda game: bool(game.seats_of(guest)), None, MOST_TAKEN)
    for game in games:
        change(ports, game.id, player, hand_over)
    erase(ports, guest)
