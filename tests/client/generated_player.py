"""Plays with the client that `openapi-python-client` makes of openapi.yaml: typed models, no casts, no dictionaries.

Run by test_generated_client.py in a process of its own, beside the folder `generated`: URL TOKEN RULESET.
"""

import random
import sys
import time

from generated.api.games import open_game, show_game
from generated.api.moves import submit_orders
from generated.api.views import list_legal
from generated.client import AuthenticatedClient
from generated.models import (
    AlturienPosition,
    GameResponse,
    LegalResponse,
    MoveResponse,
    NewGame,
    NewGameSeatsItemType0,
    NewGameSeatsItemType3,
    Orders,
    PortobelloPosition,
    Ruleset,
)


def main(url: str, token: str, rules: str) -> None:
    client = AuthenticatedClient(base_url=url, token=token)
    seats: list[NewGameSeatsItemType0 | NewGameSeatsItemType3] = [NewGameSeatsItemType0(me=True), NewGameSeatsItemType3(bot="greedy")]
    opened = open_game.sync(client=client, body=NewGame(rules=Ruleset(rules), seats=[*seats]))
    assert isinstance(opened, GameResponse), opened
    chance, shown = random.Random(1), opened
    while shown.status.value != "over":
        shown = played_on(client, shown, chance)
    assert isinstance(shown.position, AlturienPosition if rules == "alturien" else PortobelloPosition)
    assert shown.winners


def played_on(client: AuthenticatedClient, game: GameResponse, chance: random.Random) -> GameResponse:
    """Take a legal step, if there is one, and show the game again."""
    legal = list_legal.sync(game.id, client=client)
    assert isinstance(legal, LegalResponse), legal
    if legal.choices:
        orders = Orders(steps=[chance.choice(legal.choices).step])
        made = submit_orders.sync(game.id, client=client, body=orders, if_match=f'"{legal.version}"', prefer="wait=20")
        assert isinstance(made, MoveResponse), made
        assert made.status.value == "applied"
        assert all(event.rules == game.rules for event in made.events)
    else:
        time.sleep(0.02)
    shown = show_game.sync(game.id, client=client)
    assert isinstance(shown, GameResponse), shown
    return shown


if __name__ == "__main__":
    main(*sys.argv[1:])
