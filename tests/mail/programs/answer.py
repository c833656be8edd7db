"""What a player answers, and the pieces that mail programs put it together from."""

from dataclasses import dataclass
from datetime import datetime
from html import escape

from babel.dates import format_datetime

NB, NNB = "\u00a0", "\u202f"


@dataclass(frozen=True)
class Answer:
    """What a player writes, and what the program knows about the mail it answers."""

    language: str
    lines: tuple[str, ...]
    when: datetime
    name: str
    address: str
    me: str
    my_address: str
    subject: str
    text: str
    html: str
    rendered: str
    signature: tuple[str, ...] = ()
    top: bool = True

    def date(self, **patterns: str) -> str:
        return format_datetime(
            self.when, patterns[self.language], locale={"en": "en_GB", "de": "de", "fr": "fr", "it": "it"}[self.language]
        )

    def pick(self, en: str, de: str, fr: str, it: str) -> str:
        return {"en": en, "de": de, "fr": fr, "it": it}[self.language]


@dataclass(frozen=True)
class Written:
    text: str
    html: str
    flowed: bool = False
    width: int = 0


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def divs(lines: tuple[str, ...], attributes: str = "") -> str:
    return "".join(f"<div{attributes}>{escape(line) if line else '<br>'}</div>" for line in lines)


def paragraphs(lines: tuple[str, ...], attributes: str = "") -> str:
    return "\n".join(f"<p{attributes}>{escape(line) if line else '&nbsp;'}</p>" for line in lines)


def broken(lines: tuple[str, ...]) -> str:
    return "<br>".join(map(escape, lines))


def joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def own(a: Answer, mark: bool = True) -> str:
    body = "\n".join(a.lines)
    return body + ("\n\n-- \n" if mark else "\n\n") + "\n".join(a.signature) if a.signature else body
