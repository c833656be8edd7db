"""Gotify: a push message to the phones and browsers of an application on a Gotify server of the player's own."""

from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import Shows

SHOWS = Shows.TEXT
read_target = read_apprise("gotify", "gotifys")
send = send_by_apprise
