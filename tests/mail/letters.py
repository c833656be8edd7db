"""A turn mail of ours in four languages, as it gets quoted: prose, a board, and example orders that must never be taken for the player's."""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from textwrap import wrap

from tests.mail.turns import Turn, turns

CID = "board-0f3a9c41d2e87b56@marketpost"
TEXTS = {
    "en": """Hello {me},

it is your turn in the game "{game}" (turn 7).

Since your last turn:
{since}

{board}

What you may do, for example:

{examples}

You have until 9 March 2026, 18:00. Answer this mail with your orders.
https://marketpost.example/g/k3v9
--
Marketpost · stop these mails: https://marketpost.example/u/9a8b""",
    "de": """Hallo {me},

du bist am Zug in der Partie „{game}“ (Zug 7).

Seit deinem letzten Zug:
{since}

{board}

Was du tun kannst, zum Beispiel:

{examples}

Du hast Zeit bis 9. März 2026, 18:00 Uhr. Antworte auf diese Mail mit deinen Befehlen.
https://marketpost.example/g/k3v9
--
Marketpost · keine Mails mehr: https://marketpost.example/u/9a8b""",
    "fr": """Bonjour {me},

c'est à vous de jouer dans la partie « {game} » (tour 7).

Depuis votre dernier tour :
{since}

{board}

Ce que vous pouvez faire, par exemple :

{examples}

Vous avez jusqu'au 9 mars 2026, 18 h 00. Répondez à ce mail avec vos ordres.
https://marketpost.example/g/k3v9
--
Marketpost · ne plus recevoir ces mails : https://marketpost.example/u/9a8b""",
    "it": """Ciao {me},

tocca a te nella partita “{game}” (turno 7).

Dal tuo ultimo turno:
{since}

{board}

Che cosa puoi fare, per esempio:

{examples}

Hai tempo fino al 9 marzo 2026, 18:00. Rispondi a questa mail con i tuoi ordini.
https://marketpost.example/g/k3v9
--
Marketpost · niente più mail: https://marketpost.example/u/9a8b""",
}
SUBJECTS = {
    "en": 'Your turn in "{game}" (turn 7)',
    "de": "Du bist am Zug: „{game}“ (Zug 7)",
    "fr": "À vous de jouer : « {game} » (tour 7)",
    "it": "Tocca a te: “{game}” (turno 7)",
}


def examples(turn: Turn) -> list[Turn]:
    """Other turns of the same game, which the letter shows."""
    others = [each for each in turns(turn.rules.name) if turn.rules.parse(each.orders) != turn.rules.parse(turn.orders)]
    return list({each.orders: each for each in others}.values())[:3]


@lru_cache(maxsize=1024)
def letter_text(turn: Turn, language: str, me: str, game: str) -> str:
    words = turn.rules.in_language(language)
    return TEXTS[language].format(
        me=me,
        game=game,
        since="\n".join(f"  {line}" for line in turn.rules.linear(turn.state, words).splitlines()[:6]),
        board="\n".join(f"        {line}" for line in turn.rules.draw(turn.state, words).splitlines()),
        examples="\n".join(each.written(language) for each in examples(turn)),
    )


def _paragraphs(turn: Turn, language: str, me: str, game: str) -> Iterator[tuple[str, list[str]]]:
    """What each paragraph is: `board`, `orders` or `prose`; the board may have several."""
    text = letter_text(turn, language, me, game).partition("\n--\n")[0]
    shown = {each.written(language) for each in examples(turn)}
    board = False
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        if lines[0].startswith("        "):
            if not board:
                yield "board", lines
            board = True
        elif any(paragraph.startswith(each) for each in shown):
            yield "orders", lines
        else:
            yield "prose", [line.strip() for line in lines]


@lru_cache(maxsize=1024)
def letter_html(turn: Turn, language: str, me: str, game: str) -> str:
    """Our HTML part: the board is a picture, the examples are bold lines."""
    out = []
    for kind, lines in _paragraphs(turn, language, me, game):
        if kind == "board":
            told = escape(picture(turn, language))
            out.append(f'<p><a href="https://marketpost.example/g/k3v9"><img src="cid:{CID}" width="560" alt="{told}"></a></p>')
        else:
            out.append("<p>" + "<br>\n".join(f"<b>{escape(line)}</b>" if kind == "orders" else escape(line) for line in lines) + "</p>")
    return (
        '<div style="font-family:sans-serif;max-width:640px">'
        + "\n".join(out)
        + f'<p><a href="https://marketpost.example/g/k3v9">{turn.rules.name.title()}</a></p></div>'
    )


def picture(turn: Turn, language: str) -> str:
    """What our HTML part says of its picture."""
    return " ".join(turn.rules.linear(turn.state, turn.rules.in_language(language)).splitlines()[:5])


def rendered(turn: Turn, language: str, me: str, game: str) -> str:
    """How a program turns our HTML part into text: a name for the board, bold as asterisks, links on lines of their own."""
    shown = {
        "board": lambda lines: [f"[cid:{CID}]", *wrap(f"[image: {picture(turn, language)}]", 72)],
        "orders": lambda lines: [f"*{line}*" for line in lines],
        "prose": lambda lines: lines,
    }
    parts = ["\n".join(shown[kind](lines)) for kind, lines in _paragraphs(turn, language, me, game)]
    return "\n\n".join([*parts, f"{turn.rules.name.title()}\n<https://marketpost.example/g/k3v9>"])
