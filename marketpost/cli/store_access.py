"""Give commands that run beside the service access to its settings and stores."""

import functools
import os
import re
from collections.abc import Callable, Collection
from typing import ParamSpec, TypeVar

import click
from redis import RedisError

from marketpost.cli.settings_check import settings_must_be_readable
from marketpost.play.ports import Ports
from marketpost.store.connections import connect
from marketpost.store.embedded_redis import CannotStart, make_reachable
from marketpost.store.owner import OwnedByAnother, claim
from marketpost.store.settings import Settings
from workers.queue import make_ports, make_queue

P = ParamSpec("P")
T = TypeVar("T")
UNSET = "not needed here"
"""Stands for the secret key: these commands sign nothing, and must not create a key."""


def settings() -> Settings:
    """Read the settings, or end the command with one line if one is wrong."""
    settings_must_be_readable()
    return read_settings()


def read_settings(leave: Collection[str] = ()) -> Settings:
    """Read the settings, some of them as if they were not set; the embedded Redis is made reachable."""
    try:
        make_reachable()
    except CannotStart as error:
        raise click.ClickException(str(error)) from error
    return Settings.read({"SECRET_KEY": UNSET, **{name: text for name, text in os.environ.items() if name not in leave}})


def ports() -> Ports:
    """Connect to the stores of the service."""
    found = settings()
    return make_ports(found, make_queue(found))


def shown(url: str) -> str:
    """Return an address without its password."""
    url = re.sub(r"(//[^/@]*:)[^@/]*@", r"\1…@", url)
    return re.sub(r"(password=)[^&]*", r"\1…", url)


def redis_must_answer() -> None:
    """End the command with one line unless the games' Redis and the queue's both answer."""
    found = settings()
    for url in dict.fromkeys((found.redis_url, found.queue_redis_url)):
        try:
            connect(url, answer_within=3.0).ping()
        except (RedisError, ValueError) as error:
            raise click.ClickException(_unreachable(url, error)) from error


def store_must_be_ours() -> None:
    """End the command with one line if the games belong to another service; pass if Redis does not answer."""
    settings()
    found = Settings.read()
    try:
        claim(connect(found.redis_url, answer_within=3.0), found)
    except OwnedByAnother as error:
        raise click.ClickException(str(error)) from error
    except RedisError:
        return


def says_if_redis_is_away(command: Callable[P, T]) -> Callable[P, T]:
    """End a command with one line, not a traceback, if Redis fails."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except RedisError as error:
            raise click.ClickException(_unreachable(settings().redis_url, error)) from error

    return run


def _unreachable(url: str, error: Exception) -> str:
    """Say that a Redis does not answer, and what to check."""
    hint = "Is the service running (`marketpost up`), and DATA_DIR the same?" if url.startswith("unix:") else "Is REDIS_URL right?"
    return f"Redis at {shown(url)} does not answer: {str(error).rstrip('.')}. {hint} `marketpost doctor` tells more."
