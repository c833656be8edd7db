"""Every letter in every language, and how one goes out as a mail."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from typing import Any

import pytest

from marketpost.mail.outbound.letters import Letter, game_values
from marketpost.mail.outbound.message import NamedAddress, build_message, message_id, thread_root
from marketpost.pictures.png import png
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import Player
from tests import letter_gallery

NOW = datetime(2027, 5, 12, 9, 30, tzinfo=UTC)
ANNA = Player("p0", "anna@example.org", "Anna", "en", "Europe/London")
languages = pytest.mark.parametrize("language", LANGUAGES)


@cache
def all_letters(language: str) -> dict[str, Letter]:
    """With pictures as wide as they are sent."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_values, "png", png)
        return dict(letter_gallery.every_letter(language))


def mailed(letter: Letter, **changes: Any) -> bytes:
    usual: dict[str, Any] = {
        "to": NamedAddress("anna@example.org", "Anna Ärmel"),
        "sender": NamedAddress("play@marketpost.example", "Marketpost"),
        "reply_to": "play+abc234@marketpost.example",
        "message_id": message_id("k3v9qd2m", 17, "p0", "your-turn", "marketpost.example"),
        "references": [thread_root("k3v9qd2m", "marketpost.example")],
        "list_id": "k3v9qd2m.marketpost.example",
        "unsubscribe_url": "https://marketpost.example/unsubscribe/" + "x" * 120,
        "date": NOW,
    }
    return build_message(letter, **usual | changes)


def parsed(data: bytes) -> EmailMessage:
    found = message_from_bytes(data, policy=default)
    assert isinstance(found, EmailMessage)
    return found


def body(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())
