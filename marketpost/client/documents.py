"""The documents of the API as types. Written by `python -m tests.client_code` from openapi.yaml; do not edit."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final


@final
class NewPlayer(TypedDict):
    """A document of the kind `NewPlayer`."""

    email: "str"
    name: "str"
    language: "NotRequired[Literal['en', 'de', 'fr', 'it']]"
    timezone: "NotRequired[str]"


@final
class RegisteredResponse(TypedDict):
    """A document of the kind `RegisteredResponse`."""

    email: "str"
    name: "str"
    language: "str"
    timezone: "str"


VacationResponse = TypedDict("VacationResponse", {"from": "str", "to": "str"})


@final
class PlayerResponse(TypedDict):
    """A document of the kind `PlayerResponse`."""

    id: "str"
    email: "str"
    owner: "str | None"
    addresses: "list[str]"
    name: "str"
    language: "str"
    timezone: "str"
    mail: "Literal['every', 'digest', 'webhook', 'none']"
    digest_hour: "int"
    json: "bool"
    bounces: "int"
    complaint: "str | None"
    replay: "bool"
    hidden: "bool"
    letters: "Literal['auto', 'full', 'short']"
    learnt: "list[str]"
    feeds: "bool"
    confirmed: "bool"
    muted: "list[str]"
    blocked: "list[str]"
    created: "str"
    vacation: "VacationResponse | None"
    vacation_days_left: "dict[str, int]"


Vacation = TypedDict("Vacation", {"from": "str", "to": "str"})


@final
class ChangedPlayer(TypedDict):
    """A document of the kind `ChangedPlayer`."""

    email: "NotRequired[str]"
    name: "NotRequired[str]"
    language: "NotRequired[Literal['en', 'de', 'fr', 'it']]"
    timezone: "NotRequired[str]"
    mail: "NotRequired[Literal['every', 'digest', 'webhook', 'none']]"
    digest_hour: "NotRequired[int]"
    json: "NotRequired[bool]"
    vacation: "NotRequired[Vacation | None]"
    letters: "NotRequired[Literal['auto', 'full', 'short']]"
    hidden: "NotRequired[bool]"
    replay: "NotRequired[bool]"


@final
class NotificationResponse(TypedDict):
    """A document of the kind `NotificationResponse`."""

    id: "str"
    letter: "str"
    channel: "str"
    target: "str | None"
    game: "str | None"
    version: "int | None"
    at: "str"
    status: "str"
    reason: "str"
    done: "str | None"


@final
class NotificationPage(TypedDict):
    """A document of the kind `NotificationPage`."""

    items: "list[NotificationResponse]"
    next: "str | None"


@final
class NewAddress(TypedDict):
    """A document of the kind `NewAddress`."""

    email: "str"
    code: "NotRequired[str]"


@final
class AddressResponse(TypedDict):
    """A document of the kind `AddressResponse`."""

    email: "str"
    confirmed: "bool"


@final
class FeedsResponse(TypedDict):
    """A document of the kind `FeedsResponse`."""

    atom: "str | None"
    calendar: "str | None"


@final
class FoundPlayerResponse(TypedDict):
    """A document of the kind `FoundPlayerResponse`."""

    id: "str"
    name: "str"


@final
class FoundPlayersResponse(TypedDict):
    """A document of the kind `FoundPlayersResponse`."""

    items: "list[FoundPlayerResponse]"


@final
class PlayerStatusResponse(TypedDict):
    """A document of the kind `PlayerStatusResponse`."""

    id: "str"
    name: "str"
    bot: "bool"
    seen: "str | None"
    playing: "int"
    deciding: "int"


@final
class PlayerStatusesResponse(TypedDict):
    """A document of the kind `PlayerStatusesResponse`."""

    items: "list[PlayerStatusResponse]"


@final
class PlayedByManyResponse(TypedDict):
    """A document of the kind `PlayedByManyResponse`."""

    players: "int"
    finished: "int"
    won: "int"


@final
class RatingResponse(TypedDict):
    """A document of the kind `RatingResponse`."""

    points: "float"
    mu: "float"
    sigma: "float"
    games: "int"
    won: "int"


@final
class PlayedResponse(TypedDict):
    """A document of the kind `PlayedResponse`."""

    rules: "str"
    finished: "int"
    won: "int"
    by_players: "list[PlayedByManyResponse]"
    rating: "RatingResponse | None"


@final
class OpponentResponse(TypedDict):
    """A document of the kind `OpponentResponse`."""

    player: "str"
    name: "str"
    games: "int"
    before: "int"
    behind: "int"


@final
class CareerResponse(TypedDict):
    """A document of the kind `CareerResponse`."""

    id: "str"
    name: "str"
    bot: "bool"
    since: "str"
    played: "list[PlayedResponse]"
    pace: "float | None"
    decisions: "int"
    late: "int"
    opponents: "list[OpponentResponse]"


@final
class SeatResponse(TypedDict):
    """A document of the kind `SeatResponse`."""

    colour: "str"
    player: "str | None"
    name: "str | None"
    bot: "str | None"
    bot_account: "bool"
    invited: "bool"
    open: "bool"
    offered: "bool"
    was: "str | None"
    may_return: "bool"
    word: "str | None"
    word_drawn: "bool"


@final
class ProposalResponse(TypedDict):
    """A document of the kind `ProposalResponse`."""

    number: "int"
    what: "Literal['undo', 'draw', 'abandon']"
    colour: "str"
    back_to: "int | None"
    asked: "list[str]"


@final
class TimeResponse(TypedDict):
    """A document of the kind `TimeResponse`."""

    colour: "str"
    by: "str | None"
    bank: "int"


@final
class ClockResponse(TypedDict):
    """A document of the kind `ClockResponse`."""

    per_decision: "int"
    bank: "int"
    weekends: "bool"
    quiet: "str | None"
    at_zero: "Literal['bot-plays', 'bot-takes', 'out']"
    times: "list[TimeResponse]"


@final
class GameSummaryResponse(TypedDict):
    """A document of the kind `GameSummaryResponse`."""

    id: "str"
    name: "str | None"
    version: "int"
    status: "Literal['open', 'running', 'over']"
    rules: "str"
    board: "str"
    edition: "str | None"
    options: "dict[str, str]"
    public: "bool"
    imported: "bool"
    host: "str"
    seats: "list[SeatResponse]"
    decides: "list[str]"
    scores: "dict[str, str]"
    winners: "list[str]"
    ended: "Literal['played', 'draw', 'abandoned', 'cancelled'] | None"
    proposal: "ProposalResponse | None"
    clock: "ClockResponse | None"
    created: "str"
    changed: "str"


@final
class GameSummaryPage(TypedDict):
    """A document of the kind `GameSummaryPage`."""

    items: "list[GameSummaryResponse]"
    next: "str | None"


@final
class RatingStepResponse(TypedDict):
    """A document of the kind `RatingStepResponse`."""

    game: "str"
    at: "str"
    points: "float"


@final
class RatingCurveResponse(TypedDict):
    """A document of the kind `RatingCurveResponse`."""

    items: "list[RatingStepResponse]"


@final
class RatedPlayerResponse(TypedDict):
    """A document of the kind `RatedPlayerResponse`."""

    points: "float"
    mu: "float"
    sigma: "float"
    games: "int"
    won: "int"
    player: "str"
    name: "str | None"


@final
class RatedPlayerPage(TypedDict):
    """A document of the kind `RatedPlayerPage`."""

    items: "list[RatedPlayerResponse]"
    next: "str | None"


@final
class SignIn(TypedDict):
    """A document of the kind `SignIn`."""

    email: "str"
    code: "NotRequired[str]"
    request: "NotRequired[str]"
    label: "NotRequired[str]"
    scopes: "NotRequired[list[Literal['read', 'play']]]"


@final
class CodeSentResponse(TypedDict):
    """A document of the kind `CodeSentResponse`."""

    email: "str"
    request: "str"


@final
class TokenResponse(TypedDict):
    """A document of the kind `TokenResponse`."""

    id: "str"
    token: "str"
    player: "str"
    label: "str"
    scopes: "list[str]"
    expires: "str"


@final
class OwnTokenResponse(TypedDict):
    """A document of the kind `OwnTokenResponse`."""

    id: "str"
    label: "str"
    scopes: "list[str]"
    created: "str"
    expires: "str"
    used: "str | None"
    current: "bool"


@final
class OwnTokenPage(TypedDict):
    """A document of the kind `OwnTokenPage`."""

    items: "list[OwnTokenResponse]"
    next: "str | None"


@final
class NewBot(TypedDict):
    """A document of the kind `NewBot`."""

    name: "str"


@final
class BotResponse(TypedDict):
    """A document of the kind `BotResponse`."""

    id: "str"
    name: "str"
    created: "str"
    tokens: "int"


@final
class BotPage(TypedDict):
    """A document of the kind `BotPage`."""

    items: "list[BotResponse]"
    next: "str | None"


@final
class NewBotToken(TypedDict):
    """A document of the kind `NewBotToken`."""

    label: "NotRequired[str]"
    scopes: "NotRequired[list[Literal['read', 'play']]]"


@final
class BlockedResponse(TypedDict):
    """A document of the kind `BlockedResponse`."""

    player: "str"
    name: "str | None"


@final
class BlockedPage(TypedDict):
    """A document of the kind `BlockedPage`."""

    items: "list[BlockedResponse]"
    next: "str | None"


@final
class NewReport(TypedDict):
    """A document of the kind `NewReport`."""

    player: "str"
    text: "str"
    game: "NotRequired[str]"


@final
class ReportResponse(TypedDict):
    """A document of the kind `ReportResponse`."""

    id: "str"
    player: "str"
    game: "str | None"
    text: "str"
    at: "str"


@final
class CompetitionSummaryResponse(TypedDict):
    """A document of the kind `CompetitionSummaryResponse`."""

    id: "str"
    name: "str"
    format: "Literal['round-robin', 'swiss', 'knock-out', 'league', 'duplicate']"
    rules: "str"
    seats: "int"
    status: "Literal['open', 'running', 'over']"
    ended: "Literal['played', 'cancelled', 'too-few'] | None"
    host: "str"
    starts: "str"
    players: "int"
    round: "int"
    version: "int"


@final
class CompetitionSummaryPage(TypedDict):
    """A document of the kind `CompetitionSummaryPage`."""

    items: "list[CompetitionSummaryResponse]"
    next: "str | None"


@final
class NewClock(TypedDict):
    """A document of the kind `NewClock`."""

    per_decision: "int | str"
    bank: "NotRequired[int | str]"
    weekends: "NotRequired[bool]"
    quiet: "NotRequired[str]"
    at_zero: "NotRequired[Literal['bot-plays', 'bot-takes', 'out']]"


@final
class NewCompetition(TypedDict):
    """A document of the kind `NewCompetition`."""

    name: "str"
    format: "Literal['round-robin', 'swiss', 'knock-out', 'league', 'duplicate']"
    rules: "str"
    seats: "int"
    starts: "str"
    rounds: "NotRequired[int]"
    every: "NotRequired[int | str]"
    clock: "NotRequired[NewClock]"
    board: "NotRequired[str | Board]"
    edition: "NotRequired[str]"
    options: "NotRequired[GameOptions]"
    invite: "NotRequired[list[str]]"


@final
class RankResponse(TypedDict):
    """A document of the kind `RankResponse`."""

    place: "int"
    player: "str"
    name: "str | None"
    points: "float"
    opponents: "float"
    wins: "int"
    played: "int"
    forfeits: "int"
    round: "int"
    withdrawn: "bool"
    division: "int"


@final
class RoundTableResponse(TypedDict):
    """A document of the kind `RoundTableResponse`."""

    game: "str"
    players: "list[str]"
    names: "list[str | None]"
    colours: "list[str]"
    places: "list[int] | None"
    scores: "list[str] | None"
    division: "int"
    forfeits: "list[int]"


@final
class RoundResponse(TypedDict):
    """A document of the kind `RoundResponse`."""

    number: "int"
    began: "str"
    tables: "list[RoundTableResponse]"
    byes: "list[str]"


@final
class CompetitionResponse(TypedDict):
    """A document of the kind `CompetitionResponse`."""

    id: "str"
    name: "str"
    format: "Literal['round-robin', 'swiss', 'knock-out', 'league', 'duplicate']"
    rules: "str"
    seats: "int"
    status: "Literal['open', 'running', 'over']"
    ended: "Literal['played', 'cancelled', 'too-few'] | None"
    host: "str"
    starts: "str"
    players: "int"
    round: "int"
    version: "int"
    edition: "str | None"
    options: "dict[str, str]"
    per_decision: "int"
    entered: "bool"
    seal: "str"
    secret: "str | None"
    standings: "list[RankResponse]"
    rounds: "list[RoundResponse]"


@final
class NewSearch(TypedDict):
    """A document of the kind `NewSearch`."""

    rules: "str"
    players: "NotRequired[int]"
    per_decision: "NotRequired[int | str]"
    strength: "NotRequired[Literal['any', 'similar']]"
    least: "NotRequired[int]"
    most: "NotRequired[int]"


@final
class SearchResponse(TypedDict):
    """A document of the kind `SearchResponse`."""

    id: "str"
    rules: "str"
    players: "int"
    per_decision: "int"
    least: "float | None"
    most: "float | None"
    since: "str"
    opens_by: "str"


@final
class SearchListResponse(TypedDict):
    """A document of the kind `SearchListResponse`."""

    items: "list[SearchResponse]"


@final
class NewGame(TypedDict):
    """A document of the kind `NewGame`."""

    rules: "Ruleset"
    seats: "list[dict[str, Any]]"
    board: "NotRequired[str | Board]"
    edition: "NotRequired[Edition]"
    options: "NotRequired[GameOptions]"
    order: "NotRequired[Literal['given', 'random']]"
    join_later: "NotRequired[bool]"
    public: "NotRequired[bool]"
    name: "NotRequired[str]"
    hints: "NotRequired[Literal['against-bots', 'allowed', 'off']]"
    clock: "NotRequired[NewClock]"


@final
class LegalShortResponse(TypedDict):
    """A document of the kind `LegalShortResponse`."""

    count: "int"
    some: "list[str]"


@final
class GameResponse(TypedDict):
    """A document of the kind `GameResponse`."""

    id: "str"
    name: "str | None"
    version: "int"
    status: "Literal['open', 'running', 'over']"
    rules: "str"
    board: "str"
    edition: "str | None"
    options: "dict[str, str]"
    public: "bool"
    imported: "bool"
    host: "str"
    seats: "list[SeatResponse]"
    decides: "list[str]"
    scores: "dict[str, str]"
    winners: "list[str]"
    ended: "Literal['played', 'draw', 'abandoned', 'cancelled'] | None"
    proposal: "ProposalResponse | None"
    clock: "ClockResponse | None"
    created: "str"
    changed: "str"
    you: "str | None"
    position: "Position | None"
    legal: "LegalShortResponse"
    board_data: "Board | None"
    seal: "str"
    scheme: "int"
    secret: "str | None"
    hints: "Literal['against-bots', 'allowed', 'off']"


@final
class ExportedGameResponse(TypedDict):
    """A document of the kind `ExportedGameResponse`."""

    id: "str"
    name: "str | None"
    version: "int"
    status: "Literal['open', 'running', 'over']"
    rules: "str"
    board: "str"
    edition: "str | None"
    options: "dict[str, str]"
    public: "bool"
    imported: "bool"
    host: "str"
    seats: "list[SeatResponse]"
    decides: "list[str]"
    scores: "dict[str, str]"
    winners: "list[str]"
    ended: "Literal['played', 'draw', 'abandoned', 'cancelled'] | None"
    proposal: "ProposalResponse | None"
    clock: "ClockResponse | None"
    created: "str"
    changed: "str"
    record: "str"


@final
class Join(TypedDict):
    """A document of the kind `Join`."""

    word: "NotRequired[str]"
    key: "NotRequired[str]"


@final
class Word(TypedDict):
    """A document of the kind `Word`."""

    word: "str"


@final
class Nothing(TypedDict):
    """A document of the kind `Nothing`."""


@final
class Renamed(TypedDict):
    """A document of the kind `Renamed`."""

    name: "str | None"


@final
class Bots(TypedDict):
    """A document of the kind `Bots`."""

    bot: "NotRequired[str]"


@final
class Withdrawal(TypedDict):
    """A document of the kind `Withdrawal`."""

    seat: "int"
    email: "NotRequired[str]"


@final
class Rematch(TypedDict):
    """A document of the kind `Rematch`."""

    word: "NotRequired[str]"


@final
class NewProposal(TypedDict):
    """A document of the kind `NewProposal`."""

    what: "Literal['undo', 'draw', 'abandon']"


@final
class Heir(TypedDict):
    """A document of the kind `Heir`."""

    email: "NotRequired[str]"
    player: "NotRequired[str]"
    bot: "NotRequired[str]"


@final
class LinkResponse(TypedDict):
    """A document of the kind `LinkResponse`."""

    number: "int"
    what: "Literal['seat', 'look']"
    player: "str"
    key: "str"
    url: "str"
    address: "str | None"


@final
class LinkPage(TypedDict):
    """A document of the kind `LinkPage`."""

    items: "list[LinkResponse]"
    next: "str | None"


@final
class NewLink(TypedDict):
    """A document of the kind `NewLink`."""

    what: "Literal['seat', 'look']"


@final
class NotesResponse(TypedDict):
    """A document of the kind `NotesResponse`."""

    text: "str"


@final
class Notes(TypedDict):
    """A document of the kind `Notes`."""

    text: "str"


@final
class Muted(TypedDict):
    """A document of the kind `Muted`."""

    player: "str"


@final
class Orders(TypedDict):
    """A document of the kind `Orders`."""

    orders: "NotRequired[str]"
    steps: "NotRequired[list[Step]]"


@final
class MoveResponse(TypedDict):
    """A document of the kind `MoveResponse`."""

    id: "str"
    game: "str"
    status: "Literal['queued', 'applied', 'refused']"
    at: "str"
    version: "int | None"
    events: "list[Event]"
    code: "RefusalCode | None"
    step: "int | None"
    detail: "str | None"
    dropped: "list[str]"
    legal: "list[str]"
    legal_count: "int"


@final
class AcceptedResponse(TypedDict):
    """A document of the kind `AcceptedResponse`."""

    id: "str"
    game: "str"
    status: "Literal['queued']"


@final
class RefusalResponse(TypedDict):
    """A document of the kind `RefusalResponse`."""

    code: "RefusalCode"
    step: "int"
    detail: "str"


@final
class ScoreChangeResponse(TypedDict):
    """A document of the kind `ScoreChangeResponse`."""

    before: "str"
    after: "str"
    change: "int | None"


@final
class BranchResponse(TypedDict):
    """A document of the kind `BranchResponse`."""

    outcomes: "list[str]"
    probability: "float"
    refusal: "RefusalResponse | None"
    scores: "dict[str, ScoreChangeResponse]"
    events: "list[Event]"
    position: "Position"
    board: "str"


@final
class PreviewResponse(TypedDict):
    """A document of the kind `PreviewResponse`."""

    version: "int"
    complete: "bool"
    branches: "list[BranchResponse]"


@final
class SupposedLine(TypedDict):
    """A document of the kind `SupposedLine`."""

    version: "NotRequired[int]"
    line: "str"


@final
class TriedMoveResponse(TypedDict):
    """A document of the kind `TriedMoveResponse`."""

    colour: "str"
    orders: "str"
    outcomes: "list[str]"
    events: "list[Event]"
    refusal: "RefusalResponse | None"


@final
class OpenOutcomeResponse(TypedDict):
    """A document of the kind `OpenOutcomeResponse`."""

    outcome: "str"
    probability: "float"


@final
class LineResponse(TypedDict):
    """A document of the kind `LineResponse`."""

    version: "int"
    moves: "list[TriedMoveResponse]"
    open: "list[OpenOutcomeResponse]"
    decides: "list[str]"
    steps: "list[str]"
    scores: "dict[str, str]"
    winners: "list[str]"
    position: "Position"
    board: "str"


@final
class LegalResponse(TypedDict):
    """A document of the kind `LegalResponse`."""

    version: "int"
    colour: "str | None"
    decides: "list[str]"
    steps: "list[str]"
    choices: "list[Choice]"


@final
class AskedResponse(TypedDict):
    """A document of the kind `AskedResponse`."""

    seat: "int"
    by: "str | None"
    bank: "int"


@final
class EntryResponse(TypedDict):
    """A document of the kind `EntryResponse`."""

    version: "int"
    at: "str"
    by: "str | None"
    kind: "str"
    action: "Action"
    rules: "str"
    asked: "list[AskedResponse]"
    before: "str"
    hash: "str"
    entry: "str"


@final
class EntryPage(TypedDict):
    """A document of the kind `EntryPage`."""

    game: "str"
    items: "list[EntryResponse]"
    next: "int | None"


@final
class ShareResponse(TypedDict):
    """A document of the kind `ShareResponse`."""

    colour: "str"
    start: "int"
    result: "int"
    luck: "int"
    skill: "int"
    own: "int"
    lost: "int"
    error: "int"


@final
class MomentResponse(TypedDict):
    """A document of the kind `MomentResponse`."""

    version: "int"
    seat: "int"
    turn: "int"
    before: "list[int]"
    decided: "list[int]"
    drawn: "list[int]"
    further: "list[int]"
    lost: "int"
    error: "int"
    better: "str"
    orders: "str"


@final
class AnalysisResponse(TypedDict):
    """A document of the kind `AnalysisResponse`."""

    status: "Literal['ready', 'pending', 'none']"
    playouts: "NotRequired[int]"
    error: "NotRequired[int]"
    dealt: "NotRequired[list[int]]"
    seats: "NotRequired[list[ShareResponse]]"
    moments: "NotRequired[list[MomentResponse]]"
    turning_points: "NotRequired[list[int]]"


@final
class RulesSectionResponse(TypedDict):
    """A document of the kind `RulesSectionResponse`."""

    name: "str"
    title: "str"
    statements: "dict[str, str]"


@final
class GameRulesResponse(TypedDict):
    """A document of the kind `GameRulesResponse`."""

    name: "str"
    title: "str"
    language: "str"
    players: "list[int]"
    colours: "list[str]"
    editions: "list[str]"
    edition_names: "dict[str, str]"
    edition_options: "dict[str, dict[str, str]]"
    options: "dict[str, list[str]]"
    option_texts: "dict[str, dict[str, str]]"
    boards: "list[str]"
    bots: "list[str]"
    edition: "str | None"
    chosen: "dict[str, str]"
    variant: "str"
    summary: "list[str]"
    sections: "list[RulesSectionResponse]"
    orders: "str"
    order_words: "dict[str, list[str]]"


@final
class HintResponse(TypedDict):
    """A document of the kind `HintResponse`."""

    colour: "str"
    position: "int"
    version: "int"
    current: "bool"
    orders: "str"
    text: "str"
    why: "str"
    chance: "int"
    other: "str"
    less: "int"
    trials: "int"


@final
class HintsResponse(TypedDict):
    """A document of the kind `HintsResponse`."""

    status: "Literal['ready', 'pending', 'none', 'not-allowed']"
    hint: "HintResponse | None"
    items: "list[HintResponse]"


@final
class CautionResponse(TypedDict):
    """A document of the kind `CautionResponse`."""

    code: "str"
    detail: "str"
    values: "dict[str, str]"


@final
class StandingResponse(TypedDict):
    """A document of the kind `StandingResponse`."""

    orders: "str"
    warnings: "list[CautionResponse]"


@final
class StandingOrders(TypedDict):
    """A document of the kind `StandingOrders`."""

    orders: "str"


@final
class AheadBranchResponse(TypedDict):
    """A document of the kind `AheadBranchResponse`."""

    text: "str"
    held: "int"
    legal: "int"
    refusal: "NotRequired[str]"
    detail: "NotRequired[str]"


@final
class AheadResponse(TypedDict):
    """A document of the kind `AheadResponse`."""

    orders: "str"
    samples: "int"
    branches: "list[AheadBranchResponse]"
    conditions: "list[str]"


@final
class NewOrdersAhead(TypedDict):
    """A document of the kind `NewOrdersAhead`."""

    orders: "str"


@final
class MessageResponse(TypedDict):
    """A document of the kind `MessageResponse`."""

    id: "str"
    player: "str"
    name: "str | None"
    at: "str"
    text: "str"


@final
class MessagePage(TypedDict):
    """A document of the kind `MessagePage`."""

    items: "list[MessageResponse]"
    next: "str | None"


@final
class NewMessage(TypedDict):
    """A document of the kind `NewMessage`."""

    text: "str"


@final
class NoticesResponse(TypedDict):
    """A document of the kind `NoticesResponse`."""

    choice: "Literal['every', 'digest', 'webhook', 'none', 'default']"
    letters: "Literal['every', 'digest', 'none']"
    webhooks: "bool"


@final
class ChosenNotices(TypedDict):
    """A document of the kind `ChosenNotices`."""

    choice: "Literal['every', 'digest', 'webhook', 'none', 'default']"


@final
class ChannelResponse(TypedDict):
    """A document of the kind `ChannelResponse`."""

    id: "str"
    game: "str | None"
    created: "str"
    off: "str | None"
    failures: "int"
    last_success: "str | None"
    last_error: "str | None"
    last_error_at: "str | None"
    channel: "Literal['discord', 'gotify', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    host: "str"


@final
class ChannelPage(TypedDict):
    """A document of the kind `ChannelPage`."""

    items: "list[ChannelResponse]"
    next: "str | None"


@final
class NewChannel(TypedDict):
    """A document of the kind `NewChannel`."""

    channel: "Literal['discord', 'gotify', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    target: "str"
    game: "NotRequired[str]"


@final
class MadeChannelResponse(TypedDict):
    """A document of the kind `MadeChannelResponse`."""

    id: "str"
    game: "str | None"
    created: "str"
    off: "str | None"
    failures: "int"
    last_success: "str | None"
    last_error: "str | None"
    last_error_at: "str | None"
    channel: "Literal['discord', 'gotify', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    host: "str"
    secret: "str"


@final
class WebhookResponse(TypedDict):
    """A document of the kind `WebhookResponse`."""

    id: "str"
    game: "str | None"
    created: "str"
    off: "str | None"
    failures: "int"
    last_success: "str | None"
    last_error: "str | None"
    last_error_at: "str | None"
    url: "str"
    kind: "Literal['plain', 'discord', 'slack']"


@final
class WebhookPage(TypedDict):
    """A document of the kind `WebhookPage`."""

    items: "list[WebhookResponse]"
    next: "str | None"


@final
class NewWebhook(TypedDict):
    """A document of the kind `NewWebhook`."""

    url: "str"
    kind: "NotRequired[Literal['plain', 'discord', 'slack']]"
    game: "NotRequired[str]"


@final
class MadeWebhookResponse(TypedDict):
    """A document of the kind `MadeWebhookResponse`."""

    id: "str"
    game: "str | None"
    created: "str"
    off: "str | None"
    failures: "int"
    last_success: "str | None"
    last_error: "str | None"
    last_error_at: "str | None"
    url: "str"
    kind: "Literal['plain', 'discord', 'slack']"
    secret: "str"


@final
class PushKeyResponse(TypedDict):
    """A document of the kind `PushKeyResponse`."""

    key: "str"


@final
class NewPushKeys(TypedDict):
    """A document of the kind `NewPushKeys`."""

    p256dh: "str"
    auth: "str"


@final
class NewPushSubscription(TypedDict):
    """A document of the kind `NewPushSubscription`."""

    endpoint: "str"
    expirationTime: "NotRequired[float | None]"
    keys: "NewPushKeys"


@final
class PushSubscriptionResponse(TypedDict):
    """A document of the kind `PushSubscriptionResponse`."""

    id: "str"
    host: "str"
    created: "str"


@final
class AccountEventResponse(TypedDict):
    """A document of the kind `AccountEventResponse`."""

    id: "str"
    event: (
        "Literal['turn', 'moved', 'over', 'started', 'invited', 'declined', 'said', 'proposed', 'news', 'reminder', 'timed-out', 'missed']"
    )
    at: "str"
    game: "str | None"
    version: "int | None"
    seat: "int | None"
    message: "str | None"


@final
class AccountEventPage(TypedDict):
    """A document of the kind `AccountEventPage`."""

    items: "list[AccountEventResponse]"
    next: "str | None"


@final
class NewRecord(TypedDict):
    """A document of the kind `NewRecord`."""

    record: "str"
    board: "NotRequired[Board]"
    play_on: "NotRequired[bool]"
    seats: "NotRequired[list[dict[str, Any]]]"
    public: "NotRequired[bool]"


@final
class RecordResponse(TypedDict):
    """A document of the kind `RecordResponse`."""

    rules: "str"
    board: "str"
    edition: "str | None"
    status: "Literal['running', 'over']"
    turns: "int"
    colours: "list[str]"
    scores: "dict[str, str]"
    winners: "list[str]"


@final
class BoardNameResponse(TypedDict):
    """A document of the kind `BoardNameResponse`."""

    name: "str"
    rules: "str"


@final
class BoardNamePage(TypedDict):
    """A document of the kind `BoardNamePage`."""

    items: "list[BoardNameResponse]"
    next: "str | None"


@final
class BoardResponse(TypedDict):
    """A document of the kind `BoardResponse`."""

    name: "str"
    rules: "str"
    document: "Board"


@final
class RulesResponse(TypedDict):
    """A document of the kind `RulesResponse`."""

    name: "str"
    title: "str"
    language: "str"
    players: "list[int]"
    colours: "list[str]"
    editions: "list[str]"
    edition_names: "dict[str, str]"
    edition_options: "dict[str, dict[str, str]]"
    options: "dict[str, list[str]]"
    option_texts: "dict[str, dict[str, str]]"
    boards: "list[str]"
    bots: "list[str]"
    edition: "str | None"
    chosen: "dict[str, str]"
    variant: "str"
    summary: "list[str]"
    sections: "list[RulesSectionResponse]"
    orders: "str"
    order_words: "dict[str, list[str]]"
    refusals: "dict[str, str]"


@final
class ReceivedResponse(TypedDict):
    """A document of the kind `ReceivedResponse`."""

    id: "str"


@final
class HealthResponse(TypedDict):
    """A document of the kind `HealthResponse`."""

    status: "str"


@final
class CanaryResponse(TypedDict):
    """A document of the kind `CanaryResponse`."""

    sent: "str"
    back: "str | None"
    seconds: "float | None"


@final
class ReadyResponse(TypedDict):
    """A document of the kind `ReadyResponse`."""

    status: "str"
    canary: "CanaryResponse | None"


@final
class NamedFaultResponse(TypedDict):
    """A document of the kind `NamedFaultResponse`."""

    field: "str"
    code: "RefusalCode"
    detail: "str"


@final
class Problem(TypedDict):
    """A document of the kind `Problem`."""

    type: "str"
    title: "str"
    status: "int"
    detail: "str"
    code: "RefusalCode"
    instance: "str"
    request: "str"
    step: "NotRequired[int]"
    legal: "NotRequired[list[str]]"
    legal_count: "NotRequired[int]"
    dropped: "NotRequired[list[str]]"
    move: "NotRequired[str]"
    version: "NotRequired[int]"
    errors: "NotRequired[list[NamedFaultResponse]]"


@final
class SituationResponse(TypedDict):
    """A document of the kind `SituationResponse`."""

    id: "str"
    version: "int"
    rules: "str"
    status: "Literal['open', 'running', 'over']"
    you: "str | None"
    decides: "list[str]"
    steps: "list[str]"
    position: "Position | None"
    scores: "dict[str, str]"
    winners: "list[str]"
    proposal: "ProposalResponse | None"


@final
class WebhookCallResponse(TypedDict):
    """A document of the kind `WebhookCallResponse`."""

    id: "str"
    event: "Literal['hint', 'turn', 'over', 'started', 'invited', 'declined', 'said', 'proposed', 'news', 'reminder', 'timed-out']"
    text: "str"
    link: "str"
    game: "SituationResponse"


@final
class AlturienShop(TypedDict):
    """A shop on a site."""

    colour: "str"
    houses: "int"


@final
class AlturienFigure(TypedDict):
    """A customer or the thief."""

    kind: "str"
    space: "str"
    facing: "str | None"


@final
class AlturienDebt(TypedDict):
    """What a robbed player owes."""

    colour: "str"
    to: "str | None"
    amount: "int"


@final
class AlturienGameStarted(TypedDict):
    """The game was opened with these colours, this board and these options."""

    event: "Literal['started']"
    rules: "Literal['alturien']"
    colours: "list[str]"
    board: "str | Board"
    options: "AlturienOptions"


@final
class AlturienOptions(TypedDict):
    """Options of `alturien`."""

    setup: "NotRequired[Literal['auto', 'manual']]"
    expansion: "NotRequired[Literal['off', 'on']]"
    variant: "NotRequired[Literal['none', 'long-short']]"
    customer_start: "NotRequired[Literal['grey', 'plain']]"


AlturienSetup: TypeAlias = "Literal['auto', 'manual']"

AlturienExpansion: TypeAlias = "Literal['off', 'on']"

AlturienVariant: TypeAlias = "Literal['long-short', 'none']"

AlturienCustomerStart: TypeAlias = "Literal['grey', 'plain']"


@final
class AlturienCustomerPlaced(TypedDict):
    """A customer was placed in the set-up, by its player or by chance."""

    event: "Literal['customer']"
    rules: "Literal['alturien']"
    seat: "int"
    kind: "str"
    space: "str"
    facing: "str"
    dealt: "bool"


@final
class AlturienShopPlaced(TypedDict):
    """One of the first shops was placed in the set-up, by its player or by chance."""

    event: "Literal['shop']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    dealt: "bool"


@final
class AlturienSupremacyChanged(TypedDict):
    """The supremacy card of a product group went to a player or back to the table."""

    event: "Literal['supremacy']"
    rules: "Literal['alturien']"
    group: "str"
    seat: "int"


@final
class AlturienTurnBegan(TypedDict):
    """A player's turn began."""

    event: "Literal['turn']"
    rules: "Literal['alturien']"
    seat: "int"


