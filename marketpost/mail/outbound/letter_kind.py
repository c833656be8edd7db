"""The kinds of letters to players."""

from enum import StrEnum

from marketpost.play.outbox.notices import NoticeKind


class LetterKind(StrEnum):
    """What a letter is about. The values are stored."""

    YOUR_TURN = "your-turn"
    """The player is to decide."""
    OVER = "over"
    """The game has ended."""
    STARTED = "started"
    """The game has begun."""
    INVITATION = "invitation"
    """Somebody invites the player to a game."""
    DECLINED = "declined"
    """An invited player does not want to play."""
    RECEIPT = "receipt"
    """What became of orders that came by mail."""
    MESSAGE = "message"
    """Somebody said something to the table."""
    PROPOSAL = "proposal"
    """Somebody proposes something that the player has to agree to."""
    NEWS = "news"
    """Something was done at the table."""
    REMINDER = "reminder"
    """The player's time is running out."""
    TIMED_OUT = "timed-out"
    """The player's time is up."""
    DIGEST = "digest"
    """All games that wait for the player, once a day."""
    SEVERAL = "several"
    """Answers a message with parts for several games."""
    ANSWER = "answer"
    """An answer to a message without orders."""
    CONFIRM = "confirm"
    """A code that confirms the player's address."""
    SIGN_IN = "sign-in"
    """A code that signs the player in."""
    NEW_ADDRESS = "new-address"
    """A code that confirms another address of the player."""
    MAIN_ADDRESS = "main-address"
    """Letters go to another address from now on; to the former one."""
    BOUNCING = "bouncing"
    """Letters to the player came back."""
    COMPLAINED = "complained"
    """The player writes to us after marking a letter as spam, and gets no others."""
    CANARY = "canary"
    """The service writes to itself."""
    WEBHOOK_OFF = "webhook-off"
    """A target of a channel was switched off because it kept failing."""
    TOURNAMENT_INVITATION = "tournament-invitation"
    """Somebody invites the player to a tournament."""
    TOURNAMENT = "tournament"
    """A round of a tournament has begun, or it is over."""
    REPORT = "report"
    """A player has reported another; to the operator."""


LETTER_OF_NOTICE = {
    NoticeKind.TURN: LetterKind.YOUR_TURN,
    NoticeKind.OVER: LetterKind.OVER,
    NoticeKind.STARTED: LetterKind.STARTED,
    NoticeKind.INVITED: LetterKind.INVITATION,
    NoticeKind.DECLINED: LetterKind.DECLINED,
    NoticeKind.ANSWER: LetterKind.RECEIPT,
    NoticeKind.SAID: LetterKind.MESSAGE,
    NoticeKind.PROPOSED: LetterKind.PROPOSAL,
    NoticeKind.NEWS: LetterKind.NEWS,
    NoticeKind.REMINDER: LetterKind.REMINDER,
    NoticeKind.TIMED_OUT: LetterKind.TIMED_OUT,
}
"""The kind of letter for each kind of notice in a game's outbox."""
OPTIONAL = frozenset({
    LetterKind.YOUR_TURN, LetterKind.REMINDER, LetterKind.TIMED_OUT, LetterKind.OVER, LetterKind.STARTED, LetterKind.MESSAGE,
    LetterKind.DECLINED, LetterKind.DIGEST, LetterKind.PROPOSAL, LetterKind.NEWS,
    LetterKind.TOURNAMENT,
})  # fmt: skip
"""Letters about a game that a player may switch off."""
IN_DIGEST = frozenset({LetterKind.YOUR_TURN, LetterKind.STARTED, LetterKind.MESSAGE})
"""Letters that a player who chose the digest does not get one by one."""
