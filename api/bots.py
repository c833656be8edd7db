"""REST calls for bot accounts: a player's programs, which play under names of their own."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import me, ports, reader, token
from api.http.idempotency import OnRepeat, derived, key
from api.http.pagination import page
from api.http.people_schemas import BotPage, BotResponse, OwnTokenPage, TokenResponse
from api.http.query_schemas import PageQuery
from api.http.request_schemas import NewBot, NewBotToken
from api.http.serialize import moment
from api.players import erase_player
from api.tokens import new_token_shown, token_shown
from marketpost.play.people.bot_accounts import bots_of, new_bot, new_bot_token, own_bot
from marketpost.rules.refusal import Refused
from marketpost.store.players import BOT_ID, Player

bots = Calls("bots", __name__, url_prefix="/v1/bots", description="My bot accounts")


@bots.call("POST", "", access=Permission.PLAY, body=NewBot, gives={201: BotResponse}, problems=(403, 429), on_repeat=OnRepeat.AGAIN)
def create_bot(body: dict[str, Any]) -> dict[str, Any]:
    """Create a bot account of mine

    A program that plays with a token of the bot is shown as a bot everywhere, and rated among bots. It shares my limits.
    """
    id = f"{BOT_ID}{derived('bot', reader(), key())[:16]}" if key() else ""
    return bot_shown(new_bot(ports(), me(), body["name"], id))


@bots.call("GET", "", access=Permission.READ, query=PageQuery, gives={200: BotPage})
def list_bots(query: dict[str, Any]) -> dict[str, Any]:
    """List my bot accounts, oldest first"""
    found = page(bots_of(ports(), reader()), lambda bot: (bot.created, bot.id), query)
    found["items"] = [bot_shown(each) for each in found["items"]]
    return found


def bot_shown(bot: Player) -> dict[str, Any]:
    """Serialize a bot account for its owner."""
    return {"id": bot.id, "name": bot.name, "created": moment(bot.created), "tokens": len(ports().credentials.tokens_of(bot.id))}


@bots.call("DELETE", "/<id:bot>", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def erase_bot(bot: str) -> Response:
    """Erase a bot account of mine

    Its name and tokens are deleted. Every game stays whole; a built-in bot plays on in those that run.
    """
    erase_player(own_bot(ports(), reader(), bot).id)
    return Response(status=204)


@bots.call(
    "POST", "/<id:bot>/tokens", access=Permission.PLAY, body=NewBotToken, gives={201: TokenResponse}, problems=(403, 429),
    on_repeat=OnRepeat.AGAIN,
)  # fmt: skip
def create_bot_token(body: dict[str, Any], bot: str) -> dict[str, Any]:
    """Create a token for a bot of mine

    Its secret is shown this once; only its hash is stored.
    """
    secret = f"mp_{derived('bot token', reader(), bot, key())}" if key() else ""
    scopes = tuple(dict.fromkeys(body.get("scopes", ["read", "play"])))
    return new_token_shown(*new_bot_token(ports(), reader(), bot, body.get("label", ""), scopes, secret))


@bots.call("GET", "/<id:bot>/tokens", access=Permission.READ, query=PageQuery, gives={200: OwnTokenPage})
def list_bot_tokens(query: dict[str, Any], bot: str) -> dict[str, Any]:
    """List the tokens of a bot of mine, oldest first, without their secrets"""
    found = page(ports().credentials.tokens_of(own_bot(ports(), reader(), bot).id), lambda each: (each.created, each.id), query)
    found["items"] = [token_shown(each, token()) for each in found["items"]]
    return found


@bots.call("DELETE", "/<id:bot>/tokens/<id:token_id>", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def revoke_bot_token(bot: str, token_id: str) -> Response:
    """Revoke a token of a bot of mine"""
    if not ports().credentials.revoke_token(own_bot(ports(), reader(), bot).id, token_id):
        raise Refused("no-such-token")
    return Response(status=204)
