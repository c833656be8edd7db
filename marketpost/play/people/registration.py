"""Registering, signing in without a password, and being erased."""

import secrets
from functools import cache
from zoneinfo import available_timezones

from marketpost.play.people.names import check_name, name_from_address
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from marketpost.rules.words import LANGUAGES
from marketpost.store.players import ANYBODY, TOKEN_LIVES, CodeAsker, Player, Token

TOLD_AGAIN = 24 * 3600 * 1000
HOUR = 3600 * 1000
MOST_MUTED = 500
CODE_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""


def register(ports: Ports, email: str, name: str, language: str = "en", timezone: str = "UTC") -> Player:
    """A player for this address. Registering again changes nothing, so that nobody learns who plays here.

    Whoever was only invited so far has said nothing of themselves; then the name, language and timezone that are said now count. What the
    owner of the address chose by a link in a letter, such as no letters, stays: who registers may be somebody else.
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
    return player if ports.players.move_in(player) else register(ports, email, name, language, timezone)


def check_profile(language: str, timezone: str) -> None:
    if language not in LANGUAGES:
        raise Refused("unknown-language", language=language, languages=LANGUAGES)
    if timezone not in _timezones():
        raise Refused("unknown-timezone", timezone=timezone)


@cache
def _timezones() -> set[str]:
    """Looked up once: it reads hundreds of files."""
    return available_timezones()


def new_id() -> str:
    return secrets.token_hex(8)


def invite(ports: Ports, email: str) -> str:
    """The id kept for whoever owns this address, registered or not."""
    player = Player(new_id(), email, name_from_address(email), created=ports.clock(), invited=True)
    player.id = ports.players.claim(email, player.id)
    if ports.players.find(player.id) or ports.players.move_in(player):
        return player.id
    return invite(ports, email)


def new_code(ports: Ports, email: str, asker: CodeAsker = ANYBODY) -> str:
    """A code that signs this address in once, for a quarter of an hour, and only whoever asked for it."""
    code = "".join(secrets.choice(CODE_SIGNS) for _ in range(8))
    ports.players.keep_code(email, code, asker)
    return code


def sign_in(
    ports: Ports, email: str, code: str, label: str, scopes: tuple[str, ...], secret: str = "", asker: CodeAsker = ANYBODY
) -> tuple[str, Token]:
    """A token for the code; the secret part is told once and kept only as a hash.

    Whoever derives the secret from the request may ask again for a day, though the code is used up: it is the same token.
    """
    player = ports.players.player_of(email)
    if secret and (known := who(ports, secret)) and known.created > ports.clock() - TOLD_AGAIN:
        return secret, known
    secret = secret or _new_secret()
    if not ports.players.use_code(email, code.strip().upper(), secret, asker) or player is None:
        raise Refused("wrong-code")
    _confirm(ports, player)
    if asker.network:
        ports.players.note_sign_in(player, ports.limits.pseudonym(asker.network), ports.clock())
    return new_token(ports, player, label, scopes, secret)


def _confirm(ports: Ports, id: str) -> None:
    player = ports.players.find(id)
    if player and not player.confirmed:
        ports.players.change(player, lambda known: {"confirmed": True})


def new_token(ports: Ports, player: str, label: str, scopes: tuple[str, ...], secret: str = "") -> tuple[str, Token]:
    """A token for the player, unless they are suspended."""
    known, at = ports.players.find(player), ports.clock()
    if known and known.suspended:
        raise Refused("suspended")
    secret = secret or _new_secret()
    token = ports.players.keep_token(secret, Token(new_id(), player, scopes, label, at, at + TOKEN_LIVES * 1000))
    if token is None:  # the same request once more, after its token was revoked
        raise Refused("wrong-code")
    return secret, token


def _new_secret() -> str:
    return f"mp_{secrets.token_urlsafe(32)}"


def who(ports: Ports, secret: str) -> Token | None:
    """The token, if it is known and has not expired. The hour of its last use is written down, once for each hour."""
    token, now = ports.players.token(secret), ports.clock()
    if token is None or token.expires <= now:
        return None
    if token.used + HOUR <= now:
        ports.players.touch_token(secret, token, now - now % HOUR)
    return token


def mute(ports: Ports, player: Player, other: str, *, off: bool = False) -> None:
    """Whatever the other one wants to be told is not mailed to this player any more. At the table it still stands."""
    if other == player.id:
        raise Refused("no-such-player")

    def muted(known: Player) -> dict[str, list[str]]:
        kept = [each for each in known.muted if each != other]
        if len(kept) >= MOST_MUTED and not off:
            raise Refused("too-many-muted", most=MOST_MUTED)
        return {"muted": kept if off else [*kept, other]}

    ports.players.change(player, muted)