@final
class AlturienRolled(TypedDict):
    """The active player's dice were rolled."""

    event: "Literal['rolled']"
    rules: "Literal['alturien']"
    seat: "int"
    dice: "list[str]"


@final
class AlturienFigureMoved(TypedDict):
    """A customer or the thief was moved."""

    event: "Literal['moved']"
    rules: "Literal['alturien']"
    seat: "int"
    figure: "int"
    space: "str"
    facing: "str"
    again: "bool"


@final
class AlturienMoveSkipped(TypedDict):
    """No figure could move with this roll."""

    event: "Literal['stuck']"
    rules: "Literal['alturien']"
    seat: "int"


@final
class AlturienDebtArose(TypedDict):
    """The thief robbed a shop; its owner owes money."""

    event: "Literal['debt']"
    rules: "Literal['alturien']"
    seat: "int"
    to: "int"
    amount: "int"


@final
class AlturienHouseSold(TypedDict):
    """A robbed player sold a house to pay a debt."""

    event: "Literal['house-sold']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    price: "int"
    by_itself: "bool"


@final
class AlturienCardSold(TypedDict):
    """A robbed player sold a card to pay a debt."""

    event: "Literal['card-sold']"
    rules: "Literal['alturien']"
    seat: "int"
    card: "str"
    price: "int"
    by_itself: "bool"


