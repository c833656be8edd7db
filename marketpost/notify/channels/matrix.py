"""Matrix: a message in a room, as the user whose token or password the URL has."""

from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import Shows

SHOWS = Shows.TEXT
read_target = read_apprise("matrix", "matrixs")
send = send_by_apprise
