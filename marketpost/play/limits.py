"""How much each actor may use: one table of limits, and the calls that check and count them. `LIMITS` sets other amounts."""

import hashlib
import ipaddress
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from marketpost.rules.refusal import Refused
from marketpost.rules.words import Wait
from marketpost.store.rate_counters import RateCounters, RateUse

OFF = "off"


class Actor(StrEnum):
    """Whose use is counted."""

    ADDRESS = "address"
    """An IPv4 address, or an IPv6 network of 64 bits, which belongs to one household. `network` computes it."""
    GUEST = "guest"
    """A player without a mail address."""
    PLAYER = "player"
    DOMAIN = "domain"
    """The domain of the sender of an inbound message."""
    RECIPIENT = "recipient"
    """A mail address that letters go to."""
    SERVICE = "service"
    """All actors together."""


class Period(StrEnum):
    """What an amount is for: a stretch of time, things at the same time, or the size of one thing."""

    MINUTE = "per-minute"
    HOUR = "per-hour"
    DAY = "per-day"
    AT_ONCE = "at-once"
    """Things that exist at the same time."""
    EACH = "each"
    """The size of one thing."""

    @property
    def seconds(self) -> int:
        """Length of the period; 0 where there is none."""
        return {Period.MINUTE: 60, Period.HOUR: 3600, Period.DAY: 86400}.get(self, 0)


class Limit(StrEnum):
    """What is limited, and for whom."""

    REQUESTS_ADDRESS = "requests-address"
    REQUESTS_GUEST = "requests-guest"
    REQUESTS_PLAYER = "requests-player"
    SIGN_INS_ADDRESS = "sign-ins-address"
    OPERATOR_SIGN_INS_ADDRESS = "operator-sign-ins-address"
    CODES_ADDRESS = "codes-address"
    CODES_RECIPIENT = "codes-recipient"
    INVITATIONS_STRANGER = "invitations-stranger"
    INVITATIONS_RECIPIENT = "invitations-recipient"
    INVITATIONS_PLAYER = "invitations-player"
    ANSWERS_HOUR = "answers-hour"
    ANSWERS_DAY = "answers-day"
    TALK_LETTERS = "talk-letters"
    TABLE_LETTERS_RECIPIENT = "table-letters-recipient"
    TABLE_LETTERS_PLAYER = "table-letters-player"
    TABLE_LETTERS_GUEST = "table-letters-guest"
    TURN_LETTERS = "turn-letters"
    BYTES_ADDRESS = "bytes-address"
    BYTES_GUEST = "bytes-guest"
    BYTES_PLAYER = "bytes-player"
    GUESTS_ADDRESS = "guests-address"
    GUESTS_SERVICE = "guests-service"
    GAMES_GUEST = "games-guest"
    GAMES_PLAYER = "games-player"
    OPENED_GUEST = "opened-guest"
    OPENED_PLAYER = "opened-player"
    BOT_SEATS_PLAYER = "bot-seats-player"
    COMPETITIONS_PLAYER = "competitions-player"
    FOUND_PLAYER = "found-player"
    FOUND_RELIABLE = "found-reliable"
    BOTS_PLAYER = "bots-player"
    BOT_TOKENS_PLAYER = "bot-tokens-player"
    STREAMS_ADDRESS = "streams-address"
    STREAMS_GUEST = "streams-guest"
    STREAMS_PLAYER = "streams-player"
    PIXELS_ADDRESS = "pixels-address"
    PIXELS_GUEST = "pixels-guest"
    PIXELS_PLAYER = "pixels-player"
    BOT_DECISION_SERVICE = "bot-decision-service"
    ANALYSIS_SERVICE = "analysis-service"
    BOT_TIME_GUEST = "bot-time-guest"
    BOT_TIME_PLAYER = "bot-time-player"
    HINTS_PLAYER = "hints-player"
    EXPORTS_PLAYER = "exports-player"
    REPORTS_PLAYER = "reports-player"
    FEEDS_PLAYER = "feeds-player"
    TESTS_PLAYER = "tests-player"
    ADDRESSES_PLAYER = "addresses-player"
    HELD_RECIPIENT = "held-recipient"
    STRANGERS_DOMAIN = "strangers-domain"
    STRANGERS_SERVICE = "strangers-service"
    MAILS_PLAYER = "mails-player"
    STRANGER_MAILS_ADDRESS = "stranger-mails-address"
    STRANGER_MAILS_SERVICE = "stranger-mails-service"
    STRANGER_MAIL_BYTES = "stranger-mail-bytes"


