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


def unread_by_imap():
    kind, port = (imaplib.IMAP4_SSL, 993) if mailbox.scheme == "imaps" else (imaplib.IMAP4, 143)
    with kind(mailbox.hostname, mailbox.port or port) as box:
        box.login(unquote(mailbox.username), unquote(mailbox.password))
        box.select()
        for number in box.search(None, "UNSEEN")[1][0].split():
            yield box.fetch(number, "(BODY.PEEK[])")[1][0][1]
            box.store(number, "+FLAGS", "\\Seen")


def unread_here():
    def get(what):
        return urllib.request.urlopen(f"{mailbox.geturl()}/{address}/{what}", timeout=10).read()

    for number in json.loads(get("unread"))["unread"]:
        yield get(f"{number}/raw")
        get(number)  # its page: now it is read


def answer(reply_to, orders):
    mail = f"From: {address}\r\nTo: {reply_to}\r\nSubject: orders\r\nMessage-ID: <re-{reply_to}>\r\n\r\n{orders}\r\n"
    with (smtplib.SMTP_SSL if smtp.scheme == "smtps" else smtplib.SMTP)(smtp.hostname, smtp.port or 0, timeout=30) as server:
        if smtp.username:
            server.login(unquote(smtp.username), unquote(smtp.password))
        server.sendmail(address, reply_to, mail)


unread, pause = (unread_here, 0.2) if mailbox.scheme.startswith("http") else (unread_by_imap, 30)
while True:
    try:
        for raw in unread():
            for part in message_from_bytes(raw, policy=policy.default).walk():
                asked = json.loads(part.get_content()) if part.get_content_type() == "application/json" else {}
                if asked and asked["game"]["steps"]:
                    answer(asked["reply_to"], random.choice(asked["game"]["steps"]))
    except (OSError, imaplib.IMAP4.error) as error:
        print(f"not now: {error}", flush=True)
    time.sleep(pause)
