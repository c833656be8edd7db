"""Every endpoint, asked by everyone who should not get in. A new endpoint is in these tables without a word here."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from api.http.app import create_app
from api.http.auth import Permission
from marketpost.store.credentials import Token
from marketpost.store.settings import Settings
from tests.service import Person, Service

MISSING = Settings("unix:///nowhere", "unix:///nowhere", secret_key="none")
BODIES: dict[str, Any] = {
    "players.change_me": {"name": "Mallory"},
    "addresses.add_address": {"email": "mallory@example.org"},
    "feeds.renew_my_feeds": {},
    "games.open_game": {"rules": "portobello", "seats": [{"me": True}, {"open": True}]},
    "games.join_game": {},
    "games.contribute_word": {"word": "lucky-7"},
    "games.leave_game": {},
    "games.resign_game": {},
    "games.return_to_game": {},
    "games.undo_orders": {},
    "table.decline_invitation": {},
    "table.cancel_game": {},
    "table.rename_game": {"name": "Ours"},
    "table.fill_seats": {"bot": "greedy"},
    "table.withdraw_seat": {"seat": 1},
    "table.request_rematch": {},
    "table.make_proposal": {"what": "draw"},
    "table.agree_to_proposal": {},
    "table.disagree_with_proposal": {},
    "table.hand_seat_over": {"bot": "greedy"},
    "table.add_link": {"what": "look"},
    "table.write_notes": {"text": "hello"},
    "table.mute_player": {"player": "0123456789abcdef"},
    "table.unmute_player": {"player": "0123456789abcdef"},
    "moves.submit_orders": {"orders": "bobby 3"},
    "views.preview_orders": {"orders": "bobby 3"},
    "views.try_moves": {"line": "bobby 3"},
    "standing.leave_orders": {"orders": "thief >f4"},
    "messages.say_something": {"text": "hello"},
    "records.import_record": {"record": "nothing"},
    "webhooks.make_webhook": {"url": "https://bots.example.org/"},
    "channels.add_channel": {"channel": "ntfy", "target": "ntfys://ntfy.example.org/topic"},
    "channels.test_channel": {},
    "push.add_subscription": {
        "endpoint": "https://push.example.org/1",
        "keys": {"p256dh": "B" * 87, "auth": "A" * 22},
    },
    "notices.choose_notices": {"choice": "none"},
    "blocks.block_player": {},
    "mcp.call_tools": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    "bots.create_bot": {"name": "Robot"},
    "bots.create_bot_token": {},
    "competitions.announce_competition": {"name": "Cup", "format": "swiss", "rules": "portobello", "seats": 2, "starts": "2030-01-01"},
    "competitions.enter_competition": {},
    "competitions.leave_competition": {},
    "competitions.call_off_competition": {},
    "searches.search_game": {"rules": "portobello"},
    "ahead.leave_ahead": {"orders": "else: bobby 3"},
    "hints.ask_for_hint": {},
    "reports.report_player": {"player": "0123456789abcdef", "text": "hello"},
}
"""A good body for every call that takes one; a new call has to be given one here."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    name: str
    method: str
    path: str
    access: str

    def ask(self, client: Any, game: str, headers: dict[str, str]) -> Any:
        path = self.path.replace("<id:game>", game).replace("<id:move>", "0123456789abcdef01234567")
        path = path.replace("<id:number>", "1").replace("<string:address>", "mallory@example.org")
        for id in ("<id:webhook>", "<id:target>", "<id:subscription>", "<id:bot>", "<id:competition>", "<id:search_id>"):
            path = path.replace(id, "0123456789abcdef")
        path = (
            path.replace("<id:player>", "0123456789abcdef")
            .replace("<id:ruleset_name>", "portobello")
            .replace("<id:token_id>", "0123456789abcdef")
        )
        body = {"json": BODIES[self.name]} if self.method in ("POST", "PUT", "PATCH") else {}
        return client.open(path, method=self.method, headers=headers, **body)


def endpoints() -> Iterator[Endpoint]:
    app = create_app(MISSING)
    for rule in app.url_map.iter_rules():
        view: Any = app.view_functions[rule.endpoint]
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield Endpoint(rule.endpoint, method, str(rule), view.access)


ALL = [each for each in endpoints() if not each.name.startswith("mailbox")]
GUARDED = [each for each in ALL if each.access not in (Permission.OPEN, Permission.LOOPBACK, Permission.PAGE)]
"""Pages are asked by strangers in tests/web."""
OF_A_GAME = [each for each in GUARDED if "<id:game>" in each.path]
PLAYERS_ONLY = {
    "ahead.leave_ahead",
    "hints.ask_for_hint",
    "moves.submit_orders",
    "games.contribute_word",
    "views.preview_orders",
    "views.try_moves",
    "messages.say_something",
    "games.resign_game",
    "games.undo_orders",
    "games.return_to_game",
    "table.request_rematch",
    "table.make_proposal",
    "table.agree_to_proposal",
    "table.disagree_with_proposal",
    "table.hand_seat_over",
    "table.add_link",
    "standing.show_standing",
    "standing.leave_orders",
    "standing.cancel_orders",
    "notices.show_notices",
    "notices.choose_notices",
}
NOT_THEIRS = dict.fromkeys(("table.cancel_game", "table.rename_game", "table.fill_seats", "table.withdraw_seat"), "not-the-host")
NOT_THEIRS["table.remove_link"] = "no-such-link"
NOT_THEIRS |= dict.fromkeys(("table.mute_player", "table.unmute_player"), "no-such-player")
by_name = pytest.mark.parametrize("endpoint", GUARDED, ids=lambda each: each.name)
of_a_game = pytest.mark.parametrize("endpoint", OF_A_GAME, ids=lambda each: each.name)


