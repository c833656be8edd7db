"""What a terminal can show: colours where a person looks, and a sign of life where something takes long."""

import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

SAID_AFTER = 1.0
"""Seconds after which somebody who waits wants to see that something goes on."""
TURNS_EVERY = 0.1


def fancy() -> bool:
    """Whether a person looks who likes colours. They are never the only sign for anything."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def safe(text: str) -> str:
    """Without signs that would play tricks with a terminal."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else " " for sign in text.replace("\r\n", "\n"))


def many(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def underline(text: str, start: int, end: int) -> list[str]:
    """The lines of a text, each followed by marks under what stands between start and end."""
    lines, at = [], 0
    for line in text.split("\n"):
        marked = "".join("^" if start <= at + number < end and not sign.isspace() else " " for number, sign in enumerate(line))
        lines += [line, marked.rstrip()] if marked.strip() else [line]
        at += len(line) + 1
    return lines


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Once it takes long, a turning stroke beside the label, where somebody sees it."""
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
    if done.wait(SAID_AFTER):
        return
    for stroke in itertools.cycle("|/-\\"):
        click.echo(f"\r{stroke} {label}", err=True, nl=False)
        if done.wait(TURNS_EVERY):
            break
    click.echo("\r\x1b[K", err=True, nl=False)
