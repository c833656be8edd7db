"""Exceptions of calls.

ClientError
├── ApiRefused       the service refuses the call and says why
└── ApiUnreachable   no answer after several attempts, or one that is not of this API
"""

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """Raised by calls of the client."""


class ApiUnreachable(ClientError):
    """Raised if the service does not answer, or answers with something that is not of this API. A write may be repeated with its `key`."""

    def __init__(self, message: str, *, status: int | None = None, key: str | None = None, location: str | None = None) -> None:
        super().__init__(message)
        self.status, self.key, self.location = status, key, location


class ApiRefused(ClientError):
    """Raised for a problem document: the service refuses a call, with a code for programs and a sentence for people."""

    def __init__(self, document: Mapping[str, Any], status: int) -> None:
        super().__init__(document.get("detail") or document.get("title") or "refused")
        self.document, self.status = document, status

    @property
    def code(self) -> str:
        """Why, for programs."""
        return str(self.document.get("code", ""))

    @property
    def detail(self) -> str:
        """Why, for people, in the language of the client."""
        return str(self)

    @property
    def step(self) -> int | None:
        """The number of the step that was refused, counted from 1."""
        return self.document.get("step")

    @property
    def legal(self) -> list[str]:
        """Some of the steps that would have been legal there."""
        return list(self.document.get("legal", ()))

    @property
    def errors(self) -> list[Mapping[str, str]]:
        """Faults of single fields of the body or query."""
        return list(self.document.get("errors", ()))
