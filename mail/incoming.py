"""A mail has come in: whose is it, what does it say, and what is answered. Acted on once, answered once."""

import hashlib
import logging
import re
from collections.abc import Iterable
from functools import partial

from mail.commands import Asked, game_words, obey, words_of
from mail.courtesies import is_kind
from mail.example_orders import example_orders
from mail.links import opens
from mail.new_game import asked_for, start_game
from mail.post import DAY, DEAD_AFTER, HOUR, Office, Result, write
from mail.preview import told_preview
from mail.reading import Incoming, Said, classify, read_mail
from mail.repeats import gist
from mail.wishes import cut_off, is_order, part, wish
from play.game import Game
from play.links import SEAT
from play.open import join
from play.people import register
from play.submit import sent_before, submit
from rules.refusal import Refusal, Refused
from rules.words import COMMON, lexicon
from store.people import Player
from store.post import Inbound, Mail, Reply

AT_ONCE = 20
MOST_TRIES = 3
MOST_REQUESTS = 5
"""Games that an address may ask for within an hour; the sender may be forged, and the answers go to its owner."""
MOST_ALIKE = 10
"""So often the same text that cannot be done is answered within a day if there are orders or commands in it."""
log = logging.getLogger("marketpost.mail")


def receive(office: Office, raw: bytes, recipients: Iterable[str]) -> str:
    """Keep a mail durably; only then may the sender be told that we have it."""
    id = hashlib.sha256(raw).hexdigest()[:32]
    office.post.receive(Inbound(id, office.ports.clock(), sorted({each.casefold() for each in recipients})), raw)
    office.wake()
    return id


def read_waiting(office: Office) -> int:
    """Act on what came in; how many mails were looked at."""
    waiting = office.post.take_unread(office.ports.clock(), AT_ONCE)
    for id in waiting:
        _read(office, id)
    return len(waiting)


def _read(office: Office, id: str) -> None:
    inbound = office.post.inbound(id)
    if inbound is None:
        return
    inbound.tries += 1
    if inbound.tries > MOST_TRIES:
        inbound.status = _give_up(office, inbound)
        office.post.read(inbound)
        return
    office.post.begin(inbound)
    try:
        inbound.status = _act(office, inbound, read_mail(office.post.raw(id)))
    except Exception:
        log.exception("mail %s could not be acted on", id)
        return
    office.post.read(inbound, keep_raw=inbound.status == "held")


