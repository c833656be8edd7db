"""Chance of scheme 2: the server commits, the players contribute, and whoever has the log can check every outcome."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from api.http.serialize import entry
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import AnyAction, Began, Contributed, Joined, Moved, Opened, Revealed, SeatPlan
from marketpost.play.log.entries import Tampered, decode, write
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.play.people.guests import merge_guest, new_guest
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.hand_over import hand_over
from marketpost.play.table.proposals import agree, propose
from marketpost.play.table.rematch import rematch
from marketpost.play.table.seating import contribute, join, leave, open_game, resign
from marketpost.play.table.undo import undo
from marketpost.rules.bots import bot
from marketpost.rules.chance import Domain, drawn_word, mix, seal
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.store.changes import Stored
from tests.games import decide, deciding, sealed
from tests.logs import files, read

SCRIPT = Path(__file__).parents[2] / "examples/verify.py"
Tampering = Callable[[list[AnyAction]], list[AnyAction]]


@pytest.fixture(params=[*rulesets()])
def rules(request: pytest.FixtureRequest) -> str:
    return str(request.param)


PLAYED: dict[str, list[Stored]] = {}


@pytest.fixture
def log(ports: Ports, rules: str, ann: str, ben: str, cy: str) -> list[Stored]:
    """Of a game that is played once for all tests."""
    return PLAYED.get(rules) or PLAYED.setdefault(rules, finished(ports, rules, (ann, ben, cy)))


def opened(ports: Ports, rules: str, host: str, invited: str) -> Game:
    """Three people and a bot: the host, one who is invited, one who comes. Chance will seat them."""
    seats = [SeatPlan(player=host), SeatPlan(invited=invited), SeatPlan(), SeatPlan(bot="random")]
    return open_game(ports, "g1", host, rules, seats, {}, shuffled=True)


def finished(ports: Ports, rules: str, people: Sequence[str]) -> list[Stored]:
    """The log of a game that was played for a while, with an undo, and then called a draw."""
    ann, ben, cy = people
    opened(ports, rules, ann, ben)
    join(ports, "g1", ben, word="lucky-7")
    join(ports, "g1", cy)
    mover = play(ports, 8)
    undone = undo(ports, "g1", mover)
    for each in people if undone.proposal else ():
        _agree(ports, each)
    play(ports, 6)
    propose(ports, "g1", ann, "draw")
    for each in (ben, cy):
        _agree(ports, each)
    return ports.games.read("g1")


def play(ports: Ports, moves: int) -> str:
    """Who made the last one."""
    mover = ""
    for number in range(moves):
        decide(ports, ["g1"], deciding())
        game = now(ports)
        seat = game.deciders[0]
        mover = game.seats[seat].player or ""
        submit(ports, game, mover, bot(game.rules, "greedy")(game.state, seat, sealed(number)))
        decide(ports, ["g1"], deciding())
    return mover


def _agree(ports: Ports, player: str) -> None:
    proposal = now(ports).proposal
    if proposal and player in now(ports).asked_by(proposal):
        agree(ports, "g1", player, proposal.number)


def now(ports: Ports) -> Game:
    game = ports.game("g1")
    assert game
    return game


def by_script(folder: Path, stored: Sequence[Stored], game: str = "g1") -> subprocess.CompletedProcess[str]:
    """What `examples/verify.py` says of the log as REST serves it, in two pages."""
    rules = ruleset(decode(stored[0].data).rules.split()[0])
    half, items = len(stored) // 2, [entry(rules, each) for each in stored]
    pages = [folder / "one.json", folder / "two.json"]
    for page, part in zip(pages, (items[:half], items[half:]), strict=True):
        page.write_text(json.dumps({"game": game, "items": part}), "utf-8")
    return subprocess.run([sys.executable, SCRIPT, *pages], capture_output=True, text=True, check=False)


def test_every_outcome_of_a_finished_game_can_be_checked(log: list[Stored], tmp_path: Path) -> None:
    checked, script = verify("g1", log), by_script(tmp_path, log)

    assert (checked.faults, checked.sealed) == ((), False)
    assert checked.draws > 3
    assert (script.returncode, script.stderr) == (0, "")
    assert "3 contributions" in script.stdout


def test_the_script_is_short_and_needs_nothing_of_ours() -> None:
    text = SCRIPT.read_text("utf-8")

    assert len(text.splitlines()) < 100
    assert "marketpost" not in {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import", "from"))}


@pytest.mark.parametrize("file", list(files()), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_script_checks_old_logs_by_their_own_scheme(file: Path, tmp_path: Path) -> None:
    then, stored = read(file)

    checked = by_script(tmp_path, stored, then["game"])

    assert (checked.returncode, checked.stderr) == (0, "")


def rewritten(stored: Sequence[Stored], tampering: Tampering) -> list[Stored]:
    """The log with something changed and every hash computed anew, as an operator could do it."""
    entries = [decode(each.data) for each in stored]
    actions = tampering([each.action for each in entries])
    known = {id(each.action): each.by for each in entries}
    by = [each.by for each in entries] if len(actions) == len(entries) else [known.get(id(action)) for action in actions]
    head, written = "", list[bytes]()
    for number, action in enumerate(actions):
        data, head = write(number, head, entries[0].at, by[number], entries[0].rules, [action])
        written += data
    return [Stored(number, data) for number, data in enumerate(written, 1)]


def replaced(kind: type, **values: object) -> Tampering:
    """The last entry of this kind says something else."""

    def tamper(actions: list[AnyAction]) -> list[AnyAction]:
        place = max(number for number, action in enumerate(actions) if isinstance(action, kind))
        return [*actions[:place], msgspec.structs.replace(actions[place], **values), *actions[place + 1 :]]

    return tamper


def moved_word(actions: list[AnyAction]) -> list[AnyAction]:
    """The last contribution comes right after the beginning."""
    place = max(number for number, action in enumerate(actions) if isinstance(action, Contributed))
    began = next(number for number, action in enumerate(actions) if isinstance(action, Began))
    return [*actions[:place], *actions[place + 1 : began + 1], actions[place], *actions[began + 1 :]]


def before(kind: type, added: AnyAction) -> Tampering:
    def tamper(actions: list[AnyAction]) -> list[AnyAction]:
        place = next(number for number, action in enumerate(actions) if isinstance(action, kind))
        return [*actions[:place], added, *actions[place:]]

    return tamper


def without(kind: type) -> Tampering:
    return lambda actions: [each for each in actions if not isinstance(each, kind)]


OUTCOME = re.compile(rb'(\["drawn",\d,"|\["rolled",\d,\[")(clerk|citizen|[\d-]+)')
OTHER = {b"clerk": b"citizen", b"citizen": b"clerk", b"1": b"2"}


def other_outcome(actions: list[AnyAction]) -> list[AnyAction]:
    """The last thing that chance has drawn is another one: a customer of the other kind, another face of the die."""
    events = {number: bytes(getattr(action, "events", b"")) for number, action in enumerate(actions)}
    place = max(number for number, data in events.items() if OUTCOME.search(data))
    changed = OUTCOME.sub(lambda found: found[1] + OTHER.get(found[2], b"1"), events[place], count=1)
    return [*actions[:place], msgspec.structs.replace(actions[place], events=msgspec.Raw(changed)), *actions[place + 1 :]]


TAMPERED: dict[str, tuple[Tampering, str]] = {
    "a word that a player brought": (
        lambda actions: [
            msgspec.structs.replace(each, word="lucky-8") if isinstance(each, Contributed) and not each.drawn else each for each in actions
        ],
        "the secret gives",
    ),
    "a word that the server drew": (replaced(Contributed, word="0123456789abcdef"), "was chosen, not drawn"),
    "a drawn word called a player's own": (replaced(Contributed, word="other", drawn=False), "the secret gives"),
    "a contribution of a bot": (before(Began, Contributed(3, "chosen", drawn=True)), "no word of the player in seat 4"),
    "a contribution after the beginning": (moved_word, "after the game began"),
    "one more contribution after the first draw": (before(Moved, Contributed(0, "late", drawn=False)), "after the game began"),
    "a missing contribution": (without(Contributed), "has contributed nothing"),
    "the contributions before the commitment": (lambda actions: [actions[1], actions[0], *actions[2:]], "version 1"),
    "the commitment": (replaced(Opened, seal=seal(bytes(32))), "not the one that was sealed"),
    "the secret": (replaced(Revealed, secret=bytes(32).hex()), "not the one that was sealed"),
    "the scheme": (replaced(Opened, scheme=1), "the secret gives"),
    "the order of seats": (replaced(Began, order=()), "order of seats"),
    "an outcome": (other_outcome, "the secret gives"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_log_that_was_rewritten_is_found_out(log: list[Stored], what: str, tmp_path: Path) -> None:
    tampering, sentence = TAMPERED[what]
    stored = rewritten(log, tampering)

    script = by_script(tmp_path, stored)

    assert script.returncode == 1
    assert sentence in script.stderr
    assert "Traceback" not in script.stderr
    assert sentence in (said := _said_by_us(stored)) or "does not fit together" in said


def _said_by_us(stored: Sequence[Stored]) -> str:
    try:
        return "; ".join(verify("g1", stored).faults)
    except Tampered as broken:
        return str(broken)


def contributions(ports: Ports) -> list[tuple[int, str, bool]]:
    actions = [decode(each.data).action for each in ports.games.read("g1")]
    return [(each.seat, each.word, each.drawn) for each in actions if isinstance(each, Contributed)]


def drawn(ports: Ports, seat: int) -> tuple[int, str, bool]:
    return seat, drawn_word(ports.games.secret("g1"), "g1", seat), True


def kinds(ports: Ports) -> list[type]:
    return [type(decode(each.data).action) for each in ports.games.read("g1")]


def test_commitment_then_contributions_then_the_first_draw(ports: Ports, rules: str, ann: str, ben: str, cy: str) -> None:
    game = opened(ports, rules, ann, ben)
    assert (game.scheme, game.seal) == (2, seal(ports.games.secret("g1")))
    join(ports, "g1", ben, word=" lucky-7 ")
    join(ports, "g1", cy)

    assert kinds(ports) == [Opened, Contributed, Joined, Contributed, Joined, Contributed, Began]
    assert contributions(ports) == [drawn(ports, 0), (1, "lucky-7", False), drawn(ports, 2)]


def test_a_host_who_wants_to_bring_a_word_keeps_a_seat_and_joins(ports: Ports, rules: str, ann: str) -> None:
    game = open_game(ports, "g1", ann, rules, [SeatPlan(invited=ann), SeatPlan(bot="random")], {})
    assert (game.status, ports.games.has_work("g1"), contributions(ports)) == ("open", False, [])

    assert join(ports, "g1", ann, word="mine-1").status == "running"
    assert contributions(ports) == [(0, "mine-1", False)]


def test_a_word_can_be_changed_until_the_game_begins(ports: Ports, rules: str, ann: str, ben: str, cy: str) -> None:
    opened(ports, rules, ann, ben)
    contribute(ports, "g1", ann, "first")
    contribute(ports, "g1", ann, "second")
    contribute(ports, "g1", ann, "second")
    with pytest.raises(Refused, match="not-your-game"):
        contribute(ports, "g1", ben, "hello")
    join(ports, "g1", ben)
    join(ports, "g1", cy)

    with pytest.raises(Refused, match="already-started"):
        contribute(ports, "g1", ann, "third")

    assert contributions(ports) == [drawn(ports, 0), (0, "first", False), (0, "second", False), drawn(ports, 1), drawn(ports, 2)]
    assert {each.word for each in now(ports).words.values()} == {"second", drawn(ports, 1)[1], drawn(ports, 2)[1]}


@pytest.mark.parametrize("word", ["two words", "http://x.example", "a.b", "x" * 41, "new\nline", "\u202e"])
def test_a_word_has_no_blanks_and_is_no_link(ports: Ports, ann: str, ben: str, word: str) -> None:
    opened(ports, "portobello", ann, ben)

    with pytest.raises(Refused, match="word-unfit"):
        join(ports, "g1", ben, word=word)

    assert now(ports).seat_of(ben) is None


def test_who_leaves_takes_the_word_along(ports: Ports, ann: str, ben: str) -> None:
    opened(ports, "portobello", ann, ben)
    join(ports, "g1", ben, word="lucky-7")

    assert [*leave(ports, "g1", ben).words] == [0]


def test_who_comes_first_decides_nothing(ports: Ports, rules: str, ann: str, ben: str, cy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_bytes", bytes)
    words, found = {ben: "ben-1", cy: "cy-1"}, list[Game]()
    for order in ((ben, cy), (cy, ben)):
        ports.games.redis.flushdb()
        ports.evict("g1")
        open_game(ports, "g1", ann, rules, [SeatPlan(player=ann), SeatPlan(), SeatPlan()], {}, shuffled=True)
        found += [join(ports, "g1", each, word=words[each]) for each in order][1:]

    one, other = found
    assert one.seats == other.seats
    assert one.state == other.state


def test_chance_seats_everybody_and_each_keeps_their_word(ports: Ports, rules: str, ann: str, ben: str, cy: str) -> None:
    places = set()
    for number in range(12):
        id = f"g{number}"
        open_game(ports, id, ann, rules, [SeatPlan(player=ann), SeatPlan(), SeatPlan(bot="random")], {}, shuffled=True)
        game = join(ports, id, ben, word="ben-1")
        places.add(tuple(seat.player for seat in game.seats))
        assert game.words[game.seats_of(ben)[0]].word == "ben-1"
        assert game.began_with == tuple(seat.player for seat in game.seats)

    assert len(places) > 1


def test_whoever_takes_a_seat_after_the_beginning_contributes_nothing(ports: Ports, rules: str, ann: str, ben: str, cy: str) -> None:
    opened(ports, rules, ann, ben)
    for each in (ben, cy):
        join(ports, "g1", each)
    before_them, words = contributions(ports), now(ports).words
    dee = register(ports, "dee@example.org", "Dee").id

    hand_over(ports, "g1", ben, SeatPlan(invited=dee))
    join(ports, "g1", dee, word="too-late-1")
    resign(ports, "g1", cy)

    assert (contributions(ports), now(ports).words) == (before_them, words)


def test_a_rematch_has_contributions_of_its_own(ports: Ports, ann: str, ben: str, cy: str) -> None:
    finished(ports, "portobello", (ann, ben, cy))
    again = rematch(ports, "g1", ann)
    rematch(ports, "g1", ben, "again-7")

    game = ports.game(again.id)
    assert game
    assert game.seal != now(ports).seal
    told = {game.seats[seat].player: (each.word, each.drawn) for seat, each in game.words.items()}
    assert told[ben] == ("again-7", False)
    assert told[ann][1]


def test_a_guest_who_signs_in_takes_the_word_along(ports: Ports, ann: str, rules: str) -> None:
    guest = new_guest(ports, "Guest", "en").id
    word = open_game(ports, "g1", guest, rules, [SeatPlan(player=guest), SeatPlan(bot="random")], {}).words[0]

    merge_guest(ports, guest, ann)

    game = ports.game("g1")
    assert game is not None
    assert (game.seats_of(ann), game.words[0]) == ([0], word)
    assert verify("g1", ports.games.read("g1")).faults == ()


def test_draws_of_different_domains_tell_nothing_of_each_other() -> None:
    secret = bytes(32)
    game = Game("g1", scheme=2)
    outcomes = [[chance.pick(range(1000)) for _ in range(5)] for chance in (*(game.chance(secret, each) for each in Domain), sealed(0))]
    bots = [game.bot_chance(secret, occasion).pick(range(1 << 60)) for occasion in ("one", "two")]

    assert len({*map(tuple, outcomes)}) == len(outcomes)
    assert len({*bots}) == 2
    assert len({mix(secret, "g1", words) for words in ((), ("a",), ("a", "b"), ("b", "a"), ("ab",))}) == 4
