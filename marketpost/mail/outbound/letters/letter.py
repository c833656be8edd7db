"""The parts of a letter before it becomes a MIME message, and the links that it shows."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from marketpost.mail.outbound.render import render
from marketpost.store.players import Player


@dataclass(frozen=True, slots=True)
class LetterAttachment:
    """A text file attached to a letter."""

    name: str
    text: str
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class LetterPicture:
    """A picture that the HTML shows. It is attached, so that the mail program loads nothing from the network."""

    name: str
    data: bytes
    """The PNG."""
    alt: str
    cid: str = field(init=False)
    """The content id; different for each picture, because some mail programs show two with the same id as one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cid", f"{self.name}-{sha256(self.data).hexdigest()[:16]}@marketpost")


@dataclass(frozen=True, slots=True)
class Letter:
    """A rendered letter in one language."""

    subject: str
    text: str
    html: str
    attachments: tuple[LetterAttachment, ...] = ()
    reply: bool = False
    """Whether it answers a message."""
    pictures: tuple[LetterPicture, ...] = ()


@dataclass(frozen=True, slots=True)
class Links:
    """What all letters show: addresses of the service, and orders ahead; `key` makes the secret of a link that shows a game to a player."""

    home: str
    key: Callable[[str, str], str] = lambda game, player: ""
    new: str = ""
    """The mail address that opens games."""
    reply: str = ""
    """The mail address that answers the letter."""
    ahead: tuple[str, ...] = ()
    """The player's orders ahead, which every letter about their game shows."""

    def game(self, game: str, player: str) -> str:
        """Return the address of a game's page for this player."""
        key = self.key(game, player)
        return f"{self.home}/games/{game}" + (f"?as={player}&key={key}" if key else "")

    def tournament(self, id: str) -> str:
        """Return the address of a tournament's page."""
        return f"{self.home}/tournaments/{id}"


Names = Mapping[str, str]
"""The name of each colour's player, as `play.moves.game_view.names` returns it."""


def render_letter(
    name: str, player: Player, links: Links, attachments: tuple[LetterAttachment, ...] = (), *, reply: bool = False, **values: object
) -> Letter:
    """Render a letter in the player's language, with the pictures that its HTML shows."""
    subject, text, html = render(
        name, player.language, {"name": player.name, "home": links.home, "reply_to": links.reply, "ahead": links.ahead, **values}
    )
    shown = {picture.cid: picture for picture in _pictures(values) if picture.cid in html}
    return Letter(subject, text, html, attachments, reply, tuple(shown.values()))


def _pictures(values: Mapping[str, object]) -> Iterator[LetterPicture]:
    """Yield the pictures among the values of a letter, and of the games that it lists."""
    for value in values.values():
        if isinstance(value, LetterPicture):
            yield value
        elif isinstance(value, list):
            for each in value:
                yield from _pictures(each) if isinstance(each, dict) else ()
