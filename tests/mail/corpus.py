"""Hundreds of answers as mail programs write them. `python -m tests.mail.corpus [count] [seed]` prints which are not read exactly."""

import base64
import quopri
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.header import Header

from marketpost.mail.inbound.answering import classify_message
from marketpost.mail.inbound.classify import Said
from marketpost.mail.inbound.read_message import ParsedMessage, parse_message
from marketpost.mail.inbound.reading_proposals import propose_reading
from marketpost.rules.words import lexicon
from marketpost.store.players import Player
from tests.mail.letters import SUBJECTS, letter_html, letter_text, rendered
from tests.mail.programs import PROGRAMS
from tests.mail.programs.answer import Answer, Written
from tests.mail.turns import SHAPES, Turn, all_rulesets, turns

LANGUAGES = ("en", "de", "fr", "it")
PLAYER = Player("p0", "player@example.org", "")
KINDS = ("text", "html", "both")
ENCODINGS = ("8bit", "quoted-printable", "base64", "latin")

GREETINGS = {
    "en": ["", "Hi,", "Hello everyone,", "Hi Bob and Carla,", "Good morning all!", "Here is my move:", "Dear all,", "Hey there 🙂"],
    "de": [
        "",
        "Hallo zusammen,",
        "Hallo,",
        "Moin!",
        "Guten Morgen allerseits,",
        "Hier mein Zug:",
        "Liebe alle,",
        "Servus Bob,",
        "Hallo Carla :-)",
    ],
    "fr": [
        "",
        "Bonjour,",
        "Bonjour à tous,",
        "Salut Bob !",
        "Voici mon coup :",
        "Bonsoir à toutes et à tous,",
        "Coucou,",
        "Bonjour Carla,",
    ],
    "it": ["", "Ciao,", "Ciao a tutti,", "Buongiorno,", "Ecco la mia mossa:", "Salve,", "Ciao ragazzi!", "Buonasera Carla,"],
}
CLOSINGS = {
    "en": [
        [],
        ["Thanks!"],
        ["Best regards,", "{first}"],
        ["Cheers, {first}"],
        ["Good luck!", "{first}"],
        ["Thanks and best wishes", "{me}"],
        ["{first}"],
    ],
    "de": [
        [],
        ["Danke!"],
        ["Viele Grüße", "{first}"],
        ["LG {first}"],
        ["Viel Erfolg!", "{first}"],
        ["Mit freundlichen Grüßen", "", "{me}"],
        ["Danke und viele Grüße, {first}"],
        ["{first}"],
    ],
    "fr": [
        [],
        ["Merci !"],
        ["Cordialement,", "{first}"],
        ["Bonne journée", "{first}"],
        ["Bonne chance !"],
        ["Bien à vous,", "", "{me}"],
        ["Merci et bonne soirée,", "{first}"],
        ["{first}"],
    ],
    "it": [
        [],
        ["Grazie!"],
        ["Cordiali saluti", "{first}"],
        ["Ciao", "{first}"],
        ["In bocca al lupo!"],
        ["Un saluto,", "", "{me}"],
        ["Grazie mille e buona serata, {first}"],
        ["{first}"],
    ],
}
PEOPLE = {
    "en": ["Mark Place", "Alice {word}", "Bobby Fisher", "Zoë O'Neill", "Tom Hill-Smith", "Anne-Marie {word}"],
    "de": ["Jan Müller", "Markus {word}", "Änne Groß", "Bobby Kunde", "Karl-Heinz {word}"],
    "fr": ["Étienne Dupré", "Marc {word}", "Zoé Lefèvre", "Anne-Marie {word}", "Jean Place"],
    "it": ["Luca Servi", "Nicolò {word}", "Chiara D'Angelo", "Marco {word}", "Lucia Borghese"],
}
"""Some are called as an order word of the game."""
SIGNATURES = {
    "en": [
        (),
        ("{me}", "5-7 Market Place, {word} 3", "Tel. 020-7946-0958"),
        ("{me}", "{word} & Mark Ltd", "3: The Stalls, A-B Road", "www.example.co.uk"),
    ],
    "de": [
        (),
        ("{me}", "Halle 3, {word} 4-5", "Tel. 0221-3-4-5"),
        ("{me}", "{word} & Lord GmbH", "Marktplatz 5-7, 50667 Köln", "Tel: +49 221 12-34"),
    ],
    "fr": [
        (),
        ("{me}", "3, place du Marché", "Tél. 01-23-45-67-89"),
        ("{me}", "Étal & {word} SARL", "5-7 rue de la Marque, 75003 Paris", "www.example.fr"),
    ],
    "it": [
        (),
        ("{me}", "Via del Mercato 3-5", "Tel. 02-345-67"),
        ("{me}", "{word} & Figli S.r.l.", "Piazza Lord 4, 20121 Milano", "cell. 333-4-5-6-7"),
    ],
}


