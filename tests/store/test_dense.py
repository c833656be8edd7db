"""Games that are packed together come back to the last byte, whatever they say."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import dense
from store.dense import Dense
from store.packing import Lean, columns

PACKED = Lean(b"", b"", (), {}, b"")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**15) | st.text(max_size=12) | st.sampled_from(["stall", "a4", "bobby 3", "\\"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=12,
)
TEXTS = st.lists(VALUES, min_size=1).map(msgspec.json.encode)
MOVES = st.tuples(TEXTS, st.text(max_size=20), TEXTS).map(lambda each: b"%b,\1,%b,%b" % (each[0], msgspec.json.encode(each[1]), each[2]))
ENTRIES = st.lists(st.tuples(TEXTS | MOVES, st.integers(-(2**47) + 1, 2**47 - 1)), min_size=1, max_size=5)


def lean(entries: list[tuple[bytes, int]]) -> bytes:
    texts, moments = zip(*entries, strict=True)
    return msgspec.msgpack.encode(msgspec.structs.replace(PACKED, texts=b"\n".join(texts), moments=columns(moments)))


@settings(max_examples=15, deadline=None)
@given(st.lists(ENTRIES, min_size=1, max_size=6))
def test_what_was_packed_together_comes_back(games: list[list[tuple[bytes, int]]]) -> None:
    loose = [lean(each) for each in games]
    packing, unpacking = Dense(), Dense()

    assert [unpacking.unpack(packing.pack(each)) for each in loose] == loose


def test_a_model_that_has_learnt_too_much_begins_anew_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "MOST_TABLES", 0)
    game = lean([(b'"ann",["moved",0,\1,"bobby 3",[["bobby-placed",3,3]],0,false,false]]', 5)])
    packing, unpacking = Dense(), Dense()

    packed = [packing.pack(game), packing.pack(game)]

    assert packed[0] == packed[1]
    assert [unpacking.unpack(each) for each in packed] == [game, game]
