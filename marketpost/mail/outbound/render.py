"""From a letter's name and its values to subject, text and HTML, in one language.

Each letter is a folder under `templates/email/` with three templates and its sentences; what several letters say is in `words/`.
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
"""Of a template, as far as it has no style of its own."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Sentences:
    """What one letter says in one language."""

    language: str
    letter: str

    def say(self, key: str, /, **values: object) -> str:
        """Where a file gives one form for one and another for many, `count` decides."""
        found = _printed(self.letter, self.language)[key]
        if isinstance(found, dict):
            found = found[plural(self.language, int(str(values["count"])))]
        return found.format_map(values)


def read_words(letter: str, language: str) -> Mapping[str, Any]:
    """The sentences of one letter in one language, from its word file."""
    return tomllib.loads((TEMPLATES / letter / f"{language}.toml").read_text("utf-8"))


@cache
def _printed(letter: str, language: str) -> dict[str, str | dict[str, str]]:
    """Every sentence of a letter, before anything is filled in; what it says itself goes before what all say."""
    known = {**read_words(SHARED, language), **read_words(letter, language)}
    return {key: _each_typeset(said, language) for key, said in known.items()}


def _each_typeset(said: str | dict[str, str], language: str) -> str | dict[str, str]:
    if isinstance(said, str):
        return typeset(said, language)
    return {form: typeset(sentence, language) for form, sentence in said.items()}


def letters() -> list[str]:
    """The names of all letters, which are the folders with a subject."""
    return sorted(path.parent.name for path in TEMPLATES.glob("*/subject.txt"))


def render(letter: str, language: str, values: Mapping[str, object]) -> tuple[str, str, str]:
    """Subject, text and HTML. The first line says where to answer: whatever a mail program does to our text, what is below it is no order.

    A board among the values is drawn already and only inserted.
    """
    context = {**values, "say": Sentences(language, letter).say, "language": language}
    subject, text, html = (_filled(f"{letter}/{part}", context) for part in ("subject.txt", "body.txt", "body.html"))
    above = Sentences(language, "words").say("above")
    return one_line(subject), f"{above}\n\n" + text.strip("\n") + "\n", html


def _filled(template: str, context: Mapping[str, object]) -> str:
    filled = _templates().get_template(template).render(context)
    return filled.encode("utf-8", "replace").translate(None, UNPRINTABLE).decode()


def one_line(text: str) -> str:
    """Without anything that could end a header or hide in it, encoded or not."""
    return " ".join(CONTROL.sub(" ", text).split(" ")).replace("=?", "= ?").encode("utf-8", "replace").decode().strip()


@cache
def _templates() -> Environment:
    """Only HTML is escaped: a mail's text part is no markup."""
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
    return found


class InlineStyles(Extension):
    """What is done once when a template is read, and not in every letter: its parts are put in, and its tags are styled."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        whole = INCLUDE.sub(lambda part: (TEMPLATES / part[1]).read_text("utf-8"), source)
        return TAG.sub(_styled, whole) if name and name.endswith(".html") else whole


def _styled(tag: re.Match[str]) -> str:
    """With what the sheet says of it, for some programs read no sheet."""
    kind, name = tag.groups()
    style = _sheet().get(kind, "") + _sheet().get(f"{kind}.{name}", "")
    return f'{tag.group()} style="{style}"' if style else tag.group()


def _sheet() -> Mapping[str, str]:
    """What it says of `tag` and of `tag.class`; a tag that needs something else has it in the template."""
    sheet = (TEMPLATES / "parts" / "layout.html").read_text("utf-8").partition("</style>")[0]
    return {selector: style.replace("; ", ";") for selector, style in RULE.findall(sheet)}


def paragraph(text: str, first: str = "", further: str = "") -> str:
    """Lines of at most 80 columns; a line that is indented stays so, and a link stays whole, however long it is."""
    return "\n".join(line for part in text.splitlines() for line in _wrapped(part, first, further)) if text else ""


def _wrapped(text: str, first: str, further: str) -> list[str]:
    own = len(text) - len(text.lstrip(" "))
    column = TWO_COLUMNS.match(text)
    hanging = further + " " * (len(column.group()) if column else own)
    wrapper = textwrap.TextWrapper(COLUMNS, first + " " * own, hanging, break_on_hyphens=False, break_long_words="://" not in text)
    return wrapper.wrap(text[own:]) or [""]


def columns(line: str) -> tuple[str, str]:
    """A line of a help text as an order and what it means; another line has no order."""
    found = TWO_COLUMNS.match(line)
    return (found.group().strip(), line[found.end() :]) if found else ("", line)


def linked(text: str, home: str) -> Markup:
    """Where it names a page of ours, it leads there; what else is quoted in it stays text."""
    parts = re.split(rf"({re.escape(home)}/\S+)", text)
    return Markup().join(Markup('<a href="{0}">{0}</a>').format(part) if number % 2 else part for number, part in enumerate(parts))


def items(texts: Iterable[str]) -> str:
    """Format texts as a list with bullets."""
    return "\n".join(paragraph(text, "* ", "  ") for text in texts)


def quoted(text: str) -> str:
    """What somebody wrote, set apart from what we say."""
    return paragraph(text, "    ", "    ")


def orders(examples: Iterable[str]) -> str:
    """One example after the other; a long one is broken between its steps, where it stays the same orders, and set in further."""
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