class Allowance(NamedTuple):
    """An actor's default amount, and the reason for it in one sentence."""

    actor: Actor
    amount: int
    period: Period
    why: str


TABLE: Mapping[Limit, Allowance] = {
    Limit.REQUESTS_ADDRESS: Allowance(Actor.ADDRESS, 600, Period.MINUTE, "Visitors and guests of one household share the time of the API."),
    Limit.REQUESTS_GUEST: Allowance(Actor.GUEST, 300, Period.MINUTE, "One guest leaves room for the others at the same address."),
    Limit.REQUESTS_PLAYER: Allowance(Actor.PLAYER, 600, Period.MINUTE, "A script may ask often, but not hold up others."),
    Limit.SIGN_INS_ADDRESS: Allowance(Actor.ADDRESS, 60, Period.MINUTE, "Nobody tries out codes, or registers addresses by the thousand."),
    Limit.OPERATOR_SIGN_INS_ADDRESS: Allowance(Actor.ADDRESS, 20, Period.HOUR, "Nobody tries out passwords of operators."),
    Limit.CODES_ADDRESS: Allowance(Actor.ADDRESS, 10, Period.HOUR, "Nobody asks for codes in the name of many others."),
    Limit.CODES_RECIPIENT: Allowance(Actor.RECIPIENT, 20, Period.HOUR, "Nobody's mailbox is flooded with codes."),
    Limit.INVITATIONS_STRANGER: Allowance(Actor.RECIPIENT, 3, Period.DAY, "Whoever has never agreed to hear from us hears little."),
    Limit.INVITATIONS_RECIPIENT: Allowance(Actor.RECIPIENT, 20, Period.DAY, "Nobody's mailbox is flooded with invitations."),
    Limit.INVITATIONS_PLAYER: Allowance(Actor.PLAYER, 30, Period.DAY, "Enough for six full tables; advertising needs more."),
    Limit.ANSWERS_HOUR: Allowance(Actor.RECIPIENT, 5, Period.HOUR, "Two machines do not write to each other for ever."),
    Limit.ANSWERS_DAY: Allowance(Actor.RECIPIENT, 20, Period.DAY, "Nor does forged mail become a flood of answers."),
    Limit.TALK_LETTERS: Allowance(Actor.RECIPIENT, 1, Period.HOUR, "Chat does not flood mailboxes: what is said meanwhile is collected."),
    Limit.TABLE_LETTERS_RECIPIENT: Allowance(Actor.RECIPIENT, 30, Period.HOUR, "Proposals and news do not flood a mailbox."),
    Limit.TABLE_LETTERS_PLAYER: Allowance(Actor.PLAYER, 60, Period.HOUR, "Nobody proposes and withdraws to fill mailboxes."),
    Limit.TABLE_LETTERS_GUEST: Allowance(Actor.GUEST, 20, Period.HOUR, "As for players; a guest is made in a second."),
    Limit.TURN_LETTERS: Allowance(Actor.RECIPIENT, 120, Period.HOUR, "With more, mail providers would count us as a flood."),
    Limit.BYTES_ADDRESS: Allowance(Actor.ADDRESS, 10_000_000, Period.DAY, "What visitors and guests send is stored; memory is for games."),
    Limit.BYTES_GUEST: Allowance(Actor.GUEST, 2_000_000, Period.DAY, "Enough for a dozen games against bots."),
    Limit.BYTES_PLAYER: Allowance(Actor.PLAYER, 50_000_000, Period.DAY, "Nobody fills the memory with boards, notes and talk."),
    Limit.GUESTS_ADDRESS: Allowance(Actor.ADDRESS, 30, Period.HOUR, "A new guest has new budgets."),
    Limit.GUESTS_SERVICE: Allowance(Actor.SERVICE, 20_000, Period.AT_ONCE, "What people without a confirmed address store is bounded."),
    Limit.GAMES_GUEST: Allowance(Actor.GUEST, 1, Period.AT_ONCE, "A guest tries each game out; whoever signs in may play more."),
    Limit.GAMES_PLAYER: Allowance(Actor.PLAYER, 100, Period.AT_ONCE, "Open and running games are looked after all the time."),
    Limit.OPENED_GUEST: Allowance(Actor.GUEST, 20, Period.HOUR, "A game that is opened and given up stays stored."),
    Limit.OPENED_PLAYER: Allowance(Actor.PLAYER, 100, Period.HOUR, "The same for players."),
    Limit.BOT_SEATS_PLAYER: Allowance(Actor.PLAYER, 100, Period.AT_ONCE, "Bots move by themselves, and each move costs time."),
    Limit.COMPETITIONS_PLAYER: Allowance(Actor.PLAYER, 3, Period.AT_ONCE, "Each opens many tables; those that are announced fill a list."),
    Limit.FOUND_PLAYER: Allowance(Actor.PLAYER, 3, Period.AT_ONCE, "Strangers wait for whoever takes on more than they can play."),
    Limit.FOUND_RELIABLE: Allowance(Actor.PLAYER, 12, Period.AT_ONCE, "Who is rarely out of time may take on more."),
    Limit.BOTS_PLAYER: Allowance(Actor.PLAYER, 10, Period.AT_ONCE, "Enough for every program that one writes; names are not collected."),
    Limit.BOT_TOKENS_PLAYER: Allowance(Actor.PLAYER, 10, Period.AT_ONCE, "One for each machine that a bot runs on."),
    Limit.STREAMS_ADDRESS: Allowance(Actor.ADDRESS, 20, Period.AT_ONCE, "Each holds a connection to the store, and these are limited."),
    Limit.STREAMS_GUEST: Allowance(
        Actor.GUEST, 4, Period.AT_ONCE, "A guest has one game of each kind, and may have it open on a few pages."
    ),
    Limit.STREAMS_PLAYER: Allowance(Actor.PLAYER, 20, Period.AT_ONCE, "Enough for every page that one has open."),
    Limit.PIXELS_ADDRESS: Allowance(
        Actor.ADDRESS, 10_000_000, Period.MINUTE, "Pictures for scripts and letters are drawn; pages need none."
    ),
    Limit.PIXELS_GUEST: Allowance(Actor.GUEST, 2_000_000, Period.MINUTE, "A guest plays on the page, which needs none."),
    Limit.PIXELS_PLAYER: Allowance(Actor.PLAYER, 30_000_000, Period.MINUTE, "The same for players."),
    Limit.BOT_DECISION_SERVICE: Allowance(Actor.SERVICE, 700, Period.EACH, "A bot answers within a second, `strong` with the best so far."),
    Limit.ANALYSIS_SERVICE: Allowance(Actor.SERVICE, 30_000, Period.EACH, "Luck and skill are told soon after a game; 0: never."),
    Limit.BOT_TIME_GUEST: Allowance(
        Actor.GUEST, 120_000, Period.HOUR, "Other games' bots get their turn; then `strong` plays like `greedy`."
    ),
    Limit.BOT_TIME_PLAYER: Allowance(Actor.PLAYER, 900_000, Period.HOUR, "The same for all games that one player has opened."),
    Limit.HINTS_PLAYER: Allowance(Actor.PLAYER, 60, Period.HOUR, "Each hint takes as long as a bot's decision."),
    Limit.EXPORTS_PLAYER: Allowance(Actor.PLAYER, 5, Period.DAY, "Reading everything that is stored about somebody takes long."),
    Limit.REPORTS_PLAYER: Allowance(Actor.PLAYER, 10, Period.DAY, "The operator reads every report."),
    Limit.FEEDS_PLAYER: Allowance(Actor.PLAYER, 120, Period.HOUR, "Feed readers and calendars on several machines ask now and then."),
    Limit.TESTS_PLAYER: Allowance(Actor.PLAYER, 30, Period.HOUR, "Nobody makes us flood somebody else's server."),
    Limit.ADDRESSES_PLAYER: Allowance(Actor.PLAYER, 5, Period.AT_ONCE, "At home, at work, on the road; nobody collects addresses."),
    Limit.HELD_RECIPIENT: Allowance(Actor.RECIPIENT, 10, Period.HOUR, "Nobody is flooded with questions about forged mails."),
    Limit.STRANGERS_DOMAIN: Allowance(Actor.DOMAIN, 20, Period.HOUR, "One domain does not use up the answers to strangers."),
    Limit.STRANGERS_SERVICE: Allowance(Actor.SERVICE, 120, Period.HOUR, "We write to few people who have no account here."),
    Limit.MAILS_PLAYER: Allowance(Actor.PLAYER, 200, Period.HOUR, "Every mail is read and remembered, whoever has really sent it."),
    Limit.STRANGER_MAILS_ADDRESS: Allowance(Actor.ADDRESS, 60, Period.HOUR, "One mail server does not use up the room for all others."),
    Limit.STRANGER_MAILS_SERVICE: Allowance(Actor.SERVICE, 1000, Period.HOUR, "Mails from strangers do not fill the store."),
    Limit.STRANGER_MAIL_BYTES: Allowance(Actor.SERVICE, 65_536, Period.EACH, "A request for a game is short."),
}
"""Every limit with its default."""
USUAL: Mapping[Limit, int] = {limit: allowance.amount for limit, allowance in TABLE.items()}


