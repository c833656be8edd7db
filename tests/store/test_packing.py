"""A finished game in one piece is the same game to the last byte, whatever was written in it."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from play.deeds import Moved, Revealed
from play.log import write
from play.submit import Outcome
from store.packing import Packed, loosen, move_id, pack, spread, unpack

SALT = b"00112233445566aa"
IDS = st.integers(1, 60).map(lambda number: move_id(SALT, number)) | st.sampled_from(["0123456789ab", "m1", "é"])
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
    for version, (at, by, deed, via) in enumerate(lines):
        written, head = write(version, head, at, by, "portobello 1", [deed], via)
        entries += written
    return tuple(entries)


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES, min_size=1).map(log), st.lists(BECAME))
def test_a_log_and_what_became_of_its_moves_come_back(entries: tuple[bytes, ...], became: list[Outcome]) -> None:
    packed = Packed(entries, {each.id: msgspec.json.encode(each) for each in became}, salt=SALT)

    assert unpack(pack(packed)) == packed


@settings(max_examples=50, deadline=None)
@given(st.lists(ODD, min_size=1).map(tuple), st.dictionaries(IDS, ODD))
def test_what_is_no_log_comes_back_too(entries: tuple[bytes, ...], outcomes: dict[str, bytes]) -> None:
    packed = Packed(entries, outcomes, salt=SALT)

    assert unpack(pack(packed)) == packed


def test_what_would_not_come_back_from_columns_is_kept_as_it_is() -> None:
    under_another_name = Packed(
        log([(1, "ann", Revealed(bytes(32).hex()), "")]), {"m1": b'{"id":"0123456789ab","status":"refused","at":1}'}
    )

    loose = loosen(pack(under_another_name))

    assert spread(loose) == under_another_name
    assert msgspec.msgpack.decode(loose, type=Packed) == under_another_name
