"""The contract of a ruleset: a frozen record of pure functions. A game is one folder under `rules/`; nothing else changes."""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from marketpost import rules
from marketpost.rules.chance import Chance, Sealed
from marketpost.rules.conditions import Conditions
from marketpost.rules.guide import GuideSection, sections
from marketpost.rules.motion import Motion
from marketpost.rules.refusal import Caution, Refusal, Refused
from marketpost.rules.request_words import Choice, choices
from marketpost.rules.svg import Style
from marketpost.rules.tutorial import Lesson, lessons
from marketpost.rules.variant import chosen, unprinted
from marketpost.rules.variant import told as variant_told
from marketpost.rules.words import Title, Words


class Position(Protocol):
    """What the service needs to know of any game's state."""

    colours: tuple[str, ...]
    turn: int
    drawn: int
    """How many outcomes of chance the game has seen; the next one follows from this number."""

    def copy(self) -> Any: ...


class Event(Protocol):
    """Something that happened."""

    def apply(self, state: Any, /) -> None: ...


S = TypeVar("S", bound=Position)
LONGEST_PHRASE = 4
"""Words of the longest phrase that means the same in a request for any game."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the players agree on before a game."""

    colours: tuple[str, ...]
    board: str | dict[str, Any]
    edition: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a submission did. Events beside a refusal are what chance has shown; they stand."""

    events: Sequence[Any]
    refusal: Refusal | None = None
    dropped: tuple[str, ...] = ()
    """Steps that were not played although earlier ones of the submission stand."""


class ParseTurn(Protocol):
    """Splits a turn of a record into orders and the outcomes of chance."""

    def __call__(self, text: str, *, refused: bool = False) -> tuple[str, list[str]]:
        """Parse a turn. `refused` orders draw nothing, so an outcome in them is a mistake."""


class DrawPicture(Protocol):
    """Draws a position."""

    def __call__(self, state: Any, words: Words, *, before: Any = None, style: Style = ...) -> str:
        """Draw SVG with `rules.svg`; mark what differs from `before`; what an order can name is a `place`."""


Bot = Callable[[Any, int, Chance], str]


@dataclass(frozen=True, slots=True)
class FastPlay:
    """Plays with steps instead of orders, for trial games: to write and read orders takes longer than to play them."""

    steps: Callable[[Any], Sequence[Any]]
    """Every next step of the seat that decides first, as `legal` lists them; none when the game is over."""
    play: Callable[[Any, tuple[Any, ...], Chance], None]
    """Carries out legal steps of that seat, and what follows without anybody's decision, on the position itself."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """The functions with which the bot `strong` looks ahead. All of them see what a seat sees."""

    shortlist: Callable[[Any, int, Chance], Sequence[str]]
    """The orders worth a closer look, the most promising first."""
    quick: Bot
    """How everyone plays on meanwhile; a plain player, but a fast one."""
    prospects: Callable[[Any], Sequence[float]]
    """How each seat stands, in a game that is not over. One more than another: e times as likely to win."""
    rounds: int = 1
    """How far the analysis of a game plays on before it looks at the prospects."""
    turns: int = 0
    """How far `strong` does, where whole rounds tell it less: with many players chance covers up what an order changes."""
    is_rolled: bool = False
    """Whether chance differs all the game, as where dice are rolled. Elsewhere the analysis plays some steps at random, as people slip."""
    quick_steps: Callable[[Any, int, Chance], tuple[Any, ...]] | None = None
    """How everyone plays on in trial games, as steps for `FastPlay`; without it, `quick` plays on."""