@final
class AlturienDebtPaid(TypedDict):
    """A robbed player paid the debt, or as much of it as there was."""

    event: "Literal['debt-paid']"
    rules: "Literal['alturien']"
    seat: "int"
    to: "int"
    amount: "int"


@final
class AlturienGuardGiven(TypedDict):
    """The city guard now protects this player."""

    event: "Literal['guard']"
    rules: "Literal['alturien']"
    seat: "int"


@final
class AlturienCustomerBought(TypedDict):
    """A customer bought in a shop; its owner was paid."""

    event: "Literal['bought']"
    rules: "Literal['alturien']"
    figure: "int"
    site: "str"
    seat: "int"
    amount: "int"


@final
class AlturienShopBought(TypedDict):
    """A player built the first house on a free site."""

    event: "Literal['shop-bought']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    cost: "int"


@final
class AlturienShopDeveloped(TypedDict):
    """A player added a house to a shop."""

    event: "Literal['developed']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    cost: "int"


@final
class AlturienHouseMoved(TypedDict):
    """A player moved a house from one own shop to another."""

    event: "Literal['house-moved']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    to: "str"
    cost: "int"


@final
class AlturienCardBought(TypedDict):
    """A player bought a prestige, ship, post, cart or staff card."""

    event: "Literal['card']"
    rules: "Literal['alturien']"
    seat: "int"
    card: "str"
    cost: "int"


