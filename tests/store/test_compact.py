"""A finished game in one blob is the same game to the last byte, whatever was written in it."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketpost.play.log.actions import Moved, Revealed
from marketpost.play.log.entries import write
from marketpost.play.moves.submit import Outcome
from marketpost.store import compacted_games as compact
from marketpost.store.compacted_games import CompactedGame, compress, expand
from marketpost.store.formats import Formats, UnknownFormat

IDS = st.integers(0, 1 << 48).map(lambda number: f"{number:012x}"[:12]) | st.sampled_from(["0123456789ab", "m1", "é"])
MOMENTS = st.integers(0, 1_772_445_600_000)
PEOPLE = st.sampled_from([None, "ann", "ben", 'c"y', "d\\o"])
ORDERS = st.sampled_from(["", "bobby 4", "4: stall a1-b", 'no "bobby" \\\n', "é 7 b1, 0; 12", " ".join("abcdefghijklmnopqrstuvwxyz12345")])
FIELDS = (
    st.integers(-1, 12) | st.booleans() | st.sampled_from(["a1", "b", "stall", "bobby", "x-y"]) | st.lists(st.integers(0, 12), max_size=3)
)
EVENTS = st.builds(lambda tag, fields: [tag, *fields], st.sampled_from(["moved", "turn", "bobby", "4"]), st.lists(FIELDS, max_size=4))
MOVES = st.builds(
    lambda seat, move, orders, events: Moved(seat, move, orders, msgspec.Raw(msgspec.json.encode(events))),
    st.integers(0, 5) | st.integers(10, 30),
    IDS,
    ORDERS,
    st.lists(EVENTS, max_size=4),
)
LINES = st.tuples(MOMENTS, PEOPLE, MOVES | st.just(Revealed(bytes(32).hex())), st.sampled_from(["", "<mail@example.org>"]))
BECAME = st.builds(
    Outcome, IDS, st.sampled_from(["refused", "applied", "Strange"]), MOMENTS, st.none(), st.sampled_from(["game-over", None])
)
ODD = st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)).map(
    msgspec.json.encode
)


def log(lines: list[tuple[int, str | None, Moved | Revealed, str]]) -> tuple[bytes, ...]:
    entries, head = list[bytes](), ""
    for version, (at, by, action, via) in enumerate(lines):
        written, head = write(version, head, at, by, "portobello 1", [action], via)
        entries += written
    return tuple(entries)


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES, min_size=1).map(log), st.lists(BECAME))
def test_a_log_and_what_became_of_its_moves_come_back(entries: tuple[bytes, ...], became: list[Outcome]) -> None:
    finished = CompactedGame(entries, {each.id: msgspec.json.encode(each) for each in became})

    blob = compress(finished)

    assert blob
    assert expand(blob) == finished


@settings(max_examples=50, deadline=None)
@given(st.lists(ODD, min_size=1).map(tuple), st.dictionaries(IDS, ODD))
def test_what_would_not_come_back_is_not_compressed(entries: tuple[bytes, ...], outcomes: dict[str, bytes]) -> None:
    finished = CompactedGame(entries, outcomes)

    blob = compress(finished)

    assert blob is None or expand(blob) == finished


def test_a_blob_of_an_older_format_is_read_as_the_newest_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made up: say that from format 2 on outcomes are kept without their refusals."""
    entries = log([(1, "ann", Revealed(bytes(32).hex()), "")])
    older = compress(CompactedGame(entries, {"0123456789ab": b"{}"}))
    monkeypatch.setattr(compact, "FORMATS", Formats((lambda document: [*document[:2], {}],)))

    newer = compress(CompactedGame(entries))

    assert older
    assert newer
    assert (older[0], newer[0]) == (1, 2)
    assert expand(older) == expand(newer) == CompactedGame(entries)


def test_a_blob_of_a_format_that_is_not_known_yet_is_refused() -> None:
    blob = compress(CompactedGame(log([(1, None, Revealed(bytes(32).hex()), "")])))
    assert blob

    with pytest.raises(UnknownFormat):
        expand(b"\2" + blob[1:])
