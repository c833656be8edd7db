"""Says where customers and shops may be placed."""

from marketpost.rules.alturien.movement import find_space
from marketpost.rules.alturien.options import CustomerStart
from marketpost.rules.alturien.state import State
from marketpost.rules.refusal import Illegal


def is_start_space(state: State, space: str) -> bool:
    """Whether a customer may start here: on a grey space, or on a plain one, as the option `customer_start` says."""
    if state.options.customer_start == CustomerStart.GREY:
        return space in state.board.grey
    return space not in state.board.grey and space != state.board.middle


def start_spaces(state: State) -> list[str]:
    """List the free spaces on which the next customer may be placed."""
    return [space for space in state.board.neighbours if is_start_space(state, space) and space not in state.spaces]


def find_site(state: State, name: str) -> str:
    """Find the site of this name; refused if there is none or if it has an owner."""
    site = find_space(state.board, name)
    if site not in state.board.group_of:
        raise Illegal("no-site-there", space=site)
    if site in state.owners:
        raise Illegal("site-taken", site=site, colour=state.colours[state.owners[site]])
    return site


def first_sites(state: State) -> list[str]:
    """List the sites for the next of a player's first shops: a second grey one only where no plain site is free."""
    free = free_sites(state)
    plain = [site for site in free if site not in state.board.grey]
    has_grey = any(site in state.board.grey for site in state.shops(state.decider))
    return plain if has_grey and plain else free


def free_sites(state: State) -> list[str]:
    """List the sites without an owner."""
    return [site for site in state.board.group_of if site not in state.owners]
