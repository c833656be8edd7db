"""The channels, one module each; a new file here is a new channel, and nothing else names it."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import cast

from marketpost.notify.channel_message import Channel, Shows


@cache
def channels() -> Mapping[str, Channel]:
    """Find all channels by name."""
    return {each.name: cast(Channel, import_module(f"{__name__}.{each.name}")) for each in pkgutil.iter_modules(__path__)}


def target_channels() -> list[str]:
    """List the channels whose targets players add themselves: all but letters."""
    return [name for name, channel in channels().items() if channel.SHOWS != Shows.LETTER]
