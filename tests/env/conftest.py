"""The store of tests/play: nobody is at work, workers are called by hand."""

from tests.play.conftest import ports

__all__ = ["ports"]
