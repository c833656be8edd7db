"""The language of standing orders."""

from collections.abc import Iterator
from dataclasses import dataclass

from marketpost.rules.alturien.board import WORDS
from marketpost.rules.alturien.orders import (
    ENGLISH,
    FaceThief,
    PlaceCustomer,
    PlaceShop,
    Sale,
    Step,
    notate_step,
    read_all,
    read_sale,
    read_step,
)
from marketpost.rules.reading import first_meaning
from marketpost.rules.refusal import Refused, Unreadable
from marketpost.rules.words import Words, tokens

MOST_SALES = 30
LONGEST_ORDER = 1500
"""So long that as many sales can be written in any language."""
STANDING = "standing"
"""The part of the word files with what only standing orders say."""


@dataclass(frozen=True, slots=True)
class WhenRobbed:
    """`when robbed: sell house c1, then house f4`: a standing order, each sold as often as it may be until the debt is paid."""

    sales: tuple[Sale, ...]


StandingOrder = WhenRobbed | FaceThief | PlaceCustomer | PlaceShop
"""What may be left for a moment outside one's own turn."""
StandingOrders = tuple[StandingOrder, ...]


def parse_standing(text: str) -> StandingOrders:
    """Parse standing orders; refused with the number of the first that cannot be read, or that may not be left standing."""
    read = read_all(text, lambda piece, number: (piece, _read_piece(piece, number)))
    return tuple(_leave(step, piece, number) for number, (piece, step) in enumerate(read, 1))


def _read_piece(piece: str, number: int) -> WhenRobbed | Step:
    words = tokens(piece) if len(piece) <= LONGEST_ORDER else []
    meaning, size = first_meaning(WORDS, words, number, STANDING)
    if meaning == "robbed" and words[size : size + 1] == [":"]:
        return _when_robbed([_sale(part, number, piece) for part in _listed(words[size + 1 :], number)], number)
    return read_step(piece, number)


def _leave(step: WhenRobbed | Step, piece: str, number: int) -> StandingOrder:
    if isinstance(step, Sale):
        return WhenRobbed((step,))
    if not isinstance(step, StandingOrder) or step == FaceThief(None):
        raise Refused("not-standing", number, text=piece[:80])
    return step


def _when_robbed(sales: list[Sale], number: int) -> WhenRobbed:
    if len(sales) > MOST_SALES:
        raise Unreadable(number, "", why="too-many", most=MOST_SALES)
    return WhenRobbed(tuple(sales))


def _listed(words: list[str], number: int) -> Iterator[list[str]]:
    """Split at commas and `then`; an empty part at the end stays and is unreadable."""
    part: list[str] = []
    while words:
        meaning, size = first_meaning(WORDS, words, number, STANDING)
        if words[0] != "," and meaning != "then":
            part, words = [*part, words[0]], words[1:]
            continue
        if part:
            yield part
        part, words = [], words[size or 1 :]
    yield part


def _sale(words: list[str], number: int, piece: str) -> Sale:
    """Parse one sale; `sell` need not be repeated."""
    meaning, size = first_meaning(WORDS, words, number)
    sale = read_sale(words[size:] if meaning == "sell" else words, number)
    if sale is None:
        raise Unreadable(number, piece)
    return sale


def notate_standing(orders: StandingOrders, words: Words = ENGLISH) -> str:
    """Write one order a line; `parse_standing` reads them back."""
    return "\n".join(_notate_order(order, words) for order in orders)


def _notate_order(order: StandingOrder, words: Words) -> str:
    if not isinstance(order, WhenRobbed):
        return notate_step(order, words)
    then = f", {words.order('then', STANDING)} "
    return f"{words.order('robbed', STANDING)}: {then.join(notate_step(sale, words) for sale in order.sales)}"
