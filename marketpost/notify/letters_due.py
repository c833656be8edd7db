"""Prepare letters that are due: in order for each player, through the gate, and not if they are no longer true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from marketpost.mail.outbound.fixed_texts import silence, to_stranger
from marketpost.mail.outbound.gate import LANE_OF, GateDecision, GateVerdict, HeldBack, Passing, has_accepted, pass_gate, uncount
from marketpost.mail.outbound.letter_kind import LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.mail.outbound.other_address import address_of, at_address
from marketpost.mail.strangers import stranger_written_to
from marketpost.notify.channel_message import ChannelMessage
from marketpost.notify.pace import domain_of, is_paused
from marketpost.notify.record import MINUTE, close, put_off
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import seated
from marketpost.play.people.erasure import erase_letters
from marketpost.store.delivery_queue import Delivery, DeliveryStatus
from marketpost.store.leases import LEASE
from marketpost.store.mail_queue import ReplyContext
from marketpost.store.players import MailPreference, Player
from marketpost.store.provider_pace import ProviderDeferrals

SOON = 3_000
"""Milliseconds after which a letter is looked at again that waits for one which is being written."""
BEHIND = "an older letter to the same address goes first"
"""Why a letter waits although nothing is wrong with it."""
HELD = frozenset(map(str, HeldBack))
"""The reasons of letters that the gate holds back."""


@dataclass(frozen=True, slots=True)
class DueLetter:
    """A letter that is due, with everything that decides whether and how it is sent."""

    mail: Delivery
    player: Player | None
    before: Sequence[Delivery]
    """Older letters to the same player."""
    choice: MailPreference | None
    """The player's notification preference for the game."""
    game: Game | None
    people: Mapping[str, Player]
    deferrals: ProviderDeferrals | None
    """Of the domain that the letter goes to, if it defers."""

    def passing(self, recipient: Player) -> Passing:
        """Return the letter with what the gate needs."""
        return Passing(self.mail, recipient, self.game, self.choice, self.people)


def look_up(mailer: Mailer, mails: Sequence[Delivery]) -> list[DueLetter]:
    """Load players, games, preferences and older letters for these letters."""
    ports, readers = mailer.ports, [mail.player for mail in mails]
    before = mailer.deliveries.of_all([(mail.player, mail.at + 1) for mail in mails])
    choices = ports.players.preferences_in([(mail.player, mail.game or "") for mail in mails])
    games = ports.games_now({mail.game for mail in mails if mail.game})
    causes = {mail.by for mail in mails if mail.by}
    people = ports.players.find_all({*readers}.union(causes, *map(seated, games.values())))
    for mail in mails:
        if game := games.get(mail.game or ""):
            mail.seat = game.seat_since(mail.seat, mail.version, mail.player)
    to = [_recipient(mail, people) for mail in mails]
    domains = [domain_of(player.email) if player else "" for player in to]
    deferring = mailer.deliveries.pace.read(domains)
    return [
        DueLetter(mail, player, older, choice, games.get(mail.game or ""), people, deferring.get(domain))
        for mail, player, older, choice, domain in zip(mails, to, before, choices, domains, strict=True)
    ]


def _recipient(mail: Delivery, people: Mapping[str, Player]) -> Player | None:
    return at_address(mail, people.get(mail.player)) or stranger_written_to(mail)


def compose_due(mailer: Mailer, due: DueLetter) -> ChannelMessage | None:
    """Compose the message of a letter; None if the letter was closed or put off instead.

    The reply tokens are stored here: if Redis is away, that raises before the letter leaves.
    """
    if due.player is None:
        close(mailer, due.mail, DeliveryStatus.NOT_WANTED)
        return None
    if _is_put_aside(mailer, due) or is_paused(mailer, due.mail, due.deferrals):
        return None
    passing = due.passing(due.player)
    decision = pass_gate(mailer, passing)
    if decision.verdict in (GateVerdict.LATER, GateVerdict.DROP):
        _hold_back(mailer, due, decision)
        return None
    letter = mailer.compose(mailer, _worded(mailer, passing, decision), due.player, due.game, due.people)
    if letter is None:
        uncount(mailer, passing)
        close(mailer, due.mail, DeliveryStatus.SUPERSEDED)
        return None
    mailer.open_addresses(due.mail, _reply(due.mail, due.game))
    return ChannelMessage(due.mail.id, due.mail.letter, due.mail.game, "", "", letter=letter, sender=mailer.bounce_address(due.mail))


def _worded(mailer: Mailer, passing: Passing, decision: GateDecision) -> Delivery:
    """Return the letter with the text that the gate allows."""
    if decision.full:
        return silence(mailer, passing.mail, passing.recipient, decision.full)
    return passing.mail if has_accepted(passing.recipient, passing.game) else to_stranger(passing.mail, passing.recipient)


