"""The language of orders: `parse` reads it in any of four languages, `notate` writes it."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from marketpost.rules.alturien.board import WORDS
from marketpost.rules.alturien.state import CUSTOMERS, PRICES
from marketpost.rules.reading import LONGEST_STEP, MOST_STEPS, first_meaning
from marketpost.rules.refusal import Unreadable
from marketpost.rules.words import Words, fold, plain, tokens

ENGLISH = Words("en", WORDS)
CUSTOMER_SIGN, THIEF_SIGN = "c", "t"
CARDS = ("prestige", *PRICES)


class BaseStep(msgspec.Struct, frozen=True, gc=False, tag_field="kind", forbid_unknown_fields=True):
    """A step, as the parser and as scripts write it."""


class PlaceCustomer(BaseStep, frozen=True, gc=False, tag="customer"):
    """`customer duke a1>b1`: set-up, the duke on a1, facing b1."""

    customer: str
    space: str
    facing: str | None = None


class PlaceShop(BaseStep, frozen=True, gc=False, tag="shop"):
    """`shop b1`: set-up, a first house."""

    site: str


class Move(BaseStep, frozen=True, gc=False, tag="move"):
    """`c1-e1-e4>e5`: the figure on c1 by e1 to e4, facing e5. `c:` or `t:` before it says customer or thief."""

    named: tuple[str, ...]
    facing: str | None = None
    sign: str | None = None


class If(BaseStep, frozen=True, gc=False, tag="if"):
    """`if 1-3: c1-e1>e2`: the move for that face of the die."""

    face: str
    move: Move


class FaceThief(BaseStep, frozen=True, gc=False, tag="thief"):
    """`thief >f4`: the poorest player faces the entering thief."""

    facing: str | None


class Buy(BaseStep, frozen=True, gc=False, tag="buy"):
    """`buy b1`: a first house on a free site."""

    site: str


class Develop(BaseStep, frozen=True, gc=False, tag="develop"):
    """`develop c1`: one more house on your shop."""

    site: str


class MoveHouse(BaseStep, frozen=True, gc=False, tag="move-house"):
    """`move-house c1 f4`: one of your houses to another of your shops."""

    site: str
    to: str


class BuyCard(BaseStep, frozen=True, gc=False, tag="card"):
    """`prestige`, `ship`, `post`, `cart` or `staff`."""

    card: str


class Pass(BaseStep, frozen=True, gc=False, tag="pass"):
    """`pass`: no investment; ends the turn."""


class SellCard(BaseStep, frozen=True, gc=False, tag="sell-card"):
    """`sell prestige`, `sell ship`: pays a debt."""

    card: str


class SellHouse(BaseStep, frozen=True, gc=False, tag="sell-house"):
    """`sell house c1`: pays a debt."""

    site: str


class Stuck(BaseStep, frozen=True, gc=False, tag="stuck"):
    """`stuck`: says what happened by itself, that no figure can move. Records write it."""


Sale = SellCard | SellHouse
Investment = Buy | Develop | MoveHouse | BuyCard | Pass
Step = PlaceCustomer | PlaceShop | Move | If | FaceThief | Investment | Sale | Stuck
Orders = tuple[Step, ...]
Reader = Callable[[list[str], int], Step | None]
T = TypeVar("T")


def parse(text: str) -> Orders:
    """Parse a whole submission, or raise `Unreadable` with the first step that cannot be read. Cached: bots and previews parse often."""
    return read_all(text, read_step)


def read_all(text: str, read: Callable[[str, int], T]) -> tuple[T, ...]:
    """Parse the pieces of a submission one by one."""
    found = []
    for number, piece in enumerate(_pieces(text), 1):
        if number > MOST_STEPS:
            raise Unreadable(number, "", why="too-many", most=MOST_STEPS)
        found.append(read(piece, number))
    if not found:
        raise Unreadable(1, "", why="empty")
    return tuple(found)


def _pieces(text: str) -> Iterator[str]:
    for line in plain(text).splitlines():
        for piece in line.partition("#")[0].split(";"):
            if piece.strip():
                yield piece.strip()


def read_step(piece: str, number: int) -> Step:
    """Parse one step."""
    words = tokens(piece) if len(piece) <= LONGEST_STEP else []
    meaning, size = first_meaning(WORDS, words, number)
    step = _READERS[meaning](words[size:], number) if meaning in _READERS else None if meaning else _read_move(words)
    if step is None:
        raise Unreadable(number, piece)
    return step


def _is_name(word: str) -> bool:
    return word.isalnum()


def _read_move(words: list[str]) -> Move | None:
    sign = None
    if words[1:2] == [":"] and fold(words[0]) in (CUSTOMER_SIGN, THIEF_SIGN):
        sign, words = fold(words[0]), words[2:]
    words, facing = _split_facing(words)
    named = tuple(words[::2])
    if len(named) < 2 or len(words) % 2 == 0 or any(sign != "-" for sign in words[1::2]):
        return None
    if not all(map(_is_name, named)) or not (facing is None or _is_name(facing)):
        return None
    return Move(named, facing, sign)


def _split_facing(words: list[str]) -> tuple[list[str], str | None]:
    return (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, None)


def _read_if(words: list[str], number: int) -> If | None:
    if ":" not in words:
        return None
    colon = words.index(":")
    face, move = "".join(words[:colon]), _read_move(words[colon + 1 :])
    if not move or not all(part.isascii() and part.isdecimal() for part in face.split("-")) or face.count("-") > 1:
        return None
    return If(face, move)


def _read_customer(words: list[str], number: int) -> PlaceCustomer | None:
    kind, size = first_meaning(WORDS, words, number)
    space, facing = _split_facing(words[size:])
    if kind not in CUSTOMERS or len(space) != 1 or not _is_name(space[0]) or not (facing is None or _is_name(facing)):
        return None
    return PlaceCustomer(kind, space[0], facing)


def _read_shop(words: list[str], number: int) -> PlaceShop | None:
    return PlaceShop(words[0]) if _are_names(words, 1) else None


def _are_names(words: list[str], count: int) -> bool:
    return len(words) == count and all(map(_is_name, words))


def _read_thief(words: list[str], number: int) -> FaceThief | None:
    if not words:
        return FaceThief(None)
    return FaceThief(words[1]) if words[0] == ">" and _are_names(words[1:], 1) else None


def _read_buy(words: list[str], number: int) -> Buy | None:
    return Buy(words[0]) if _are_names(words, 1) else None


def _read_develop(words: list[str], number: int) -> Develop | None:
    return Develop(words[0]) if _are_names(words, 1) else None


def _read_move_house(words: list[str], number: int) -> MoveHouse | None:
    return MoveHouse(words[0], words[1]) if _are_names(words, 2) else None


def read_sale(words: list[str], number: int) -> Sale | None:
    """Parse what is to be sold."""
    thing, size = first_meaning(WORDS, words, number)
    rest = words[size:]
    if thing == "house" and _are_names(rest, 1):
        return SellHouse(rest[0])
    return SellCard(thing) if thing in CARDS and not rest else None


def _read_nothing_more(step: Step) -> Reader:
    """Accept an order only if it is a single word."""
    return lambda words, _: None if words else step


_READERS: dict[str, Reader] = {
    "customer": _read_customer,
    "shop": _read_shop,
    "if": _read_if,
    "thief": _read_thief,
    "buy": _read_buy,
    "develop": _read_develop,
    "move-house": _read_move_house,
    "sell": read_sale,
    "pass": _read_nothing_more(Pass()),
    "stuck": _read_nothing_more(Stuck()),
    **{card: _read_nothing_more(BuyCard(card)) for card in CARDS},
}


def notate(orders: Orders, words: Words = ENGLISH) -> str:
    """Write orders in this language; `parse` reads them back."""
    return "; ".join(notate_step(step, words) for step in orders)


def notate_step(step: Step, words: Words = ENGLISH) -> str:
    """Write one step in this language."""
    match step:
        case PlaceCustomer(kind, space, facing):
            return f"{words.order('customer')} {words.order(kind)} {space}{_facing(facing)}"
        case PlaceShop(site):
            return f"{words.order('shop')} {site}"
        case Move(named, facing, sign):
            return f"{sign + ':' if sign else ''}{'-'.join(named)}{_facing(facing)}"
        case If(face, move):
            return f"{words.order('if')} {face}: {notate_step(move, words)}"
        case FaceThief(facing):
            return f"{words.order('thief')} {_facing(facing)}".rstrip()
        case SellCard(card):
            return f"{words.order('sell')} {words.order(card)}"
        case SellHouse(site):
            return f"{words.order('sell')} {words.order('house')} {site}"
        case Stuck():
            return words.order("stuck")
        case Buy() | Develop() | MoveHouse() | BuyCard() | Pass():
            return _notate_investment(step, words)


def _notate_investment(step: Investment, words: Words) -> str:
    match step:
        case Buy(site):
            return f"{words.order('buy')} {site}"
        case Develop(site):
            return f"{words.order('develop')} {site}"
        case MoveHouse(site, to):
            return f"{words.order('move-house')} {site} {to}"
        case BuyCard(card):
            return words.order(card)
        case Pass():
            return words.order("pass")


def _facing(facing: str | None) -> str:
    return f">{facing}" if facing else ""


def places(text: str) -> list[str]:
    """List every space that a step names: from, to, facing."""
    return [place for step in parse(text) for place in _places(step) if place]


def _places(step: Step) -> tuple[str | None, ...]:
    match step:
        case PlaceCustomer(_, space, facing):
            return (space, facing)
        case Move(named, facing, _):
            return (*named, facing)
        case If(_, move):
            return _places(move)
        case FaceThief(facing):
            return (facing,)
        case PlaceShop(site) | Buy(site) | Develop(site) | SellHouse(site):
            return (site,)
        case MoveHouse(site, to):
            return (site, to)
        case _:
            return ()
