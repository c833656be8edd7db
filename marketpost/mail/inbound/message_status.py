"""The final status of an inbound message."""

from enum import StrEnum


class MessageStatus(StrEnum):
    """The result of acting on one inbound message, as it is stored with it."""

    WAITING = "waiting"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    BOUNCE_IGNORED = "bounce-ignored"
    COMPLAINT = "complaint"
    COMPLAINT_IGNORED = "complaint-ignored"
    CANARY = "canary"
    DUPLICATE = "seen"
    SAME_MESSAGE_ID = "same-message-id"
    REPEATED = "repeats-itself"
    STRANGER = "stranger"
    UNKNOWN_ADDRESS = "token-unknown"
    PLAYER_ERASED = "erased"
    SUSPENDED = "suspended"
    GIVEN_UP = "cannot-be-read"
    GAME_DAMAGED = "game-damaged"
    CUT_OFF = "cut-off"
    FORWARDED = "forwarded"
    HELD = "held"
    SEVERAL_ADDRESSES = "several-addresses"
    SEVERAL_GAMES = "several-games"
    WHICH_GAME = "which-game"
    TOO_MANY_HELD = "too-many-held"
    UNCLEAR = "unclear"
    DROPPED = "dropped"
    NO_SUCH_QUESTION = "no-such-yes"
    JOINED = "joined"
    NEW_GAME = "new-game"
    NOT_OPENED = "not-opened"
    TOO_MANY_REQUESTS = "too-many-requests"
    PLAIN_ADDRESS = "plain"
    PLAIN_ADDRESS_WAITING = "plain-waiting"
    NOT_UNDERSTOOD = "strange"
    NOTHING_FOUND = "nothing-found"
    ANSWERED = "answered"
    SUBMITTED = "submitted"
    ASKED = "asked"
    POSITION_CHANGED = "meanwhile"


MEANINGS: dict[str, str] = {
    MessageStatus.WAITING: "Stored, not yet acted on.",
    MessageStatus.AUTOMATIC: "Written by a machine; not answered.",
    MessageStatus.BOUNCE: "One of our letters came back.",
    MessageStatus.BOUNCE_IGNORED: "Looks like a bounce but belongs to no letter, or tells of no failure.",
    MessageStatus.COMPLAINT: "A provider told that a recipient marked one of our letters as spam.",
    MessageStatus.COMPLAINT_IGNORED: "Came to the address for complaints but is none, or is about no letter of ours.",
    MessageStatus.CANARY: "A letter that the service wrote to itself, or the answer to one.",
    MessageStatus.DUPLICATE: "Another copy of a message that was acted on before.",
    MessageStatus.SAME_MESSAGE_ID: "Other words under a Message-ID that was used before; not acted on, and its sender is told.",
    MessageStatus.REPEATED: "The same text as before from the same player; not answered again.",
    MessageStatus.STRANGER: "From an address that belongs to no confirmed player, or pretends to come from one; not answered.",
    MessageStatus.UNKNOWN_ADDRESS: "Sent to an address of ours that leads nowhere.",
    MessageStatus.PLAYER_ERASED: "Answers a letter to a player whose data was erased.",
    MessageStatus.SUSPENDED: "From a suspended player; nothing was done.",
    MessageStatus.GIVEN_UP: "Broke the reader on every attempt.",
    MessageStatus.GAME_DAMAGED: "Belongs to a game whose log is damaged; its player is told.",
    MessageStatus.CUT_OFF: "Too long to be read to its end.",
    MessageStatus.FORWARDED: "May be somebody else's text, forwarded.",
    MessageStatus.HELD: "Waits for a yes from the player's own address.",
    MessageStatus.SEVERAL_ADDRESSES: "Sent to reply addresses of several games; copied, and each copy is acted on by itself.",
    MessageStatus.SEVERAL_GAMES: "Has parts for several games; each was acted on by itself.",
    MessageStatus.WHICH_GAME: "Names no game where several are meant; its player is asked.",
    MessageStatus.TOO_MANY_HELD: "Not held: the player was asked about too many messages already.",
    MessageStatus.UNCLEAR: "Answers a question with neither yes nor no.",
    MessageStatus.DROPPED: "Said no to a question.",
    MessageStatus.NO_SUCH_QUESTION: "Said yes or no where no question is open.",
    MessageStatus.JOINED: "Took a seat by an invitation link, or was refused it.",
    MessageStatus.NEW_GAME: "Opened a new game, or was refused it.",
    MessageStatus.NOT_OPENED: "Requests a game that cannot be opened.",
    MessageStatus.TOO_MANY_REQUESTS: "The address has requested too many games within an hour.",
    MessageStatus.PLAIN_ADDRESS: "Sent to `play@…`, which names no letter.",
    MessageStatus.PLAIN_ADDRESS_WAITING: "The same, from a player who has one decision to make.",
    MessageStatus.NOT_UNDERSTOOD: "Has a line that is neither order nor command; nothing was done.",
    MessageStatus.NOTHING_FOUND: "Has neither orders nor commands, or no text that can be read; its sender is told so.",
    MessageStatus.ANSWERED: "Its commands were run and answered.",
    MessageStatus.SUBMITTED: "Its orders wait for a worker, whose result answers the message.",
    MessageStatus.ASKED: "What it asks for waits for the player's yes.",
    MessageStatus.POSITION_CHANGED: "Said yes to orders for a position that has changed since.",
}
"""The sentence that an operator reads about each status."""
