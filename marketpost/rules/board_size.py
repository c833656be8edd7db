"""How large a board that somebody typed in may be, so that everything that is done on it stays fast."""

import json
from collections.abc import Mapping
from typing import Any

from marketpost.rules.refusal import Refusal

LARGEST_BOARD = 8000
"""Bytes, as JSON and with all notes. The boards that we bring have about a thousand."""


def too_large(document: Mapping[str, Any]) -> list[Refusal]:
    """Say if a document has more bytes than a board may have."""
    size = len(json.dumps(document, ensure_ascii=False).encode(errors="surrogatepass"))
    return [Refusal("board-too-large", values={"count": size, "most": LARGEST_BOARD})] if size > LARGEST_BOARD else []