@final
class AlturienPassed(TypedDict):
    """A player ended the turn without an investment."""

    event: "Literal['passed']"
    rules: "Literal['alturien']"
    seat: "int"


@final
class AlturienLastRoundBegan(TypedDict):
    """Somebody has the prestige that decides the game, or no prestige is left; the round is played to its end."""

    event: "Literal['last-round']"
    rules: "Literal['alturien']"
    seat: "int"


@final
class AlturienThiefEntered(TypedDict):
    """The thief came out of the harbour; the poorest player decides where it faces."""

    event: "Literal['thief']"
    rules: "Literal['alturien']"
    seat: "int"
    space: "str"


@final
class AlturienThiefFaced(TypedDict):
    """The poorest player turned the thief."""

    event: "Literal['faced']"
    rules: "Literal['alturien']"
    seat: "int"
    facing: "str"


@final
class AlturienGameEnded(TypedDict):
    """The game ended with these winners."""

    event: "Literal['ended']"
    rules: "Literal['alturien']"
    winners: "list[int]"


@final
class AlturienPlaceCustomer(TypedDict):
    """`customer duke a1>b1`: set-up, the duke on a1, facing b1."""

    kind: "Literal['customer']"
    customer: "str"
    space: "str"
    facing: "NotRequired[str | None]"


