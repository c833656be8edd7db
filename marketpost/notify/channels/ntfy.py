"""ntfy: a push message to the phones that listen to a topic, on ntfy.sh or a server of one's own."""

from marketpost.notify.apprise_channel import read_apprise, send_by_apprise
from marketpost.notify.channel_message import Shows

SHOWS = Shows.TEXT
read_target = read_apprise("ntfy", "ntfys")
send = send_by_apprise
