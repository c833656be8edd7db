"""A turn mail of ours in four languages, as it gets quoted: prose, a board, and example orders that must never be taken for the player's."""

from functools import cache
from html import escape
from textwrap import wrap

from rules.portobello import RULESET
from tests.rules.portobello.test_draw import middle

CID = "board-0f3a9c41d2e87b56@marketpost"
TEXTS = {
    "en": """Hello {me},

it is your turn in the game "{game}" (turn 7).

Since your last turn:
  Yellow chose tile 3, built a stall on AB and moved the Bobby to 4.
  Green drew a citizen and put it on F.

        A ----- B ----- C
        |  o o  |   .   |
        D ----- E ----- F

Scores: red 21, yellow 18, green 25
Open tiles: 2, 3, 4

What you may do, for example:

3: stall A-B; customer C; bobby 5
4: mark 6
2: customer
if citizen: place D

You have until 9 March 2026, 18:00. Answer this mail with your orders.
https://marketpost.example/g/k3v9
--
Marketpost · stop these mails: https://marketpost.example/u/9a8b""",
    "de": """Hallo {me},

du bist am Zug in der Partie „{game}“ (Zug 7).

Seit deinem letzten Zug:
  Gelb hat Plättchen 3 gewählt, einen Stand auf AB gebaut und den Bobby nach 4 bewegt.
  Grün hat einen Bürger gezogen und auf F gesetzt.

        A ----- B ----- C
        |  o o  |   .   |
        D ----- E ----- F

Punkte: Rot 21, Gelb 18, Grün 25
Offene Plättchen: 2, 3, 4

Was du tun kannst, zum Beispiel:

3: Stand A-B; Kunde C; Bobby 5
4: markiere 6
2: Kunde
falls Bürger: setze D

Du hast Zeit bis 9. März 2026, 18:00 Uhr. Antworte auf diese Mail mit deinen Befehlen.
https://marketpost.example/g/k3v9
--
Marketpost · keine Mails mehr: https://marketpost.example/u/9a8b""",
    "fr": """Bonjour {me},

c'est à vous de jouer dans la partie « {game} » (tour 7).

Depuis votre dernier tour :
  Jaune a choisi la tuile 3, construit un étal sur AB et déplacé le Bobby en 4.
  Vert a tiré un citoyen et l'a placé sur F.

        A ----- B ----- C
        |  o o  |   .   |
        D ----- E ----- F

Points : rouge 21, jaune 18, vert 25
Tuiles visibles : 2, 3, 4

Ce que vous pouvez faire, par exemple :

3 : étal A-B ; client C ; Bobby 5
4 : marque 6
2 : client
si citoyen : place D

Vous avez jusqu'au 9 mars 2026, 18 h 00. Répondez à ce mail avec vos ordres.
https://marketpost.example/g/k3v9
--
Marketpost · ne plus recevoir ces mails : https://marketpost.example/u/9a8b""",
    "it": """Ciao {me},

tocca a te nella partita “{game}” (turno 7).

Dal tuo ultimo turno:
  Giallo ha scelto il gettone 3, costruito una bancarella su AB e spostato il Bobby in 4.
  Verde ha pescato un borghese e l'ha messo su F.

        A ----- B ----- C
        |  o o  |   .   |
        D ----- E ----- F

Punti: rosso 21, giallo 18, verde 25
Gettoni scoperti: 2, 3, 4

Che cosa puoi fare, per esempio:

3: bancarella A-B; cliente C; Bobby 5
4: marca 6
2: cliente
se borghese: metti D

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


def letter_text(language: str, me: str, game: str) -> str:
    return TEXTS[language].format(me=me, game=game)


def letter_html(language: str, me: str, game: str) -> str:
    """Our HTML part: the board is a picture, the examples are bold lines."""
    text = letter_text(language, me, game).partition("\n-- \n")[0]
    out = []
    for paragraph in text.split("\n\n"):
        if "-----" in paragraph:
            out.append(
                f'<p><a href="https://marketpost.example/g/k3v9"><img src="cid:{CID}" width="560" alt="{escape(picture(language))}"></a></p>'
            )
        else:
            out.append(
                "<p>"
                + "<br>\n".join(
                    f"<b>{escape(line.strip())}</b>" if ":" in line[:3] else escape(line.strip()) for line in paragraph.split("\n")
                )
                + "</p>"
            )
    return (
        '<div style="font-family:sans-serif;max-width:640px">'
        + "\n".join(out)
        + '<p><a href="https://marketpost.example/g/k3v9">Portobello</a></p></div>'
    )


@cache
def picture(language: str) -> str:
    """What our HTML part says of its picture."""
    return " ".join(RULESET.linear(middle(), RULESET.in_language(language)).splitlines()[:5])


def rendered(language: str, me: str, game: str) -> str:
    """How a program turns our HTML part into text: a name for the board, bold as asterisks, links on lines of their own."""
    lines = []
    for line in letter_text(language, me, game).partition("\n-- \n")[0].split("\n"):
        if "|" in line:
            lines += [f"[cid:{CID}]", *wrap(f"[image: {picture(language)}]", 72)]
        if "-----" in line or "|" in line:
            continue
        lines.append(f"*{line.strip()}*" if ":" in line[:3] else line.strip())
    return "\n".join([*lines, "", "Portobello", "<https://marketpost.example/g/k3v9>"])