@final
class AlturienPlaceShop(TypedDict):
    """`shop b1`: set-up, a first house."""

    kind: "Literal['shop']"
    site: "str"


@final
class AlturienMove(TypedDict):
    """`c1-e1-e4>e5`: the figure on c1 by e1 to e4, facing e5. `c:` or `t:` before it says customer or thief."""

    kind: "Literal['move']"
    named: "list[str]"
    facing: "NotRequired[str | None]"
    sign: "NotRequired[str | None]"


@final
class AlturienIf(TypedDict):
    """`if 1-3: c1-e1>e2`: the move for that face of the die."""

    kind: "Literal['if']"
    face: "str"
    move: "AlturienMove"


@final
class AlturienFaceThief(TypedDict):
    """`thief >f4`: the poorest player faces the entering thief."""

    kind: "Literal['thief']"
    facing: "str | None"


@final
class AlturienBuy(TypedDict):
    """`buy b1`: a first house on a free site."""

    kind: "Literal['buy']"
    site: "str"


@final
class AlturienDevelop(TypedDict):
    """`develop c1`: one more house on your shop."""

    kind: "Literal['develop']"
    site: "str"


@final
class AlturienMoveHouse(TypedDict):
    """`move-house c1 f4`: one of your houses to another of your shops."""

    kind: "Literal['move-house']"
    site: "str"
    to: "str"


