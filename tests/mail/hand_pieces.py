"""Pieces of answers that are written by hand: orders in the words of a turn, quotes, and the parts of a mail around them."""

import base64
import quopri
from dataclasses import dataclass
from html import escape

from tests.mail.corpus import Case
from tests.mail.letters import examples, letter_html, letter_text
from tests.mail.turns import Turn

HEAD = "From: Ann Smith <ann@example.org>\nTo: play+aa@marketpost.example\nSubject: Re: Your turn\nMessage-ID: <{name}@example.org>\nMIME-Version: 1.0\n"
US = "Marketpost <play@marketpost.example>"
ADDRESS = "play@marketpost.example"


@dataclass(frozen=True)
class Hand:
    """A turn and its language, with the pieces that are written by hand."""

    turn: Turn
    language: str
    in_html: bool = False

    def _put(self, text: str) -> str:
        return escape(text, quote=False) if self.in_html else text

    @property
    def line(self) -> str:
        return self._put("; ".join(self.turn.steps(self.language)))

    @property
    def lines(self) -> str:
        return self._put("\n".join(self.turn.steps(self.language)))

    @property
    def head(self) -> str:
        """All steps but the last; the only one, if there is one."""
        steps = self.turn.steps(self.language)
        return self._put("; ".join(steps[:-1] or steps))

    @property
    def tail(self) -> str:
        """The last step, unless it is the only one."""
        return self._put("; ".join(self.turn.steps(self.language)[1:][-1:]))

    @property
    def first(self) -> str:
        """What stands before the last blank, where a program may break the line."""
        return self.line.rpartition(" ")[0]

    @property
    def rest(self) -> str:
        return self.line.rpartition(" ")[2]

    @property
    def other(self) -> str:
        """Orders that the letter shows."""
        return self._put("; ".join(examples(self.turn)[0].steps(self.language)))

    @property
    def letter(self) -> str:
        return letter_text(self.turn, self.language, "red", "g1")

    @property
    def page(self) -> str:
        return letter_html(self.turn, self.language, "red", "g1")

    @property
    def title(self) -> str:
        return self.turn.rules.title(self.turn.rules.in_language(self.language))


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def case(name: str, body: bytes, say: Hand, *, asked: bool) -> Case:
    return Case(name, HEAD.format(name=name).encode() + body, "" if asked else say.turn.orders, say.turn)


def plain(name: str, text: str, say: Hand, *, encoding: str = "8bit", more: str = "", charset: str = "utf-8", asked: bool = False) -> Case:
    return case(name, leaf("text/plain", text, encoding, more, charset), say, asked=asked)


def page(name: str, html: str, say: Hand) -> Case:
    return case(name, leaf("text/html", html, "quoted-printable"), say, asked=False)


def both(name: str, text: str, html: str, say: Hand) -> Case:
    inner = b"".join(
        b"--=_x\n" + leaf(kind, body, "quoted-printable") + b"\n" for kind, body in (("text/plain", text), ("text/html", html))
    )
    return case(name, b'Content-Type: multipart/alternative; boundary="=_x"\n\n' + inner + b"--=_x--\n", say, asked=False)


def leaf(kind: str, text: str, encoding: str, more: str = "", charset: str = "utf-8") -> bytes:
    data = text.encode(charset)
    body = {"8bit": data, "base64": base64.encodebytes(data), "quoted-printable": quopri.encodestring(data)}[encoding]
    return f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body
