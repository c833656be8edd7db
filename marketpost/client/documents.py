"""The documents of the API as types. Written by `python -m tests.client_code` from openapi.yaml; do not edit."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class NewPlayer(TypedDict):
    """A document of the kind `NewPlayer`."""

    email: "str"
    name: "str"
    language: "NotRequired[Literal['en', 'de', 'fr', 'it']]"
    timezone: "NotRequired[str]"


class RegisteredResponse(TypedDict):
    """A document of the kind `RegisteredResponse`."""

    email: "str"
    name: "str"
    language: "str"
    timezone: "str"


VacationResponse = TypedDict("VacationResponse", {"from": "str", "to": "str"})


class PlayerResponse(TypedDict):
    """A document of the kind `PlayerResponse`."""

    id: "str"
    email: "str"
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
    replay: "NotRequired[bool]"


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


class NotificationPage(TypedDict):
    """A document of the kind `NotificationPage`."""

    items: "list[NotificationResponse]"
    next: "str | None"


class NewAddress(TypedDict):
    """A document of the kind `NewAddress`."""

    email: "str"
    code: "NotRequired[str]"


class AddressResponse(TypedDict):
    """A document of the kind `AddressResponse`."""

    email: "str"
    confirmed: "bool"


class FeedsResponse(TypedDict):
    """A document of the kind `FeedsResponse`."""

    atom: "str | None"
    calendar: "str | None"


class RatingResponse(TypedDict):
    """A document of the kind `RatingResponse`."""

    points: "float"
    mu: "float"
    sigma: "float"
    games: "int"
    won: "int"


class PlayedResponse(TypedDict):
    """A document of the kind `PlayedResponse`."""

    rules: "str"
    finished: "int"
    won: "int"
    rating: "RatingResponse | None"


class CareerResponse(TypedDict):
    """A document of the kind `CareerResponse`."""

    id: "str"
    name: "str | None"
    since: "str | None"
    played: "list[PlayedResponse]"
    pace: "float | None"


class SeatResponse(TypedDict):
    """A document of the kind `SeatResponse`."""

    colour: "str"
    player: "str | None"
    name: "str | None"
    bot: "str | None"
    invited: "bool"
    open: "bool"
    offered: "bool"
    was: "str | None"
    may_return: "bool"
    word: "str | None"
    word_drawn: "bool"


class ProposalResponse(TypedDict):
    """A document of the kind `ProposalResponse`."""

    number: "int"
    what: "Literal['undo', 'draw', 'abandon']"
    colour: "str"
    back_to: "int | None"
    asked: "list[str]"


class TimeResponse(TypedDict):
    """A document of the kind `TimeResponse`."""

    colour: "str"
    by: "str | None"
    bank: "int"


class ClockResponse(TypedDict):
    """A document of the kind `ClockResponse`."""

    per_decision: "int"
    bank: "int"
    weekends: "bool"
    quiet: "str | None"
    at_zero: "Literal['bot-plays', 'bot-takes', 'out']"
    times: "list[TimeResponse]"


class GameSummaryResponse(TypedDict):
    """A document of the kind `GameSummaryResponse`."""

    id: "str"
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


class GameSummaryPage(TypedDict):
    """A document of the kind `GameSummaryPage`."""

    items: "list[GameSummaryResponse]"
    next: "str | None"


class RatedPlayerResponse(TypedDict):
    """A document of the kind `RatedPlayerResponse`."""

    points: "float"
    mu: "float"
    sigma: "float"
    games: "int"
    won: "int"
    player: "str"
    name: "str | None"


class RatedPlayerPage(TypedDict):
    """A document of the kind `RatedPlayerPage`."""

    items: "list[RatedPlayerResponse]"
    next: "str | None"


class SignIn(TypedDict):
    """A document of the kind `SignIn`."""

    email: "str"
    code: "NotRequired[str]"
    request: "NotRequired[str]"
    label: "NotRequired[str]"
    scopes: "NotRequired[list[Literal['read', 'play']]]"


class CodeSentResponse(TypedDict):
    """A document of the kind `CodeSentResponse`."""

    email: "str"
    request: "str"


class TokenResponse(TypedDict):
    """A document of the kind `TokenResponse`."""

    id: "str"
    token: "str"
    player: "str"
    label: "str"
    scopes: "list[str]"
    expires: "str"


class OwnTokenResponse(TypedDict):
    """A document of the kind `OwnTokenResponse`."""

    id: "str"
    label: "str"
    scopes: "list[str]"
    created: "str"
    expires: "str"
    used: "str | None"
    current: "bool"


class OwnTokenPage(TypedDict):
    """A document of the kind `OwnTokenPage`."""

    items: "list[OwnTokenResponse]"
    next: "str | None"


class BlockedResponse(TypedDict):
    """A document of the kind `BlockedResponse`."""

    player: "str"
    name: "str | None"


class BlockedPage(TypedDict):
    """A document of the kind `BlockedPage`."""

    items: "list[BlockedResponse]"
    next: "str | None"


class NewReport(TypedDict):
    """A document of the kind `NewReport`."""

    player: "str"
    text: "str"
    game: "NotRequired[str]"


class ReportResponse(TypedDict):
    """A document of the kind `ReportResponse`."""

    id: "str"
    player: "str"
    game: "str | None"
    text: "str"
    at: "str"


class NewClock(TypedDict):
    """A document of the kind `NewClock`."""

    per_decision: "int | str"
    bank: "NotRequired[int | str]"
    weekends: "NotRequired[bool]"
    quiet: "NotRequired[str]"
    at_zero: "NotRequired[Literal['bot-plays', 'bot-takes', 'out']]"


class NewGame(TypedDict):
    """A document of the kind `NewGame`."""

    rules: "str"
    seats: "list[dict[str, Any]]"
    board: "NotRequired[str | dict[str, Any]]"
    edition: "NotRequired[str]"
    options: "NotRequired[dict[str, Any]]"
    order: "NotRequired[Literal['given', 'random']]"
    join_later: "NotRequired[bool]"
    public: "NotRequired[bool]"
    clock: "NotRequired[NewClock]"


class LegalShortResponse(TypedDict):
    """A document of the kind `LegalShortResponse`."""

    count: "int"
    some: "list[str]"


class GameResponse(TypedDict):
    """A document of the kind `GameResponse`."""

    id: "str"
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
    board_data: "dict[str, Any] | None"
    seal: "str"
    scheme: "int"
    secret: "str | None"


class Join(TypedDict):
    """A document of the kind `Join`."""

    word: "NotRequired[str]"
    key: "NotRequired[str]"


class Word(TypedDict):
    """A document of the kind `Word`."""

    word: "str"


class Nothing(TypedDict):
    """A document of the kind `Nothing`."""


class Bots(TypedDict):
    """A document of the kind `Bots`."""

    bot: "NotRequired[str]"


class SeatNumber(TypedDict):
    """A document of the kind `SeatNumber`."""

    seat: "int"


class Rematch(TypedDict):
    """A document of the kind `Rematch`."""

    word: "NotRequired[str]"


class NewProposal(TypedDict):
    """A document of the kind `NewProposal`."""

    what: "Literal['undo', 'draw', 'abandon']"


class Heir(TypedDict):
    """A document of the kind `Heir`."""

    email: "NotRequired[str]"
    player: "NotRequired[str]"
    bot: "NotRequired[str]"


class LinkResponse(TypedDict):
    """A document of the kind `LinkResponse`."""

    number: "int"
    what: "Literal['seat', 'look']"
    player: "str"
    key: "str"
    url: "str"
    address: "str | None"


class LinkPage(TypedDict):
    """A document of the kind `LinkPage`."""

    items: "list[LinkResponse]"
    next: "str | None"


class NewLink(TypedDict):
    """A document of the kind `NewLink`."""

    what: "Literal['seat', 'look']"


class NotesResponse(TypedDict):
    """A document of the kind `NotesResponse`."""

    text: "str"


class Notes(TypedDict):
    """A document of the kind `Notes`."""

    text: "str"


class Muted(TypedDict):
    """A document of the kind `Muted`."""

    player: "str"


class Orders(TypedDict):
    """A document of the kind `Orders`."""

    orders: "NotRequired[str]"
    steps: "NotRequired[list[Step]]"


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


class AcceptedResponse(TypedDict):
    """A document of the kind `AcceptedResponse`."""

    id: "str"
    game: "str"
    status: "Literal['queued']"


class RefusalResponse(TypedDict):
    """A document of the kind `RefusalResponse`."""

    code: "dict[str, Any]"
    step: "int"
    detail: "str"


class ScoreChangeResponse(TypedDict):
    """A document of the kind `ScoreChangeResponse`."""

    before: "str"
    after: "str"
    change: "int | None"


class BranchResponse(TypedDict):
    """A document of the kind `BranchResponse`."""

    outcomes: "list[str]"
    probability: "float"
    refusal: "RefusalResponse | None"
    scores: "dict[str, ScoreChangeResponse]"
    events: "list[Event]"
    position: "dict[str, Any]"
    board: "str"


class PreviewResponse(TypedDict):
    """A document of the kind `PreviewResponse`."""

    version: "int"
    complete: "bool"
    branches: "list[BranchResponse]"


class LegalResponse(TypedDict):
    """A document of the kind `LegalResponse`."""

    version: "int"
    colour: "str | None"
    decides: "list[str]"
    steps: "list[str]"
    choices: "list[Choice]"


class AskedResponse(TypedDict):
    """A document of the kind `AskedResponse`."""

    seat: "int"
    by: "str | None"
    bank: "int"


class EntryResponse(TypedDict):
    """A document of the kind `EntryResponse`."""

    version: "int"
    at: "str"
    by: "str | None"
    kind: "str"
    action: "dict[str, Any]"
    rules: "str"
    asked: "list[AskedResponse]"
    before: "str"
    hash: "str"
    entry: "str"


class EntryPage(TypedDict):
    """A document of the kind `EntryPage`."""

    game: "str"
    items: "list[EntryResponse]"
    next: "int | None"


class RulesSectionResponse(TypedDict):
    """A document of the kind `RulesSectionResponse`."""

    name: "str"
    title: "str"
    statements: "dict[str, str]"


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


class CautionResponse(TypedDict):
    """A document of the kind `CautionResponse`."""

    code: "str"
    detail: "str"
    values: "dict[str, str]"


class StandingResponse(TypedDict):
    """A document of the kind `StandingResponse`."""

    orders: "str"
    warnings: "list[CautionResponse]"


class StandingOrders(TypedDict):
    """A document of the kind `StandingOrders`."""

    orders: "str"


class MessageResponse(TypedDict):
    """A document of the kind `MessageResponse`."""

    id: "str"
    player: "str"
    name: "str | None"
    at: "str"
    text: "str"


class MessagePage(TypedDict):
    """A document of the kind `MessagePage`."""

    items: "list[MessageResponse]"
    next: "str | None"


class NewMessage(TypedDict):
    """A document of the kind `NewMessage`."""

    text: "str"


class NoticesResponse(TypedDict):
    """A document of the kind `NoticesResponse`."""

    choice: "Literal['every', 'digest', 'webhook', 'none', 'default']"
    letters: "Literal['every', 'digest', 'none']"
    webhooks: "bool"


class ChosenNotices(TypedDict):
    """A document of the kind `ChosenNotices`."""

    choice: "Literal['every', 'digest', 'webhook', 'none', 'default']"


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
    channel: "Literal['discord', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    host: "str"


class ChannelPage(TypedDict):
    """A document of the kind `ChannelPage`."""

    items: "list[ChannelResponse]"
    next: "str | None"


class NewChannel(TypedDict):
    """A document of the kind `NewChannel`."""

    channel: "Literal['discord', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    target: "str"
    game: "NotRequired[str]"


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
    channel: "Literal['discord', 'matrix', 'ntfy', 'signal', 'slack', 'telegram', 'webhook', 'webpush']"
    host: "str"
    secret: "str"


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


class WebhookPage(TypedDict):
    """A document of the kind `WebhookPage`."""

    items: "list[WebhookResponse]"
    next: "str | None"


class NewWebhook(TypedDict):
    """A document of the kind `NewWebhook`."""

    url: "str"
    kind: "NotRequired[Literal['plain', 'discord', 'slack']]"
    game: "NotRequired[str]"


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


class PushKeyResponse(TypedDict):
    """A document of the kind `PushKeyResponse`."""

    key: "str"


class NewPushKeys(TypedDict):
    """A document of the kind `NewPushKeys`."""

    p256dh: "str"
    auth: "str"


class NewPushSubscription(TypedDict):
    """A document of the kind `NewPushSubscription`."""

    endpoint: "str"
    expirationTime: "NotRequired[dict[str, Any]]"
    keys: "NewPushKeys"


class PushSubscriptionResponse(TypedDict):
    """A document of the kind `PushSubscriptionResponse`."""

    id: "str"
    host: "str"
    created: "str"


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


class AccountEventPage(TypedDict):
    """A document of the kind `AccountEventPage`."""

    items: "list[AccountEventResponse]"
    next: "str | None"


class NewRecord(TypedDict):
    """A document of the kind `NewRecord`."""

    record: "str"
    board: "NotRequired[dict[str, Any]]"
    play_on: "NotRequired[bool]"
    seats: "NotRequired[list[dict[str, Any]]]"
    public: "NotRequired[bool]"


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


class BoardNameResponse(TypedDict):
    """A document of the kind `BoardNameResponse`."""

    name: "str"
    rules: "str"


class BoardNamePage(TypedDict):
    """A document of the kind `BoardNamePage`."""

    items: "list[BoardNameResponse]"
    next: "str | None"


class BoardResponse(TypedDict):
    """A document of the kind `BoardResponse`."""

    name: "str"
    rules: "str"
    document: "dict[str, Any]"


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


class ReceivedResponse(TypedDict):
    """A document of the kind `ReceivedResponse`."""

    id: "str"


class HealthResponse(TypedDict):
    """A document of the kind `HealthResponse`."""

    status: "str"


class CanaryResponse(TypedDict):
    """A document of the kind `CanaryResponse`."""

    sent: "str"
    back: "str | None"
    seconds: "float | None"


class ReadyResponse(TypedDict):
    """A document of the kind `ReadyResponse`."""

    status: "str"
    canary: "CanaryResponse | None"


class NamedFaultResponse(TypedDict):
    """A document of the kind `NamedFaultResponse`."""

    field: "str"
    code: "dict[str, Any]"
    detail: "str"


class Problem(TypedDict):
    """A document of the kind `Problem`."""

    type: "str"
    title: "str"
    status: "int"
    detail: "str"
    code: "dict[str, Any]"
    instance: "str"
    request: "str"
    step: "NotRequired[int]"
    legal: "NotRequired[list[str]]"
    legal_count: "NotRequired[int]"
    dropped: "NotRequired[list[str]]"
    move: "NotRequired[str]"
    version: "NotRequired[int]"
    errors: "NotRequired[list[NamedFaultResponse]]"


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


class WebhookCallResponse(TypedDict):
    """A document of the kind `WebhookCallResponse`."""

    id: "str"
    event: "Literal['turn', 'over', 'started', 'invited', 'declined', 'said', 'proposed', 'news', 'reminder', 'timed-out']"
    text: "str"
    link: "str"
    game: "SituationResponse"


class AlturienShop(TypedDict):
    """A shop on a site."""

    colour: "str"
    houses: "int"


class AlturienFigure(TypedDict):
    """A customer or the thief."""

    kind: "str"
    space: "str"
    facing: "str | None"


class AlturienDebt(TypedDict):
    """What a robbed player owes."""

    colour: "str"
    to: "str | None"
    amount: "int"


class AlturienGameStarted(TypedDict):
    """The game was opened with these colours, this board and these options."""

    event: "Literal['started']"
    rules: "Literal['alturien']"
    colours: "list[str]"
    board: "str | dict[str, Any]"
    options: "AlturienOptions"


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


class AlturienCustomerPlaced(TypedDict):
    """A customer was placed in the set-up, by its player or by chance."""

    event: "Literal['customer']"
    rules: "Literal['alturien']"
    seat: "int"
    kind: "str"
    space: "str"
    facing: "str"
    dealt: "bool"


class AlturienShopPlaced(TypedDict):
    """One of the first shops was placed in the set-up, by its player or by chance."""

    event: "Literal['shop']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    dealt: "bool"


class AlturienSupremacyChanged(TypedDict):
    """The supremacy card of a product group went to a player or back to the table."""

    event: "Literal['supremacy']"
    rules: "Literal['alturien']"
    group: "str"
    seat: "int"


class AlturienTurnBegan(TypedDict):
    """A player's turn began."""

    event: "Literal['turn']"
    rules: "Literal['alturien']"
    seat: "int"