@final
class AlturienBuyCard(TypedDict):
    """`prestige`, `ship`, `post`, `cart` or `staff`."""

    kind: "Literal['card']"
    card: "str"


@final
class AlturienPass(TypedDict):
    """`pass`: no investment; ends the turn."""

    kind: "Literal['pass']"


@final
class AlturienSellCard(TypedDict):
    """`sell prestige`, `sell ship`: pays a debt."""

    kind: "Literal['sell-card']"
    card: "str"


@final
class AlturienSellHouse(TypedDict):
    """`sell house c1`: pays a debt."""

    kind: "Literal['sell-house']"
    site: "str"


@final
class AlturienStuck(TypedDict):
    """`stuck`: says what happened by itself, that no figure can move. Records write it."""

    kind: "Literal['stuck']"


@final
class AlturienPosition(TypedDict):
    """A position of The Market of Alturien. Nothing on the table is hidden."""

    rules: "Literal['alturien']"
    board: "str"
    options: "dict[str, str]"
    turn: "int"
    decides: "str | None"
    asks: "str | None"
    roll: "list[str]"
    money: "dict[str, int]"
    prestige: "dict[str, int]"
    cards: "dict[str, list[str]]"
    houses: "dict[str, int]"
    shops: "dict[str, AlturienShop]"
    figures: "list[AlturienFigure]"
    supremacy: "dict[str, str | None]"
    guard: "str | None"
    debt: "AlturienDebt | None"
    last_round: "bool"
    winners: "list[str]"


AlturienEvent: TypeAlias = "AlturienGameStarted | AlturienCustomerPlaced | AlturienShopPlaced | AlturienSupremacyChanged | AlturienTurnBegan | AlturienRolled | AlturienFigureMoved | AlturienMoveSkipped | AlturienDebtArose | AlturienHouseSold | AlturienCardSold | AlturienDebtPaid | AlturienGuardGiven | AlturienCustomerBought | AlturienShopBought | AlturienShopDeveloped | AlturienHouseMoved | AlturienCardBought | AlturienPassed | AlturienLastRoundBegan | AlturienThiefEntered | AlturienThiefFaced | AlturienGameEnded"

AlturienStep: TypeAlias = "AlturienPlaceCustomer | AlturienPlaceShop | AlturienMove | AlturienIf | AlturienFaceThief | AlturienBuy | AlturienDevelop | AlturienMoveHouse | AlturienBuyCard | AlturienPass | AlturienSellCard | AlturienSellHouse | AlturienStuck"


@final
class AlturienBoard(TypedDict):
    """A town as somebody types it in. Several spaces, and the faces of the die, are separated by spaces."""

    rules: "Literal['alturien']"
    name: "str"
    streets: "list[str]"
    sites: "dict[str, str]"
    grey: "str"
    middle: "str"
    die: "str"


@final
class AlturienChoice(TypedDict):
    """A legal step of `alturien`."""

    rules: "Literal['alturien']"
    kind: "str"
    places: "list[str]"
    cost: "int"
    text: "str"
    step: "AlturienStep"


@final
class PortobelloTiles(TypedDict):
    """The action tiles of a player, face up and face down."""

    open: "list[PortobelloTile]"
    closed: "list[PortobelloTile]"


@final
class PortobelloTile(TypedDict):
    """An action tile of a player."""

    number: "int"
    own: "bool"


@final
class PortobelloMark(TypedDict):
    """The tile with which a district was marked."""

    colour: "str"
    tile: "int"


