"""A week in a minute: five players in five timezones, nights, a weekend, a vacation, an outage, undo, and each way to run out of time.

`pytest -s tests/play/test_week.py` prints who was told what and when, and the logs that explain it.
"""

from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import msgspec
import pytest

from marketpost.play.keeping.verify import rebuild, verify
from marketpost.play.log.actions import AtZero, Postponed, Returned, TimedOut, Undone
from marketpost.play.log.entries import Entry
from marketpost.play.table.undo import undo
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import DAY, HOUR, be_down, entries, letters, live, live_until, look, timed_game

PEOPLE = {
    "Ann": ("en", "Europe/London"),
    "Bruno": ("de", "Europe/Berlin"),
    "Cleo": ("fr", "America/Montreal"),
    "Dario": ("it", "Asia/Kolkata"),
    "Emma": ("en", "Pacific/Auckland"),
}
FIVE_MINUTES = 300_000
GAMES = {"week": AtZero.BOT_PLAYS, "taken": AtZero.BOT_TAKES, "gone": AtZero.OUT}


def when(moment: int, zone: str = "UTC") -> str:
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).strftime("%a %d %b %H:%M")


def turn(desk: Desk, id: str = "week") -> None:
    """The turn is played to its end by REST, by whoever has to decide in it."""
    number = desk.game(id).state.turn
    while desk.game(id).state.turn == number:
        desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
    desk.work()


def deadline(desk: Desk, seat: int, id: str = "week") -> str:
    """As the player's own clock on the wall shows it, to the minute."""
    player = desk.mailer.ports.players.find(desk.game(id).seats[seat].player or "")
    assert player
    return when(desk.game(id).times[seat].by + 30_000, player.timezone)


def actions(desk: Desk, kind: type, id: str = "week") -> list[object]:
    return [entry.action for entry in entries(desk, id) if isinstance(entry.action, kind)]


