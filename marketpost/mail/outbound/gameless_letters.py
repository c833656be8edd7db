"""Compose letters that are about no single game: codes, answers, the digest, bounces, reports and webhooks."""

from datetime import UTC, datetime, timedelta

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import AnswerKind, Letter, TimeLeft, WaitingGame
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import names
from marketpost.play.people.preferences import delivery_preference
from marketpost.store.delivery_queue import Delivery, DeliveryStatus
from marketpost.store.players import MailPreference, Player


def compose_without_game(mailer: Mailer, mail: Delivery, player: Player) -> Letter | None:
    """Compose a letter that is about no game."""
    url, values = mailer.links, mail.values
    match mail.letter:
        case LetterKind.CONFIRM:
            return letters.confirm(player, values["code"], url)
        case LetterKind.SIGN_IN:
            return letters.sign_in(player, values["code"], url)
        case LetterKind.ANSWER:
            return letters.answer(player, url, values["lines"], asked=values["asked"], kind=answer_kind(mail))
        case LetterKind.DIGEST:
            return _digest(mailer, player)
        case LetterKind.BOUNCING:
            return _bouncing(mailer, player, mail)
        case LetterKind.COMPLAINED:
            return letters.complained(player, url, at=datetime.fromtimestamp(values["since"] / 1000, UTC))
        case LetterKind.REPORT:
            return _reported(mailer, player, values["report"])
        case LetterKind.WEBHOOK_OFF:
            since = datetime.fromtimestamp(values["since"] / 1000, UTC)
            return letters.webhook_off(player, url, host=values["host"], reason=values["reason"], since=since)
        case _:
            return None


def _reported(mailer: Mailer, player: Player, id: str) -> Letter | None:
    """Compose the letter about a report; None if its author was erased meanwhile."""
    found = mailer.ports.reports.find(id)
    if found is None:
        return None
    by, about = (f"{known.name} ({who})" if (known := mailer.ports.players.find(who)) else who for who in (found.by, found.about))
    return letters.report(player, mailer.links, id=id, by=by, about=about, text=found.text, game=found.game)


def answer_kind(mail: Delivery) -> AnswerKind:
    """Return what the subject of an answer says."""
    return AnswerKind(mail.values.get("kind", AnswerKind.SHOWN))


def _bouncing(mailer: Mailer, player: Player, mail: Delivery) -> Letter:
    """Compose the letter that letters came back, with the reason a server gave for the last one."""
    failed = next(
        (
            each.reason
            for each in mailer.deliveries.of(player.id)
            if each.status in (DeliveryStatus.REFUSED, DeliveryStatus.NOT_WANTED) and each.reason
        ),
        "",
    )
    return letters.bouncing(player, mailer.links, reason=failed, at=datetime.fromtimestamp(mail.at / 1000, UTC))


def _digest(mailer: Mailer, player: Player) -> Letter | None:
    """Compose the digest; None if no game waits for the player."""
    listed = [id for _, id in mailer.ports.index.page(f"player:{player.id}", None, 100)]
    mine = (
        mailer.ports.sound_game(id)
        for id in listed
        if delivery_preference(mailer.ports, mailer.targets, player, id).letters != MailPreference.NONE
    )
    waiting = [(game, seat) for game in mine if game for seat in game.deciders if game.seats[seat].player == player.id]
    if not waiting:
        return None
    games = [WaitingGame(game, seat, names(mailer.ports, game), time_left(mailer, game, seat)) for game, seat in waiting]
    return letters.digest(player, mailer.links, games)


def time_left(mailer: Mailer, game: Game, seat: int) -> TimeLeft | None:
    """Return the time this seat has left, if its time runs."""
    time = game.times.get(seat)
    if time is None or not time.by:
        return None
    now, until = (datetime.fromtimestamp(at / 1000, UTC) for at in (mailer.ports.clock(), time.by))
    return TimeLeft(now, until, timedelta(milliseconds=time.bank))