@dataclass(frozen=True)
class Case:
    """A mail, what it says, and the turn in which it was written."""

    name: str
    raw: bytes
    expected: str
    turn: Turn


def cases(ruleset: str, count: int, seed: int = 1) -> Iterator[Case]:
    chance = random.Random(seed)
    names = list(PROGRAMS)
    for number in range(count):
        program = names[number % len(names)]
        language = LANGUAGES[number // len(names) % len(LANGUAGES)]
        kind = KINDS[number // len(names) // len(LANGUAGES) % len(KINDS)]
        yield make(chance.choice(turns(ruleset)), program, language, kind, chance)


def make(turn: Turn, program: str, language: str, kind: str, chance: random.Random) -> Case:
    def write() -> list[str]:
        return chance.choice(SHAPES)(turn.steps(language), language)

    def letter(*names: str) -> tuple[str, str, str]:
        return letter_text(turn, *names), letter_html(turn, *names), rendered(turn, *names)

    raw = mail_of(write, letter, turn, program, language, kind, chance)
    return Case(f"{program}-{language}-{kind}", raw, turn.orders, turn)


def mail_of(
    write: Callable[[], list[str]],
    letter: Callable[[str, str, str], tuple[str, str, str]],
    turn: Turn,
    program: str,
    language: str,
    kind: str,
    chance: random.Random,
) -> bytes:
    """What a program makes of these lines, in answer to a letter in text, HTML and as programs render it; `turn` lends its words to names."""
    word = chance.choice(order_words(turn, language))
    me = chance.choice(PEOPLE[language]).format(word=word)
    written = write()
    signature = chance.choice(SIGNATURES[language])
    closing = chance.choice(CLOSINGS[language])
    if signature and program in ("outlook_desktop", "outlook_old", "outlook_web", "apple_mail", "t_online") and len(closing) < 2:
        closing = CLOSINGS[language][2]
    greeting = chance.choice(GREETINGS[language])
    gap = chance.choice([[], [""]])
    lines = [*([greeting, *gap] if greeting else []), *written, *([*gap, *closing] if closing else [])]
    named = tuple(line.format(me=me, first=me.partition(" ")[0]) for line in lines)
    game = chance.choice(["Rialto", "Camden Lock", "Au marché", "Größe 3: Stand A-B"])
    # the language of the program is not always that of our letter
    quoted = language if chance.random() < 0.8 else chance.choice(LANGUAGES)
    answer = Answer(
        language,
        named,
        datetime(2026, 1, 1) + timedelta(minutes=chance.randrange(500_000)),
        chance.choice(["Marketpost", "Marketpost (Rialto)", "Portobello bei Marketpost"]),
        f"play+{chance.getrandbits(128):032x}@marketpost.example",
        me,
        "player@example.org",
        SUBJECTS[quoted].format(game=game),
        *letter(quoted, me, game),
        tuple(line.format(me=me, word=word) for line in signature),
        chance.random() < 0.7,
    )
    return pack(answer, PROGRAMS[program](answer), kind, chance.choice(ENCODINGS))


def order_words(turn: Turn, language: str) -> list[str]:
    """What this language calls things in this game, as names are written."""
    known = turn.rules.in_language(language)
    meanings = sorted({each for found in lexicon(turn.rules.words).values() for each in found})
    return [known.order(meaning).title() for meaning in meanings]


def pack(answer: Answer, written: Written, kind: str, encoding: str) -> bytes:
    head = (
        f"From: {Header(answer.me, 'utf-8').encode()} <{answer.my_address}>\nTo: {answer.name.partition(' ')[0]} <{answer.address}>\n"
        f"Subject: {Header('Re: ' + answer.subject, 'utf-8').encode()}\nMessage-ID: <{answer.address[5:37]}.1@example.org>\n"
        f"In-Reply-To: <g1.7@marketpost.example>\nReferences: <g1.6@marketpost.example>\n <g1.7@marketpost.example>\nMIME-Version: 1.0\n"
    ).encode()
    text = _text_part(written, encoding)
    html = _leaf(written.html, "text/html", "", encoding)
    if kind == "text":
        return head + text
    if kind == "html":
        return head + html
    bound = b"----=_Part_1_2.3"
    return (
        head
        + b'Content-Type: multipart/alternative; boundary="'
        + bound
        + b'"\n\n--'
        + bound
        + b"\n"
        + text
        + b"\n--"
        + bound
        + b"\n"
        + html
        + b"\n--"
        + bound
        + b"--\n"
    )


def _text_part(written: Written, encoding: str) -> bytes:
    if written.flowed:
        return _leaf("\n".join(map(_flow, written.text.split("\n"))), "text/plain", "; format=flowed", encoding)
    return _leaf("\n".join(_hard_wrapped(line, written.width) for line in written.text.split("\n")), "text/plain", "", encoding)


def _flow(line: str) -> str:
    if line.startswith(">") or line == "-- ":
        return line
    words, lines = (" " + line if line.startswith((" ", ">", "From ")) else line).rstrip().split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > 70:
            lines.append("")
        lines[-1] += f"{word} "
    return "\n".join([*lines[:-1], lines[-1].rstrip()])


def _hard_wrapped(line: str, width: int) -> str:
    if not width or len(line) <= width or line.startswith(">"):
        return line
    cut = line.rfind(" ", 0, width)
    return line if cut < 1 else line[:cut] + "\n" + _hard_wrapped(line[cut + 1 :], width)


def _leaf(text: str, kind: str, more: str, encoding: str) -> bytes:
    charset = "utf-8"
    if encoding == "latin":
        try:
            data, charset, encoding = text.encode("cp1252"), "iso-8859-1", "quoted-printable"
        except UnicodeEncodeError:
            data, encoding = text.encode(), "quoted-printable"
    else:
        data = text.encode()
    body = {"8bit": lambda: data, "quoted-printable": lambda: quopri.encodestring(data), "base64": lambda: base64.encodebytes(data)}[
        encoding
    ]()
    return f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body


def understood(raw: bytes, turn: Turn) -> tuple[ParsedMessage, Said]:
    incoming = parse_message(raw)
    return incoming, classify_message(turn.game, incoming, PLAYER)


def verdict(case: Case) -> str:
    """`exact`, `asked` (a yes plays something), `refused`, or `wrong`."""
    incoming, said = understood(case.raw, case.turn)
    turn = case.turn
    if (said.strange or incoming.below) and propose_reading(turn.game, turn.seat, incoming, PLAYER, turn.rules.in_language("en")):
        return "asked"
    if said.strange or not said.orders:
        return "refused"
    is_exact = bool(case.expected) and case.turn.means("\n".join(said.orders))
    return "exact" if is_exact and not said.commands and not incoming.automatic else "wrong"


def main() -> None:
    count, seed = [*map(int, sys.argv[1:]), *(3120, 1)[len(sys.argv) - 1 :]]
    for ruleset in all_rulesets():
        found: Counter[str] = Counter()
        for case in cases(ruleset, count, seed):
            told = verdict(case)
            found[told] += 1
            if told != "exact":
                sys.stdout.write(f"{told}: {case.name} {case.expected!r} {understood(case.raw, case.turn)[1]}\n")
        share = found["exact"] / count
        sys.stdout.write(
            f"{ruleset}, {count} mails, seed {seed}: exact {share:.2%}, asked {found['asked']}, refused {found['refused']}, wrong {found['wrong']}\n"
        )


if __name__ == "__main__":
    main()
