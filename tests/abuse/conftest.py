"""A store with nobody at work, and browsers, as the tests of play and of pages have them."""

from tests.play.conftest import ports
from tests.web.conftest import browser

__all__ = ["browser", "ports"]