@pytest.fixture(scope="module")
def private(house: Service) -> str:
    return house.against_bot(house.person("owner"))


@pytest.fixture(scope="module")
def public(house: Service) -> str:
    return house.against_bot(house.person("owner"), public=True)


def bearer(token: str) -> dict[str, str]:
    """With one id for all requests, so that answers can be compared to the letter."""
    return {"Authorization": f"Bearer {token}", "X-Request-Id": "always-the-same"}


def expired(house: Service, person: Person) -> str:
    house.ports.credentials.store_token("mp_expired", Token("old", person.id, ("read", "play", "admin"), "old", 0, house.ports.clock() - 1))
    return "mp_expired"


def test_there_is_something_to_test() -> None:
    assert len(GUARDED) > 15
    assert {each.name for each in ALL if each.access == Permission.OPEN} == {
        "players.register_player",
        "tokens.sign_in_player",
        "boards.list_boards",
        "boards.show_board",
        "rules.show_rules",
        "service.health",
        "service.ready",
        "service.openapi",
        "service.show_docs",
        "pages.static_file",
        "pages.manifest",
        "pages.service_worker",
        "pages.games_feed",
        "pages.deadlines_feed",
        "push.show_push_key",
        "inbound.receive_mail",
    }


@by_name
def test_nobody_gets_in_without_a_good_token(house: Service, private: str, endpoint: Endpoint) -> None:
    client = house.app.test_client()
    owner = house.person("owner")
    bad = [{}, bearer("mp_unknown"), bearer(""), bearer(expired(house, owner)), {"Authorization": f"Basic {owner.token}"}, bearer("ü")]

    for headers in bad:
        answer = endpoint.ask(client, private, headers)
        assert answer.status_code == 401, headers
        assert answer.content_type == ("application/json" if endpoint.name == "mcp.call_tools" else "application/problem+json")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@by_name
def test_a_token_without_the_scope_is_not_enough(house: Service, private: str, endpoint: Endpoint) -> None:
    other: dict[str, tuple[str, ...]] = {"read": (), "play": ("read",)}
    owner = house.person("owner", other[endpoint.access])

    answer = endpoint.ask(owner.client, private, bearer(owner.token))

    problem = answer.json["error"]["data"] if endpoint.name == "mcp.call_tools" else answer.json
    assert (answer.status_code, problem["code"]) == (403, "scope-missing")


def test_whoever_may_play_may_look(house: Service, private: str) -> None:
    owner = house.person("owner", ("play",))

    assert owner.get(f"/v1/games/{private}/legal").status_code == 200


@of_a_game
def test_a_private_game_does_not_exist_for_strangers(house: Service, private: str, endpoint: Endpoint) -> None:
    stranger = house.person("stranger")

    hidden = endpoint.ask(stranger.client, private, bearer(stranger.token))
    missing = endpoint.ask(stranger.client, "nosuchgame", bearer(stranger.token))

    assert hidden.status_code == missing.status_code == 404
    assert hidden.get_data(as_text=True).replace(private, "") == missing.get_data(as_text=True).replace("nosuchgame", "")
    assert {name for name, _ in hidden.headers} == {name for name, _ in missing.headers}


@of_a_game
def test_a_spectator_may_look_at_a_public_game_but_not_touch_it(house: Service, public: str, endpoint: Endpoint) -> None:
    spectator = house.person("spectator")
    before = house.ports.games.read(public)

    answer = endpoint.ask(spectator.client, public, bearer(spectator.token))

    if endpoint.name in PLAYERS_ONLY:
        assert (answer.status_code, answer.json["code"]) == (403, "not-your-game")
    elif endpoint.access == "read":
        assert answer.status_code in (200, 404)
        assert answer.status_code == 200 or answer.json["code"] == "no-such-move"
    elif endpoint.name in NOT_THEIRS:
        assert answer.json["code"] == NOT_THEIRS[endpoint.name]
    else:
        assert answer.status_code in (200, 204, 409)
    assert house.ports.games.read(public) == before


def test_an_admin_may_see_what_is_private(house: Service, private: str) -> None:
    admin = house.person("root", ("admin",))

    assert admin.get(f"/v1/games/{private}").status_code == 200
    assert private in [each["id"] for each in admin.get("/v1/games?limit=200").json["items"]]


def test_strangers_do_not_find_private_games_in_the_lobby(house: Service, private: str, public: str) -> None:
    found = [each["id"] for each in house.person("stranger").get("/v1/games?limit=200").json["items"]]

    assert public in found
    assert private not in found


def test_metrics_are_for_this_machine_and_for_admins(house: Service) -> None:
    client = house.app.test_client()
    far = {"environ_base": {"REMOTE_ADDR": "203.0.113.9"}}
    ann, admin = house.person("ann"), house.person("root", ("admin",))

    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 401
    assert client.get("/metrics", **far).status_code == 401
    assert client.get("/metrics", headers=bearer(ann.token), **far).status_code == 403
    assert client.get("/metrics", headers=bearer(admin.token), **far).status_code == 200


def test_whoever_signs_out_has_a_token_no_more_and_keeps_the_others(house: Service) -> None:
    here, there = house.person("leaves"), house.person("leaves")

    assert here.call("DELETE", "/v1/tokens").status_code == 204
    assert here.get("/v1/players/me").status_code == 401
    assert there.get("/v1/players/me").status_code == 200
