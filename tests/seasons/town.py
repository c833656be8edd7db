"""A league, a Swiss tournament and duplicate tables, played by mail and over REST on a moved clock.

Nobody does anything but the players, the workers and the sweeper. Meanwhile workers, the API and both Redis servers die, above all while
rounds are paired.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

from marketpost.mail.inbound.receive import receive
from marketpost.play.compete.competition import Competition, CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionFormat
from marketpost.play.compete.entering import competition_of
from marketpost.play.log.game import Game, GameStatus
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.words import LANGUAGES
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import MailPreference
from tests.mail.desk import reply
from tests.model.fragile import Died, FragileService, Stores, dying

DAY = 24
"""Hours."""
BY_MAIL = 4
"""One of so many people plays by mail."""
DEATHS, AT_OTHER_TIMES, AT_ENTRIES = 2, 0.05, 0.25
"""How many workers die, one after the other, where a round may be paired; and how often one, or a process of the API, dies elsewhere."""
LONGEST = 3.5
"""They die at one of so many commands, as a power of ten."""
MOVES = 3
"""At most tables a draw is agreed on when everybody has moved about so often."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A competition, and who enters it at the beginning."""

    id: str
    name: str
    format: CompetitionFormat
    people: Sequence[str]


@dataclass(slots=True)
class Town:
    """People, their letters, and a service whose parts die."""

    stores: Stores
    players: int
    rules: str
    dice: random.Random
    whole: int = 1
    """One of so many tables is played to its end."""
    service: FragileService = field(init=False)
    contests: list[Contest] = field(default_factory=list)
    letters: dict[tuple[str, str], tuple[MailboxMessage, str]] = field(default_factory=dict)
    """The newest letter by which somebody can answer about a game or a competition, and the label to answer with."""
    told: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """The Message-IDs of the letters of each subject that each address got."""
    sent: list[tuple[str, str]] = field(default_factory=list)
    """Game and move of everything that was acknowledged over REST."""
    mails: list[str] = field(default_factory=list)
    asleep: set[tuple[str, str]] = field(default_factory=set)
    """Competition and player who never decides in it."""
    happened: set[str] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.service = FragileService(self.stores, dict(zip(map("P{:02}".format, range(self.players)), cycle(LANGUAGES), strict=False)))
        for name, player in self.service.people.items():
            player.mail = MailPreference.EVERY if self.writes(name) else MailPreference.NONE
            self.service.ports.players.save(player)

    @property
    def names(self) -> list[str]:
        return list(self.service.people)

    def writes(self, name: str) -> bool:
        """Whether somebody plays by mail: people of every language in turn."""
        each, number = divmod(int(name[1:]), BY_MAIL)
        return number == BY_MAIL - 1 - each % BY_MAIL

    # Entering

    def announce(self, name: str, format: CompetitionFormat, people: Sequence[str], seats: int, rounds: int, every: str = "0m") -> Contest:
        """The first of these announces it over REST and invites those who play by mail."""
        starts = datetime.fromtimestamp(self.service.clock.now / 1000 + 2 * DAY * 3600, UTC).date().isoformat()
        invited = [self.service.person(each).email for each in people if self.writes(each)]
        body = {"name": name, "format": format, "rules": self.rules, "seats": seats, "starts": starts, "rounds": rounds, "every": every}
        made = self.service.call(people[0], "POST", "/v1/competitions", body | {"invite": invited}, f"announce-{format}")
        assert made.status_code == 201, made.get_data()
        contest = Contest(made.json["id"], name, format, people)
        self.contests.append(contest)
        return contest

    def enter(self, contest: Contest, *people: str) -> None:
        self.work()
        for name in people:
            if self.writes(name):
                self.write(name, contest.id, "yes")
            else:
                self.post(name, f"competitions/{contest.id}/join", {}, f"{name}-enters-{contest.id}", AT_ENTRIES)
        self.work()

    # Playing

    def play_on(self) -> None:
        """Everybody decides who is to and does not sleep; then time passes."""
        acted = sum(map(self.decide, list(self.running())))
        self.work()
        self.service.clock.forward(hours=1 if acted else DAY)
        self.work()
        self.service.sweep()
        self.done["passes"] += 1

    def running(self) -> Iterator[Game]:
        for contest in self.contests:
            competition = competition_of(self.service.ports, contest.id)
            for id in tables(competition, competition.rounds[-1:]):
                if (game := self.service.ports.game(id)) and game.status == GameStatus.RUNNING:
                    yield game

    def decide(self, game: Game) -> int:
        """Whoever is to decide does, or somebody proposes a draw or agrees to it; 0 if all of them sleep, or are bots."""
        if self.is_enough(game):
            return self.draw(game)
        for seat in game.deciders:
            player = game.seats[seat].player
            if player and (game.competition, player) not in self.asleep:
                name = usual_bot(game.rules) if self.is_whole(game) else "random"
                orders = bot(game.rules, name)(game.state.copy(), seat, Sealed(bytes(32), f"{game.id} {game.version}"))
                self.order(self.name_of(player), game, orders)
                return 1
        return 0

    def is_whole(self, game: Game) -> bool:
        """Whether this table is played to its end."""
        return int(game.id, 16) % self.whole == 0

    def is_enough(self, game: Game) -> bool:
        """Whether the people at a table agree on a draw: after some moves, if nobody sleeps who would have to."""
        people = [seat.player for seat in game.seats if seat.player]
        can_agree = bool(people) and not any((game.competition, player) in self.asleep for player in people)
        return can_agree and not self.is_whole(game) and len(game.history) > MOVES * len(game.seats)

    def draw(self, game: Game) -> int:
        """One person proposes a draw; the others agree as soon as they are asked."""
        if (proposal := game.proposal) is None:
            first = [game.seats[seat] for seat in game.deciders]  # whose letter is of this turn, so that nothing is asked back
            people = [self.name_of(seat.player) for seat in (*first, *game.seats) if seat.player]
            name = min(people, key=self.writes)
            if self.writes(name):
                self.write(name, game.id, "draw")
            else:
                self.post(name, f"games/{game.id}/proposals", {"what": "draw"}, f"{game.id}-{game.version}-draw")
            return 1
        for name in map(self.name_of, sorted(game.asked_by(proposal))):
            if self.writes(name):
                self.write(name, game.id, "yes")
            else:
                self.post(name, f"games/{game.id}/proposals/{proposal.number}/yes", {}, f"{game.id}-{proposal.number}-{name}")
        self.done["draws agreed on"] += 1
        return 1

    def post(self, name: str, path: str, body: dict[str, str], key: str, often: float = AT_OTHER_TIMES) -> None:
        """Ask for something over REST, sometimes of a process that dies over it."""
        dies = self.dice.randint(1, 20) if self.dice.random() < often else 0
        answer = self.service.call(name, "POST", f"/v1/{path}", body, key, dies)
        assert answer.status_code < 300, answer.get_data()
        self.done["requests whose process died"] += bool(dies)

    def name_of(self, player: str) -> str:
        return next(name for name, each in self.service.people.items() if each.id == player)

    def order(self, name: str, game: Game, orders: str) -> None:
        if self.writes(name):
            self.write(name, game.id, orders)
            return
        key, dies = f"{game.id}-{game.version}", self.dice.randint(1, 20) if self.dice.random() < 0.01 else 0
        answer = self.service.call(name, "POST", f"/v1/games/{game.id}/moves", {"orders": orders}, key, dies)
        assert answer.status_code == 202, answer.get_data()
        self.done["requests whose process died"] += bool(dies)
        self.sent.append((game.id, answer.json["id"]))

    def write(self, name: str, about: str, text: str) -> None:
        """Answer the newest letter about a game or a competition, if it has come."""
        address = self.service.person(name).email
        if found := self.letters.get((address, about)):
            letter, label = found
            raw = reply(letter, address, f"{label}: {text}" if label else text)
            self.mails.append(receive(self.service.desk.mailer, raw, (letter.reply_to,), AuthVerdict.PASS))

    # Work and deaths

    def work(self) -> None:
        """All that waits is done, after some deaths. They are few: a mail over which workers die more than twice is given up."""
        for _ in range(DEATHS if self.is_pairing() else self.dice.random() < AT_OTHER_TIMES):
            if self._works(round(10 ** self.dice.uniform(0, LONGEST))):
                break
        self._works(0)
        self.service.sweep()
        self.read_letters()

    def _works(self, moment: int) -> bool:
        for id in self.service.ports.competitions.due(self.service.clock.now):
            self.service.desk.work_queue.enqueue(id)
        with suppress(Died), dying(moment):
            self.service.desk.work()
            return True
        self.done["worker deaths"] += 1
        self._begin_again()
        return False

    def _begin_again(self) -> None:
        if self.dice.random() < 0.3:
            self.stores.kill(server := self.dice.choice(["games", "queue"]))
            self.done[f"{server} killed"] += 1
            self.service.start_api()
        self.service.start_worker()
        self.service.desk.leases_end()

    def is_pairing(self) -> bool:
        """Whether a round is to be paired now, or as soon as a last table is over."""
        ports, now = self.service.ports, self.service.clock.now
        for contest in self.contests:
            competition = competition_of(ports, contest.id)
            last = competition.rounds[-1] if competition.rounds else None
            begins = last.began + competition.plan.every if last else competition.plan.starts
            if competition.status != CompetitionStatus.OVER and begins <= now:
                games = map(ports.game, tables(competition, competition.rounds[-1:]))
                if sum(not game or game.status != GameStatus.OVER for game in games) <= 1:
                    return True
        return False

    def read_letters(self) -> None:
        mail_queue = self.service.desk.mailer.mail_queue
        for each in self.service.street.brought:
            self.done["letters"] += 1
            self.told.setdefault((each.recipient, each.mail.header("Subject")), set()).add(each.mail.header("Message-ID"))
            token = each.mail.reply_to.partition("@")[0].partition("+")[2]
            if found := mail_queue.reply(token) if token else None:
                known = {context.game or "": label for label, context in found.games.items()}
                known |= {found.game: ""} if found.game and not found.shows_next else {}
                self.letters.update({(each.recipient, about): (each.mail, label) for about, label in known.items()})
        self.service.street.brought.clear()


def tables(competition: Competition, rounds: Sequence[Any]) -> list[str]:
    """The ids of all tables of these rounds."""
    return [competition.table_id(each.number, number) for each in rounds for number in range(len(each.tables))]
