"""A bot that is called when it is to decide, and answers with a legal step at random:
python examples/bot_webhook.py TOKEN OWN_URL PORT [URL]     # or MARKETPOST_URL
It listens on PORT of this machine; OWN_URL is where the service finds it, such as a proxy's https://bots.example.org/. It remembers
nothing: a call is answered only when the move has been made, so the service repeats one that found the bot dead.
"""

import hmac
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

if len(sys.argv) < 4:
    sys.exit(__doc__)
token, own_url, port, url = [*sys.argv[1:], os.environ.get("MARKETPOST_URL", "http://127.0.0.1:8000").rstrip("/")][:4]


def call(method, path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    return json.load(urllib.request.urlopen(urllib.request.Request(f"{url}/v1{path}", data, headers, method=method), timeout=10))


def is_genuine(signature, body):
    """`t=SECONDS,v1=HMAC`: from the service, and not an old call that somebody repeats."""
    said = dict(part.partition("=")[::2] for part in signature.split(","))
    wanted = hmac.new(secret.encode(), f"{said.get('t')}.".encode() + body, "sha256").hexdigest()
    return hmac.compare_digest(wanted, said.get("v1", "")) and abs(time.time() - int(said["t"])) < 300


def play(game):
    while game["steps"]:
        try:
            orders = random.choice(game["steps"])
            call("POST", f"/games/{game['id']}/moves", {"orders": orders}, Prefer="wait=5", **{"If-Match": f'"{game["version"]}"'})
            print(f"{game['id']} version {game['version']:>3}: {orders}", flush=True)
        except urllib.error.HTTPError as problem:
            if problem.code != 412:  # the game has gone on: look again
                raise
        game |= call("GET", f"/games/{game['id']}/legal")


class Bot(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if genuine := is_genuine(self.headers.get("Marketpost-Signature", ""), body):
            play(json.loads(body)["game"])
        self.send_response(204 if genuine else 403)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(port)), Bot)
channel = {"channel": "webhook", "target": own_url}
secret = call("POST", "/players/me/channels", channel, **{"Idempotency-Key": own_url})["secret"]  # the same at every start
server.serve_forever()