def _is_put_aside(mailer: Mailer, due: DueLetter) -> bool:
    """Whether the letter waits behind an older one, or another letter has told its content; then it is put off or closed."""
    if reasons := _older_waiting(due.mail, due.before):
        put_off(mailer, due.mail, reasons.pop() if reasons <= HELD else BEHIND, mailer.ports.clock() + MINUTE)
    elif _receipt_is_due(due.mail, due.before):
        put_off(mailer, due.mail, BEHIND, mailer.ports.clock() + SOON)
    elif _was_told(due.mail, due.before):
        close(mailer, due.mail, DeliveryStatus.SUPERSEDED)
    else:
        return False
    return True


def _hold_back(mailer: Mailer, due: DueLetter, decision: GateDecision) -> None:
    """Close or put off a letter that the gate holds back."""
    mail, reason = due.mail, decision.reason or HeldBack.RECIPIENT_LIMIT
    mailer.count_held(reason.label)
    if reason == HeldBack.COLLECTED and _is_collected(mailer, due):
        mailer.deliveries.discard(mail)
    elif decision.verdict == GateVerdict.LATER:
        put_off(mailer, mail, reason, decision.until)
    else:
        limited = reason in (HeldBack.RECIPIENT_LIMIT, HeldBack.CAUSE_LIMIT)
        close(mailer, mail, DeliveryStatus.HELD_BACK if limited else DeliveryStatus.NOT_WANTED, reason)


def _is_collected(mailer: Mailer, due: DueLetter) -> bool:
    """Whether a later letter of the same game will include what this one says.

    Race: another worker may be composing that letter. It reads the table's messages only after it is due, and this message is stored
    already.
    """
    mail, soon = due.mail, mailer.ports.clock() + LEASE
    return any(
        each.letter == mail.letter and each.game == mail.game and each.status == DeliveryStatus.WAITING and each.due > soon
        for each in due.before
        if each.id != mail.id and each.reason == HeldBack.COLLECTED
    )


def erase_named_meanwhile(mailer: Mailer, due: DueLetter) -> None:
    """Erase stored letters that name a player who was erased while this letter was being delivered.

    Race: the letter was composed before the erasure and stored after it. Players are looked up again after the delivery.
    """
    told = {due.mail.player} | (seated(due.game) if due.game else set())
    here = mailer.ports.players.find_all(told)
    for gone in (person for id in told - here.keys() if (person := due.people.get(id))):
        erase_letters(mailer.ports, gone)


def _reply(mail: Delivery, game: Game | None) -> ReplyContext:
    """Return what a reply to this letter refers to: the player, the game, the turn, and the question that the letter asks."""
    turn = game.state.turn if game and game.state is not None else None
    version, values = game.version if game else None, mail.values
    asked, games = (values.get("held"), values.get("asks")), msgspec.convert(values.get("games", {}), dict[str, ReplyContext])
    return ReplyContext(mail.player, mail.game, mail.seat, turn, version, *asked, mail.letter, games, values.get("shows_next", False))


def _older_waiting(mail: Delivery, before: Sequence[Delivery]) -> set[str]:
    """Return why older letters to the same player still wait.

    Letters to one address arrive in order; one that the gate holds back delays only letters of its own lane.
    """
    there = (each for each in before if address_of(each) == address_of(mail))
    tried = (each for each in there if each.status == DeliveryStatus.WAITING and each.attempts and (each.at, each.id) < (mail.at, mail.id))
    return {each.reason for each in tried if each.reason not in HELD or _shares_lane(each, mail)}


def _shares_lane(held: Delivery, mail: Delivery) -> bool:
    """Whether a letter that the gate holds back delays this one; collected messages delay nothing."""
    return held.reason != HeldBack.COLLECTED and LANE_OF[LetterKind(held.letter)] is LANE_OF[LetterKind(mail.letter)]


def _receipt_is_due(mail: Delivery, before: Sequence[Delivery]) -> bool:
    """Whether the answer to the player's own orders is to be sent before this letter about a turn.

    Race: one worker composes that answer while another has leased this letter. Bots may have moved already, and the answer then tells this
    turn, too.
    """
    waiting = (each for each in before if each.letter == LetterKind.RECEIPT and each.game == mail.game and each.at <= mail.at)
    return mail.letter == LetterKind.YOUR_TURN and any(each.status == DeliveryStatus.WAITING for each in waiting)


def _was_told(mail: Delivery, before: Sequence[Delivery]) -> bool:
    """Whether a receipt that was sent meanwhile already told the player about this turn."""
    receipts = (
        each for each in before if each.letter == LetterKind.RECEIPT and each.game == mail.game and each.status == DeliveryStatus.SENT
    )
    return mail.letter == LetterKind.YOUR_TURN and any(each.values.get("told", 0) >= (mail.version or 0) for each in receipts)
