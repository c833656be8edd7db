"""The gate for outbound letters: decide whether, when and with which text each letter leaves.

It knows whether the recipient has accepted letters, which player caused the letter, and how many of its kind were sent lately.
`docs/operate-mail.md` has the table, and a test compares it with `LANES`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from marketpost.mail.outbound.letter_kind import OPTIONAL, LetterKind
from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.limits import TABLE, Actor, Limit
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import seated
from marketpost.play.moves.submit import OutcomeStatus, outcome
from marketpost.play.people.blocking import is_shut_out
from marketpost.play.people.preferences import preference_given
from marketpost.store.delivery_queue import Delivery
from marketpost.store.letter_counts import Full, Window
from marketpost.store.players import MailPreference, Player
from marketpost.store.suppressions import SuppressionCause

HOUR, DAY = 3_600_000, 86_400_000
DEAD_AFTER = 3
"""Bounces in a row after which nothing but sign-in codes is sent to an address."""


class Consent(StrEnum):
    """What the owner of an address has accepted."""

    ACCEPTED = "accepted"
    """They signed in, answered a letter, or sit in the game that the letter is about."""
    STRANGER = "stranger"
    """Somebody gave us the address; its owner has not spoken yet."""
    UNSUBSCRIBED = "unsubscribed"
    """They want no letters that they did not ask for, at all or in this game."""


class Cause(StrEnum):
    """Who causes a letter."""

    GAME = "the game"
    PLAYER = "a player"
    SENDER = "whoever sent a mail in the recipient's name"
    ASKER = "whoever asks for a code"
    SERVICE = "the service"


class Over(StrEnum):
    """What happens to a letter beyond a limit."""

    REFUSED = "refused at the door"
    DROPPED = "not sent"
    LATER = "sent later"
    COLLECTED = "collected into one letter"
    SAID_ONCE = "one letter says so, then silence"


class HeldBack(StrEnum):
    """Why a letter was held back. The values are stored with the letter and shown to its recipient."""

    NO_ADDRESS = "a guest has no address"
    BOUNCES = "the address bounces"
    SUPPRESSED = "the operator sends nothing to this address"
    COMPLAINT = "the owner of the address has marked a letter as spam"
    GUEST = "a guest invites nobody"
    SHUT_OUT = "the recipient wants to hear nothing from whoever caused it"
    UNSUBSCRIBED = "the player wants no such letters"
    STRANGER = "the owner of the address has not agreed to such letters"
    RECIPIENT_LIMIT = "too many letters to this address"
    CAUSE_LIMIT = "too many letters caused by the same player"
    COLLECTED = "collected with what is said later"

    @property
    def label(self) -> str:
        """The name of the reason in the metrics."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Lane:
    """Letters that share their limits. A full lane holds up no letter of another lane."""

    name: str
    kinds: frozenset[LetterKind]
    cause: Cause
    to: frozenset[Consent]
    limits: tuple[Limit, ...] = ()
    over: Over = Over.LATER