class AlturienRolled(TypedDict):
    """The active player's dice were rolled."""

    event: "Literal['rolled']"
    rules: "Literal['alturien']"
    seat: "int"
    dice: "list[str]"


class AlturienFigureMoved(TypedDict):
    """A customer or the thief was moved."""

    event: "Literal['moved']"
    rules: "Literal['alturien']"
    seat: "int"
    figure: "int"
    space: "str"
    facing: "str"
    again: "bool"


class AlturienMoveSkipped(TypedDict):
    """No figure could move with this roll."""

    event: "Literal['stuck']"
    rules: "Literal['alturien']"
    seat: "int"


class AlturienDebtArose(TypedDict):
    """The thief robbed a shop; its owner owes money."""

    event: "Literal['debt']"
    rules: "Literal['alturien']"
    seat: "int"
    to: "int"
    amount: "int"


class AlturienHouseSold(TypedDict):
    """A robbed player sold a house to pay a debt."""

    event: "Literal['house-sold']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    price: "int"
    by_itself: "bool"


class AlturienCardSold(TypedDict):
    """A robbed player sold a card to pay a debt."""

    event: "Literal['card-sold']"
    rules: "Literal['alturien']"
    seat: "int"
    card: "str"
    price: "int"
    by_itself: "bool"


class AlturienDebtPaid(TypedDict):
    """A robbed player paid the debt, or as much of it as there was."""

    event: "Literal['debt-paid']"
    rules: "Literal['alturien']"
    seat: "int"
    to: "int"
    amount: "int"


