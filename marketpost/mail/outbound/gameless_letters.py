"""Compose letters that are about no single game: codes, answers, the digest, bounces, reports and webhooks."""

from datetime import UTC, datetime

from marketpost.mail.outbound import letters
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.letters import AnswerKind, Letter, Links
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.several_letter import compose_several
from marketpost.mail.outbound.tournament_letters import compose_tournament
from marketpost.mail.outbound.waiting_games import label_games, name_games, waiting_games
from marketpost.store.delivery_queue import Delivery, DeliveryStatus
from marketpost.store.players import Player

MOST_WAITING = 100
"""Games that a digest counts."""
MOST_SHOWN = 25
"""Games that a digest shows; those with the nearest deadlines."""


def compose_without_game(mailer: Mailer, mail: Delivery, player: Player) -> Letter | None:
    """Compose a letter that is about no game."""
    url, values = mailer.links_in(mail), mail.values
    match mail.letter:
        case LetterKind.ANSWER:
            return letters.answer(player, url, values["lines"], asked=values["asked"], kind=answer_kind(mail))
        case LetterKind.DIGEST:
            return _digest(mailer, mail, player)
        case LetterKind.SEVERAL:
            return compose_several(mailer, mail, player)
        case LetterKind.BOUNCING:
            return _bouncing(mailer, player, mail)
        case LetterKind.TOURNAMENT | LetterKind.TOURNAMENT_INVITATION:
            return compose_tournament(mailer, mail, player)
        case LetterKind.REPORT:
            return _reported(mailer, player, values["report"])
        case _:
            return _about_account(url, mail, player)


def _about_account(url: Links, mail: Delivery, player: Player) -> Letter | None:
    """Compose a letter about the player's account from its values alone."""
    values = mail.values
    match mail.letter:
        case LetterKind.CONFIRM:
            return letters.confirm(player, values["code"], url)
        case LetterKind.SIGN_IN:
            return letters.sign_in(player, values["code"], url)
        case LetterKind.NEW_ADDRESS:
            return letters.new_address(player, values["code"], url)
        case LetterKind.MAIN_ADDRESS:
            return letters.main_address(player, url)
        case LetterKind.COMPLAINED:
            return letters.complained(player, url, at=datetime.fromtimestamp(values["since"] / 1000, UTC))
        case LetterKind.CANARY:
            return letters.canary(player, url)
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


def _digest(mailer: Mailer, mail: Delivery, player: Player) -> Letter | None:
    """Compose the digest; None if no game waits for the player. A reply to it may answer each game by its label."""
    waiting = waiting_games(mailer, player, MOST_WAITING)
    if not waiting:
        return None
    shown = label_games(mailer, mail, waiting[:MOST_SHOWN], {})
    name_games(mail, {}, shown)
    return letters.digest(player, mailer.links_in(mail), shown, len(waiting))
