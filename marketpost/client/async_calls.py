"""Every call of the API as a method. Written by `python -m tests.client_code` from openapi.yaml; do not edit."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Literal

from marketpost.client.documents import (
    AcceptedResponse,
    AccountEventPage,
    AccountEventResponse,
    AddressResponse,
    AheadResponse,
    AnalysisResponse,
    BlockedPage,
    BoardNamePage,
    BoardResponse,
    BotPage,
    BotResponse,
    Bots,
    CareerResponse,
    ChangedPlayer,
    ChannelPage,
    ChosenNotices,
    CodeSentResponse,
    CompetitionResponse,
    CompetitionSummaryPage,
    EntryPage,
    EntryResponse,
    ExportedGameResponse,
    FeedsResponse,
    FoundPlayersResponse,
    GameResponse,
    GameRulesResponse,
    GameSummaryPage,
    HealthResponse,
    Heir,
    HintsResponse,
    Join,
    LegalResponse,
    LineResponse,
    LinkPage,
    LinkResponse,
    MadeChannelResponse,
    MessagePage,
    MessageResponse,
    MoveResponse,
    Muted,
    NewAddress,
    NewBot,
    NewBotToken,
    NewChannel,
    NewCompetition,
    NewGame,
    NewLink,
    NewMessage,
    NewOrdersAhead,
    NewPlayer,
    NewProposal,
    NewPushSubscription,
    NewRecord,
    NewReport,
    NewSearch,
    Notes,
    NotesResponse,
    NoticesResponse,
    NotificationPage,
    NotificationResponse,
    Orders,
    OwnTokenPage,
    PlayerResponse,
    PlayerStatusesResponse,
    PreviewResponse,
    PushKeyResponse,
    PushSubscriptionResponse,
    RatedPlayerPage,
    RatingCurveResponse,
    ReadyResponse,
    ReceivedResponse,
    RecordResponse,
    RegisteredResponse,
    Rematch,
    Renamed,
    ReportResponse,
    RulesResponse,
    SearchListResponse,
    SearchResponse,
    SignIn,
    StandingOrders,
    StandingResponse,
    SupposedLine,
    TokenResponse,
    Withdrawal,
    Word,
)
from marketpost.client.exchange import ApiCall, segment


class AsyncCalls(ABC):
    """The calls of the API; a client says how they are sent."""

    @abstractmethod
    async def _json(self, call: ApiCall) -> Any: ...

    @abstractmethod
    async def _text(self, call: ApiCall) -> str: ...

    @abstractmethod
    async def _bytes(self, call: ApiCall) -> bytes: ...

    @abstractmethod
    async def _nothing(self, call: ApiCall) -> None: ...

    @abstractmethod
    def _lines(self, call: ApiCall) -> AsyncGenerator[Any, None]: ...

    @abstractmethod
    def _events(self, path: str, query: Mapping[str, Any], last: str | None) -> AsyncGenerator[Any, None]: ...

    async def register_player(self, body: NewPlayer, *, key: str | None = None) -> RegisteredResponse:
        """Register."""
        found: RegisteredResponse = await self._json(ApiCall("POST", "/v1/players", body=body, key=key))
        return found

    async def search_players(self, *, name: str | None = None) -> FoundPlayersResponse:
        """Find players by name."""
        found: FoundPlayersResponse = await self._json(ApiCall("GET", "/v1/players", query={"name": name}))
        return found

    async def show_me(self) -> PlayerResponse:
        """Show my profile."""
        found: PlayerResponse = await self._json(ApiCall("GET", "/v1/players/me"))
        return found

    async def change_me(self, body: ChangedPlayer, *, key: str | None = None) -> PlayerResponse:
        """Change my main address (one that I have confirmed), name, language, timezone, vacation, or notification preferences."""
        found: PlayerResponse = await self._json(ApiCall("PATCH", "/v1/players/me", body=body, key=key))
        return found

    async def erase_me(self, *, key: str | None = None) -> None:
        """Erase my data."""
        await self._nothing(ApiCall("DELETE", "/v1/players/me", key=key))

    async def undo_my_complaint(self, *, key: str | None = None) -> None:
        """Get letters again after a complaint."""
        await self._nothing(ApiCall("DELETE", "/v1/players/me/complaint", key=key))

    async def list_notifications(self, *, cursor: str | None = None, limit: int | None = None) -> NotificationPage:
        """List what was sent to me, newest first, each with its delivery status."""
        found: NotificationPage = await self._json(ApiCall("GET", "/v1/players/me/notifications", query={"cursor": cursor, "limit": limit}))
        return found

    async def add_address(self, body: NewAddress, *, key: str | None = None) -> AddressResponse:
        """Add a mail address."""
        found: AddressResponse = await self._json(ApiCall("POST", "/v1/players/me/addresses", body=body, key=key))
        return found

    async def delete_address(self, address: str, *, key: str | None = None) -> None:
        """Remove one of my further mail addresses."""
        await self._nothing(ApiCall("DELETE", f"/v1/players/me/addresses/{segment(address)}", key=key))

    async def export_me(self) -> bytes:
        """Export everything that is stored about me, as a zip archive."""
        found: bytes = await self._bytes(ApiCall("GET", "/v1/players/me/export", accept="application/zip"))
        return found

    async def show_feeds(self) -> FeedsResponse:
        """Show the secret URLs of my feeds."""
        found: FeedsResponse = await self._json(ApiCall("GET", "/v1/players/me/feeds"))
        return found

    async def renew_my_feeds(self, *, key: str | None = None) -> FeedsResponse:
        """Switch my feeds on, or give them new URLs."""
        found: FeedsResponse = await self._json(ApiCall("POST", "/v1/players/me/feeds", key=key))
        return found

    async def close_my_feeds(self, *, key: str | None = None) -> None:
        """Switch my feeds off."""
        await self._nothing(ApiCall("DELETE", "/v1/players/me/feeds", key=key))

    async def show_statuses(self, *, ids: str | None = None) -> PlayerStatusesResponse:
        """Show what several players are doing."""
        found: PlayerStatusesResponse = await self._json(ApiCall("GET", "/v1/players/status", query={"ids": ids}))
        return found

    async def show_player(self, player: str) -> CareerResponse:
        """Show a player's results, opponents, ratings and pace."""
        found: CareerResponse = await self._json(ApiCall("GET", f"/v1/players/{segment(player)}"))
        return found

    async def list_finished(self, player: str, *, cursor: str | None = None, limit: int | None = None) -> GameSummaryPage:
        """List the games this player has finished, newest first."""
        found: GameSummaryPage = await self._json(
            ApiCall("GET", f"/v1/players/{segment(player)}/games", query={"cursor": cursor, "limit": limit})
        )
        return found

    async def show_rating_curve(self, player: str, ruleset_name: str) -> RatingCurveResponse:
        """Show a player's rating in a ruleset after each rated game."""
        found: RatingCurveResponse = await self._json(ApiCall("GET", f"/v1/players/{segment(player)}/ratings/{segment(ruleset_name)}"))
        return found

    async def list_ratings(
        self, ruleset_name: str, *, cursor: str | None = None, limit: int | None = None, pool: Literal["people", "bots"] | None = None
    ) -> RatedPlayerPage:
        """List the ratings of a ruleset, best first."""
        found: RatedPlayerPage = await self._json(
            ApiCall("GET", f"/v1/ratings/{segment(ruleset_name)}", query={"cursor": cursor, "limit": limit, "pool": pool})
        )
        return found

    async def sign_in_player(self, body: SignIn, *, key: str | None = None) -> TokenResponse | CodeSentResponse:
        """Sign in."""
        found: TokenResponse | CodeSentResponse = await self._json(ApiCall("POST", "/v1/tokens", body=body, key=key))
        return found

    async def list_tokens(self, *, cursor: str | None = None, limit: int | None = None) -> OwnTokenPage:
        """List my tokens, oldest first: programs and browsers that are signed in as me."""
        found: OwnTokenPage = await self._json(ApiCall("GET", "/v1/tokens", query={"cursor": cursor, "limit": limit}))
        return found

    async def sign_out_player(self, *, key: str | None = None) -> None:
        """Sign out."""
        await self._nothing(ApiCall("DELETE", "/v1/tokens", key=key))

    async def revoke_token(self, token_id: str, *, key: str | None = None) -> None:
        """Revoke one of my tokens."""
        await self._nothing(ApiCall("DELETE", f"/v1/tokens/{segment(token_id)}", key=key))

    async def create_bot(self, body: NewBot, *, key: str | None = None) -> BotResponse:
        """Create a bot account of mine."""
        found: BotResponse = await self._json(ApiCall("POST", "/v1/bots", body=body, key=key))
        return found

    async def list_bots(self, *, cursor: str | None = None, limit: int | None = None) -> BotPage:
        """List my bot accounts, oldest first."""
        found: BotPage = await self._json(ApiCall("GET", "/v1/bots", query={"cursor": cursor, "limit": limit}))
        return found

    async def erase_bot(self, bot: str, *, key: str | None = None) -> None:
        """Erase a bot account of mine."""
        await self._nothing(ApiCall("DELETE", f"/v1/bots/{segment(bot)}", key=key))

    async def create_bot_token(self, bot: str, body: NewBotToken, *, key: str | None = None) -> TokenResponse:
        """Create a token for a bot of mine."""
        found: TokenResponse = await self._json(ApiCall("POST", f"/v1/bots/{segment(bot)}/tokens", body=body, key=key))
        return found

    async def list_bot_tokens(self, bot: str, *, cursor: str | None = None, limit: int | None = None) -> OwnTokenPage:
        """List the tokens of a bot of mine, oldest first, without their secrets."""
        found: OwnTokenPage = await self._json(ApiCall("GET", f"/v1/bots/{segment(bot)}/tokens", query={"cursor": cursor, "limit": limit}))
        return found

    async def revoke_bot_token(self, bot: str, token_id: str, *, key: str | None = None) -> None:
        """Revoke a token of a bot of mine."""
        await self._nothing(ApiCall("DELETE", f"/v1/bots/{segment(bot)}/tokens/{segment(token_id)}", key=key))

    async def list_blocked(self, *, cursor: str | None = None, limit: int | None = None) -> BlockedPage:
        """List the players I have blocked, in the order of their ids."""
        found: BlockedPage = await self._json(ApiCall("GET", "/v1/blocks", query={"cursor": cursor, "limit": limit}))
        return found

    async def block_player(self, player: str, *, key: str | None = None) -> None:
        """Block a player."""
        await self._nothing(ApiCall("PUT", f"/v1/blocks/{segment(player)}", key=key))

    async def unblock_player(self, player: str, *, key: str | None = None) -> None:
        """Unblock a player."""
        await self._nothing(ApiCall("DELETE", f"/v1/blocks/{segment(player)}", key=key))

    async def report_player(self, body: NewReport, *, key: str | None = None) -> ReportResponse:
        """Report a player to the operator of this service."""
        found: ReportResponse = await self._json(ApiCall("POST", "/v1/reports", body=body, key=key))
        return found

    async def list_competitions(self, *, cursor: str | None = None, limit: int | None = None) -> CompetitionSummaryPage:
        """List tournaments: those that can be entered, those that run, those that are over."""
        found: CompetitionSummaryPage = await self._json(ApiCall("GET", "/v1/competitions", query={"cursor": cursor, "limit": limit}))
        return found

    async def announce_competition(self, body: NewCompetition, *, key: str | None = None) -> CompetitionResponse:
        """Announce a tournament."""
        found: CompetitionResponse = await self._json(ApiCall("POST", "/v1/competitions", body=body, key=key))
        return found

    async def show_competition(self, competition: str) -> CompetitionResponse:
        """Show a tournament: its rounds, tables and standings."""
        found: CompetitionResponse = await self._json(ApiCall("GET", f"/v1/competitions/{segment(competition)}"))
        return found

    async def enter_competition(self, competition: str, *, key: str | None = None) -> CompetitionResponse:
        """Enter a tournament that has not begun."""
        found: CompetitionResponse = await self._json(ApiCall("POST", f"/v1/competitions/{segment(competition)}/join", key=key))
        return found

    async def leave_competition(self, competition: str, *, key: str | None = None) -> CompetitionResponse:
        """Take no further part in a tournament."""
        found: CompetitionResponse = await self._json(ApiCall("POST", f"/v1/competitions/{segment(competition)}/leave", key=key))
        return found

    async def call_off_competition(self, competition: str, *, key: str | None = None) -> CompetitionResponse:
        """Cancel a tournament of mine; tables that run go on as games of their own."""
        found: CompetitionResponse = await self._json(ApiCall("POST", f"/v1/competitions/{segment(competition)}/cancel", key=key))
        return found

    async def search_game(self, body: NewSearch, *, key: str | None = None) -> SearchResponse:
        """Search for a game."""
        found: SearchResponse = await self._json(ApiCall("POST", "/v1/searches", body=body, key=key))
        return found

    async def list_searches(self) -> SearchListResponse:
        """List my searches that wait, the longest first."""
        found: SearchListResponse = await self._json(ApiCall("GET", "/v1/searches"))
        return found

    async def end_search(self, search_id: str, *, key: str | None = None) -> None:
        """Withdraw a search."""
        await self._nothing(ApiCall("DELETE", f"/v1/searches/{segment(search_id)}", key=key))

    async def open_game(self, body: NewGame, *, key: str | None = None) -> GameResponse:
        """Open a game."""
        found: GameResponse = await self._json(ApiCall("POST", "/v1/games", body=body, key=key))
        return found

    async def list_games(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["open", "running", "over"] | None = None,
        mine: bool | None = None,
        open: bool | None = None,
        rules: str | None = None,
        my_turn: bool | None = None,
        sort: Literal["created", "deadline"] | None = None,
    ) -> GameSummaryPage:
        """List public games and my own, newest first."""
        found: GameSummaryPage = await self._json(
            ApiCall(
                "GET",
                "/v1/games",
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "status": status,
                    "mine": mine,
                    "open": open,
                    "rules": rules,
                    "my_turn": my_turn,
                    "sort": sort,
                },
            )
        )
        return found

    def export_games(
        self, *, ids: str | None = None, player: str | None = None, limit: int | None = None
    ) -> AsyncGenerator[ExportedGameResponse, None]:
        """Export many games as records, one JSON document in each line."""
        return self._lines(
            ApiCall("GET", "/v1/games/export", query={"ids": ids, "player": player, "limit": limit}, accept="application/x-ndjson")
        )

    async def show_game(self, game: str, *, key: str | None = None) -> GameResponse:
        """Show one game: the position as I may see it, who decides, and some legal steps."""
        found: GameResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}", query={"key": key}))
        return found

    async def join_game(self, game: str, body: Join | None = None, *, key: str | None = None) -> GameResponse:
        """Join: take the seat I am invited to or that is offered to me, or the first free one."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/join", body=body or {}, key=key))
        return found

    async def contribute_word(self, game: str, body: Word, *, key: str | None = None) -> GameResponse:
        """Contribute a word of my own to chance, in place of the one that my seat has, until the game begins."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/word", body=body, key=key))
        return found

    async def leave_game(self, game: str, *, key: str | None = None) -> GameResponse:
        """Leave my seat, before the game begins."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/leave", body={}, key=key))
        return found

    async def resign_game(self, game: str, *, key: str | None = None) -> GameResponse:
        """Resign: a bot plays on in my seat."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/resign", body={}, key=key))
        return found

    async def return_to_game(self, game: str, *, key: str | None = None) -> GameResponse:
        """Return to my seat, which a bot took when my time ran out, from the next decision on."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/return", body={}, key=key))
        return found

    async def undo_orders(self, game: str, *, key: str | None = None) -> GameResponse:
        """Undo my last orders."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/undo", body={}, key=key))
        return found

    async def decline_invitation(self, game: str, *, key: str | None = None) -> None:
        """Decline an invitation, or a seat that is offered to me."""
        await self._nothing(ApiCall("POST", f"/v1/games/{segment(game)}/decline", body={}, key=key))

    async def cancel_game(self, game: str, *, key: str | None = None) -> GameResponse:
        """Cancel my game before it begins; everyone who was invited is notified."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/cancel", body={}, key=key))
        return found

    async def rename_game(self, game: str, body: Renamed, *, key: str | None = None) -> GameResponse:
        """Name my game, or take its name away, before it begins."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/rename", body=body, key=key))
        return found

    async def fill_seats(self, game: str, body: Bots, *, key: str | None = None) -> GameResponse:
        """Fill my game with bots, which begins it: every seat that is free or waits for an answer."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/fill", body=body, key=key))
        return found

    async def withdraw_seat(self, game: str, body: Withdrawal, *, key: str | None = None) -> GameResponse:
        """Withdraw an invitation to my game, before it begins; the seat is free then, or kept for the `email` that I invite instead."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/withdraw", body=body, key=key))
        return found

    async def request_rematch(self, game: str, body: Rematch | None = None, *, key: str | None = None) -> GameResponse:
        """Play once more with the same people."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/rematch", body=body or {}, key=key))
        return found

    async def make_proposal(self, game: str, body: NewProposal, *, key: str | None = None) -> GameResponse:
        """Propose an undo, a draw, or to abandon the game."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/proposals", body=body, key=key))
        return found

    async def agree_to_proposal(self, game: str, number: str, *, key: str | None = None) -> GameResponse:
        """Agree to a proposal; the last yes carries it out."""
        found: GameResponse = await self._json(
            ApiCall("POST", f"/v1/games/{segment(game)}/proposals/{segment(number)}/yes", body={}, key=key)
        )
        return found

    async def disagree_with_proposal(self, game: str, number: str, *, key: str | None = None) -> GameResponse:
        """Disagree with a proposal, which ends it; or withdraw my own."""
        found: GameResponse = await self._json(
            ApiCall("POST", f"/v1/games/{segment(game)}/proposals/{segment(number)}/no", body={}, key=key)
        )
        return found

    async def hand_seat_over(self, game: str, body: Heir, *, key: str | None = None) -> GameResponse:
        """Hand my seat over."""
        found: GameResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/hand-over", body=body, key=key))
        return found

    async def list_links(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> LinkPage:
        """List my links to this game; the host sees all of them."""
        found: LinkPage = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/links", query={"cursor": cursor, "limit": limit}))
        return found

    async def add_link(self, game: str, body: NewLink, *, key: str | None = None) -> LinkResponse:
        """Make a link."""
        found: LinkResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/links", body=body, key=key))
        return found

    async def remove_link(self, game: str, number: str, *, key: str | None = None) -> None:
        """Revoke a link."""
        await self._nothing(ApiCall("DELETE", f"/v1/games/{segment(game)}/links/{segment(number)}", key=key))

    async def read_notes(self, game: str) -> NotesResponse:
        """Show my notes on this game, which nobody else sees."""
        found: NotesResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/notes"))
        return found

    async def write_notes(self, game: str, body: Notes, *, key: str | None = None) -> NotesResponse:
        """Change my notes on this game."""
        found: NotesResponse = await self._json(ApiCall("PUT", f"/v1/games/{segment(game)}/notes", body=body, key=key))
        return found

    async def mute_player(self, game: str, body: Muted, *, key: str | None = None) -> None:
        """Mute a player."""
        await self._nothing(ApiCall("POST", f"/v1/games/{segment(game)}/mute", body=body, key=key))

    async def unmute_player(self, game: str, body: Muted, *, key: str | None = None) -> None:
        """Mail me what a player says again."""
        await self._nothing(ApiCall("POST", f"/v1/games/{segment(game)}/unmute", body=body, key=key))

    async def submit_orders(
        self, game: str, body: Orders, *, if_match: str | None = None, wait: int | None = None, key: str | None = None
    ) -> MoveResponse | AcceptedResponse:
        """Submit orders: as text in `orders`, or as data in `steps`."""
        found: MoveResponse | AcceptedResponse = await self._json(
            ApiCall(
                "POST",
                f"/v1/games/{segment(game)}/moves",
                body=body,
                headers={"If-Match": if_match, "Prefer": f"wait={wait}" if wait else None},
                key=key,
            )
        )
        return found

    async def show_move(self, game: str, move: str) -> MoveResponse:
        """Show the outcome of a move: queued, applied or refused."""
        found: MoveResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/moves/{segment(move)}"))
        return found

    async def preview_orders(self, game: str, body: Orders, *, key: str | None = None) -> PreviewResponse:
        """Preview orders."""
        found: PreviewResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/preview", body=body, key=key))
        return found

    async def try_moves(self, game: str, body: SupposedLine, *, key: str | None = None) -> LineResponse:
        """Try a line of moves on a private copy of a position."""
        found: LineResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/what-if", body=body, key=key))
        return found

    async def list_legal(self, game: str, *, orders: str | None = None) -> LegalResponse:
        """List every legal next step of mine, as text in `steps` and as data in `choices`."""
        found: LegalResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/legal", query={"orders": orders}))
        return found

    async def list_events(self, game: str, *, key: str | None = None, after: int | None = None, limit: int | None = None) -> EntryPage:
        """List the entries of the log."""
        found: EntryPage = await self._json(
            ApiCall("GET", f"/v1/games/{segment(game)}/events", query={"key": key, "after": after, "limit": limit})
        )
        return found

    def stream_events(self, game: str, *, after: str | int | None = None, key: str | None = None) -> AsyncGenerator[EntryResponse, None]:
        """List the entries of the log. Streamed: goes on after a lost connection, behind the last event."""
        return self._events(f"/v1/games/{segment(game)}/events", {"key": key}, None if after is None else str(after))

    async def show_game_board(
        self,
        game: str,
        *,
        key: str | None = None,
        at: int | None = None,
        style: Literal["map", "linear"] | None = None,
        language: Literal["en", "de", "fr", "it"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        width: int | None = None,
    ) -> str:
        """Show the board as text or as a picture, now or after an earlier version."""
        found: str = await self._text(
            ApiCall(
                "GET",
                f"/v1/games/{segment(game)}/board",
                query={"key": key, "at": at, "style": style, "language": language, "theme": theme, "width": width},
                accept="text/plain",
            )
        )
        return found

    async def show_game_board_svg(
        self,
        game: str,
        *,
        key: str | None = None,
        at: int | None = None,
        style: Literal["map", "linear"] | None = None,
        language: Literal["en", "de", "fr", "it"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        width: int | None = None,
    ) -> str:
        """Show the board as text or as a picture, now or after an earlier version."""
        found: str = await self._text(
            ApiCall(
                "GET",
                f"/v1/games/{segment(game)}/board",
                query={"key": key, "at": at, "style": style, "language": language, "theme": theme, "width": width},
                accept="image/svg+xml",
            )
        )
        return found

    async def show_game_board_png(
        self,
        game: str,
        *,
        key: str | None = None,
        at: int | None = None,
        style: Literal["map", "linear"] | None = None,
        language: Literal["en", "de", "fr", "it"] | None = None,
        theme: Literal["light", "dark"] | None = None,
        width: int | None = None,
    ) -> bytes:
        """Show the board as text or as a picture, now or after an earlier version."""
        found: bytes = await self._bytes(
            ApiCall(
                "GET",
                f"/v1/games/{segment(game)}/board",
                query={"key": key, "at": at, "style": style, "language": language, "theme": theme, "width": width},
                accept="image/png",
            )
        )
        return found

    async def show_record(self, game: str, *, key: str | None = None) -> str:
        """Show the game as a record, which anyone can replay."""
        found: str = await self._text(ApiCall("GET", f"/v1/games/{segment(game)}/record", query={"key": key}, accept="text/plain"))
        return found

    async def show_record_html(self, game: str, *, key: str | None = None) -> str:
        """Show the game as a record, which anyone can replay."""
        found: str = await self._text(ApiCall("GET", f"/v1/games/{segment(game)}/record", query={"key": key}, accept="text/html"))
        return found

    async def show_analysis(self, game: str, *, key: str | None = None) -> AnalysisResponse:
        """Show luck and skill of a finished game."""
        found: AnalysisResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/analysis", query={"key": key}))
        return found

    async def show_game_rules(
        self, game: str, *, key: str | None = None, language: Literal["en", "de", "fr", "it"] | None = None
    ) -> GameRulesResponse:
        """Show the whole rules of this game, with its edition and options."""
        found: GameRulesResponse = await self._json(
            ApiCall("GET", f"/v1/games/{segment(game)}/rules", query={"key": key, "language": language})
        )
        return found

    async def ask_for_hint(self, game: str, *, key: str | None = None) -> HintsResponse:
        """Ask for a hint in the present position, if it is my decision and the game's setting allows it."""
        found: HintsResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/hints", body={}, key=key))
        return found

    async def list_hints(self, game: str, *, key: str | None = None) -> HintsResponse:
        """Show my hint in the present position, and all hints of the game."""
        found: HintsResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/hints", query={"key": key}))
        return found

    async def show_standing(self, game: str) -> StandingResponse:
        """Show my standing orders, which nobody else sees."""
        found: StandingResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/standing"))
        return found

    async def leave_orders(self, game: str, body: StandingOrders, *, key: str | None = None) -> StandingResponse:
        """Set my standing orders, in place of earlier ones."""
        found: StandingResponse = await self._json(ApiCall("PUT", f"/v1/games/{segment(game)}/standing", body=body, key=key))
        return found

    async def cancel_orders(self, game: str, *, key: str | None = None) -> None:
        """Delete my standing orders."""
        await self._nothing(ApiCall("DELETE", f"/v1/games/{segment(game)}/standing", key=key))

    async def show_ahead(self, game: str) -> AheadResponse:
        """Show my orders ahead, which nobody else sees, and the conditions that this game knows."""
        found: AheadResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/ahead"))
        return found

    async def leave_ahead(self, game: str, body: NewOrdersAhead, *, key: str | None = None) -> AheadResponse:
        """Set my orders for my next turn, in place of earlier ones."""
        found: AheadResponse = await self._json(ApiCall("PUT", f"/v1/games/{segment(game)}/ahead", body=body, key=key))
        return found

    async def cancel_ahead(self, game: str, *, key: str | None = None) -> None:
        """Take my orders ahead back; orders that were played already stay played."""
        await self._nothing(ApiCall("DELETE", f"/v1/games/{segment(game)}/ahead", key=key))

    async def list_messages(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> MessagePage:
        """List what was said at the table, oldest first."""
        found: MessagePage = await self._json(
            ApiCall("GET", f"/v1/games/{segment(game)}/messages", query={"cursor": cursor, "limit": limit})
        )
        return found

    async def say_something(self, game: str, body: NewMessage, *, key: str | None = None) -> MessageResponse:
        """Say something at the table."""
        found: MessageResponse = await self._json(ApiCall("POST", f"/v1/games/{segment(game)}/messages", body=body, key=key))
        return found

    async def show_notices(self, game: str) -> NoticesResponse:
        """Show my notification preference for this game."""
        found: NoticesResponse = await self._json(ApiCall("GET", f"/v1/games/{segment(game)}/notices"))
        return found

    async def choose_notices(self, game: str, body: ChosenNotices, *, key: str | None = None) -> NoticesResponse:
        """Change my notification preference for this game."""
        found: NoticesResponse = await self._json(ApiCall("PUT", f"/v1/games/{segment(game)}/notices", body=body, key=key))
        return found

    async def list_channels(self, *, cursor: str | None = None, limit: int | None = None) -> ChannelPage:
        """List where I am told of my games beside letters, oldest first, with how the last messages went."""
        found: ChannelPage = await self._json(ApiCall("GET", "/v1/players/me/channels", query={"cursor": cursor, "limit": limit}))
        return found

    async def add_channel(self, body: NewChannel, *, key: str | None = None) -> MadeChannelResponse:
        """Add a place where I am told of my games, or of one of them."""
        found: MadeChannelResponse = await self._json(ApiCall("POST", "/v1/players/me/channels", body=body, key=key))
        return found

    async def delete_channel(self, target: str, *, key: str | None = None) -> None:
        """Remove a target."""
        await self._nothing(ApiCall("DELETE", f"/v1/players/me/channels/{segment(target)}", key=key))

    async def test_channel(self, target: str, *, key: str | None = None) -> NotificationResponse:
        """Send a test message to a target, once a minute at most."""
        found: NotificationResponse = await self._json(ApiCall("POST", f"/v1/players/me/channels/{segment(target)}/test", key=key))
        return found

    async def show_push_key(self) -> PushKeyResponse:
        """Show the key that a browser subscribes with, its `applicationServerKey`."""
        found: PushKeyResponse = await self._json(ApiCall("GET", "/v1/push/key"))
        return found

    async def add_subscription(self, body: NewPushSubscription, *, key: str | None = None) -> PushSubscriptionResponse:
        """Notify a browser of my games, also while no page of the service is open."""
        found: PushSubscriptionResponse = await self._json(ApiCall("POST", "/v1/push/subscriptions", body=body, key=key))
        return found

    async def delete_subscription(self, subscription: str, *, key: str | None = None) -> None:
        """Notify a browser no more."""
        await self._nothing(ApiCall("DELETE", f"/v1/push/subscriptions/{segment(subscription)}", key=key))

    async def list_account_events(
        self, *, events: str | None = None, game: str | None = None, after: str | None = None, limit: int | None = None
    ) -> AccountEventPage:
        """Follow what happens in all my games."""
        found: AccountEventPage = await self._json(
            ApiCall("GET", "/v1/events", query={"events": events, "game": game, "after": after, "limit": limit})
        )
        return found

    def stream_account_events(
        self, *, after: str | int | None = None, events: str | None = None, game: str | None = None
    ) -> AsyncGenerator[AccountEventResponse, None]:
        """Follow what happens in all my games. Streamed: goes on after a lost connection, behind the last event."""
        return self._events("/v1/events", {"events": events, "game": game}, None if after is None else str(after))

    async def import_record(self, body: NewRecord, *, key: str | None = None) -> RecordResponse | GameResponse:
        """Check a record, or import it."""
        found: RecordResponse | GameResponse = await self._json(ApiCall("POST", "/v1/records", body=body, key=key))
        return found

    async def list_boards(self, *, cursor: str | None = None, limit: int | None = None) -> BoardNamePage:
        """List all boards."""
        found: BoardNamePage = await self._json(ApiCall("GET", "/v1/boards", query={"cursor": cursor, "limit": limit}))
        return found

    async def show_board(self, name: str) -> BoardResponse:
        """Show one board, in the form in which a new game accepts a board of your own."""
        found: BoardResponse = await self._json(ApiCall("GET", f"/v1/boards/{segment(name)}"))
        return found

    async def show_rules(
        self,
        ruleset_name: str,
        *,
        language: Literal["en", "de", "fr", "it"] | None = None,
        edition: str | None = None,
        options: str | None = None,
    ) -> RulesResponse:
        """Show the whole rules of a ruleset, and who can play it."""
        found: RulesResponse = await self._json(
            ApiCall("GET", f"/v1/rules/{segment(ruleset_name)}", query={"language": language, "edition": edition, "options": options})
        )
        return found

    async def receive_mail(self, body: bytes, *, inbound_secret: str | None = None, key: str | None = None) -> ReceivedResponse:
        """Hand over an inbound mail."""
        found: ReceivedResponse = await self._json(
            ApiCall("POST", "/v1/inbound", body=body, headers={"X-Inbound-Secret": inbound_secret}, key=key)
        )
        return found

    async def health(self) -> HealthResponse:
        """Whether this process runs."""
        found: HealthResponse = await self._json(ApiCall("GET", "/health"))
        return found

    async def ready(self) -> ReadyResponse:
        """Whether moves can be accepted: the store answers and accepts writes, and the service does not drain."""
        found: ReadyResponse = await self._json(ApiCall("GET", "/ready"))
        return found

    async def show_metrics(self) -> str:
        """Show counters and times in the format of Prometheus."""
        found: str = await self._text(ApiCall("GET", "/metrics", accept="text/plain"))
        return found

    async def openapi(self) -> str:
        """Show this document."""
        found: str = await self._text(ApiCall("GET", "/openapi.yaml", accept="application/yaml"))
        return found

    async def show_docs(self) -> str:
        """Show this document as a web page."""
        found: str = await self._text(ApiCall("GET", "/docs", accept="text/html"))
        return found