class AlturienGuardGiven(TypedDict):
    """The city guard now protects this player."""

    event: "Literal['guard']"
    rules: "Literal['alturien']"
    seat: "int"


class AlturienCustomerBought(TypedDict):
    """A customer bought in a shop; its owner was paid."""

    event: "Literal['bought']"
    rules: "Literal['alturien']"
    figure: "int"
    site: "str"
    seat: "int"
    amount: "int"


class AlturienShopBought(TypedDict):
    """A player built the first house on a free site."""

    event: "Literal['shop-bought']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    cost: "int"


class AlturienShopDeveloped(TypedDict):
    """A player added a house to a shop."""

    event: "Literal['developed']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    cost: "int"


class AlturienHouseMoved(TypedDict):
    """A player moved a house from one own shop to another."""

    event: "Literal['house-moved']"
    rules: "Literal['alturien']"
    seat: "int"
    site: "str"
    to: "str"
    cost: "int"


class AlturienCardBought(TypedDict):
    """A player bought a prestige, ship, post, cart or staff card."""

    event: "Literal['card']"
    rules: "Literal['alturien']"
    seat: "int"
    card: "str"
    cost: "int"


class AlturienPassed(TypedDict):
    """A player ended the turn without an investment."""

    event: "Literal['passed']"
    rules: "Literal['alturien']"
    seat: "int"


