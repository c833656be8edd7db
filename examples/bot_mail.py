"""A bot that plays by mail: it reads the JSON in its letters (PATCH /v1/players/me {"json": true}) and answers with a legal step at random:
python examples/bot_mail.py bot@example.org imaps://USER:PASSWORD@imap.example.org smtps://USER:PASSWORD@smtp.example.org
python examples/bot_mail.py bot@example.org http://127.0.0.1:8000/mailbox smtp://127.0.0.1:2525     # `make run`, no mail server
A letter is marked as read when it has been answered; the answer to a letter always has the same Message-ID, so it counts once.
"""

import imaplib
import json
import random
import smtplib
import sys
import time
import urllib.request
from email import message_from_bytes, policy
from urllib.parse import unquote, urlsplit

if len(sys.argv) != 4:
    sys.exit(__doc__)
address, mailbox, smtp = sys.argv[1], urlsplit(sys.argv[2]), urlsplit(sys.argv[3])
left = set()  # the letters that ask for nothing: they stay unread, and are looked at once


def read_by_imap():
    kind, port = (imaplib.IMAP4_SSL, 993) if mailbox.scheme == "imaps" else (imaplib.IMAP4, 143)
    with kind(mailbox.hostname, mailbox.port or port) as box:
        box.login(unquote(mailbox.username), unquote(mailbox.password))
        box.select()
        for number in box.uid("SEARCH", "UNSEEN")[1][0].split():
            if number not in left and is_answered(number, box.uid("FETCH", number, "(BODY.PEEK[])")[1][0][1]):
                box.uid("STORE", number, "+FLAGS", "\\Seen")


def read_here():
    def get(what):
        return urllib.request.urlopen(f"{mailbox.geturl()}/{address}/{what}", timeout=10).read()

    for number in json.loads(get("unread"))["unread"]:
        if number not in left and is_answered(number, get(f"{number}/raw")):
            get(number)  # its page: now it is read


def is_answered(number, raw):
    letter = message_from_bytes(raw, policy=policy.default)
    asked = next((json.loads(part.get_content()) for part in letter.walk() if part.get_content_type() == "application/json"), None)
    if asked is None:
        print(f"{letter['Subject']!r} has no JSON part; turns have one after PATCH /v1/players/me", '{"json": true}', flush=True)
    if not asked or not asked["game"]["steps"]:
        left.add(number)
        return False
    reply_to, game, orders = asked["reply_to"], asked["game"], random.choice(asked["game"]["steps"])
    mail = f"From: {address}\r\nTo: {reply_to}\r\nSubject: orders\r\nMessage-ID: <re-{reply_to}>\r\n\r\n{orders}\r\n"
    with (smtplib.SMTP_SSL if smtp.scheme == "smtps" else smtplib.SMTP)(smtp.hostname, smtp.port or 0, timeout=30) as server:
        if smtp.username:
            server.login(unquote(smtp.username), unquote(smtp.password))
        server.sendmail(address, reply_to, mail)
    print(f"{game['id']} version {game['version']:>3}: {orders}", flush=True)
    return True


read, pause = (read_here, 0.2) if mailbox.scheme.startswith("http") else (read_by_imap, 30)
wait = pause
while True:
    try:
        read()
        wait = pause
    except (OSError, imaplib.IMAP4.error) as error:
        wait = min(2 * wait, max(pause, 10))
        print(f"not now: {error} (next try in {wait:g} s)", flush=True)
    time.sleep(wait)
