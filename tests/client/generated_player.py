"""Plays with the client that `openapi-python-client` makes of openapi.yaml: typed models, no casts, no dictionaries.

Run by test_generated_client.py in a process of its own, beside the folder `generated`: URL TOKEN RULESET STEPS.
"""

import sys
import time

from generated.api.games import open_game, resign_game, show_game
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
    Nothing,
    Orders,
    PortobelloPosition,
    Ruleset,
)


def main(url: str, token: str, rules: str, steps: int) -> None:
    client = AuthenticatedClient(base_url=url, token=token)
    seats: list[NewGameSeatsItemType0 | NewGameSeatsItemType3] = [NewGameSeatsItemType0(me=True), NewGameSeatsItemType3(bot="greedy")]
    opened = open_game.sync(client=client, body=NewGame(rules=Ruleset(rules), seats=[*seats]))
    assert isinstance(opened, GameResponse), opened
    while steps:
        legal = list_legal.sync(opened.id, client=client)
        assert isinstance(legal, LegalResponse), legal
        if not legal.choices:
            time.sleep(0.02)
            continue
        orders = Orders(steps=[legal.choices[0].step])
        made = submit_orders.sync(opened.id, client=client, body=orders, if_match=f'"{legal.version}"', prefer="wait=20")
        assert isinstance(made, MoveResponse), made
        assert made.status.value == "applied"
        assert all(event.rules == rules for event in made.events)
        steps -= 1
    shown = show_game.sync(opened.id, client=client)
    assert isinstance(shown, GameResponse), shown
    assert isinstance(shown.position, AlturienPosition if rules == "alturien" else PortobelloPosition)
    over = resign_game.sync(opened.id, client=client, body=Nothing())
    assert isinstance(over, GameResponse), over


if __name__ == "__main__":
    main(*sys.argv[1:4], int(sys.argv[4]))