class AlturienLastRoundBegan(TypedDict):
    """Somebody has the prestige that decides the game, or no prestige is left; the round is played to its end."""

    event: "Literal['last-round']"
    rules: "Literal['alturien']"
    seat: "int"


class AlturienThiefEntered(TypedDict):
    """The thief came out of the harbour; the poorest player decides where it faces."""

    event: "Literal['thief']"
    rules: "Literal['alturien']"
    seat: "int"
    space: "str"


class AlturienThiefFaced(TypedDict):
    """The poorest player turned the thief."""

    event: "Literal['faced']"
    rules: "Literal['alturien']"
    seat: "int"
    facing: "str"


class AlturienGameEnded(TypedDict):
    """The game ended with these winners."""

    event: "Literal['ended']"
    rules: "Literal['alturien']"
    winners: "list[int]"


class AlturienPlaceCustomer(TypedDict):
    """`customer duke a1>b1`: set-up, the duke on a1, facing b1."""

    kind: "Literal['customer']"
    customer: "str"
    space: "str"
    facing: "NotRequired[str | None]"


class AlturienPlaceShop(TypedDict):
    """`shop b1`: set-up, a first house."""

    kind: "Literal['shop']"
    site: "str"


class AlturienMove(TypedDict):
    """`c1-e1-e4>e5`: the figure on c1 by e1 to e4, facing e5. `c:` or `t:` before it says customer or thief."""

    kind: "Literal['move']"
    named: "list[str]"
    facing: "NotRequired[str | None]"
    sign: "NotRequired[str | None]"