class OverLimit(Refused):
    """Raised with the code `over-limit`; `seconds` until there is room again, 0 where something of the actor's own must end first."""

    def __init__(self, limit: Limit, amount: int, seconds: int = 0) -> None:
        period = TABLE[limit].period
        super().__init__("over-limit", why=period, limit=f"limit-{limit}", amount=amount, period=period, wait=Wait(seconds))
        self.limit, self.seconds = limit, seconds


def read_limits(text: str) -> dict[Limit, int]:
    """Read amounts that differ from the default; `off` is no limits. ValueError for an unknown limit or an amount that is no number."""
    if text.strip() == OFF:
        return {}
    return {**USUAL, **dict(_amount(pair.strip()) for pair in text.split(",") if pair.strip())}


def _amount(pair: str) -> tuple[Limit, int]:
    name, _, amount = (part.strip() for part in pair.partition("="))
    if name not in USUAL:
        raise ValueError(f"{name!r} is none of {', '.join(USUAL)}")
    if not (amount.isascii() and amount.isdecimal()):
        raise ValueError(f"{amount!r} is no number")
    return Limit(name), int(amount)


def network(address: str | None) -> str:
    """Name the actor at a network address: an IPv4 address, or the first 64 bits of an IPv6 address."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), 64), strict=False))


class Limits:
    """Checks and counts use. A limit without an amount allows everything; without counters nothing is counted over time."""

    def __init__(self, amounts: Mapping[Limit, int] | None = None, counters: RateCounters | None = None, secret: str = "") -> None:
        self.amounts, self.counters, self._secret = amounts or {}, counters, secret

    def spend(self, limit: Limit, actor: str, amount: int = 1) -> RateUse | None:
        """Count what an actor uses in a period, and return what is left; None where there is no limit. Raises `OverLimit`."""
        most = self.amounts.get(limit)
        if most is None or self.counters is None:
            return None
        use = self.counters.spend(limit, self.pseudonym(actor), amount, most, TABLE[limit].period.seconds)
        if not use.fits:
            raise self._refused(limit, use.seconds)
        return use

    def check(self, limit: Limit, amount: int) -> None:
        """Raise `OverLimit` if a size, or a number of things at the same time, is above the limit."""
        if amount > self.amounts.get(limit, amount):
            raise self._refused(limit)

    def hold(self, limit: Limit, actor: str, id: str, longest: float) -> int:
        """Take one of the places that an actor may hold at the same time, for `longest` seconds or until `release`. Raises `OverLimit`.

        Returns how many other places the actor held before.
        """
        most = self.amounts.get(limit)
        if most is None or self.counters is None:
            return 0
        held = self.counters.hold(limit, self.pseudonym(actor), id, most, longest)
        if not held:
            raise self._refused(limit)
        return held - 1

    def release(self, limit: Limit, actor: str, id: str) -> None:
        """Give a held place back."""
        if self.counters:
            self.counters.release(limit, self.pseudonym(actor), id)

    def _refused(self, limit: Limit, seconds: int = 0) -> OverLimit:
        if self.counters:
            self.counters.count_refused(limit)
        return OverLimit(limit, self.amounts[limit], seconds)

    def pseudonym(self, actor: str) -> str:
        """Hash an actor with the service's secret, so that counters store no address."""
        return hashlib.sha256(f"{self._secret}|{actor.casefold()}".encode()).hexdigest()[:32]
