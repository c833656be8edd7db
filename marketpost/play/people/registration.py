"""Registration, sign-in by a mailed code, tokens, and muting."""

import secrets
from functools import cache
from zoneinfo import available_timezones

from marketpost.play.people.names import check_name, name_from_address
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.words import LANGUAGES
from marketpost.store.credentials import ANYBODY, TOKEN_LIVES, CodeAsker, Token
from marketpost.store.players import Player

TOLD_AGAIN = 24 * 3600 * 1000
HOUR = 3600 * 1000
MOST_MUTED = 500
CODE_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Characters of codes, without those that look alike."""


def register(ports: Ports, email: str, name: str, language: str = "en", timezone: str = "UTC") -> Player:
    """Find or create the player of an address. Registering again changes nothing and looks the same, so that nobody learns who plays.

    For a player who was only invited, the name, language and timezone are taken over. What the owner of the address chose by a link in a
    letter, such as no letters, stays: whoever registers may be somebody else.
    """
    check_name(name)
    check_profile(language, timezone)
    player = Player(new_id(), email, name, language, timezone, created=ports.clock())
    owner = ports.players.claim(email, player.id)
    known = ports.players.find(owner)
    if known and known.invited and not known.confirmed:
        ports.players.change(known, lambda _: {"name": name, "language": language, "timezone": timezone, "invited": False})
    if known:
        return known
    player.id = owner
    ports.guests.seen(owner, player.created)
    return player if ports.players.save_claimed(player) else register(ports, email, name, language, timezone)


def check_profile(language: str, timezone: str) -> None:
    """Refuse an unknown language or timezone."""
    if language not in LANGUAGES:
        raise Refused("unknown-language", language=language, languages=LANGUAGES)
    if timezone not in _timezones():
        raise Refused("unknown-timezone", timezone=timezone)


@cache
def _timezones() -> set[str]:
    """List all timezones; cached, because it reads hundreds of files."""
    return available_timezones()


def new_id() -> str:
    """Draw a random id."""
    return secrets.token_hex(8)


def invite(ports: Ports, email: str, language: str = "en") -> str:
    """Find or create the player of an address that another player has entered; returns the id.

    A new one is written to in this language, the host's, until they choose another.
    """
    player = Player(new_id(), email, name_from_address(email), language, created=ports.clock(), invited=True)
    player.id = ports.players.claim(email, player.id)
    if ports.players.find(player.id) or ports.players.save_claimed(player):
        return player.id
    return invite(ports, email, language)


def new_code(ports: Ports, email: str, asker: CodeAsker = ANYBODY) -> str:
    """Create a code that signs this address in once, within a quarter of an hour, and only from the one who asked for it."""
    code = "".join(secrets.choice(CODE_SIGNS) for _ in range(8))
    ports.credentials.store_code(email, code, asker)
    return code


def sign_in(
    ports: Ports, email: str, code: str, label: str, scopes: tuple[str, ...], secret: str = "", asker: CodeAsker = ANYBODY
) -> tuple[str, Token]:
    """Exchange a code for a token; returns its secret, which is stored only as a hash.

    A `secret` derived from the request makes the call repeatable for a day: it returns the same token, though the code is used up.
    """
    player = ports.players.player_of(email)
    if secret and (known := find_token(ports, secret)) and known.created > ports.clock() - TOLD_AGAIN:
        return secret, known
    secret = secret or _new_secret()
    if not ports.credentials.use_code(email, code.strip().upper(), secret, asker) or player is None:
        raise Refused("wrong-code")
    _confirm(ports, player)
    if asker.network:
        ports.credentials.note_sign_in(player, ports.limits.pseudonym(asker.network), ports.clock())
    return new_token(ports, player, label, scopes, secret)


def _confirm(ports: Ports, id: str) -> None:
    player = ports.players.find(id)
    if player and not player.confirmed:
        ports.players.change(player, lambda known: {"confirmed": True})
        ports.guests.drop(id)


def new_token(ports: Ports, player: str, label: str, scopes: tuple[str, ...], secret: str = "") -> tuple[str, Token]:
    """Create a token for a player; refused if they are suspended."""
    known, at = ports.players.find(player), ports.clock()
    if known and known.suspended:
        raise Refused("suspended")
    secret = secret or _new_secret()
    token = ports.credentials.store_token(secret, Token(new_id(), player, scopes, label, at, at + TOKEN_LIVES * 1000))
    if token is None:  # the same request once more, after its token was revoked
        raise Refused("wrong-code")
    return secret, token


def _new_secret() -> str:
    return f"mp_{secrets.token_urlsafe(32)}"


def find_token(ports: Ports, secret: str) -> Token | None:
    """Find a token that has not expired, and record the hour of its use."""
    return in_use(ports, secret, ports.credentials.token(secret))


def in_use(ports: Ports, secret: str, token: Token | None) -> Token | None:
    """Return a token that was read if it has not expired, and record the hour of its use."""
    now = ports.clock()
    if token is None or token.expires <= now:
        return None
    if token.used + HOUR <= now:
        ports.credentials.touch_token(secret, token, now - now % HOUR)
    return token


def mute(ports: Ports, player: Player, other: str, *, off: bool = False) -> None:
    """Mute a player, or unmute with `off`: their proposals and messages are not mailed to this player, but shown at the table."""
    if other == player.id:
        raise Refused("no-such-player")

    def muted(known: Player) -> dict[str, list[str]]:
        kept = [each for each in known.muted if each != other]
        if len(kept) >= MOST_MUTED and not off:
            raise Refused("too-many-muted", most=MOST_MUTED)
        return {"muted": kept if off else [*kept, other]}

    ports.players.change(player, muted)