class AlturienIf(TypedDict):
    """`if 1-3: c1-e1>e2`: the move for that face of the die."""

    kind: "Literal['if']"
    face: "str"
    move: "AlturienMove"


class AlturienFaceThief(TypedDict):
    """`thief >f4`: the poorest player faces the entering thief."""

    kind: "Literal['thief']"
    facing: "str | None"


class AlturienBuy(TypedDict):
    """`buy b1`: a first house on a free site."""

    kind: "Literal['buy']"
    site: "str"


class AlturienDevelop(TypedDict):
    """`develop c1`: one more house on your shop."""

    kind: "Literal['develop']"
    site: "str"


class AlturienMoveHouse(TypedDict):
    """`move-house c1 f4`: one of your houses to another of your shops."""

    kind: "Literal['move-house']"
    site: "str"
    to: "str"


class AlturienBuyCard(TypedDict):
    """`prestige`, `ship`, `post`, `cart` or `staff`."""

    kind: "Literal['card']"
    card: "str"


class AlturienPass(TypedDict):
    """`pass`: no investment; ends the turn."""

    kind: "Literal['pass']"


class AlturienSellCard(TypedDict):
    """`sell prestige`, `sell ship`: pays a debt."""

    kind: "Literal['sell-card']"
    card: "str"


