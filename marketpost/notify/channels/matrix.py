"""Matrix: a message in a room, as the user whose access token the URL has."""

import re
from dataclasses import replace

from marketpost.mail.outbound.attempt import DeliveryOutcome
from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import ChannelMessage, Shows, Target
from marketpost.notify.target_address import Networks
from marketpost.rules.refusal import Refused

SHOWS = Shows.TEXT
WITH_TOKEN = re.compile(r"\w+://[^:@/]+@.+")
ROOM_AS_TYPED = "?hsreq=no"
"""Leaves the room as it was typed: ids of rooms since version 12 have no server, and Apprise would add one."""
read_url_of_room = read_apprise("matrix", "matrixs")


def read_target(text: str, allowed: Networks) -> str:
    """Check the URL, which has a token and no password.

    Fault: with a password Apprise logs in for each message, which servers allow five times, and logs out when Python collects its object:
    in any thread, outside the guard of connections.
    """
    if not WITH_TOKEN.fullmatch(text):
        raise Refused("channel-form")
    return read_url_of_room(text, allowed)


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Send the text to the very room."""
    return send_by_apprise(message, replace(target, address=target.address + ROOM_AS_TYPED))
