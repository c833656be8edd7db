"""Players at one table who do anything at any time, by REST and by mail, while parts of the service die; compared with the model."""

import random
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.rules.bots import RANDOM, bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import Ruleset
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import Player
from tests.mail.desk import reply
from tests.model.fragile import PEOPLE, FragileService, Stores
from tests.model.reference import BOT, OPEN, ModelMove, Occupant, TableModel, Wrong

HALF_AN_HOUR = 1_800_000
PER_DECISION = 24 * 3_600_000 + HALF_AN_HOUR
"""Time is moved by whole hours, so that no deadline is nearer than minutes."""
NEAR = 60_000
"""Milliseconds by which the clock of a test may run on during one action."""
MOST_SEATS = 4
NONSENSE = ("and then I shall win", "99 of everything", "", "yes or no")
someone = st.sampled_from(sorted(PEOPLE))
doors = st.sampled_from(["rest", "mail"])
dies_at = st.one_of(st.just(0), st.just(0), st.integers(1, 40))
"""The moment at which the process dies; 0 if it does not."""


@dataclass(frozen=True, slots=True)
class SentMove:
    """Orders that a worker has not judged yet."""

    id: str
    seat: int
    orders: str
    letters: int
    """How many letters its player had when it was sent."""


class TableMachine(RuleBasedStateMachine):
    """One game of one ruleset. `stores` and `ruleset` are set by whoever runs it."""

    stores: ClassVar[Stores]
    ruleset: ClassVar[Ruleset[Any]]
    done: ClassVar[Counter[str]] = Counter()
    """What was done how often, over all games."""

    def __init__(self) -> None:
        super().__init__()
        self.true_chance, secrets.token_bytes = secrets.token_bytes, random.Random(0).randbytes  # the same game for the same actions
        self.service = FragileService(self.stores)
        self.pending: list[SentMove] = []
        self.by_rest: list[tuple[ModelMove, int]] = []
        """Moves that came by REST, and how many letters their players had then."""
        self.requests = 0
        self.last: tuple[str, str, dict[str, str], str, str] | None = None
        """Name, path, body, key and id of the newest accepted move."""
        self.raw: tuple[bytes, str] | None = None
        """The newest mail of a player, and where it went."""
        self.mails = 0
        self.dice = random.Random(0)

    # The table

    @initialize(
        kinds=st.lists(st.sampled_from(["invited", "invited", "open", "bot"]), min_size=MOST_SEATS, max_size=MOST_SEATS),
        players=st.integers(2, MOST_SEATS),
        clock=st.sampled_from(["", "", "bot-plays", "bot-takes", "out"]),
        at_once=st.sampled_from([True, True, False]),
        dies=dies_at,
        seed=st.integers(0, 2**32),
    )
    def open_table(self, kinds: list[str], players: int, clock: str, at_once: bool, dies: int, seed: int) -> None:
        self.dice.seed(seed)
        count = min(max(players, self.ruleset.players[0]), self.ruleset.players[-1])
        guests = [name for name in PEOPLE if name != "Ann"]
        seats: list[Occupant] = [("person", self.id_of("Ann"))]
        for kind in kinds[: count - 1]:
            whose = self.id_of(guests.pop(0)) if kind == "invited" and guests else ""
            seats.append(("invited", whose) if whose else BOT if kind == "bot" else OPEN)
        asked: dict[str, Any] = {"rules": self.ruleset.name, "public": True, "seats": [self.asked_for(each) for each in seats]}
        if clock:
            asked["clock"] = {"per_decision": PER_DECISION // 1000, "at_zero": clock}
        answer = self.request("Ann", "/v1/games", asked, dies)
        assert answer.status_code == 201, answer.get_data()
        self.game = str(answer.json["id"])
        setting = self.found.setting
        self.model = TableModel(self.ruleset, setting, self.id_of("Ann"), seats, PER_DECISION if clock else 0, clock)
        self.begin_if_full()
        self.work(0)
        if at_once:
            for name in PEOPLE:
                self.asks(name, "join", {}, partial(self.model.join, self.id_of(name)), 0)
            self.asks("Ann", "fill", {}, lambda: self.model.fill(self.id_of("Ann")), 0)

    def asked_for(self, seat: Occupant) -> dict[str, Any]:
        kind, whose = seat
        named = {"person": {"me": True}, "invited": {"player": whose}, "bot": {"bot": usual_bot(self.ruleset)}, "open": {"open": True}}
        return named[kind]

    def begin_if_full(self) -> None:
        if self.model.is_full:
            words = [seat["word"] for seat in self.shown("Ann")["seats"] if seat["word"]]
            self.model.begin(self.game, self.service.ports.secret(self.game), words, self.now)

    # Before the beginning

    @rule(name=someone, door=doors, dies=dies_at)
    def join(self, name: str, door: str, dies: int) -> None:
        if door == "mail" and ("invited", self.id_of(name)) in self.model.seats and self.model.status == "open":
            self.mailed(name, "yes", lambda: self.model.join(self.id_of(name)), dies)
        else:
            self.asks(name, "join", {}, lambda: self.model.join(self.id_of(name)), dies)

    @precondition(lambda self: self.model.status == "open")
    @rule(name=someone, what=st.sampled_from(["decline", "leave", "fill", "cancel"]), sure=st.integers(0, 3), dies=dies_at)
    def before_the_beginning(self, name: str, what: str, sure: int, dies: int) -> None:
        if what in ("decline", "cancel") and sure:
            return  # or few games would begin
        act: Callable[[str], None] = getattr(self.model, what)
        self.asks(name, what, {}, lambda: act(self.id_of(name)), dies)

    # Moves

    @precondition(lambda self: self.model.status == "running")
    @rule(whole=st.booleans(), later=st.booleans(), door=doors, dies=dies_at, data=st.data())
    def move(self, whole: bool, later: bool, door: str, dies: int, data: st.DataObject) -> None:
        """Somebody whose turn it is plays a legal step, or a whole turn."""
        name = self.name_to_play()
        if not name:
            return
        seat = self.seat_of(name)
        legal = list(self.ruleset.legal(self.model.state, seat))
        orders = self.turn(seat, usual_bot(self.ruleset)) if whole or not legal else legal[data.draw(st.integers(0, len(legal) - 1))]
        self.order(name, orders, door, later, dies)

    @rule(name=someone, orders=st.sampled_from(NONSENSE), turn=st.booleans(), door=doors, later=st.booleans(), dies=dies_at)
    def wrong_orders(self, name: str, orders: str, turn: bool, door: str, later: bool, dies: int) -> None:
        """Nonsense, or a good turn of somebody else; at times after a step that is legal."""
        if turn and self.model.status == "running":
            good = self.turn(self.model.deciders[0], RANDOM)
            orders = good if not self.model.decides(self.id_of(name)) else f"{good}\n{orders or NONSENSE[0]}"
        if door == "mail":
            self.mailed(name, orders or "?", None, dies)
        else:
            self.order(name, orders, door, later, dies)

    @precondition(lambda self: self.model.status == "running")
    @rule(turns=st.integers(1, 12), dies=dies_at)
    def some_turns(self, turns: int, dies: int) -> None:
        """The game goes on for a while."""
        for _ in range(turns):
            if name := self.name_to_play():
                self.order(name, self.turn(self.seat_of(name), usual_bot(self.ruleset)), "rest", False, dies)

    @precondition(lambda self: self.last)
    @rule(other=st.booleans(), dies=dies_at)
    def repeat(self, other: bool, dies: int) -> None:
        """The same key again: the same move, or a refusal if it comes with other orders."""
        assert self.last
        name, path, body, key, id = self.last
        answer = self.service.call(name, "POST", path, {"orders": f"{body['orders']} "} if other else body, key, dies)
        if self.seat_of(name) < 0:
            assert answer.json["code"] == "not-your-game", answer.json
        else:
            assert answer.json.get("id") == (None if other else id), answer.json

    @precondition(lambda self: self.raw)
    @rule(dies=dies_at)
    def mail_again(self, dies: int) -> None:
        """A server sends the same mail once more."""
        assert self.raw
        before = len(self.service.street.brought)
        self.service.desk.receive(*self.raw)
        self.settle()
        answers = [each for each in self.service.street.brought[before:] if each.mail.header("Auto-Submitted") == "auto-replied"]
        assert not answers, "one mail is answered twice"

    # Agreements

    @rule(name=someone, door=doors, dies=dies_at)
    def undo(self, name: str, door: str, dies: int) -> None:
        self.by(door, name, "undo", "undo", lambda: self.model.undo(self.id_of(name), self.now), dies)

    @precondition(lambda self: self.model.status == "running" and self.name_of_last())
    @rule(
        hours=st.sampled_from([0, 5]),
        first=st.sampled_from(["", "step", "turn"]),
        agreed=st.sampled_from([True, True, False]),
        door=doors,
        dies=dies_at,
    )
    def take_back(self, hours: int, first: str, agreed: bool, door: str, dies: int) -> None:
        """The newest move of a person is undone, often one that is made now after some hours; mostly all others agree at once."""
        self.work(0)
        name = self.name_to_play()
        if first and name:
            self.pass_time(hours, at_work=True)
        if first and name and name == self.name_to_play():
            seat = self.seat_of(name)
            legal = list(self.ruleset.legal(self.model.state, seat)) if first == "step" else []
            self.order(name, self.dice.choice(legal) if legal else self.turn(seat, usual_bot(self.ruleset)), "rest", False, 0)
        name = self.name_of_last()
        if not name or self.model.status != "running":
            return
        self.by(door, name, "undo", "undo", lambda: self.model.undo(self.id_of(name), self.now), dies)
        while agreed and (asked := sorted(self.model.asked())):
            self.say_yes(next(name for name in PEOPLE if self.id_of(name) == asked[0]))

    def name_of_last(self) -> str:
        """Who made the newest move that a bot did not make."""
        newest = (self.model.seats[each.seat] for each in reversed(self.model.moves))
        return next((name for seat in newest for name in PEOPLE if seat == ("person", self.id_of(name))), "")

    def say_yes(self, name: str) -> None:
        number = self.shown("Ann")["proposal"]["number"]
        act = partial(self.model.agree, self.id_of(name), self.now, right_number=True)
        self.asks(name, f"proposals/{number}/yes", {}, act, 0)

    @rule(name=someone, what=st.sampled_from(["draw", "abandon"]), door=doors, dies=dies_at)
    def propose(self, name: str, what: str, door: str, dies: int) -> None:
        act = partial(self.model.propose, self.id_of(name), what, self.now)
        if door == "mail":
            self.mailed(name, what, act, dies)
        else:
            self.asks(name, "proposals", {"what": what}, act, dies)

    @precondition(lambda self: self.model.proposal)
    @rule(name=someone, yes=st.booleans(), right=st.integers(0, 9), door=doors, dies=dies_at)
    def answer(self, name: str, yes: bool, right: int, door: str, dies: int) -> None:
        number = self.shown("Ann")["proposal"]["number"] + (right == 0)
        act = partial(self.model.agree if yes else self.model.disagree, self.id_of(name), self.now, right_number=right > 0)
        if door == "mail" and right and self.id_of(name) in self.model.asked():
            self.mailed(name, "yes" if yes else "no", act, dies)
        else:
            self.asks(name, f"proposals/{number}/{'yes' if yes else 'no'}", {}, act, dies)

    @rule(name=someone, sure=st.integers(0, 7), door=doors, dies=dies_at)
    def resign(self, name: str, sure: int, door: str, dies: int) -> None:
        if sure == 0:
            self.by(door, name, "resign", "resign!", lambda: self.model.resign(self.id_of(name), self.now), dies)

    @precondition(lambda self: self.model.per_decision)
    @rule(name=someone, door=doors, dies=dies_at)
    def come_back(self, name: str, door: str, dies: int) -> None:
        self.by(door, name, "return", "back", lambda: self.model.come_back(self.id_of(name), self.now), dies)

    # Time and faults

    @rule(hours=st.sampled_from([1, 7, 26]), at_work=st.booleans())
    def time_passes(self, hours: int, at_work: bool) -> None:
        self.pass_time(hours, at_work=at_work)

    def pass_time(self, hours: int, *, at_work: bool) -> None:
        self.work(0)
        start = self.now
        self.service.let_pass(hours, at_work=at_work)
        if not at_work:
            self.model.outage(start, self.now)
        self.bots_have_played()
        while self.model.time_out(self.now):
            self.bots_have_played()
        self.settle()

    @rule(part=st.sampled_from(["api", "worker", "games", "queue"]))
    def restart(self, part: str) -> None:
        match part:
            case "api":
                self.service.start_api()
            case "worker":
                self.service.start_worker()
            case _:
                self.service.stores.kill(part)
                self.service.start_api()
                self.service.start_worker()
                self.work(0)

    @rule(dies=dies_at)
    def workers_work(self, dies: int) -> None:
        self.work(dies)

    # What must be so

    @invariant()
    def is_as_the_model_says(self) -> None:
        if not hasattr(self, "model"):
            return
        model, shown = self.model, self.shown("Ann")
        assert shown["status"] == model.status
        assert shown["ended"] == (model.ended or ("played" if model.status == "over" else None))
        assert [self.seen(each) for each in shown["seats"]] == [(kind, "" if kind == "invited" else whose) for kind, whose in model.seats]
        colours = model.setting.colours
        assert shown["decides"] == [colours[seat] for seat in model.deciders]
        proposal = shown["proposal"]
        assert bool(proposal) == bool(model.proposal)
        if proposal and model.proposal:
            assert (proposal["what"], proposal["colour"]) == (model.proposal.what, colours[model.proposal.seat])
            asked = {seat["player"] for seat in shown["seats"] if seat["colour"] in proposal["asked"]}
            assert asked == model.asked()
        game = self.found
        assert game.state == model.state
        assert [each.seat for each in game.played if each.seat is not None] == [each.seat for each in model.moves]
        self.check_times(game.times)

    def check_times(self, times: Any) -> None:
        if self.model.status != "running":
            return
        running = {seat: time.by for seat, time in times.items() if time.by}
        assert running.keys() == self.model.times.keys()
        for seat, by in running.items():
            assert abs(by - self.model.times[seat].by) < NEAR, (by - self.model.times[seat].by, seat)

    def teardown(self) -> None:
        try:
            self.check_all()
        finally:
            secrets.token_bytes = self.true_chance

    def check_all(self) -> None:
        if not hasattr(self, "model"):
            return
        self.work(0)
        ports = self.service.ports
        assert not verify(self.game, ports.games.read(self.game), ports.games.head(self.game)).faults
        twice = [id for id, times in Counter(each.mail.header("Message-ID") for each in self.service.street.brought).items() if times > 1]
        assert len(twice) <= self.service.deaths, "a letter was sent twice, and no worker died"
        self.done.update({"games": 1, "moves": self.model.applied, "mails": self.mails, "deaths": self.service.deaths})
        self.done[f"games {self.model.status}"] += 1

    # How it is done

    @property
    def now(self) -> int:
        return self.service.clock.now

    @property
    def found(self) -> Any:
        found = self.service.ports.game(self.game)
        assert found
        return found

    def id_of(self, name: str) -> str:
        return self.service.person(name).id

    def seat_of(self, name: str) -> int:
        """-1 for somebody who is not at the table."""
        seat = self.model.seat_of(self.id_of(name))
        return -1 if seat is None else seat

    def name_to_play(self) -> str:
        return next((name for name in PEOPLE if self.model.decides(self.id_of(name)) and not self.model.has_bot(self.seat_of(name))), "")

    def turn(self, seat: int, name: str) -> str:
        return bot(self.ruleset, name)(self.model.state.copy(), seat, Sealed(self.dice.randbytes(32), "model"))

    def shown(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.service.call(name, "GET", f"/v1/games/{self.game}").json
        return found

    def seen(self, seat: dict[str, Any]) -> Occupant:
        if seat["player"]:
            return "person", seat["player"]
        return BOT if seat["bot"] else OPEN if seat["open"] else ("invited", "")

    def request(self, name: str, path: str, body: Any, dies: int) -> Any:
        self.requests += 1
        return self.service.call(name, "POST", path, body, f"request-{self.requests}", dies)

    def expected(self, act: Callable[[], None]) -> str:
        """What the model says to it: the code of a refusal, or nothing."""
        try:
            act()
        except Wrong as wrong:
            return wrong.code
        return ""

    def by(self, door: str, name: str, path: str, word: str, act: Callable[[], None], dies: int) -> None:
        if door == "mail":
            self.mailed(name, word, act, dies)
        else:
            self.asks(name, path, {}, act, dies)

    def asks(self, name: str, path: str, body: Any, act: Callable[[], None], dies: int) -> None:
        """By REST; whatever waits in the game goes on waiting."""
        answer = self.request(name, f"/v1/games/{self.game}/{path}", body, dies)
        code = self.expected(act)
        self.begin_if_full()
        assert (answer.json["code"] if answer.status_code >= 400 else "") == code, (answer.status_code, answer.get_data())
        if not self.pending:
            self.work(0)

    def order(self, name: str, orders: str, door: str, later: bool, dies: int) -> None:
        if door == "mail":
            is_old = self.is_letter_old(name)
            self.mailed(name, orders, None if is_old else lambda: self.played(self.model.play(self.seat_of(name), orders, self.now)), dies)
            return
        path, seat = f"/v1/games/{self.game}/moves", self.seat_of(name)
        answer = self.request(name, path, {"orders": orders}, dies)
        refused = "not-your-game" if seat < 0 else "game-over" if self.model.ended else "not-started" if self.model.status == "open" else ""
        assert answer.json.get("code", "") == refused, answer.json
        if refused:
            return
        self.last = (name, path, {"orders": orders}, f"request-{self.requests}", answer.json["id"])
        self.pending.append(SentMove(answer.json["id"], seat, orders, len(self.service.desk.box(self.service.person(name)))))
        if not later:
            self.work(dies)

    def played(self, code: str) -> None:
        if code:
            raise Wrong(code)

    def work(self, dies: int) -> None:
        self.service.work(dies)
        self.settle()

    def settle(self) -> None:
        """What waited was judged in its order, and then the bots have moved."""
        for sent in self.pending:
            before = self.model.applied
            code = self.model.play(sent.seat, sent.orders, self.now)
            answer = self.service.call("Ann", "GET", f"/v1/games/{self.game}/moves/{sent.id}").json
            assert (answer["status"], answer["code"] or "") == ("refused" if code else "applied", code), answer
            if self.model.applied > before:
                assert (entry := self.moves()[before]).move == sent.id, entry
                self.by_rest.append((self.model.moves[-1], sent.letters))
        self.pending.clear()
        self.bots_have_played()
        assert len(self.moves()) == self.model.applied, "a move that nobody made"

    def moves(self) -> list[Moved]:
        actions = (decode(stored.data).action for stored in self.service.ports.games.read(self.game))
        return [action for action in actions if isinstance(action, Moved)]

    def bots_have_played(self) -> None:
        """The orders of bots are read in the log; all that follows from them is computed."""
        moves = self.moves()
        while self.pending == [] and any(map(self.model.has_bot, self.model.deciders)):
            assert len(moves) > self.model.applied, "a bot has not decided"
            each = moves[self.model.applied]
            assert each.seat in self.model.deciders
            assert self.model.has_bot(each.seat), "a bot has moved for a person"
            self.model.play(each.seat, each.orders, self.now)

    def letter(self, player: Player) -> MailboxMessage | None:
        box = self.service.desk.box(player)
        return box[-1] if box else None

    def is_letter_old(self, name: str) -> bool:
        """Whether a player has ended a turn by REST since the newest letter came, and not undone it: orders sent to it are not played."""
        self.work(0)
        letters, model = len(self.service.desk.box(self.service.person(name))), self.model
        ended = [move for move, had in self.by_rest if had >= letters and move.seat == self.seat_of(name)]
        return any(move is each and move.before.turn != model.state.turn for move in ended for each in model.moves)

    def mailed(self, name: str, text: str, act: Callable[[], None] | None, dies: int) -> None:
        """In answer to the newest letter; what asks for a yes first gets one. Nothing comes of nonsense."""
        self.work(0)
        player = self.service.person(name)
        letter = self.letter(player)
        if letter is None:
            return
        status = self.post(player, letter, text, dies)
        newest = self.letter(player)
        if status == "asked" and act and newest:
            self.is_as_the_model_says()
            status = self.post(player, newest, "yes", 0)
        code = self.expected(act) if act else ""
        self.begin_if_full()
        note(f"mail of {name}: {status} {code}")
        self.settle()
        if act and not code:
            assert status in ("submitted", "answered"), (text, status)

    def post(self, player: Player, letter: MailboxMessage, text: str, dies: int) -> str:
        self.mails += 1
        self.raw = (reply(letter, player.email, text), letter.reply_to)
        before = len(self.service.street.brought)
        found = self.service.take_mail(*self.raw, dies=dies)
        came = [each for each in self.service.street.brought[before:] if each.recipient == player.email]
        assert came or found in ("repeats-itself",), f"no answer to a mail: {text!r}, {found}"
        return found