@final
class PortobelloGameStarted(TypedDict):
    """The game was opened with these colours, this board and these options."""

    event: "Literal['started']"
    rules: "Literal['portobello']"
    colours: "list[str]"
    board: "str | Board"
    edition: "str"
    options: "PortobelloOptions"
    queue: "list[str]"


@final
class PortobelloOptions(TypedDict):
    """Options of `portobello`."""

    start_score: "NotRequired[int]"
    lord: "NotRequired[Literal['automatic', 'action']]"
    co_majority: "NotRequired[Literal['pay', 'free']]"
    bobby_placer: "NotRequired[Literal['right', 'left', 'first']]"
    neutral_arrives: "NotRequired[Literal['open', 'closed']]"
    customers: "NotRequired[Literal['bag', 'queue']]"


PortobelloLordArrival: TypeAlias = "Literal['action', 'automatic']"

PortobelloCoMajority: TypeAlias = "Literal['free', 'pay']"

PortobelloBobbyPlacer: TypeAlias = "Literal['first', 'left', 'right']"

PortobelloNeutralArrival: TypeAlias = "Literal['closed', 'open']"

PortobelloCustomerSupply: TypeAlias = "Literal['bag', 'queue']"


@final
class PortobelloBobbyPlaced(TypedDict):
    """The Bobby was placed before turn 1."""

    event: "Literal['bobby-placed']"
    rules: "Literal['portobello']"
    seat: "int"
    district: "int"


@final
class PortobelloTileChosen(TypedDict):
    """The active player chose an action tile."""

    event: "Literal['tile']"
    rules: "Literal['portobello']"
    seat: "int"
    number: "int"


@final
class PortobelloStallBuilt(TypedDict):
    """A stall was built on a lane."""

    event: "Literal['stall']"
    rules: "Literal['portobello']"
    seat: "int"
    lane: "str"
    space: "int"


@final
class PortobelloCustomerDrawn(TypedDict):
    """A customer was drawn from the bag."""

    event: "Literal['drawn']"
    rules: "Literal['portobello']"
    seat: "int"
    kind: "str"


@final
class PortobelloCustomerPlaced(TypedDict):
    """The drawn customer was placed on a square."""

    event: "Literal['placed']"
    rules: "Literal['portobello']"
    seat: "int"
    kind: "str"
    square: "str"


@final
class PortobelloLordPlaced(TypedDict):
    """The lord was placed on the last free square."""

    event: "Literal['lord']"
    rules: "Literal['portobello']"
    seat: "int"
    square: "str"
    action: "bool"


@final
class PortobelloLaneScored(TypedDict):
    """A lane was scored."""

    event: "Literal['lane']"
    rules: "Literal['portobello']"
    lane: "str"
    points: "list[int]"


@final
class PortobelloBobbyMoved(TypedDict):
    """The Bobby was moved to another district, and tolls were paid."""

    event: "Literal['bobby']"
    rules: "Literal['portobello']"
    seat: "int"
    route: "list[int]"
    points: "list[int]"


@final
class PortobelloDistrictMarked(TypedDict):
    """A player marked a district with a tile and scored it."""

    event: "Literal['marked']"
    rules: "Literal['portobello']"
    seat: "int"
    district: "int"
    slot: "int"
    number: "int"
    points: "int"
    neutral: "int"
    open: "bool"


@final
class PortobelloTurnClosed(TypedDict):
    """The active player's turn ended."""

    event: "Literal['closed']"
    rules: "Literal['portobello']"
    seat: "int"
    slot: "int"
    reopened: "bool"
    cut_short: "bool"
    next: "int"


@final
class PortobelloGameEnded(TypedDict):
    """The game ended with these winners."""

    event: "Literal['ended']"
    rules: "Literal['portobello']"
    winners: "list[int]"


@final
class PortobelloChooseTile(TypedDict):
    """`3:` or `tile 3`."""

    kind: "Literal['tile']"
    number: "int"


@final
class PortobelloStall(TypedDict):
    """`stall A-B`: on an empty lane at A's end. `stall AB` is enough on a started lane."""

    kind: "Literal['stall']"
    lane: "str"
    start: "NotRequired[str | None]"


@final
class PortobelloDraw(TypedDict):
    """`customer C`, or `customer clerk C citizen D`: draw and put it there."""

    kind: "Literal['customer']"
    clerk: "str"
    citizen: "str"


@final
class PortobelloDrawAndSee(TypedDict):
    """`customer`: draw and look; with branches, go on by what came."""

    kind: "Literal['look']"
    branches: "NotRequired[list[PortobelloIfDrawn]]"


@final
class PortobelloIfDrawn(TypedDict):
    """`if citizen: place C; stall A-B`: the rest of the turn for that outcome."""

    kind: "str"
    steps: "list[PortobelloChooseTile | PortobelloStall | PortobelloDraw | PortobelloDrawAndSee | PortobelloPlace | PortobelloLord | PortobelloBobby | PortobelloMarkDistrict | PortobelloEnd]"


@final
class PortobelloPlace(TypedDict):
    """`place C`: put the drawn customer down."""

    kind: "Literal['place']"
    square: "str"


@final
class PortobelloLord(TypedDict):
    """`lord`: place the lord on the one free square."""

    kind: "Literal['lord']"


@final
class PortobelloBobby(TypedDict):
    """`bobby 5`: by the engine's route. `bobby 4-5`: through 4 into 5."""

    kind: "Literal['bobby']"
    route: "list[int]"


@final
class PortobelloMarkDistrict(TypedDict):
    """`mark 5`: mark the district with the chosen tile."""

    kind: "Literal['mark']"
    district: "int"


@final
class PortobelloEnd(TypedDict):
    """`end`: end early, when no action is left to take."""

    kind: "Literal['end']"


@final
class PortobelloPosition(TypedDict):
    """A position of Portobello Market. Nothing on the table is hidden; the order of the bag is not fixed before it is drawn."""

    rules: "Literal['portobello']"
    board: "str"
    edition: "str"
    turn: "int"
    decides: "str | None"
    scores: "dict[str, int]"
    bobby: "int | None"
    squares: "dict[str, str | None]"
    lanes: "dict[str, list[str | None]]"
    scored: "list[str]"
    tiles: "dict[str, PortobelloTiles]"
    neutral: "list[int]"
    stalls: "dict[str, int]"
    marks: "dict[str, PortobelloMark]"
    bag: "dict[str, int]"
    queue: "list[str] | None"
    hand: "str | None"
    chosen: "int | None"
    used: "int"
    winners: "list[str]"


PortobelloEvent: TypeAlias = "PortobelloGameStarted | PortobelloBobbyPlaced | PortobelloTileChosen | PortobelloStallBuilt | PortobelloCustomerDrawn | PortobelloCustomerPlaced | PortobelloLordPlaced | PortobelloLaneScored | PortobelloBobbyMoved | PortobelloDistrictMarked | PortobelloTurnClosed | PortobelloGameEnded"

PortobelloStep: TypeAlias = "PortobelloChooseTile | PortobelloStall | PortobelloDraw | PortobelloDrawAndSee | PortobelloPlace | PortobelloLord | PortobelloBobby | PortobelloMarkDistrict | PortobelloEnd"


@final
class PortobelloBoard(TypedDict):
    """A market as somebody types it in."""

    rules: "Literal['portobello']"
    name: "str"
    squares: "dict[str, list[int]]"
    lanes: "dict[str, list[int]]"
    districts: "dict[str, str]"


