"""Render a letter from its name and values: subject, text and HTML in one language.

Each letter is a folder under `templates/email/` with three templates and its sentences; sentences that several letters share are in
`words/`.
"""

import re
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from jinja2.ext import Extension
from markupsafe import Markup

from marketpost.rules.words import plural, typeset

TEMPLATES = Path(str(files("marketpost.templates"))) / "email"
SHARED = "words"
COLUMNS = 78
TWO_COLUMNS = re.compile(r" +\S.*? {3,}")
"""A line of a help text: an order, and further right what it means."""
UNPRINTABLE = bytes({*range(0x20), 0x7F} - {*b"\t\n"})
RULE = re.compile(r"^(\w+(?:\.\w+)?) \{ (.*;) \}$", re.MULTILINE)
INCLUDE = re.compile(r'\{% include "(.*)" %\}\n')
TAG = re.compile(r'<(\w+)(?: class="(\w+)")?(?: (?!style)\w+="(?:\{\{.*?\}\}|[^"])*")*(?=>)')
"""A tag in a template that has no style attribute."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of one letter in one language."""

    language: str
    letter: str

    def say(self, key: str, /, **values: object) -> str:
        """Return a sentence with its values; `count` chooses between singular and plural forms."""
        found = _printed(self.letter, self.language)[key]
        if isinstance(found, dict):
            found = found[plural(self.language, int(str(values["count"])))]
        return found.format_map(values)


def read_words(letter: str, language: str) -> Mapping[str, Any]:
    """Read the sentences of one letter in one language from its word file."""
    return tomllib.loads((TEMPLATES / letter / f"{language}.toml").read_text("utf-8"))


@cache
def _printed(letter: str, language: str) -> dict[str, str | dict[str, str]]:
    """Return every sentence of a letter, typeset; the letter's own sentences override the shared ones."""
    known = {**read_words(SHARED, language), **read_words(letter, language)}
    return {key: _each_typeset(said, language) for key, said in known.items()}


def _each_typeset(said: str | dict[str, str], language: str) -> str | dict[str, str]:
    if isinstance(said, str):
        return typeset(said, language)
    return {form: typeset(sentence, language) for form, sentence in said.items()}


def letters() -> list[str]:
    """List the names of all letters, which are the folders with a subject."""
    return sorted(path.parent.name for path in TEMPLATES.glob("*/subject.txt"))


def render(letter: str, language: str, values: Mapping[str, object]) -> tuple[str, str, str]:
    """Render subject, text and HTML.

    The first line of the text says where to answer: whatever a mail program does to our text, nothing below that line is read as an order.
    A board among the values is drawn already and only inserted.
    """
    context = {**values, "say": Sentences(language, letter).say, "language": language}
    context["subject"] = subject = one_line(_filled(f"{letter}/subject.txt", context))
    text, html = (_filled(f"{letter}/{part}", context) for part in ("body.txt", "body.html"))
    above = Sentences(language, "words").say("above")
    return subject, f"{above}\n\n" + text.strip("\n") + "\n", html


def _filled(template: str, context: Mapping[str, object]) -> str:
    """Render one template, without control characters."""
    filled = _templates().get_template(template).render(context)
    return filled.encode("utf-8", "replace").translate(None, UNPRINTABLE).decode()


def one_line(text: str) -> str:
    """Return a text on one line, without anything that could end a header or hide in it, encoded or not."""
    return " ".join(CONTROL.sub(" ", text).split(" ")).replace("=?", "= ?").encode("utf-8", "replace").decode().strip()


@cache
def _templates() -> Environment:
    """Build the template environment; only HTML is escaped."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"], default_for_string=False),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        cache_size=-1,
        extensions=[InlineStyles],
    )
    found.filters |= {"para": paragraph, "items": items, "quoted": quoted, "orders": orders, "columns": columns, "linked": linked}
    found.filters |= {"labelled": labelled, "mailto": mailto, "marked": marked}
    return found


class InlineStyles(Extension):
    """Inserts included parts and inlines styles once, when a template is loaded."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Insert the included parts and style the tags."""
        whole = source
        while INCLUDE.search(whole):
            whole = INCLUDE.sub(lambda part: (TEMPLATES / part[1]).read_text("utf-8"), whole)
        return TAG.sub(_styled, whole) if name and name.endswith(".html") else whole


