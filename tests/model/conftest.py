"""Servers that may be killed and emptied, for the tests of this folder alone."""

from collections.abc import Iterator

import pytest

from tests.mail.conftest import _from_outside
from tests.model.fragile import Stores, fragile_stores

__all__ = ["_from_outside"]


@pytest.fixture(scope="session")
def stores() -> Iterator[Stores]:
    with fragile_stores() as found:
        yield found
