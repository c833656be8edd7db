"""Telegram: a message in a chat, by a bot of the player's own."""

from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import Shows

SHOWS = Shows.TEXT
read_target = read_apprise("tgram", has_host=False)
send = send_by_apprise
