"""Hundreds of answers as mail programs write them. `python -m tests.mail.corpus [count] [seed]` prints how many are read exactly."""

import base64
import quopri
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.header import Header

from mail.reading import Incoming, read_mail
from mail.sorting import Said, classify
from rules.portobello.orders import parse
from rules.refusal import Refused
from tests.mail.letters import SUBJECTS, letter_html, letter_text, rendered
from tests.mail.programs import PROGRAMS
from tests.mail.programs.answer import NB, Answer, Written

LANGUAGES = ("en", "de", "fr", "it")
KINDS = ("text", "html", "both")
ENCODINGS = ("8bit", "quoted-printable", "base64", "latin")

# What players write and what it means.
ORDERS = {
    "en": [
        (["3: stall A-B; customer C; bobby 5"], "3: stall A-B; customer C; bobby 5"),
        (["3:", "stall A-B", "customer C", "bobby 4-5"], "3: stall A-B; customer C; bobby 4-5"),
        (["tile 2", "customer", "if citizen: place D; stall AB", "if clerk: place C"], "2: customer\nif citizen: place D; stall AB\nif clerk: place C"),
        (["4: mark 6"], "4: mark 6"),
        (["4: stall A-B; stall C-D; customer clerk C citizen D; stall E-F; bobby 4-5-6"], "4: stall A-B; stall C-D; customer clerk C citizen D; stall E-F; bobby 4-5-6"),
        (["3 : STALL A–B ; Customer C."], "3: stall A-B; customer C"),
        ([f"2:{NB}customer{NB}C", "Bobby 5"], "2: customer C; bobby 5"),
        (["*3: stall AB*", "- bobby 5"], "3: stall AB; bobby 5"),
    ],
    "de": [
        (["3: Stand A-B; Kunde C; Bobby 5"], "3: stall A-B; customer C; bobby 5"),
        (["3:", "Stand A-B", "Kunde C", "Bobby 4-5"], "3: stall A-B; customer C; bobby 4-5"),
        (["Plättchen 2", "Kunde", "falls Bürger: setze D; Stand AB", "wenn Gehilfe: setze C"], "2: customer\nif citizen: place D; stall AB\nif clerk: place C"),
        (["4: markiere 6"], "4: mark 6"),
        (["4: Stand A-B; Stand C-D; Kunde Gehilfe C Bürger D; Stand E-F; Bobby 4-5-6"], "4: stall A-B; stall C-D; customer clerk C citizen D; stall E-F; bobby 4-5-6"),
        (["3 : STAND A–B ; kunde c."], "3: stall A-B; customer C"),
        ([f"2:{NB}Kunde{NB}C", "bobby 5"], "2: customer C; bobby 5"),
        (["2: Kunde", "falls Buerger: setze D"], "2: customer\nif citizen: place D"),
    ],
    "fr": [
        (["3 : étal A-B ; client C ; Bobby 5"], "3: stall A-B; customer C; bobby 5"),
        (["3 :", "étal A-B", "client C", "Bobby 4-5"], "3: stall A-B; customer C; bobby 4-5"),
        (["tuile 2", "client", "si citoyen : place D ; étal AB", "si commis : place C"], "2: customer\nif citizen: place D; stall AB\nif clerk: place C"),
        (["4 : marque 6"], "4: mark 6"),
        (["4 : étal A-B ; étal C-D ; client commis C citoyen D ; étal E-F ; Bobby 4-5-6"], "4: stall A-B; stall C-D; customer clerk C citizen D; stall E-F; bobby 4-5-6"),
        ([f"3{NB}: ÉTAL A–B{NB}; Client C."], "3: stall A-B; customer C"),
        (["2: client C", "bobby 5 !"], "2: customer C; bobby 5"),
        (["« 3 : etal AB »"], "3: stall AB"),
    ],
    "it": [
        (["3: bancarella A-B; cliente C; Bobby 5"], "3: stall A-B; customer C; bobby 5"),
        (["3:", "bancarella A-B", "cliente C", "Bobby 4-5"], "3: stall A-B; customer C; bobby 4-5"),
        (["gettone 2", "cliente", "se borghese: metti D; bancarella AB", "se servo: metti C"], "2: customer\nif citizen: place D; stall AB\nif clerk: place C"),
        (["4: marca 6"], "4: mark 6"),
        (["4: bancarella A-B; bancarella C-D; cliente servo C borghese D; bancarella E-F; Bobby 4-5-6"], "4: stall A-B; stall C-D; customer clerk C citizen D; stall E-F; bobby 4-5-6"),
        (["3 : BANCARELLA A–B ; Cliente C."], "3: stall A-B; customer C"),
        ([f"2:{NB}cliente{NB}C", "bobby 5"], "2: customer C; bobby 5"),
        (["“3: bancarella AB”"], "3: stall AB"),
    ],
}  # fmt: skip
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
    "en": ["Mark Place", "Alice Lord", "Bobby Fisher", "Zoë O'Neill", "Tom Hill-Smith"],
    "de": ["Jan Müller", "Markus Lord", "Änne Groß", "Bobby Kunde", "Karl-Heinz Stand"],
    "fr": ["Étienne Dupré", "Marc Client", "Zoé Lefèvre", "Anne-Marie Fin", "Jean Place"],
    "it": ["Luca Servi", "Nicolò Marca", "Chiara D'Angelo", "Marco Fine", "Lucia Borghese"],
}
SIGNATURES = {
    "en": [
        (),
        ("{me}", "5-7 Market Place, Stall 3", "Tel. 020-7946-0958"),
        ("{me}", "Lord & Mark Ltd", "3: The Stalls, A-B Road", "www.example.co.uk"),
    ],
    "de": [
        (),
        ("{me}", "Halle 3, Stand 4-5", "Tel. 0221-3-4-5"),
        ("{me}", "Bobby & Lord GmbH", "Marktplatz 5-7, 50667 Köln", "Tel: +49 221 12-34"),
    ],
    "fr": [
        (),
        ("{me}", "3, place du Marché", "Tél. 01-23-45-67-89"),
        ("{me}", "Étal & Client SARL", "5-7 rue de la Marque, 75003 Paris", "www.example.fr"),
    ],
    "it": [
        (),
        ("{me}", "Via del Mercato 3-5", "Tel. 02-345-67"),
        ("{me}", "Bancarella & Figli S.r.l.", "Piazza Lord 4, 20121 Milano", "cell. 333-4-5-6-7"),
    ],
}


