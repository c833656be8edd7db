"""Signal: a message to a phone, by a Signal server (signal-cli-rest-api) of the player's own."""

from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import Shows

SHOWS = Shows.TEXT
read_target = read_apprise("signal", "signals")
send = send_by_apprise
