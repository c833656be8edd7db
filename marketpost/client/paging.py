"""Pages of lists."""

from collections.abc import Callable
from inspect import signature
from typing import Any, Generic, TypedDict, TypeVar

T = TypeVar("T")


class PageOf(TypedDict, Generic[T]):
    """A page of any list."""

    items: list[T]
    next: Any


def cursor_of(call: Callable[..., Any]) -> str:
    """Return the parameter of a call that takes `next` of the page before: logs go on `after` an entry, other lists have a `cursor`."""
    return "after" if "after" in signature(call).parameters else "cursor"