@dataclass(frozen=True)
class Case:
    """A mail and what it says."""

    name: str
    raw: bytes
    expected: str


def cases(count: int, seed: int = 1) -> Iterator[Case]:
    chance = random.Random(seed)
    names = list(PROGRAMS)
    for number in range(count):
        program = names[number % len(names)]
        language = LANGUAGES[number // len(names) % len(LANGUAGES)]
        kind = KINDS[number // len(names) // len(LANGUAGES) % len(KINDS)]
        yield make(program, language, kind, chance)


def make(program: str, language: str, kind: str, chance: random.Random) -> Case:
    me = chance.choice(PEOPLE[language])
    written, expected = chance.choice(ORDERS[language])
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
        letter_text(quoted, me, game),
        letter_html(quoted, me, game),
        rendered(quoted, me, game),
        tuple(line.format(me=me) for line in signature),
        chance.random() < 0.7,
    )
    raw = pack(answer, PROGRAMS[program](answer), kind, chance.choice(ENCODINGS))
    return Case(f"{program}-{language}-{kind}", raw, expected)


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


def is_order(text: str) -> bool:
    try:
        parse(text)
    except Refused:
        return False
    return True


COMMANDS = {
    spelling: command
    for command, spellings in {
        "help": "help hilfe aide aiuto", "board": "board brett plateau tabellone", "rules": "rules regeln règles regole", "record": "record protokoll partie partita",
        "preview": "preview vorschau aperçu anteprima", "undo": "undo zurück annuler annulla", "resign": "resign aufgeben abandonner abbandono", "say": "say sage dire dì",
        "vacation": "vacation urlaub vacances vacanza", "language": "language sprache langue lingua", "yes": "yes ja oui sì", "no": "no nein non",
    }.items()
    for spelling in spellings.split()
}  # fmt: skip


def understood(raw: bytes) -> tuple[Incoming, Said]:
    incoming = read_mail(raw)
    return incoming, classify(incoming.lines, is_order, COMMANDS, incoming.names)


def verdict(case: Case) -> str:
    """`exact`, `refused` (safe: the player is asked), or `wrong`."""
    incoming, said = understood(case.raw)
    if said.strange or not said.orders:
        return "refused"
    try:
        exact = parse("\n".join(said.orders)) == parse(case.expected)
    except Refused:
        return "refused"
    return "exact" if exact and not said.commands and not incoming.automatic else "wrong"


def main() -> None:
    count, seed = [*map(int, sys.argv[1:]), *(3120, 1)[len(sys.argv) - 1 :]]
    found: Counter[str] = Counter()
    programs: dict[str, Counter[str]] = {}
    for case in cases(count, seed):
        told = verdict(case)
        found[told] += 1
        programs.setdefault(case.name.rpartition("-")[0].rpartition("-")[0], Counter())[told] += 1
    out = sys.stdout.write
    for program, verdicts in programs.items():
        out(f"{program:16} {dict(verdicts)}\n")
    out(
        f"{count} mails, seed {seed}: exact {found['exact']} ({found['exact'] / count:.2%}), refused {found['refused']}, wrong {found['wrong']}\n"
    )


if __name__ == "__main__":
    main()