def _give_up(office: Office, inbound: Inbound) -> str:
    """A mail that breaks us is answered too, to the player whom its token belongs to."""
    local, token = _door(office, inbound.recipients)
    if player := _owner(office, token if local == "play" else ""):
        _answer(office, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return "cannot-be-read"


def _unsigned(office: Office, inbound: Inbound, incoming: Incoming, token: str) -> str:
    """So much came before its sender's name that we did not get there. The player whom its token belongs to is told."""
    player = _owner(office, token)
    if player is None or _repeats(office, inbound, incoming, player):
        return "automatic" if player is None else "repeats-itself"
    _answer(office, inbound, player, None, [words_of(player).say("answers.cut-off")])
    return "cut-off"


def _owner(office: Office, token: str) -> Player | None:
    reply = office.post.reply(token) if token else None
    return office.ports.people.find(reply.player) if reply else None


def _act(office: Office, inbound: Inbound, incoming: Incoming) -> str:
    """What becomes of it, in a word."""
    local, token = _door(office, inbound.recipients or incoming.recipients)
    if incoming.bounce or local == "bounce":
        return _bounced(office, incoming, token if local == "bounce" else "")
    if incoming.automatic or not (incoming.sender or incoming.truncated):
        return "automatic"
    if not incoming.sender:
        return _unsigned(office, inbound, incoming, token if local == "play" else "")
    if incoming.message_id and not office.post.first_with(f"{incoming.sender} {incoming.message_id}", inbound.id):
        return "seen"
    if local == "new":
        return _asks_for_a_game(office, inbound, incoming)
    if local == "join":
        return _asks_for_a_seat(office, inbound, incoming, token)
    return _answered(office, inbound, incoming, incoming.sender, token if local == "play" else "")


def _answered(office: Office, inbound: Inbound, incoming: Incoming, sender: str, token: str) -> str:
    """A letter of ours, from its reader's own address or from another."""
    reply = office.post.reply(token) if token else None
    if reply is None:
        return _lost(office, inbound, incoming, sender)
    player = office.ports.people.find(reply.player)
    if player is None:
        return "forgotten"
    if player.email.casefold() == sender.casefold():
        return _take(office, inbound, incoming, player, reply)
    game = office.ports.game(reply.game) if reply.game else None
    if _repeats(office, inbound, incoming, player, game, _said(game, incoming, player)):
        return "repeats-itself"
    return _hold(office, inbound, player, "held", sender=sender)


def _repeats(
    office: Office, inbound: Inbound, incoming: Incoming, player: Player, game: Game | None = None, said: Said | None = None
) -> bool:
    """Whether there were such words from this player within a day.

    A machine answers each of our letters with the same words, so the first answer must be the last. What can be done always is.
    """
    said = said or Said(strange=("",))
    if (said.orders or said.commands) and not said.strange:
        return False
    hopeful = said.orders or said.commands or any(is_order(game, line) for line in incoming.lines)
    before = office.post.said_before(player.id, gist(incoming.lines), inbound.settles or inbound.id, office.ports.clock(), DAY)
    return before >= (MOST_ALIKE if hopeful else 1)


def _door(office: Office, recipients: Iterable[str]) -> tuple[str, str]:
    """The part of the address before the plus, and the token behind it."""
    ours = re.compile(rf"(play|bounce|new|join)(?:\+([a-z2-7]+))?@{re.escape(office.settings.mail_domain.casefold())}")
    for address in recipients:
        if found := ours.fullmatch(address.casefold()):
            return found.group(1), found.group(2) or ""
    return "", ""


def knows(office: Office, address: str) -> bool:
    """Whether a mail to this address can be meant for us; cheap enough for the door."""
    local, token = _door(office, [address])
    return local == "new" or (bool(token) and office.post.reply(token) is not None)


def _bounced(office: Office, incoming: Incoming, token: str) -> str:
    """Only what came back to the address of that very letter counts; everything else may be forged."""
    player, bounce = _owner(office, token), incoming.bounce
    if player is None or bounce is None or bounce.action != "failed":
        return "bounce-ignored"
    player.bounces += 1
    office.ports.people.save(player)
    return "bounce"


def _lost(office: Office, inbound: Inbound, incoming: Incoming, sender: str) -> str:
    """An address we do not know: players are told, strangers never get mail."""
    known = office.ports.people.player_of(sender)
    player = office.ports.people.find(known) if known else None
    if player is None or not player.confirmed:
        return "stranger"
    if _repeats(office, inbound, incoming, player):
        return "repeats-itself"
    _answer(office, inbound, player, None, [words_of(player).say("answers.token-unknown")])
    return "token-unknown"


def _hold(office: Office, inbound: Inbound, player: Player, key: str, **values: str) -> str:
    """Done only after a yes from the player's own address."""
    lines = [words_of(player).say(f"answers.{key}", **values)]
    _answer(office, inbound, player, None, lines, held=inbound.id, kind="asking")
    return "held"


def _asks_for_a_game(office: Office, inbound: Inbound, incoming: Incoming) -> str:
    """A sender's address proves nothing, and a game invites others: the owner of the address must say yes."""
    text = " ".join(incoming.lines)[:200] or incoming.subject[:200]
    player = register(office.ports, incoming.sender or "", (incoming.sender or "").partition("@")[0])
    if office.post.said_before(player.id, "new", inbound.id, office.ports.clock(), HOUR) >= MOST_REQUESTS:
        return "too-many-requests"
    return _hold(office, inbound, player, "new-held", text=text)


def _asks_for_a_seat(office: Office, inbound: Inbound, incoming: Incoming, key: str) -> str:
    """An invitation link is also an address. Whoever writes to it has to say yes, for the same reason."""
    sender = incoming.sender or ""
    if _linked(office, key) is None:
        return _lost(office, inbound, incoming, sender)
    player = register(office.ports, sender, sender.partition("@")[0])
    if office.post.said_before(player.id, "new", inbound.id, office.ports.clock(), HOUR) >= MOST_REQUESTS:
        return "too-many-requests"
    return _hold(office, inbound, player, "join-held")


def _linked(office: Office, key: str) -> Game | None:
    """The game that this key lets sit down at."""
    reply = office.post.reply(key)
    game = office.ports.game(reply.game) if reply and reply.game else None
    return game if game and opens(office, game, key, SEAT) else None


def _sit_down(office: Office, inbound: Inbound, incoming: Incoming, player: Player, key: str) -> str:
    game = _linked(office, key)
    if game is None:
        return _lost(office, inbound, incoming, player.email)
    try:
        game, kind = join(office.ports, game.id, player.id), "done"
        lines = [words_of(player).say("answers.joined")]
    except Refused as refused:
        lines, kind = [game_words(game, player).explain(refused.refusal)], "refused"
    _answer(office, inbound, player, Reply(player.id, game.id, game.seat_of(player.id)), lines, kind=kind)
    return "joined"


def _take(office: Office, inbound: Inbound, incoming: Incoming, player: Player, reply: Reply) -> str:
    """A mail from the player's own address, with a token that is good."""
    _heard_from(office, inbound, player)
    if doubt := "cut-off" if incoming.truncated else "forwarded" if incoming.forwarded else "":
        if _repeats(office, inbound, incoming, player):
            return "repeats-itself"
        _answer(office, inbound, player, reply, [words_of(player).say(f"answers.{doubt}")], held=reply.held)
        return doubt
    if reply.held:
        return _answered_hold(office, inbound, incoming, player, reply.held)
    game = office.ports.game(reply.game) if reply.game else None
    said = _said(game, incoming, player)
    if _repeats(office, inbound, incoming, player, game, said):
        return "repeats-itself"
    if strange := [*said.strange, *cut_off(game, incoming.lines)]:
        words = words_of(player)
        lines = [words.say("answers.strange", text=line[:200]) for line in strange[:5]]
        _answer(office, inbound, player, reply, [*lines, words.say("answers.nothing-done"), *_examples(game, reply, player)])
        return "strange"
    if said == Said():
        return _nothing_asked(office, inbound, incoming, player, reply, game)
    return _obey(office, inbound, player, reply, game, said)


def _said(game: Game | None, incoming: Incoming, player: Player) -> Said:
    return classify(incoming.lines, partial(_can_be_read, game), lexicon(COMMON, "commands"), [player.name, *incoming.names])


def _examples(game: Game | None, reply: Reply, player: Player) -> list[str]:
    """What would be accepted now, where the player is to decide."""
    if game is None or reply.seat is None or not _is_now(game, reply):
        return []
    orders = example_orders(game.rules, game.state, reply.seat, game_words(game, player))
    return [words_of(player).say("answers.examples"), *(f"    {each}" for each in orders)]


def _nothing_asked(office: Office, inbound: Inbound, incoming: Incoming, player: Player, reply: Reply, game: Game | None) -> str:
    """Kind words are thanked for; a mail that is empty, or announces orders that are not there, did not do what it was meant to."""
    kind = "thanks" if is_kind(incoming.lines) else "refused"
    line = words_of(player).say("answers.thanks" if kind == "thanks" else "answers.nothing")
    _answer(office, inbound, player, reply, [line, *_examples(game, reply, player)], kind=kind)
    return "answered"


def _heard_from(office: Office, inbound: Inbound, player: Player) -> None:
    """The address lives, be it after all: then its owner learns why no letters came."""
    if player.confirmed and not player.bounces:
        return
    if player.bounces >= DEAD_AFTER:
        at = office.ports.clock()
        write(office, Mail(f"bouncing-{inbound.id}", player.id, "bouncing", at, at))
    player.confirmed, player.bounces = True, 0
    office.ports.people.save(player)


def _can_be_read(game: Game | None, text: str) -> bool:
    return is_order(game, text) or bool(wish(game, text))


def _obey(office: Office, inbound: Inbound, player: Player, reply: Reply, game: Game | None, said: Said) -> str:
    """Commands first, then the orders; all of it is told in one answer."""
    if game and sent_before(office.ports, game.id, player.id, _key(inbound)):
        return "submitted"
    asked = [command for command, _ in said.commands]
    now, left = part(game, said.orders) if "preview" not in asked else (said.orders, [])
    orders = "\n".join(now)
    results: set[Result] = set()
    lines: list[str] = []
    for number, (command, argument) in enumerate([*said.commands, *([("standing", "\n".join(left))] if left else [])]):
        result, told = obey(command, Asked(office, inbound, player, reply, game, argument, f"{_key(inbound)} {number}", orders))
        results.add(result)
        lines += told
    if game and "preview" in asked:
        lines += _previewed(game, reply.seat or 0, orders, player)
        orders = ""
    if orders and game:
        why = _submit(office, inbound, player, game, reply, orders, lines, asked)
        if not why:
            return "submitted"
        lines.append(why)
        results.add("refused")
    board = ["board"] if "undo" in asked else []
    _answer(office, inbound, player, reply, lines, asked=[*asked, *board], kind=_kind(results))
    return "answered"


def _key(inbound: Inbound) -> str:
    """What this mail asks is done once under this name; a yes stands for the mail that waited for it."""
    return f"mail {inbound.settles or inbound.id}"


def _kind(results: set[Result]) -> str:
    """What an answer is about, which its subject tells."""
    told = results - {"shown"}
    return "partly" if len(told) > 1 else next(iter(told), "shown" if results else "refused")


def _submit(
    office: Office, inbound: Inbound, player: Player, game: Game, reply: Reply, orders: str, also: list[str], asked: list[str]
) -> str:
    """Empty if the orders wait to be judged, which then answers the mail; otherwise why they cannot."""
    if not _is_now(game, reply):
        return words_of(player).say("answers.turn-over")
    inbound.orders, inbound.also, inbound.asked = orders, also, asked
    office.post.begin(inbound)
    try:
        submit(office.ports, game, player.id, orders, key=_key(inbound), via=inbound.id)
    except Refused as refused:
        return game_words(game, player).explain(refused.refusal)
    return ""


def _previewed(game: Game, seat: int, orders: str, player: Player) -> list[str]:
    if game.state is None:
        return [game_words(game, player).explain(Refusal("not-started"))]
    return told_preview(game, seat, orders, game_words(game, player), words_of(player))


def _is_now(game: Game, reply: Reply) -> bool:
    """A token is dead when its turn is over. One from a letter before the turn is good until the player has moved.

    So is one from a letter that told of something which was taken back since.
    """
    if game.status != "running" or reply.seat not in game.deciders:
        return False
    written = reply.version or 0
    if any(undone > written > back_to for undone, back_to in game.undos):
        return False
    moved = any(played.seat == reply.seat and version > written for version, played in game.history)
    return reply.turn == game.state.turn or not moved


def _answered_hold(office: Office, inbound: Inbound, incoming: Incoming, player: Player, held: str) -> str:
    """Yes: the mail that was held is acted on as if it had come from here. No: it is thrown away."""
    names = [player.name, incoming.sender_name]
    said = classify(incoming.lines, lambda text: False, lexicon(COMMON, "commands"), names)
    asked = {command for command, _ in said.commands} if not said.strange else set()
    waiting = office.post.inbound(held)
    raw = office.post.raw(held)
    if asked == {"yes"} and waiting and raw:
        inbound.settles = held
        return _release(office, inbound, waiting, read_mail(raw), player)
    if not asked and _repeats(office, inbound, incoming, player):
        return "repeats-itself"
    key, kind = ("dropped", "done") if asked == {"no"} else ("no-such-yes", "refused")
    inbound.settles = held if asked == {"no"} else None
    _answer(office, inbound, player, None, [words_of(player).say(f"answers.{key}")], kind=kind)
    return key


def _release(office: Office, inbound: Inbound, held: Inbound, original: Incoming, player: Player) -> str:
    local, token = _door(office, held.recipients or original.recipients)
    reply = office.post.reply(token)
    if local == "new":
        text = asked_for(original.lines, [player.name, *original.names]) or original.subject
        kind, lines = start_game(office, player, held.id, text, words_of(player))
        _answer(office, inbound, player, Reply(player.id, held.id, 0) if office.ports.game(held.id) else None, lines, kind=kind)
        return "new-game"
    if local == "join":
        return _sit_down(office, inbound, original, player, token)
    return _take(office, inbound, original, player, reply) if reply else _lost(office, inbound, original, player.email)


def _answer(
    office: Office,
    inbound: Inbound,
    player: Player,
    reply: Reply | None,
    lines: list[str],
    asked: Iterable[str] = (),
    held: str | None = None,
    kind: str = "refused",
) -> None:
    """One answer for each mail: the id says so. `kind` is what its subject tells."""
    at = office.ports.clock()
    values = {"lines": lines, "asked": list(asked), "held": held, "kind": kind}
    game, seat = (reply.game, reply.seat) if reply else (None, None)
    write(office, Mail(f"answer-{inbound.id}", player.id, "answer", at, at, game, None, seat, values))