@final
class PortobelloChoice(TypedDict):
    """A legal step of `portobello`."""

    rules: "Literal['portobello']"
    kind: "str"
    places: "list[str]"
    cost: "int"
    text: "str"
    step: "PortobelloStep"


@final
class OpenedAction(TypedDict):
    """The game was opened; the first entry of every log."""

    kind: "Literal['opened']"
    rules: "str"
    board: "str | Board"
    edition: "str | None"
    options: "dict[str, str]"
    colours: "list[str]"
    seats: "list[SeatPlan]"
    host: "str"
    public: "bool"
    seal: "str"
    imported: "bool"
    clock: "TimeControl | None"
    scheme: "int"
    shuffled: "bool"
    competition: "str"
    found: "bool"
    hints: "HintRule"


@final
class SeatPlan(TypedDict):
    """Who has a seat: a player, an invited player, a bot, or nobody yet."""

    player: "str | None"
    invited: "str | None"
    bot: "str | None"


@final
class TimeControl(TypedDict):
    """How long players may think. Times are milliseconds of playing time."""

    per_decision: "int"
    bank: "int"
    weekends: "bool"
    quiet: "list[Any] | None"
    at_zero: "AtZero"


AtZero: TypeAlias = "Literal['bot-plays', 'bot-takes', 'out']"

HintRule: TypeAlias = "Literal['against-bots', 'allowed', 'off']"


@final
class NamedAction(TypedDict):
    """The host named the game before it began; an empty name takes its name away."""

    kind: "Literal['named']"
    name: "str"


@final
class ContributedAction(TypedDict):
    """A seat contributed a word to the chance of this game. Until the game begins, a later word of the same seat replaces it."""

    kind: "Literal['contributed']"
    seat: "int"
    word: "str"
    drawn: "bool"


@final
class JoinedAction(TypedDict):
    """A player took a seat."""

    kind: "Literal['joined']"
    seat: "int"
    player: "str"


@final
class LeftAction(TypedDict):
    """A seat became free before the game began."""

    kind: "Literal['left']"
    seat: "int"


@final
class BeganAction(TypedDict):
    """All seats were filled: the opening of the game, and what followed from it by itself."""

    kind: "Literal['began']"
    events: "list[Event]"
    due: "int"
    order: "list[int]"


@final
class MovedAction(TypedDict):
    """Orders were carried out."""

    kind: "Literal['moved']"
    seat: "int"
    move: "str"
    orders: "str"
    events: "list[Event]"
    due: "int"
    told: "bool"
    standing: "bool"
    ahead: "bool"


@final
class ResignedAction(TypedDict):
    """A player resigned; a bot plays on in the seat."""

    kind: "Literal['resigned']"
    seat: "int"
    bot: "str"


@final
class UndoneAction(TypedDict):
    """The position was set back to that after an earlier version. The entries in between stay in the log."""

    kind: "Literal['undone']"
    seat: "int"
    back_to: "int"
    agreed: "bool"


@final
class ProposedAction(TypedDict):
    """A player proposed something that all others must agree to. Its number is the version of its entry; any move makes it lapse."""

    kind: "Literal['proposed']"
    seat: "int"
    what: "ProposalKind"
    back_to: "int | None"


ProposalKind: TypeAlias = "Literal['abandon', 'draw', 'undo']"


@final
class AgreedAction(TypedDict):
    """A player agreed to a proposal."""

    kind: "Literal['agreed']"
    seat: "int"
    number: "int"


@final
class DisagreedAction(TypedDict):
    """A player disagreed with a proposal, which ends it."""

    kind: "Literal['disagreed']"
    seat: "int"
    number: "int"


@final
class EndedAction(TypedDict):
    """The players ended the game before its rules did."""

    kind: "Literal['ended']"
    how: "Ending"
    winners: "list[int]"


Ending: TypeAlias = "Literal['abandoned', 'cancelled', 'draw', 'played']"


@final
class OfferedAction(TypedDict):
    """A player offered the seat to another, who must accept it; `None` takes the offer back."""

    kind: "Literal['offered']"
    seat: "int"
    player: "str | None"


@final
class HandedOverAction(TypedDict):
    """A seat went to another player or a bot, who plays on; before the game begins also to another invited player."""

    kind: "Literal['handed-over']"
    seat: "int"
    to: "SeatPlan"


@final
class LinkedAction(TypedDict):
    """A link was made. Its key is derived from the version of this entry and is not in the log."""

    kind: "Literal['linked']"
    what: "LinkKind"
    player: "str"


LinkKind: TypeAlias = "Literal['look', 'seat']"


@final
class UnlinkedAction(TypedDict):
    """The link of that version was revoked."""

    kind: "Literal['unlinked']"
    number: "int"


@final
class RevealedAction(TypedDict):
    """The game is over and its secret public: everybody can verify the chance."""

    kind: "Literal['revealed']"
    secret: "str"


@final
class PostponedAction(TypedDict):
    """The deadline of a seat was moved because of an outage or a vacation."""

    kind: "Literal['postponed']"
    seat: "int"
    by: "int"
    why: "PostponeReason"
    counted: "int"


PostponeReason: TypeAlias = "Literal['outage', 'vacation']"


@final
class RemindedAction(TypedDict):
    """A player was reminded of a deadline."""

    kind: "Literal['reminded']"
    seat: "int"
    nth: "int"


@final
class TimedOutAction(TypedDict):
    """The time of a seat was up."""

    kind: "Literal['timed-out']"
    seat: "int"
    what: "AtZero"
    bot: "str"


@final
class ReturnedAction(TypedDict):
    """A player came back to a seat that a bot had taken, and plays on from the next turn."""

    kind: "Literal['returned']"
    seat: "int"
    player: "str"


@final
class HintAskedAction(TypedDict):
    """A player asked for a hint in the position after an earlier version."""

    kind: "Literal['hint-asked']"
    seat: "int"
    position: "int"


@final
class HintedAction(TypedDict):
    """A player was given a hint: the orders that the bot `strong` prefers in the position after an earlier version."""

    kind: "Literal['hinted']"
    seat: "int"
    position: "int"
    orders: "str"
    chance: "int"
    other: "str"
    less: "int"
    trials: "int"


Action: TypeAlias = "OpenedAction | NamedAction | ContributedAction | JoinedAction | LeftAction | BeganAction | MovedAction | ResignedAction | UndoneAction | ProposedAction | AgreedAction | DisagreedAction | EndedAction | OfferedAction | HandedOverAction | LinkedAction | UnlinkedAction | RevealedAction | PostponedAction | RemindedAction | TimedOutAction | ReturnedAction | HintAskedAction | HintedAction"

Ruleset: TypeAlias = "str"

Edition: TypeAlias = "str"

GameOptions: TypeAlias = "AlturienOptions | PortobelloOptions"

Position: TypeAlias = "AlturienPosition | PortobelloPosition"

Event: TypeAlias = "AlturienEvent | PortobelloEvent"

Choice: TypeAlias = "AlturienChoice | PortobelloChoice"

Step: TypeAlias = "AlturienStep | PortobelloStep"

Board: TypeAlias = "AlturienBoard | PortobelloBoard"

RefusalCode: TypeAlias = "str"
