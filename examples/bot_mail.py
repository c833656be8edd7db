"""A bot that plays by mail: it reads the JSON in its letters (PATCH /v1/players/me {"json": true}) and answers with a legal step at random:
python examples/bot_mail.py bot@example.org imaps://USER:PASSWORD@imap.example.org smtps://USER:PASSWORD@smtp.example.org
python examples/bot_mail.py bot@example.org http://127.0.0.1:8000/mailbox smtp://127.0.0.1:2525     # `make run`, no mail server
A letter is marked as read when it has been answered; the answer to a letter always has the same Message-ID, so it counts once."""

import imaplib
import json
import random
import smtplib
import sys
import time
from email import message_from_bytes, policy
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

address, mailbox, smtp = sys.argv[1:] if len(sys.argv) == 4 else sys.exit(__doc__)
page, mailbox, smtp = f"{mailbox}/{address}", urlsplit(mailbox), urlsplit(smtp)
left = set()  # letters that ask for nothing stay unread, and are looked at once


def read_by_imap():
    with (imaplib.IMAP4_SSL if mailbox.scheme == "imaps" else imaplib.IMAP4)(*filter(None, (mailbox.hostname, mailbox.port))) as box:
        box.login(unquote(mailbox.username), unquote(mailbox.password))
        box.select()
        for number in sorted({*box.uid("SEARCH", "UNSEEN")[1][0].split()} - left, key=int):
            if is_answered(number, box.uid("FETCH", number, "(BODY.PEEK[])")[1][0][1]):
                box.uid("STORE", number, "+FLAGS", "\\Seen")


def read_here():
    for number in sorted({*json.load(urlopen(f"{page}/unread", timeout=10))["unread"]} - left):
        if is_answered(number, urlopen(f"{page}/{number}/raw", timeout=10).read()):
            urlopen(f"{page}/{number}", timeout=10)  # now it is read


def is_answered(number, raw):
    letter = message_from_bytes(raw, policy=policy.default)
    parts = [part.get_content() for part in letter.walk() if part.get_content_type() == "application/json"]
    asked = json.loads(parts[0]) if parts else print(f"{letter['Subject']!r} has no JSON; PATCH /v1/players/me brings it", flush=True)
    if not asked or not asked["game"]["steps"]:
        return left.add(number)
    reply_to, game, orders = asked["reply_to"], asked["game"], random.choice(asked["game"]["steps"])
    mail = f"From: {address}\r\nTo: {reply_to}\r\nSubject: orders\r\nMessage-ID: <re-{reply_to}>\r\n\r\n{orders}\r\n"
    with (smtplib.SMTP_SSL if smtp.scheme == "smtps" else smtplib.SMTP)(smtp.hostname, smtp.port or 0, timeout=30) as server:
        if smtp.username:
            server.login(unquote(smtp.username), unquote(smtp.password))
        server.sendmail(address, reply_to, mail)
    print(f"{game['id']} version {game['version']:>3}: {orders}", flush=True)
    return True


read, pause = (read_here, 0.2) if mailbox.scheme.startswith("http") else (read_by_imap, 30)
while True:
    try:
        read()
    except (OSError, imaplib.IMAP4.error) as error:
        print(f"not now: {error}", flush=True)
        time.sleep(5)
    time.sleep(pause)
