"""Three seasons of a league, a Swiss tournament and duplicate tables, played by mail and over REST on a moved clock.

`python -m tests.seasons --players 64`. Nobody does anything but the players, the workers and the sweeper. Meanwhile workers, the API and
both Redis servers die, above all while rounds are paired.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import cycle, pairwise
from typing import Any

import click

from marketpost.mail.inbound.receive import receive
from marketpost.play.compete.competition import Competition, CompetitionStatus, follow_competition
from marketpost.play.compete.competition_actions import CompetitionFormat
from marketpost.play.compete.entering import competition_of
from marketpost.play.compete.pairing import draw_lots, pair_round
from marketpost.play.compete.standings import divisions
from marketpost.play.keeping.verify import verify
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import Sealed
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import LANGUAGES
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import MailboxMessage
from marketpost.store.players import MailPreference
from tests import proof
from tests.mail.desk import reply
from tests.model.fragile import Died, FragileService, Stores, dying, fragile_stores
from tests.small_pictures import shrink_pictures

DAY = 24
"""Hours."""
MOST_PASSES = 5000
BY_MAIL = 4
"""One of so many people plays by mail."""
SEASONS, ROUNDS = 3, 5
DEATHS, AT_OTHER_TIMES = 2, 0.05
"""How many workers die, one after the other, where a round may be paired; and how often one dies elsewhere."""
LONGEST = 3.5
"""They die at one of so many commands, as a power of ten."""
UNDERSTOOD = ("submitted", "answered", "several-games")


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
        """Whether somebody plays by mail."""
        return int(name[1:]) % BY_MAIL == BY_MAIL - 1

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
                path = f"/v1/competitions/{contest.id}/join"
                answer = self.service.call(name, "POST", path, {}, f"{name}-enters-{contest.id}", self.dice.choice([0, 0, 0, 7]))
                assert answer.status_code == 200, answer.get_data()
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
        """Whoever is to decide does; 0 if all of them sleep, or are bots."""
        for seat in game.deciders:
            player = game.seats[seat].player
            if player and (game.competition, player) not in self.asleep:
                orders = bot(game.rules, usual_bot(game.rules))(game.state.copy(), seat, Sealed(bytes(32), f"{game.id} {game.version}"))
                self.order(self.name_of(player), game, orders)
                return 1
        return 0

    def name_of(self, player: str) -> str:
        return next(name for name, each in self.service.people.items() if each.id == player)

    def order(self, name: str, game: Game, orders: str) -> None:
        if self.writes(name):
            self.write(name, game.id, orders)
            return
        key, dies = f"{game.id}-{game.version}", self.dice.randint(1, 20) if self.dice.random() < 0.01 else 0
        answer = self.service.call(name, "POST", f"/v1/games/{game.id}/moves", {"orders": orders}, key, dies)
        assert answer.status_code == 202, answer.get_data()
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

    # What must be so

    def faults(self) -> Iterator[str]:
        """Name everything that is not as it must be."""
        ports = self.service.ports
        found = {contest.id: competition_of(ports, contest.id) for contest in self.contests}
        opened = [id for each in found.values() for id in tables(each, each.rounds)]
        if sorted(opened) != sorted(ports.games.all_games()):
            yield f"{len(opened)} tables were paired, and there are {len(ports.games.all_games())} games"
        for id in opened:
            checked = verify(id, ports.games.read(id), ports.games.head(id))
            if checked.faults or checked.sealed:
                yield f"{id}: {checked}"
        yield from (f"{id}: the pairing is another one when it is done again" for id in found if not _is_paired_alike(self, id))
        yield from (f"{game}: {move} was acknowledged and not applied" for game, move in self.sent if not _is_applied(self, game, move))
        yield from (f"mail {id}: {status}" for id in self.mails if (status := self.mail_status(id)) not in UNDERSTOOD)
        for contest in self.contests:
            yield from self._untold(contest, found[contest.id])

    def mail_status(self, id: str) -> str:
        inbound = self.service.desk.mailer.mail_queue.inbound(id)
        return inbound.status if inbound else "lost"

    def _untold(self, contest: Contest, competition: Competition) -> Iterator[str]:
        """Everybody who plays by mail got one letter about each round."""
        for each in competition.rounds:
            playing = {player for table in each.tables for player in table.players} | {*each.byes}
            for name, player in self.service.people.items():
                if self.writes(name) and player.id in playing:
                    ids = [
                        told for (to, subject), told in self.told.items() if to == player.email and _tells(subject, contest, each.number)
                    ]
                    if [len(told) for told in ids] != [1]:
                        yield f"{name} got {ids} about round {each.number} of {contest.name}"


def _tells(subject: str, contest: Contest, number: int) -> bool:
    return subject.startswith(f"{contest.name}:") and subject.endswith(f" {number}")


def tables(competition: Competition, rounds: Sequence[Any]) -> list[str]:
    """The ids of all tables of these rounds."""
    return [competition.table_id(each.number, number) for each in rounds for number in range(len(each.tables))]


def _is_applied(town: Town, game: str, move: str) -> bool:
    found = outcome(town.service.ports, game, move)
    return found is not None and found.status == OutcomeStatus.APPLIED


def _is_paired_alike(town: Town, id: str) -> bool:
    """Whether the log before each pairing, and the secret, lead to the same pairing."""
    ports, competition = town.service.ports, Competition(id)
    for stored in ports.competitions.read(id):
        if b'["paired"' in stored.data:
            rules = ruleset(competition.plan.rules)
            again = pair_round(competition, ports.competitions.secret(id), rules.colours, rules.players[0])
            follow_competition(competition, [stored])
            if (again.tables, again.byes) != (competition.rounds[-1].tables, competition.rounds[-1].byes):
                return False
        else:
            follow_competition(competition, [stored])
    return True


def play(town: Town, seats: int) -> None:
    """All three competitions to their end. Somebody enters late, somebody leaves, somebody is erased, and two do not come."""
    names = town.names
    half = len(names) // 2
    league = town.announce("League", CompetitionFormat.LEAGUE, names[:-1], seats, SEASONS, "14d")
    swiss = town.announce("Swiss", CompetitionFormat.SWISS, names[:half], seats, ROUNDS)
    same = town.announce("Same luck", CompetitionFormat.DUPLICATE, names[half:], seats, 1)
    for contest in town.contests:
        town.enter(contest, *contest.people)
    town.asleep = {(swiss.id, town.service.person(names[1]).id), (league.id, town.service.person(names[2]).id)}
    while any(competition_of(town.service.ports, each.id).status != CompetitionStatus.OVER for each in town.contests):
        town.play_on()
        happen(town, league, swiss)
        look_at_sealed(town, same)
        assert town.done["passes"] < MOST_PASSES, "the competitions do not end"
    town.work()


def happen(town: Town, league: Contest, swiss: Contest) -> None:
    """What people do meanwhile, each once."""
    names, season = town.names, len(competition_of(town.service.ports, league.id).rounds)
    if season == 1 and "late" not in town.happened:
        town.happened.add("late")
        town.enter(league, names[-1])
    if season == 2 and "gone" not in town.happened:
        town.happened.add("gone")
        assert town.service.call(names[4], "DELETE", "/v1/players/me").status_code < 300
        town.service.call(names[5], "POST", f"/v1/competitions/{league.id}/leave", {}, "leaves")
    if len(competition_of(town.service.ports, swiss.id).rounds) == 2 and "left" not in town.happened:
        town.happened.add("left")
        town.service.call(names[6], "POST", f"/v1/competitions/{swiss.id}/leave", {}, "leaves-too")


def look_at_sealed(town: Town, same: Contest) -> None:
    """While duplicate tables are played, the ones that are over are not there for others."""
    competition = competition_of(town.service.ports, same.id)
    if not competition.is_sealed:
        return
    stranger = town.names[0]
    for id in tables(competition, competition.rounds):
        if town.service.ports.game(id):
            town.done["looks at sealed tables"] += 1
            assert town.service.call(stranger, "GET", f"/v1/games/{id}").status_code == 404


def moved(town: Town, league: Contest) -> tuple[int, int]:
    """Count those among the first two and the last two of a division who went on, and how many of them then went up or down."""
    competition = competition_of(town.service.ports, league.id)
    rounds, should, did = competition.rounds, 0, 0
    for before, after in pairwise(range(1, len(rounds) + 1)):
        competition.rounds = rounds[:before]
        where = {player: table.division for table in rounds[after - 1].tables for player in table.players}
        ranked = divisions(competition, draw_lots(town.service.ports.competitions.secret(league.id), competition.entrants))
        for number, lines in enumerate(ranked, 1):
            up = [(each.player, -1) for each in lines[:2] if number > 1]
            down = [(each.player, 1) for each in lines[-2:] if number < len(ranked)]
            for player, way in up + down:
                if player in where:
                    should, did = should + 1, did + ((where[player] - number) * way > 0)
    return should, did


def figures(town: Town) -> list[tuple[str, str]]:
    """What was played, and what came of it."""
    ports = town.service.ports
    rows = []
    for contest in town.contests:
        each = competition_of(ports, contest.id)
        forfeits = sum(len(ended.forfeits) for now in each.rounds for ended in now.ended.values())
        told = f"{len(each.entrants)} entered, {len(each.rounds)} rounds, {sum(len(now.tables) for now in each.rounds)} tables"
        rows.append((f"{contest.name} ({contest.format})", f"{told}, {forfeits} seats forfeited, {len(each.withdrawn)} out at the end"))
    should, did = moved(town, town.contests[0])
    rows.append(("first and last two of a division who went on", f"{should}, of whom {did} went up or down"))
    rows.append(("acknowledged over REST, by mail", f"{len(town.sent):,}, {len(town.mails):,}"))
    rows += [(name, f"{number:,}") for name, number in sorted(town.done.items())]
    return rows


def run(stores: Stores, players: int, rules: str, seed: int, seats: int = 0) -> tuple[list[tuple[str, str]], list[str]]:
    """Play everything; returns figures and faults."""
    town = Town(stores, players, rules, random.Random(seed))
    play(town, seats or min(3, ruleset(rules).players[-1]))
    return figures(town), list(town.faults())


@click.command()
@click.option("--players", default=64, show_default=True)
@click.option("--rules", default="portobello", show_default=True)
@proof.seeded
def main(players: int, rules: str, seed: int, to_prove: bool) -> None:
    """Play three seasons of a league, a Swiss tournament and duplicate tables, while parts of the service die."""
    shrink_pictures()
    with fragile_stores() as stores:
        rows, faults = run(stores, players, rules, seed)
    rows.append(("faults", str(len(faults))))
    for name, figure in rows:
        click.echo(f"{name:>46}  {figure}")
    click.echo("\n".join(faults), err=True)
    if to_prove:
        proof.write("make seasons", proof.table([("what", "figure"), *rows]), seed)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