ANYBODY = frozenset(Consent)
WILLING = frozenset({Consent.ACCEPTED})
NOT_UNSUBSCRIBED = ANYBODY - {Consent.UNSUBSCRIBED}
CODES = Lane(
    "codes",
    frozenset({LetterKind.CONFIRM, LetterKind.SIGN_IN, LetterKind.NEW_ADDRESS}),
    Cause.ASKER,
    ANYBODY,
    (Limit.CODES_ADDRESS, Limit.CODES_RECIPIENT),
    Over.REFUSED,
)
INVITATIONS = Lane(
    "invitations",
    frozenset({LetterKind.INVITATION, LetterKind.TOURNAMENT_INVITATION}),
    Cause.PLAYER,
    NOT_UNSUBSCRIBED,
    (Limit.INVITATIONS_STRANGER, Limit.INVITATIONS_RECIPIENT, Limit.INVITATIONS_PLAYER),
    Over.DROPPED,
)
ANSWERS = Lane(
    "answers",
    frozenset({LetterKind.ANSWER, LetterKind.RECEIPT, LetterKind.SEVERAL}),
    Cause.SENDER,
    ANYBODY,
    (Limit.ANSWERS_HOUR, Limit.ANSWERS_DAY),
    Over.SAID_ONCE,
)
TALK = Lane("talk", frozenset({LetterKind.MESSAGE}), Cause.PLAYER, WILLING, (Limit.TALK_LETTERS,), Over.COLLECTED)
TABLE_LETTERS = Lane(
    "table",
    frozenset({LetterKind.PROPOSAL, LetterKind.NEWS, LetterKind.DECLINED}),
    Cause.PLAYER,
    WILLING,
    (Limit.TABLE_LETTERS_RECIPIENT, Limit.TABLE_LETTERS_PLAYER, Limit.TABLE_LETTERS_GUEST),
)
TURNS = Lane(
    "turns",
    frozenset({
        LetterKind.YOUR_TURN, LetterKind.STARTED, LetterKind.OVER, LetterKind.REMINDER, LetterKind.TIMED_OUT, LetterKind.DIGEST,
        LetterKind.TOURNAMENT,
    }),
    Cause.GAME,
    WILLING,
    (Limit.TURN_LETTERS,),
)  # fmt: skip
SERVICE = Lane(
    "service",
    frozenset({
        LetterKind.BOUNCING, LetterKind.COMPLAINED, LetterKind.CANARY, LetterKind.WEBHOOK_OFF, LetterKind.REPORT, LetterKind.MAIN_ADDRESS,
    }),
    Cause.SERVICE,
    ANYBODY,
)  # fmt: skip
LANES = (CODES, INVITATIONS, ANSWERS, TALK, TABLE_LETTERS, TURNS, SERVICE)
"""All lanes; each kind of letter is in one."""
LANE_OF = {kind: lane for lane in LANES for kind in lane.kinds}
"""The lane of each kind of letter."""
ASKED_FOR = (CODES.kinds | ANSWERS.kinds | {LetterKind.COMPLAINED}) - {LetterKind.NEW_ADDRESS}
"""Letters that follow from what the owner of the address did; a complaint does not stop them. A new address is named by somebody else."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A letter at the gate, with everything that decides about it."""

    mail: Delivery
    recipient: Player
    game: Game | None
    choice: MailPreference | None
    """The recipient's notification preference for the game."""
    people: Mapping[str, Player]
    """The players whom the letter may name, and the one who caused it."""

    @property
    def author(self) -> Player | None:
        """The player who caused the letter, if it was one."""
        return self.people.get(self.mail.by or "")

    @property
    def lane(self) -> Lane:
        """The lane of the letter; a seat offered to somebody outside the game counts as an invitation."""
        if self.mail.letter == LetterKind.PROPOSAL and self.game and self.recipient.id not in seated(self.game):
            return INVITATIONS
        return LANE_OF[LetterKind(self.mail.letter)]


class GateVerdict(StrEnum):
    """What happens to a letter at the gate."""

    SEND = "send"
    LATER = "later"
    DROP = "drop"
    SAY_SO = "say-so"
    """Send a letter instead that says why the next ones are not sent."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """A verdict, with the reason and the time of the next attempt."""

    verdict: GateVerdict
    reason: HeldBack | None = None
    until: int = 0
    """When to try again, in milliseconds since 1970."""
    full: Window | None = None
    """The window that is full, where the recipient is told about it."""


def has_accepted(player: Player, game: Game | None = None) -> bool:
    """Whether the owner of the address has accepted letters: by signing in, by answering, or by a seat in this game."""
    return player.confirmed or (game is not None and player.id in seated(game))


def pass_gate(mailer: Mailer, passing: Passing) -> GateDecision:
    """Decide about one letter, and count it if it may leave.

    Fault: a worker may die between this and the delivery, and another decides again. The count is kept by the letter's id, so it is counted
    once.
    """
    if reason := _without_consent(mailer, passing):
        return GateDecision(GateVerdict.DROP, reason)
    if passing.lane is ANSWERS and moves_on(mailer, passing):
        mailer.letter_counts.empty(_windows(mailer, passing))
        return GateDecision(GateVerdict.SEND)
    full = mailer.letter_counts.admit(passing.mail.id, mailer.ports.clock(), _windows(mailer, passing))
    return _beyond(mailer, passing, full) if full else GateDecision(GateVerdict.SEND)


def uncount(mailer: Mailer, passing: Passing) -> None:
    """Uncount a letter that passed the gate and then had no more reason to be sent."""
    mailer.letter_counts.take_back(passing.mail.id, _windows(mailer, passing))


def _without_consent(mailer: Mailer, passing: Passing) -> HeldBack | None:
    """Return why the recipient must not get this letter, whatever the limits; None if they may."""
    recipient, lane = passing.recipient, passing.lane
    if not recipient.email:
        return HeldBack.NO_ADDRESS
    if found := _suppressed(mailer, passing):
        return found
    if lane is CODES:
        return None
    if recipient.bounces >= DEAD_AFTER:
        return HeldBack.BOUNCES
    if is_shut_out(mailer.ports, passing.mail.by, recipient.silenced):
        return HeldBack.SHUT_OUT
    if lane is INVITATIONS and passing.author and not passing.author.email:
        return HeldBack.GUEST
    match consent_of(mailer, passing):
        case consent if consent in lane.to:
            return None
        case Consent.UNSUBSCRIBED:
            return HeldBack.UNSUBSCRIBED
        case _:
            return HeldBack.STRANGER


def _suppressed(mailer: Mailer, passing: Passing) -> HeldBack | None:
    """Return why the recipient's address is on the suppression list for letters of this kind; None if it is not."""
    found = mailer.ports.suppressions.find(passing.recipient.email)
    if found and found.cause == SuppressionCause.OPERATOR:
        return HeldBack.SUPPRESSED
    return HeldBack.COMPLAINT if found and passing.mail.letter not in ASKED_FOR else None


