"""Print for a terminal: colours if a person watches, and a spinner while something takes long."""

import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SAID_AFTER = 1.0
"""Seconds after which the spinner appears."""
TURNS_EVERY = 0.1
"""Seconds between two of its positions."""


def fancy() -> bool:
    """Whether to print colours: a person watches and has not switched them off. Colour is never the only sign."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """Replace control characters, which could make a terminal do something, by spaces."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else " " for sign in text.replace("\r\n", "\n"))


def many(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def underline(text: str, start: int, end: int) -> list[str]:
    """Return the lines of a text, each followed by marks under the part between start and end."""
    lines, at = [], 0
    for line in text.split("\n"):
        marked = "".join("^" if start <= at + number < end and not sign.isspace() else " " for number, sign in enumerate(line))
        lines += [line, marked.rstrip()] if marked.strip() else [line]
        at += len(line) + 1
    return lines


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Show a spinner beside the label while the block takes long, if a person watches."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    turning = threading.Thread(target=_turn, args=(label, done), daemon=True)
    turning.start()
    try:
        yield
    finally:
        done.set()
        turning.join()


def _turn(label: str, done: threading.Event) -> None:
    """Turn the spinner until the event is set."""
    if done.wait(SAID_AFTER):
        return
    for stroke in itertools.cycle("|/-\\"):
        click.echo(f"\r{stroke} {label}", err=True, nl=False)
        if done.wait(TURNS_EVERY):
            break
    click.echo("\r\x1b[K", err=True, nl=False)
