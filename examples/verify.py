"""Checks a game's public log: python examples/verify.py FILE…, each with a page of GET /v1/games/{id}/events. See docs/chance.md."""

import hashlib
import hmac
import json
import sys
from itertools import pairwise
from pathlib import Path

STREETS = [" ".join(a + b for b in "1234567") for a in "aeim"] + [" ".join(a + b for a in "abcdefghijklm") for b in "147"]
CLASSIC = {"streets": STREETS, "grey": "a1 e1 i1 m1 a4 m4 a7 e7 i7 m7", "middle": "g4", "die": "1 2 3 4 5 1-3"}
CLASSIC["sites"] = {"all": " ".join(STREETS).replace("g4 ", "")}


def check(holds, sentence):
    return holds or sys.exit(f"WRONG: {sentence}")


def mac(key, *lines):
    return hmac.digest(key, "\n".join(map(str, lines)).encode(), "sha256")


def pick(key, label, options):
    """One of the options, by rejection sampling: none is favoured."""
    blocks = (mac(key, f"{label}|{attempt}") for attempt in range(1000))
    numbers = (int.from_bytes(block[start : start + 8], "big") for block in blocks for start in (0, 8, 16, 24))
    return options[next(number for number in numbers if number < 2**64 - 2**64 % len(options)) % len(options)]


def portobello(events):
    """Every draw: its version, what it was drawn from in sorted order, and what came out."""
    bag, queue = ["citizen"] * 5 + ["clerk"] * 5, events[0][1][5]
    for version, event in events:
        for kind in event[5] if event[0] == "started" else [event[2]] if event[0] == "drawn" and not queue else []:
            yield version, bag[:], kind
            bag.remove(kind)


def alturien(events):
    """Every roll, and every customer and shop of a set-up that was dealt."""
    _, colours, board, options = events[0][1]
    board, left, owners = CLASSIC if board == "alturien-classic" else board, {"duke": 1, "marquis": 2, "count": 3}, {}
    ways = {way for street in board["streets"] for pair in pairwise(street.split()) for way in (pair, pair[::-1])}
    grey, sites = set(board["grey"].split()), {site for group in board["sites"].values() for site in group.split()}
    starts = grey if options["customer_start"] == "grey" else {space for space, _ in ways} - grey - {board["middle"]}
    faces = sorted(board["die"].split(), key=lambda face: [int(number) for number in face.split("-")])
    for version, (kind, *event) in events:
        if kind == "rolled":
            yield from ((version, faces, face) for face in event[1])
        elif kind == "customer":
            free = [f"{who} {space}>{to}" for who in left if left[who] for space, to in ways if space in starts]
            yield from [(version, sorted(free), "{} {}>{}".format(*event[1:4]))] if event[4] else []
            left[event[1]], starts = left[event[1]] - 1, starts - {event[2]}
        elif kind == "shop":
            seat, free, greys = len(owners) % len(colours), sites - owners.keys(), [owners[site] for site in grey & owners.keys()]
            yield from [(version, sorted((seat in greys and free - grey) or free), event[1])] if event[2] else []
            owners[event[1]] = seat


pages = [json.loads(Path(file).read_text("utf-8-sig")) for file in sys.argv[1:]] or sys.exit(__doc__)
game, lines = pages[0]["game"], [item["entry"].encode() for page in pages for item in page["items"]]
hashes, words, told, events, began, order, secret = ["", *(hashlib.sha256(line).hexdigest() for line in lines)], {}, set(), [], 0, [], b""
for number, (version, _, by, action, _, before, *_) in enumerate(map(json.loads, lines)):
    follows = (version, before, action[0] == "opened") == (number + 1, hashes[number], not number)
    check(follows, f"version {number + 1}: the entry does not follow from the one before it")
    match action:
        case "opened", rules, _, _, _, _, seats, _, _, seal, imported, _, *chance:
            scheme, shuffled, competition = (*chance, *(1, False, "")[len(chance) :])[:3]
        case "contributed", seat, word, drawn:
            check(not began, f"version {version}: seat {seat + 1} contributes to chance after the game began")
            is_own = seats[seat][0] and (drawn or by == seats[seat][0])
            check(is_own, f"version {version}: this is no word of the player in seat {seat + 1}")
            words[seat] = (word, drawn)
        case "joined" | "handed-over" | "left", seat, *to if not began:
            seats[seat] = to[0] if action[0] == "handed-over" else [*to, None, None, None][:3]
            words.pop(None if to else seat, None)
        case ("began", new, _, *_) | ("moved", _, _, _, new, _, _, *_):
            began, order = (version, [*action[3:], []][0]) if action[0] == "began" else (began, order)
            events += [(version, event) for event in new]
            told |= {version} if (imported if began == version else action[6]) else set()
        case "undone", _, back_to, _:
            events = [(made, event) for made, event in events if made <= back_to]
        case "revealed", text:
            secret = bytes.fromhex(text)
check(hashes[-1] == pages[-1]["items"][-1]["hash"], "the last entry is not the one whose hash was told")
if not secret:
    sys.exit(print(f"game {game}: {len(lines)} entries unbroken; it is not over, so its chance is still sealed"))
check(hashlib.sha256(secret).hexdigest() == seal, "the secret is not the one that was sealed at the start")
key = mac(secret, f"chance {scheme}", competition if scheme == 3 else game, *sorted(word for word, _ in words.values()))
for seat in (seat for seat, (player, *_) in enumerate(seats) if player and began and scheme == 2 and not imported):
    word, drawn = check(words.get(seat), f"seat {seat + 1} has contributed nothing to chance")
    check(not drawn or word == mac(secret, "word", game, seat).hex()[:16], f"the word of seat {seat + 1} was chosen, not drawn")
left = sorted(range(len(seats)), key=lambda seat: (seats[seat][0] or "", seats[seat][2] or "", seat)) if shuffled and began else []
seated = [left.pop(left.index(pick(key, f"seats|{number}", left))) for number in range(len(left))]
check(order == seated, f"version {began}: the log says the order of seats {order}, the secret gives {seated}")
for number, (version, options, outcome) in enumerate({"portobello": portobello, "alturien": alturien}[rules](events) if began else ()):
    came = pick(secret if scheme == 1 else key, f"{game if scheme == 1 else 'deal' if version == began else 'draw'}|{number}", options)
    check(version in told or came == outcome, f"version {version}: the log says {outcome}, the secret gives {came}")
print(f"game {game}: {len(lines)} entries unbroken, the seats, {len(words)} contributions and every draw are as the secret gives them")