def _styled(tag: re.Match[str]) -> str:
    """Add the style sheet's rules to a tag, because some mail programs ignore style sheets."""
    kind, name = tag.groups()
    style = _sheet().get(kind, "") + _sheet().get(f"{kind}.{name}", "")
    return f'{tag.group()} style="{style}"' if style else tag.group()


def _sheet() -> Mapping[str, str]:
    """Return the rules of the style sheet for `tag` and `tag.class`."""
    sheet = (TEMPLATES / "parts" / "layout.html").read_text("utf-8").partition("</style>")[0]
    return {selector: style.replace("; ", ";") for selector, style in RULE.findall(sheet)}


def paragraph(text: str, first: str = "", further: str = "") -> str:
    """Wrap text at 78 columns; indented lines stay indented, and links stay whole."""
    return "\n".join(line for part in text.splitlines() for line in _wrapped(part, first, further)) if text else ""


def _wrapped(text: str, first: str, further: str) -> list[str]:
    own = len(text) - len(text.lstrip(" "))
    column = TWO_COLUMNS.match(text)
    hanging = further + " " * (len(column.group()) if column else own)
    wrapper = textwrap.TextWrapper(COLUMNS, first + " " * own, hanging, break_on_hyphens=False, break_long_words="://" not in text)
    return wrapper.wrap(text[own:]) or [""]


def columns(line: str) -> tuple[str, str]:
    """Split a line of a help text into the order and its meaning; other lines have no order."""
    found = TWO_COLUMNS.match(line)
    return (found.group().strip(), line[found.end() :]) if found else ("", line)


def linked(text: str, home: str) -> Markup:
    """Turn URLs of our own pages into links; everything else stays text."""
    parts = re.split(rf"({re.escape(home)}/\S+)", text)
    return Markup().join(Markup('<a href="{0}">{0}</a>').format(part) if number % 2 else part for number, part in enumerate(parts))


def marked(text: str) -> Markup:
    """Print in bold what stands between >> and <<."""
    parts = re.split(r"(>>.+?<<)", text)
    return Markup().join(Markup("<strong>{}</strong>").format(part) if number % 2 else part for number, part in enumerate(parts))


def items(texts: Iterable[str]) -> str:
    """Format texts as a list with bullets."""
    return "\n".join(paragraph(text, "* ", "  ") for text in texts)


def quoted(text: str) -> str:
    """Indent what somebody wrote, to set it apart from our own text."""
    return paragraph(text, "    ", "    ")


def labelled(orders: str, label: str) -> str:
    """Write orders as they are sent for one of several games."""
    return f"{label}: {orders}" if label else orders


def mailto(orders: str, address: str, subject: str, label: str = "") -> str:
    """Return the link that opens a mail with orders in it, as RFC 6068 encodes it: lines end in CRLF."""
    body = "\r\n".join(labelled(orders, label).splitlines())
    return f"mailto:{quote(address, safe='@')}?subject={quote(f'Re: {subject}', safe='')}&body={quote(body, safe='')}"


def orders(examples: Iterable[str]) -> str:
    """Indent examples; a long one is broken between steps, where it remains the same orders."""
    return "\n".join(line for example in examples for line in _order_lines(example))


def _order_lines(example: str) -> list[str]:
    lines: list[str] = []
    for step in re.split(r";\s*", example.replace("\n", "; ")):
        if lines and len(lines[-1]) + len(step) + 6 < COLUMNS:
            lines[-1] += f"; {step}"
        elif lines:
            lines[-1] += ";"
            lines.append(f"      {step}")
        else:
            lines.append(f"    {step}")
    return lines