class AlturienSellHouse(TypedDict):
    """`sell house c1`: pays a debt."""

    kind: "Literal['sell-house']"
    site: "str"


class AlturienStuck(TypedDict):
    """`stuck`: says what happened by itself, that no figure can move. Records write it."""

    kind: "Literal['stuck']"


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


class AlturienChoice(TypedDict):
    """A legal step of `alturien`."""

    rules: "Literal['alturien']"
    kind: "str"
    places: "list[str]"
    cost: "int"
    text: "str"
    step: "AlturienStep"


class PortobelloTiles(TypedDict):
    """The action tiles of a player, face up and face down."""

    open: "list[PortobelloTile]"
    closed: "list[PortobelloTile]"


class PortobelloTile(TypedDict):
    """An action tile of a player."""

    number: "int"
    own: "bool"


class PortobelloMark(TypedDict):
    """The tile with which a district was marked."""

    colour: "str"
    tile: "int"


class PortobelloGameStarted(TypedDict):
    """The game was opened with these colours, this board and these options."""

    event: "Literal['started']"
    rules: "Literal['portobello']"
    colours: "list[str]"
    board: "str | dict[str, Any]"
    edition: "str"
    options: "PortobelloOptions"
    queue: "list[str]"


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


class PortobelloBobbyPlaced(TypedDict):
    """The Bobby was placed before turn 1."""

    event: "Literal['bobby-placed']"
    rules: "Literal['portobello']"
    seat: "int"
    district: "int"


class PortobelloTileChosen(TypedDict):
    """The active player chose an action tile."""

    event: "Literal['tile']"
    rules: "Literal['portobello']"
    seat: "int"
    number: "int"


class PortobelloStallBuilt(TypedDict):
    """A stall was built on a lane."""

    event: "Literal['stall']"
    rules: "Literal['portobello']"
    seat: "int"
    lane: "str"
    space: "int"


class PortobelloCustomerDrawn(TypedDict):
    """A customer was drawn from the bag."""

    event: "Literal['drawn']"
    rules: "Literal['portobello']"
    seat: "int"
    kind: "str"


class PortobelloCustomerPlaced(TypedDict):
    """The drawn customer was placed on a square."""

    event: "Literal['placed']"
    rules: "Literal['portobello']"
    seat: "int"
    kind: "str"
    square: "str"


class PortobelloLordPlaced(TypedDict):
    """The lord was placed on the last free square."""

    event: "Literal['lord']"
    rules: "Literal['portobello']"
    seat: "int"
    square: "str"
    action: "bool"


