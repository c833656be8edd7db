"""A bot that follows one game by its event stream and plays a legal step at random whenever it is to decide:
python examples/bot_stream.py TOKEN GAME [URL]     # or MARKETPOST_URL
It remembers nothing: killed and started again, it looks at the game and goes on.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

if len(sys.argv) < 3:
    sys.exit(__doc__)
token, game, url = [*sys.argv[1:], os.environ.get("MARKETPOST_URL", "http://127.0.0.1:8000").rstrip("/")][:3]


def call(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    return urllib.request.urlopen(urllib.request.Request(f"{url}/v1/games/{game}{path}", data, headers, method=method), timeout=60)


def wait_for_news(version):
    """Until the log has grown beyond this version. The stream sends a comment now and then, and ends after some minutes."""
    with call("GET", "/events", Accept="text/event-stream", **{"Last-Event-ID": str(version)}) as stream:
        next((line for line in stream if line.startswith(b"id: ")), None)


def play(steps, version):
    """One step. `If-Match` makes sure that it is not played in a position it was not meant for."""
    orders = random.choice(steps)
    call("POST", "/moves", {"orders": orders}, Prefer="wait=10", **{"If-Match": f'"{version}"'}).close()
    print(f"version {version:>3}: {orders}", flush=True)


pause = 1
while True:
    try:
        now = json.load(call("GET", ""))
        if now["status"] == "over":
            break
        if now["you"] in now["decides"]:
            play(now["legal"]["some"], now["version"])
        else:
            wait_for_news(now["version"])
        pause = 1
    except (OSError, http.client.HTTPException) as error:  # the service says no or is away, or the connection broke: look again
        is_told = isinstance(error, urllib.error.HTTPError) and error.headers.get_content_type() == "application/problem+json"
        said = json.load(error)["detail"] if is_told else error
        if is_told and error.code in (401, 403, 404, 410):  # and it will say so every time
            sys.exit(said)
        print(f"{said} (next try in {pause} s)", flush=True)
        time.sleep(pause)
        pause = min(2 * pause, 30)
print(f"game {game} is over: {now['scores']}, won by {', '.join(now['winners'])}")
