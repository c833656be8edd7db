"""Letters: the whole mail, which passed the gate, to the player's own address."""

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.target_address import Networks
from marketpost.rules.refusal import Refused

SHOWS = Shows.LETTER


def read_target(text: str, allowed: Networks) -> str:
    """Refuse: a player's address is confirmed by a code, not added as a target."""
    raise Refused("no-such-channel")


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Hand the letter to the mail server, or put it into the local mailbox."""
    return target.by.mail.deliver(message.sender, target.address, message.letter)