class PortobelloLaneScored(TypedDict):
    """A lane was scored."""

    event: "Literal['lane']"
    rules: "Literal['portobello']"
    lane: "str"
    points: "list[int]"


class PortobelloBobbyMoved(TypedDict):
    """The Bobby was moved to another district, and tolls were paid."""

    event: "Literal['bobby']"
    rules: "Literal['portobello']"
    seat: "int"
    route: "list[int]"
    points: "list[int]"


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


class PortobelloTurnClosed(TypedDict):
    """The active player's turn ended."""

    event: "Literal['closed']"
    rules: "Literal['portobello']"
    seat: "int"
    slot: "int"
    reopened: "bool"
    cut_short: "bool"
    next: "int"


class PortobelloGameEnded(TypedDict):
    """The game ended with these winners."""

    event: "Literal['ended']"
    rules: "Literal['portobello']"
    winners: "list[int]"


class PortobelloChooseTile(TypedDict):
    """`3:` or `tile 3`."""

    kind: "Literal['tile']"
    number: "int"


class PortobelloStall(TypedDict):
    """`stall A-B`: on an empty lane at A's end. `stall AB` is enough on a started lane."""

    kind: "Literal['stall']"
    lane: "str"
    start: "NotRequired[str | None]"


class PortobelloDraw(TypedDict):
    """`customer C`, or `customer clerk C citizen D`: draw and put it there."""

    kind: "Literal['customer']"
    clerk: "str"
    citizen: "str"


class PortobelloDrawAndSee(TypedDict):
    """`customer`: draw and look; with branches, go on by what came."""

    kind: "Literal['look']"
    branches: "NotRequired[list[PortobelloIfDrawn]]"


class PortobelloIfDrawn(TypedDict):
    """`if citizen: place C; stall A-B`: the rest of the turn for that outcome."""

    kind: "str"
    steps: "list[PortobelloChooseTile | PortobelloStall | PortobelloDraw | PortobelloDrawAndSee | PortobelloPlace | PortobelloLord | PortobelloBobby | PortobelloMarkDistrict | PortobelloEnd]"


class PortobelloPlace(TypedDict):
    """`place C`: put the drawn customer down."""

    kind: "Literal['place']"
    square: "str"


class PortobelloLord(TypedDict):
    """`lord`: place the lord on the one free square."""

    kind: "Literal['lord']"


class PortobelloBobby(TypedDict):
    """`bobby 5`: by the engine's route. `bobby 4-5`: through 4 into 5."""

    kind: "Literal['bobby']"
    route: "list[int]"


class PortobelloMarkDistrict(TypedDict):
    """`mark 5`: mark the district with the chosen tile."""

    kind: "Literal['mark']"
    district: "int"


class PortobelloEnd(TypedDict):
    """`end`: end early, when no action is left to take."""

    kind: "Literal['end']"


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


class PortobelloChoice(TypedDict):
    """A legal step of `portobello`."""

    rules: "Literal['portobello']"
    kind: "str"
    places: "list[str]"
    cost: "int"
    text: "str"
    step: "PortobelloStep"


class OpenedAction(TypedDict):
    """The game was opened; the first entry of every log."""

    kind: "Literal['opened']"
    rules: "str"
    board: "str | dict[str, Any]"
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


class SeatPlan(TypedDict):
    """Who has a seat: a player, an invited player, a bot, or nobody yet."""

    player: "str | None"
    invited: "str | None"
    bot: "str | None"


class TimeControl(TypedDict):
    """How long players may think. Times are milliseconds of playing time."""

    per_decision: "int"
    bank: "int"
    weekends: "bool"
    quiet: "list[Any] | None"
    at_zero: "AtZero"


AtZero: TypeAlias = "Literal['bot-plays', 'bot-takes', 'out']"


class ContributedAction(TypedDict):
    """A seat contributed a word to the chance of this game. Until the game begins, a later word of the same seat replaces it."""

    kind: "Literal['contributed']"
    seat: "int"
    word: "str"
    drawn: "bool"


class JoinedAction(TypedDict):
    """A player took a seat."""

    kind: "Literal['joined']"
    seat: "int"
    player: "str"


class LeftAction(TypedDict):
    """A seat became free before the game began."""

    kind: "Literal['left']"
    seat: "int"