@dataclass(frozen=True, slots=True)
class Story:
    """Tells in the reader's language what happened and what this seat may do now. Nothing hidden is told."""

    happened: Callable[[Any, Sequence[Any], Words], list[str]]
    """A paragraph a turn. The state is the position before the events and is used up."""
    choices: Callable[[Any, int, Words], list[str]]
    """A sentence for each thing that may be done; empty for a seat that has nothing to decide."""

    def __call__(self, state: Any, events: Sequence[Any], words: Words) -> list[str]:
        return self.happened(state, events, words)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player may decide beforehand for moments outside their own turn."""

    concerns: Callable[[Any, int], bool]
    """Whether this seat is to decide now although it is not its turn."""
    read: Callable[[Any, str], Any]
    """The standing orders that a text is, in any language. Refused with the number of the first that cannot be read; only if all can,
    of the first that may not be left or never be done."""
    notate: Callable[..., str]
    """One standing order a line, as a language writes them; `read` reads them back."""
    candidates: Callable[[Any, Any], Sequence[str]]
    """The steps that the standing orders offer for this moment, the first that is legal to be taken."""
    turn_of: Callable[[Any], int] = lambda state: -1
    """The seat whose turn goes on when another one has decided something; -1 if nobody's does."""
    cautions: Callable[[Any, int, Any, Words], Sequence[Caution]] = lambda state, seat, orders, words: ()
    """What these standing orders of this seat may do that the player would not want; orders in it as a language writes them."""


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[S]):
    """The functions and facts of one game."""

    name: str
    colours: tuple[str, ...]
    players: range
    editions: tuple[str, ...]
    """Presets of options, the usual one first."""
    boards: Callable[[], Sequence[str]]
    defects: Callable[[object], Sequence[Refusal]]
    """What is wrong with a board typed in by hand."""
    words: Path
    event: Any
    """The union of all its events, for typed decoding."""
    step: Any
    """The type of a step, or the union of all: structs with the tag field `kind`, and docstrings that show how orders spell them."""
    position: Any
    """The struct that `view` makes; its tag field `rules` has the name of the ruleset."""
    blank: Callable[[], S]
    start: Callable[[Setting, Chance], Sequence[Event]]
    proceed: Callable[[S, Chance], Sequence[Event]]
    """What happens now without anybody's decision, such as a roll that is due."""
    judge: Callable[[S, int, str, Chance], Verdict]
    legal: Callable[[S, int], Sequence[str]]
    """Every next step this seat may take, as an order."""
    deciders: Callable[[S], tuple[int, ...]]
    draws: Callable[[S, Any], Sequence[tuple[Sequence[Any], Any]]]
    """For an event about to be applied: each thing chance chose in it, and what it chose from, so that it can be checked."""
    winners: Callable[[S], tuple[int, ...]]
    """The seats that won; empty while the game runs."""
    scores: Callable[[S], Sequence[str]]
    """Each seat's score as a record writes it: numbers joined by `+`, of which the last counts first."""
    view: Callable[[S, int | None], msgspec.Struct]
    """The position as this seat, or a spectator, may see it."""
    draw: Callable[..., str]
    picture: DrawPicture
    linear: Callable[[S, Words], str]
    parse: Callable[[str], tuple[Any, ...]]
    """The steps that a text is, in any language; raises `Unreadable`."""
    notate: Callable[..., str]
    """Steps as a language writes them; `parse` reads them back."""
    head: Callable[[S], Mapping[str, str | Mapping[str, str]]]
    """The lines of a record's head that only this game has."""
    serialize_turn: Callable[[S, Sequence[Any]], str]
    """Events as a record writes them, with the outcome of chance in them."""
    parse_turn: ParseTurn
    """A record's orders, split into what the player wrote and what chance did."""
    story: Story
    bots: Mapping[str, Bot] = field(default_factory=dict)
    fast: FastPlay | None = None
    foresight: Foresight | None = None
    """Without it, `strong` looks at every legal step and plays on to the end."""
    standing: Standing | None = None
    """For a game in which players decide outside their own turn, too."""
    conditions: Conditions = field(default_factory=Conditions)
    """What orders ahead may depend on. Without any, they are alternatives: the first that is legal is played."""
    wasteful: Callable[[S, int, str], bool] = lambda state, seat, orders: False
    """Whether legal orders throw something away that costs nothing to keep; no example shows such a turn."""
    places: Callable[[str], Sequence[str]] = lambda orders: ()
    """The places on the board that orders name, spelt as where the board is drawn."""
    motions: Callable[[S, Sequence[Any]], Sequence[Motion]] = lambda state, events: ()
    """What travelled over the board in these events, so that a page can show its way. The state is used up."""
    cost: Callable[[S, Any], int] = lambda state, step: 0
    """What a legal step costs the player who decides; below 0 what it brings."""
    settle: Callable[[str | None, Mapping[str, object]], Mapping[str, object]] = lambda edition, options: options
    """Every option with its value: those of the edition, and over them those set by hand."""
    version: int = 1
    """Of the rules: one more whenever the judge decides something otherwise than before."""
    earlier: "tuple[Ruleset[Any], ...]" = ()
    """Earlier versions, for games that began under them and for records of such games."""
    board_document: Any = None
    """The struct of a board typed in by hand, with the tag field `rules`; none if there are only boards of ours."""
    on_board: Callable[[Any, str], bool] = lambda state, orders: True
    """Whether a place that these orders name is on the board, if they name any. A hyphenated name or a date may read as a way."""

    def title(self, words: Words) -> Title:
        """Name the game in the language of these words."""
        return Title(words.say("story.title") if words.knows("story.title") else self.name.title(), words)

    def option_values(self) -> dict[str, list[str]]:
        """List the values of each option. A ruleset names them when it refuses an option or value that does not exist."""
        return {name: self._told_instead({name: "?"}, "values") for name in self._told_instead({"?": "?"}, "options")}

    def _told_instead(self, options: dict[str, object], name: str) -> list[str]:
        setting = Setting(self.colours[: self.players[0]], self.boards()[0], None, options)
        try:
            self.start(setting, Sealed(bytes(32), "trial"))
        except Refused as refused:
            told: Any = refused.refusal.values.get(name, ())
            return list(map(str, told))
        return []

    def unusual(self, setting: Setting) -> tuple[str, Mapping[str, object]]:
        """Return the edition if it is not the usual one, and the options that differ from the edition's."""
        edition = setting.edition if setting.edition and setting.edition != self.editions[0] else ""
        preset = self.settle(setting.edition, {})
        chosen = self.settle(setting.edition, setting.options)
        return edition, {name: value for name, value in chosen.items() if name not in preset or value != preset[name]}

    @property
    def choices(self) -> Mapping[str, Choice]:
        """Map the names that a new-game request may use, in any language, to editions and options."""
        return choices(self.words, self.editions)

    @property
    def longest_choice(self) -> int:
        """Count the words of the longest name that a request may use."""
        return max([LONGEST_PHRASE, *(len(phrase.split()) for phrase in self.choices)])

    def variant(self, setting: Setting, words: Words) -> str:
        """Name the unusual edition and options of a game in one phrase; empty where all is usual."""
        return variant_told(words, *self.unusual(setting))

    def unprinted(self, setting: Setting, words: Words) -> list[str]:
        """Say what our usual game has otherwise than the printed rules; told to whoever makes a game."""
        return unprinted(words, self.settle(setting.edition, setting.options))

    def guide(self, setting: Setting, language: str) -> list[GuideSection]:
        """Return the rules of a game with these options: the choices, the summary, then everything; empty without a text."""
        words, options = self.in_language(language), self.settle(setting.edition, setting.options)
        found = sections(self.words.parent / "guide", language, options)
        return [chosen(words, setting.edition or next(iter(self.editions), ""), options), *found] if found else []

    def tutorial(self, language: str) -> list[Lesson]:
        """Return the lessons of the tutorial; empty without one."""
        return lessons(self.words.parent / "tutorial", language)

    def fold(self, events: Sequence[Event]) -> S:
        """Compute a position from events."""
        state = self.blank()
        for event in events:
            event.apply(state)
        return state

    def document(self, state: S, viewer: int | None) -> dict[str, Any]:
        """Serialize the position as this seat, or a spectator, may see it."""
        found: dict[str, Any] = msgspec.to_builtins(self.view(state, viewer))
        return found

    def orders_of(self, steps: object) -> str:
        """Write steps that a program gives as data as orders, so that there is one way to judge them.

        Fault: a place in them may be a text such as `A; end`, which would read as two steps. Only steps that are read back as they were
        given are accepted.
        """
        try:
            given = tuple(msgspec.convert(steps, _list_of(self.step)))
        except msgspec.ValidationError as error:
            raise Refused("steps-unreadable", text=str(error)) from error
        orders = self.notate(given)
        if self.parse(orders) != given:
            raise Refused("steps-unreadable", text=orders)
        return orders

    def encode(self, events: Sequence[Event]) -> bytes:
        """Serialize events."""
        return msgspec.json.encode(events)

    def decode(self, data: bytes) -> list[Event]:
        """Parse serialized events."""
        found: list[Event] = _decoder(self.event).decode(data)
        return found

    def in_language(self, language: str) -> Words:
        """Return the words of this ruleset in a language."""
        return Words(language, self.words)


@cache
def _decoder(event: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(_list_of(event))


def _list_of(form: Any) -> Any:
    """Return the type of a list of these."""
    return list[form]


def rulesets() -> dict[str, Ruleset[Any]]:
    """Find every folder under `rules/` that holds a ruleset, by name."""
    return _walk(tuple(rules.__path__))


@cache
def _walk(path: tuple[str, ...]) -> dict[str, Ruleset[Any]]:
    folders = (module.name for module in pkgutil.iter_modules(path) if module.ispkg)
    found = (import_module(f"marketpost.rules.{name}").RULESET for name in folders)
    return {ruleset.name: ruleset for ruleset in found}


def ruleset(name: str, version: int | None = None) -> Ruleset[Any]:
    """Find a version of these rules, the newest if none is given; where that version is not kept, the next one that is."""
    known = rulesets()
    if name not in known:
        raise Refused("unknown-rules", rules=name, known=sorted(known))
    newest = known[name]
    fitting = [each for each in newest.earlier if version is not None and version <= each.version]
    return min(fitting, key=lambda each: each.version, default=newest)