def consent_of(mailer: Mailer, passing: Passing) -> Consent:
    """Return what the recipient has accepted, for letters of this kind."""
    mail, recipient = passing.mail, passing.recipient
    if passing.lane is INVITATIONS:
        unsubscribed = recipient.mail == MailPreference.NONE
    else:
        unsubscribed = mail.letter in OPTIONAL and bool(mail.game) and _wants_no_letters(mailer, passing)
    if unsubscribed:
        return Consent.UNSUBSCRIBED
    return Consent.ACCEPTED if mail.letter == LetterKind.DIGEST or has_accepted(recipient, passing.game) else Consent.STRANGER


def _wants_no_letters(mailer: Mailer, passing: Passing) -> bool:
    """Whether the recipient has switched letters about this game off."""
    return preference_given(mailer.targets, passing.recipient, passing.mail.game or "", passing.choice).letters == MailPreference.NONE


def moves_on(mailer: Mailer, passing: Passing) -> bool:
    """Whether the message that this letter answers moved a game on; such answers are not limited."""
    mail = passing.mail
    if mail.letter in (LetterKind.ANSWER, LetterKind.SEVERAL):
        return bool(mail.values.get("moved"))
    decided = outcome(mailer.ports, mail.game or "", mail.values["move"])
    return decided is None or decided.status == OutcomeStatus.APPLIED


def _windows(mailer: Mailer, passing: Passing) -> list[Window]:
    """List the windows in which the letter is counted; limits that are switched off or do not apply are left out."""
    amounts = mailer.ports.limits.amounts
    concerned = ((limit, _counted(passing, limit)) for limit in passing.lane.limits if limit in amounts)
    return [Window(f"{limit} {who}", TABLE[limit].period.seconds * 1000, amounts[limit]) for limit, who in concerned if who]


def _counted(passing: Passing, limit: Limit) -> str:
    """Return for whom the letter is counted under this limit; empty if the limit does not apply."""
    recipient, author = passing.recipient, passing.author
    match TABLE[limit].actor:
        case Actor.RECIPIENT if limit == Limit.INVITATIONS_STRANGER:
            return "" if has_accepted(recipient, passing.game) else recipient.id
        case Actor.RECIPIENT:
            return f"{recipient.id} {passing.mail.game}" if limit == Limit.TALK_LETTERS else recipient.id
        case Actor.PLAYER:
            return (author.owner or author.id) if author and not author.is_guest else ""
        case _:
            return author.id if author and author.is_guest else ""


def _beyond(mailer: Mailer, passing: Passing, full: Full) -> GateDecision:
    """Decide about a letter that is beyond a limit."""
    limit = Limit(full.window.name.partition(" ")[0])
    reason = HeldBack.RECIPIENT_LIMIT if TABLE[limit].actor == Actor.RECIPIENT else HeldBack.CAUSE_LIMIT
    match passing.lane.over:
        case Over.LATER:
            return GateDecision(GateVerdict.LATER, reason, full.until)
        case Over.COLLECTED:
            return GateDecision(GateVerdict.LATER, HeldBack.COLLECTED, full.until)
        case Over.SAID_ONCE:
            said = Window(f"said {full.window.name}", full.window.length, 1)
            told = mailer.letter_counts.admit(passing.mail.id, mailer.ports.clock(), [said])
            return GateDecision(GateVerdict.DROP if told else GateVerdict.SAY_SO, reason, full=full.window)
        case _:
            return GateDecision(GateVerdict.DROP, reason)


def admit_code(mailer: Mailer, email: str, network: str) -> None:
    """Count a sign-in code before it is made, and refuse too many; unregistered addresses count too.

    Fault: strangers may use up the codes of an address. From a network where its owner has signed in before, only the network is counted,
    so that the owner is not locked out.
    """
    ports, limits = mailer.ports, mailer.ports.limits
    limits.spend(Limit.CODES_ADDRESS, network)
    if not ports.credentials.has_signed_in(ports.players.player_of(email) or "", limits.pseudonym(network)):
        limits.spend(Limit.CODES_RECIPIENT, email)