class BeganAction(TypedDict):
    """All seats were filled: the opening of the game, and what followed from it by itself."""

    kind: "Literal['began']"
    events: "list[Event]"
    due: "int"
    order: "list[int]"


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


class ResignedAction(TypedDict):
    """A player resigned; a bot plays on in the seat."""

    kind: "Literal['resigned']"
    seat: "int"
    bot: "str"


class UndoneAction(TypedDict):
    """The position was set back to that after an earlier version. The entries in between stay in the log."""

    kind: "Literal['undone']"
    seat: "int"
    back_to: "int"
    agreed: "bool"


class ProposedAction(TypedDict):
    """A player proposed something that all others must agree to. Its number is the version of its entry; any move makes it lapse."""

    kind: "Literal['proposed']"
    seat: "int"
    what: "ProposalKind"
    back_to: "int | None"


ProposalKind: TypeAlias = "Literal['abandon', 'draw', 'undo']"


class AgreedAction(TypedDict):
    """A player agreed to a proposal."""

    kind: "Literal['agreed']"
    seat: "int"
    number: "int"


class DisagreedAction(TypedDict):
    """A player disagreed with a proposal, which ends it."""

    kind: "Literal['disagreed']"
    seat: "int"
    number: "int"


class EndedAction(TypedDict):
    """The players ended the game before its rules did."""

    kind: "Literal['ended']"
    how: "Ending"
    winners: "list[int]"


Ending: TypeAlias = "Literal['abandoned', 'cancelled', 'draw', 'played']"


class OfferedAction(TypedDict):
    """A player offered the seat to another, who must accept it; `None` takes the offer back."""

    kind: "Literal['offered']"
    seat: "int"
    player: "str | None"


class HandedOverAction(TypedDict):
    """A seat went to another player or a bot, who plays on."""

    kind: "Literal['handed-over']"
    seat: "int"
    to: "SeatPlan"


class LinkedAction(TypedDict):
    """A link was made. Its key is derived from the version of this entry and is not in the log."""

    kind: "Literal['linked']"
    what: "LinkKind"
    player: "str"


LinkKind: TypeAlias = "Literal['look', 'seat']"


class UnlinkedAction(TypedDict):
    """The link of that version was revoked."""

    kind: "Literal['unlinked']"
    number: "int"


class RevealedAction(TypedDict):
    """The game is over and its secret public: everybody can verify the chance."""

    kind: "Literal['revealed']"
    secret: "str"


class PostponedAction(TypedDict):
    """The deadline of a seat was moved because of an outage or a vacation."""

    kind: "Literal['postponed']"
    seat: "int"
    by: "int"
    why: "PostponeReason"
    counted: "int"


PostponeReason: TypeAlias = "Literal['outage', 'vacation']"


class RemindedAction(TypedDict):
    """A player was reminded of a deadline."""

    kind: "Literal['reminded']"
    seat: "int"
    nth: "int"


class TimedOutAction(TypedDict):
    """The time of a seat was up."""

    kind: "Literal['timed-out']"
    seat: "int"
    what: "AtZero"
    bot: "str"


class ReturnedAction(TypedDict):
    """A player came back to a seat that a bot had taken, and plays on from the next turn."""

    kind: "Literal['returned']"
    seat: "int"
    player: "str"


Action: TypeAlias = "OpenedAction | ContributedAction | JoinedAction | LeftAction | BeganAction | MovedAction | ResignedAction | UndoneAction | ProposedAction | AgreedAction | DisagreedAction | EndedAction | OfferedAction | HandedOverAction | LinkedAction | UnlinkedAction | RevealedAction | PostponedAction | RemindedAction | TimedOutAction | ReturnedAction"

Ruleset: TypeAlias = "Literal['alturien', 'portobello']"

Edition: TypeAlias = "Literal['de', 'fr', 'it', '2.0']"

GameOptions: TypeAlias = "AlturienOptions | PortobelloOptions"

Position: TypeAlias = "AlturienPosition | PortobelloPosition"

Event: TypeAlias = "AlturienEvent | PortobelloEvent"

Choice: TypeAlias = "AlturienChoice | PortobelloChoice"

Step: TypeAlias = "AlturienStep | PortobelloStep"

RefusalCode: TypeAlias = "str"
