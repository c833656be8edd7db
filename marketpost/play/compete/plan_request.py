"""Reads announcements in words: `Spring Cup: swiss portobello, 3 at a table, 5 rounds, 2 days per move, 2027-03-01`."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.log.actions import AtZero, TimeControl
from marketpost.play.table.new_game_request import UNITS, read_request
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, fold, lexicon, plain

DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
NOON = 12
USUAL_TIME = 3 * UNITS["day"]
SEATS = 3


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A competition that somebody announces, and the addresses that are invited."""

    plan: CompetitionPlan
    addresses: tuple[str, ...]


def read_plan(text: str) -> PlanRequest:
    """Read an announcement; refused if the system, the game or the date is missing, or a word is not understood."""
    name, sign, rest = text.partition(":")
    rest, dates = DATE.sub(" ", rest), DATE.findall(rest)
    rest, numbers = _take_numbers(rest)
    rest, formats = _take_formats(rest)
    request = read_request(rest)
    if not sign or request is None or len(formats) != 1 or len(dates) != 1 or request.bots:
        raise Refused("competition-request")
    seats = numbers.get("seats") or min(SEATS, ruleset(request.rules).players[-1])
    clock = competition_clock(request.clock)
    plan = CompetitionPlan(
        " ".join(name.split()), formats.pop(), request.rules, seats, clock, read_date(dates[0]), None, request.edition,
        dict(request.options), numbers.get("rounds", 0), numbers.get("every", 0) * UNITS["day"],
    )  # fmt: skip
    return PlanRequest(plan, request.addresses)


def read_date(text: str) -> int:
    """Read the date of the first round, which is paired at noon UTC."""
    try:
        return int(datetime.fromisoformat(text).replace(hour=NOON, tzinfo=UTC).timestamp() * 1000)
    except ValueError as error:
        raise Refused("field-day") from error


def competition_clock(clock: TimeControl | None) -> TimeControl:
    """The time control of all tables: who is out of time is out of the game, so that every round ends."""
    return msgspec.structs.replace(clock or TimeControl(USUAL_TIME), at_zero=AtZero.OUT)


def _phrases(*meanings: str) -> dict[str, str]:
    """Spellings of these meanings, the longest first."""
    found = {spelling: each for spelling, (each, *_) in lexicon(COMMON, "competition").items() if each in meanings}
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def _pattern(spellings: dict[str, str]) -> str:
    return "|".join(re.escape(each).replace(r"\ ", r"[\s.-]*") for each in spellings)


def _take_numbers(text: str) -> tuple[str, dict[str, int]]:
    """Take `5 rounds`, `3 at a table` and `7 days per round` out of a text."""
    spellings, found = _phrases("rounds", "seats", "every"), dict[str, int]()

    def take(match: re.Match[str]) -> str:
        found[spellings[" ".join(fold(match[2]).split())]] = int(match[1])
        return " "

    return re.sub(rf"\b(\d{{1,2}})\s+({_pattern(spellings)})(?!\w)", take, fold(plain(text))), found


def _take_formats(text: str) -> tuple[str, set[CompetitionFormat]]:
    """Take the system, and the small words around it, out of a text."""
    found = set[CompetitionFormat]()
    for format in CompetitionFormat:
        text, times = re.subn(rf"(?<!\w)(?:{_pattern(_phrases(format))})(?!\w)\.?", " ", text)
        found |= {format} if times else set()
    return re.sub(rf"(?<!\w)(?:{_pattern(_phrases('from', 'system'))})(?!\w)", " ", text), found
