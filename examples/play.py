"""Plays a whole game against the greedy bot with the standard library: python examples/play.py TOKEN [URL] [RULES]"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

if len(sys.argv) < 2:
    sys.exit(__doc__)
here = os.environ.get("MARKETPOST_URL", "http://127.0.0.1:8000").rstrip("/")
token, url, rules = (sys.argv[1:] + [here, "portobello"][len(sys.argv) - 2 :])[:3]


def call(method, path, body=None, **headers):
    """The answer; a problem ends the game with what the service says about it."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        wait = int(problem.headers.get("Retry-After", 0))
        if problem.code == 429 and wait < 100:  # a limit by the minute: nothing was done, and soon it will be
            time.sleep(wait)
            return call(method, path, body, **headers)
        sys.exit(f"{method} {path}: {json.load(problem)['detail']}")
    except OSError as silence:
        print(f"{url} does not answer: {getattr(silence, 'reason', silence)}. Is the service running (make run)?", file=sys.stderr)
        sys.exit(2)


game = call("POST", "/v1/games", {"rules": rules, "seats": [{"me": True}, {"bot": "greedy"}]})["id"]
while (now := call("GET", f"/v1/games/{game}"))["status"] == "running":
    steps = call("GET", f"/v1/games/{game}/legal")["steps"]
    if steps:
        orders = random.choice(steps)
        call("POST", f"/v1/games/{game}/moves", {"orders": orders}, Prefer="wait=10")
        print(f"version {now['version']:>3}: {orders}")
print(f"game {game} is over: {now['scores']}, won by {', '.join(now['winners'])}")
