"""gunicorn's logger, which writes no line for each request: `LOG_LEVEL=info` has ours, with the route in place of the path."""

from typing import Any

from gunicorn.glogging import Logger  # type: ignore[import-untyped]


class NoAccessLog(Logger):  # type: ignore[misc]
    """The stock logger, except that it does not compose lines which no handler would write."""

    def access(self, *args: Any, **kwargs: Any) -> None:
        """Write nothing."""
