"""Plays a whole game against the greedy bot with the standard library: python examples/play.py TOKEN [URL]"""

import json
import random
import sys
import urllib.error
import urllib.request

token, *rest = sys.argv[1:]
url = (rest or ["http://127.0.0.1:8000"])[0]


def call(method, path, body=None, **headers):
    """The answer; refused orders come back as a problem with a code and what would be legal."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, data, headers, method=method)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        return json.load(problem)


game = call("POST", "/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]})["id"]
while (now := call("GET", f"/v1/games/{game}"))["status"] == "running":
    steps = call("GET", f"/v1/games/{game}/legal")["steps"]
    if steps:
        move = call("POST", f"/v1/games/{game}/moves", {"orders": random.choice(steps)}, Prefer="wait=10")
        print(now["version"], move["status"], move.get("code", ""))
print(game, now["position"]["scores"], "wins:", now["position"]["winners"])