def told(desk: Desk, player: Player) -> list[tuple[str, str]]:
    """When which letter was sent, within five minutes, on the player's own wall clock."""
    sent = [mail for mail in reversed(desk.mailer.deliveries.of(player.id, None, 1000)) if mail.status == "sent"]
    return [(when((mail.done or 0) // FIVE_MINUTES * FIVE_MINUTES, player.timezone), f"{mail.game} {mail.letter}") for mail in sent]


def explained(entry: Entry) -> str:
    """One line of the log for a person to read."""
    action = {name: value for name, value in msgspec.structs.asdict(entry.action).items() if name not in ("events", "secret", "seal")}
    what = " ".join(f"{name}={when(value) if name in ('by', 'counted') else value}" for name, value in action.items())
    asked = "; ".join(
        f"seat {each.seat} {'until ' + when(each.by) if each.by else 'stands'} ({timedelta(milliseconds=each.bank // 1000 * 1000)} saved)"
        for each in entry.deadlines
    )
    return f"{entry.version:3} {when(entry.at)} {type(entry.action).__name__:9} {what}" + (f"  | {asked}" if asked else "")


def shown(desk: Desk, people: dict[str, Player]) -> str:
    lines = [
        f"\n{name}, {player.timezone}\n" + "\n".join(f"  {at}  {what}" for at, what in told(desk, player))
        for name, player in people.items()
    ]
    lines += [f"\n{id}\n" + "\n".join("  " + explained(entry)[:200] for entry in entries(desk, id)) for id in GAMES]
    return "\n".join(lines)


def test_a_week_in_a_minute(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_bytes", Random(2026).randbytes)
    people = {name: desk.person(name, language, timezone=zone) for name, (language, zone) in PEOPLE.items()}
    ann, bruno, cleo, dario, emma = people.values()

    # Monday, 10:00 in London: three games begin.
    timed_game(desk, *people.values(), id="week", rules="alturien", bank=2 * DAY, weekends=False, quiet=(22, 8))
    timed_game(desk, ann, bruno, id="taken", at_zero=AtZero.BOT_TAKES, per_decision=8 * HOUR, quiet=(22, 8))
    timed_game(desk, cleo, emma, id="gone", at_zero=AtZero.OUT, per_decision=6 * HOUR)

    # 24 hours of playing time, of which a day has fourteen: twelve today, twelve tomorrow.
    assert deadline(desk, 0) == "Tue 03 Mar 20:00"
    assert "Tuesday, 3 March 2026, 20:00 (Greenwich Mean Time)" in text_of(desk, ann, "Alturien")
    live_until(desk, "2026-03-02 12:00", "Europe/London")
    turn(desk)
    assert saved(desk, 0) == 22, "two hours were used"
    # In Berlin it is 13:00: nine hours today, fourteen tomorrow, one on Wednesday.
    assert deadline(desk, 1) == "Wed 04 Mar 09:00"
    assert "Mittwoch, 4. März 2026, 09:00 Uhr (Mitteleuropäische Normalzeit)" in text_of(desk, bruno, "Alturien")

    # In the other game Ann chooses a tile, thinks again and takes it back. Her deadline stays where it was.
    for _ in range(3):
        desk.by_rest(ann, "2:", "taken")
        live(desk, minutes=20)
        undo(desk.mailer.ports, "taken", ann.id)
        desk.work()
    assert len(actions(desk, Undone, "taken")) == 3
    assert deadline(desk, 0, "taken") == "Mon 02 Mar 18:00"

    # Cleo has let her six hours pass, which know no night, and is out for good.
    live_until(desk, "2026-03-02 15:55", "Europe/London")
    assert actions(desk, TimedOut, "gone") == []
    live_until(desk, "2026-03-02 16:05", "Europe/London")
    assert actions(desk, TimedOut, "gone") == [TimedOut(0, AtZero.OUT, "greedy")]
    assert "vous êtes hors jeu" in text_of(desk, cleo)
    assert desk.answer(cleo, "retour", desk.newest(cleo)) == "answered"
    assert "vous êtes hors de cette partie" in text_of(desk, cleo)
    assert (desk.game("gone").seats[0].bot, desk.game("gone").absent[0].player) == ("greedy", cleo.id)
    assert letters(desk, emma)[-1] == "your-turn"

    # Ann has let her eight hours pass in the other game: a bot has taken her seat and played, and she takes it again.
    live_until(desk, "2026-03-02 18:05", "Europe/London")
    assert actions(desk, TimedOut, "taken") == [TimedOut(0, AtZero.BOT_TAKES, "greedy")]
    assert desk.game("taken").deciders == (1,)
    assert desk.answer(ann, "back", desk.newest(ann)) == "answered"
    assert actions(desk, Returned, "taken") == [Returned(0, ann.id)]

    # On Tuesday Bruno plays. Cleo, whose decision it is then, goes on vacation by mail, until Thursday in Montreal.
    live_until(desk, "2026-03-03 20:00", "Europe/Berlin")
    turn(desk)
    assert deadline(desk, 2) == "Thu 05 Mar 10:00", "it is 14:00 there: eight hours today, fourteen tomorrow, two on Thursday"
    assert desk.answer(cleo, "vacances 3 jours", desk.newest(cleo)) == "answered"
    assert "du 3 mars 2026 au 5 mars 2026" in text_of(desk, cleo)
    assert actions(desk, Postponed) == [Postponed(2, desk.game("week").times[2].by, "vacation", desk.again(cleo).vacation_changed)]
    # On Sunday the clocks change there.
    assert deadline(desk, 2) == "Mon 09 Mar 18:00"
    live_until(desk, "2026-03-06 09:00", "America/Montreal")
    assert letters(desk, cleo)[-1] == "answer", "nobody disturbs her on the beach"
    turn(desk)

    # It is Friday, 19:30, in Kolkata: most of Dario's time is on Monday and Tuesday. A day's outage at the weekend changes nothing.
    assert deadline(desk, 3) == "Tue 10 Mar 15:30"
    live_until(desk, "2026-03-07 09:00", "UTC")
    be_down(desk, days=1)
    look(desk)
    assert deadline(desk, 3) == "Tue 10 Mar 15:30"

    # On Monday the service is down again from 8:00 to 8:00 the next morning, and Dario gets his fourteen hours back.
    live_until(desk, "2026-03-09 08:00", "Asia/Kolkata")
    be_down(desk, days=1)
    look(desk)
    assert deadline(desk, 3) == "Wed 11 Mar 15:30"
    assert [each.why for each in actions(desk, Postponed)] == ["vacation", "outage"]

    # He does nothing: reminded at half and at a tenth. At zero a bot plays this turn, and the seat stays his.
    live_until(desk, "2026-03-11 15:35", "Asia/Kolkata")
    assert told(desk, dario)[-3:] == [
        ("Tue 10 Mar 17:30", "week reminder"),
        ("Wed 11 Mar 13:05", "week reminder"),
        ("Wed 11 Mar 15:30", "week timed-out"),
    ]
    assert actions(desk, TimedOut) == [TimedOut(3, AtZero.BOT_PLAYS, "greedy")]
    assert desk.game("week").seats[3].player == dario.id
    assert desk.game("week").deciders == (4,)
    assert "Il tuo tempo per questa decisione" in text_of(desk, dario)

    # It was a night in Auckland; Emma has all of her time from the morning on, and the log explains it all.
    assert deadline(desk, 4) == "Fri 13 Mar 18:00"
    print(shown(desk, people))
    for id in GAMES:
        verify(id, desk.mailer.ports.games.read(id), desk.mailer.ports.games.head(id))
    assert rebuild(desk.mailer.ports).differences == ()


def saved(desk: Desk, seat: int) -> int:
    """Hours in the bank."""
    return round(desk.game("week").times[seat].bank / HOUR)


def text_of(desk: Desk, player: Player, about: str = "") -> str:
    """The newest letter to this player, or the newest about this."""
    mail = next(mail for mail in reversed(desk.box(player)) if about in mail.header("Subject"))
    return " ".join(mail.text.replace("\N{NO-BREAK SPACE}", " ").split())
