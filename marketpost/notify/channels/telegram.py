"""Telegram: a message in a chat, by a bot of the player's own."""

from dataclasses import replace
from html import escape

from marketpost.mail.outbound.attempt import DeliveryOutcome, bounced_if
from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import ChannelMessage, Shows, Target

SHOWS = Shows.TEXT
GONE = ("status 401", "status 403", "status 404")
"""Answers of Telegram that the bot was deleted, or blocked in the chat."""
read_target = read_apprise("tgram", has_host=False)


def send(message: ChannelMessage, target: Target) -> DeliveryOutcome:
    """Send the text escaped: Apprise sends HTML, and Telegram refuses a message with a tag that is none."""
    return bounced_if(send_by_apprise(replace(message, text=escape(message.text, quote=False)), target), GONE)
