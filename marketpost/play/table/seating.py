"""Opens games and fills their seats until they begin."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from marketpost.play.log.actions import (
    AnyAction,
    Began,
    Contributed,
    Done,
    HandedOver,
    HintRule,
    Joined,
    Left,
    Moved,
    Named,
    Offered,
    Opened,
    Resigned,
    Revealed,
    SeatPlan,
    TimeControl,
)
from marketpost.play.log.commit import change
from marketpost.play.log.entries import write
from marketpost.play.log.fold import after
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.outbox import notices
from marketpost.play.people.blocking import may_sit_with
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.play.people.names import check_name
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import end_if_deserted
from marketpost.play.table.invitations import reference_of, seal_invitations
from marketpost.rules.bots import bot, usual_bot
from marketpost.rules.chance import DUPLICATE_SCHEME, SCHEME, Domain, Sealed, drawn_word, read_word, seal
from marketpost.rules.refusal import Refused
from marketpost.rules.replay import Replay
from marketpost.rules.ruleset import Ruleset, Setting, ruleset


def open_game(
    ports: Ports,
    id: str,
    host: str,
    rules: str,
    seats: Sequence[SeatPlan],
    setting: Mapping[str, Any],
    public: bool = False,
    clock: TimeControl | None = None,
    *,
    shuffled: bool = False,
    competition: str = "",
    shared: bytes = b"",
    found: bool = False,
) -> Game:
    """Open a game, or find the one that was opened under this id. It begins at once if all seats are filled.

    `setting` may have `board`, `edition`, `options`, `colours`, `hints` and the game's `name`. There are no hints at the tables of a
    competition.

    The commitment to the secret is its first entry. No word of a player comes with it: the server would know that word when it chooses the
    secret. A host who wants to contribute one reserves a seat for themselves and joins afterwards. `shared` is the secret of all duplicate
    tables of a round; no seat contributes to it.
    """
    game_rules = ruleset(rules)
    chosen = settled(game_rules, len(seats), setting)
    named = _naming(setting.get("name", ""))
    colours = chosen.colours
    for seat in seats:
        if seat.bot:
            bot(game_rules, seat.bot)
    secret, scheme = (shared, DUPLICATE_SCHEME) if shared else (secrets.token_bytes(32), SCHEME)
    options = {name: str(value) for name, value in chosen.options.items()}
    hints = HintRule.OFF if competition else HintRule(setting.get("hints") or HintRule.AGAINST_BOTS)
    sealed, told = seal_invitations(ports, id, host, seats)
    opened = Opened(
        rules, chosen.board, chosen.edition, options, colours, tuple(sealed), host, public, seal(secret), False, clock, scheme, shuffled,
        competition, found, hints,
    )  # fmt: skip
    contributing = [number for number, seat in enumerate(seats) if seat.player and not shared]
    drawn = [Contributed(number, drawn_word(secret, id, number), drawn=True) for number in contributing]
    entries, head = write(0, "", ports.clock(), host, f"{rules} {game_rules.version}", [opened, *named, *drawn])
    _write_down(ports, id, host, secret, entries, head, sealed, told)
    return begin_if_full(ports, id)


def _naming(name: str) -> list[Named]:
    """Build the action that names a new game; none without a name."""
    if not name:
        return []
    check_name(name)
    return [Named(name)]


def has_begun(ports: Ports, id: str) -> bool:
    """Whether there is a game under this id, and all its seats were filled."""
    game = ports.game(id)
    return game is not None and game.status != GameStatus.OPEN


def settled(rules: Ruleset[Any], players: int, setting: Mapping[str, Any]) -> Setting:
    """Complete a setting with defaults; refused if no game can begin with it."""
    if players not in rules.players:
        raise Refused("players-number", count=players, least=rules.players[0], most=rules.players[-1])
    colours = tuple(setting.get("colours") or rules.colours[:players])
    chosen = Setting(colours, setting.get("board") or rules.boards()[0], setting.get("edition"), setting.get("options") or {})
    rules.start(chosen, Sealed(bytes(32), "trial"))
    return chosen


def _write_down(
    ports: Ports,
    id: str,
    host: str,
    secret: bytes,
    entries: Sequence[bytes],
    head: str,
    sealed: Sequence[SeatPlan],
    told: Sequence[SeatPlan],
) -> None:
    """Store a new log and invite its players.

    Race: two requests may open the same id. The second finds the first's log and deletes its own invitations.
    """
    asked = notices.of_invitations(id, host, told, ports.clock())
    if asked:
        ports.index.announce(id, ports.clock() / 1000)
    if not ports.games.open(id, secret, entries, head, asked):
        if references := [seat.invited for seat in sealed if seat.invited]:
            ports.games.drop_invitations(id, references)
    elif asked:
        ports.enqueue(id)


def import_game(ports: Ports, id: str, host: str, replay: Replay, seats: Sequence[SeatPlan], public: bool = False) -> Game:
    """Create a game from a record, finished or to play on. Its log marks the moves as imported."""
    record, rules = replay.record, replay.record.rules
    secret = secrets.token_bytes(32)
    setting = record.setting
    options = {name: str(value) for name, value in setting.options.items()}
    sealed, told = seal_invitations(ports, id, host, seats)
    opened = Opened(
        rules.name, setting.board, setting.edition, options, setting.colours, tuple(sealed), host, public, seal(secret), True, None, SCHEME
    )
    actions: list[AnyAction] = [opened, Began(msgspec.Raw(rules.encode(replay.played[0].events)))]
    for number, played in enumerate(replay.played[1:]):
        due = len(played.events) if played.seat is None else 0
        seat = -1 if played.seat is None else played.seat
        actions.append(Moved(seat, f"told-{number}", "", msgspec.Raw(rules.encode(played.events)), due, told=True))
    if rules.winners(replay.state):
        actions.append(Revealed(secret.hex()))
    entries, head = write(0, "", ports.clock(), host, f"{rules.name} {rules.version}", actions)
    _write_down(ports, id, host, secret, entries, head, sealed, told)
    return call_deciders(ports, id)


def call_deciders(ports: Ports, id: str) -> Game:
    """Notify those who must decide, as after a move: after an import, or because standing orders were left."""

    def call(game: Game) -> Done:
        return [], notices.after_move(game, game.state, game.version, None, ports.clock()) if game.status == GameStatus.RUNNING else []

    return change(ports, id, None, call)


def join(ports: Ports, id: str, player: str, via: str = "", word: str = "", *, by_link: bool = False) -> Game:
    """Take a seat: the one reserved for or offered to this player, else the first free one. A guest needs the host's link to a seat.

    `word` is what the player contributes to chance; it counts only in a game that has not begun. Without one the server draws it.
    """
    own = read_word(word) if word else ""

    def sit(game: Game) -> Done:
        if game.seat_of(player) is not None:
            return [], []
        if (known := ports.players.find(player)) and known.suspended:
            raise Refused("suspended")
        if not by_link:
            not_for_guests(ports, player)
        if not may_sit_with(ports, game, player):
            raise Refused("not-together")
        if (offered := game.offered_to(player)) is not None:
            not_of_tournament(game)
            to = SeatPlan(player=player)
            return [HandedOver(offered, to)], notices_of_hand_over(game, offered, to, player, ports.clock())
        if game.ended:
            raise Refused("not-running")
        seat = _seat_for(game, player) if game.status != GameStatus.OVER else None
        if seat is None:
            raise Refused("no-free-seat" if game.status == GameStatus.OPEN else "already-started")
        return [Joined(seat, player), *_contribution(ports, game, seat, own)], []

    change(ports, id, player, sit, via)
    return begin_if_full(ports, id)


def _contribution(ports: Ports, game: Game, seat: int, own: str) -> list[Contributed]:
    """Build a seat's contribution to chance; none in a game that has begun, or whose chance comes from the secret alone."""
    if game.status != GameStatus.OPEN or game.scheme != SCHEME:
        return []
    return [Contributed(seat, own or drawn_word(ports.secret(game.id), game.id, seat), drawn=not own)]


def contribute(ports: Ports, id: str, player: str, word: str, via: str = "") -> Game:
    """Replace what a player's seats contribute to chance by a word of their own, until the game begins."""
    own = read_word(word)

    def replace_words(game: Game) -> Done:
        seats = game.seats_of(player)
        if not seats:
            raise Refused("not-your-game")
        if game.status != GameStatus.OPEN:
            raise Refused("already-started")
        if game.scheme != SCHEME:
            raise Refused("word-unused")
        return [Contributed(seat, own, drawn=False) for seat in seats if game.words[seat].word != own], []

    return change(ports, id, player, replace_words, via)


def _seat_for(game: Game, player: str) -> int | None:
    kept = [number for number, seat in enumerate(game.seats) if seat.invited == player]
    free = [number for number, seat in enumerate(game.seats) if seat == SeatPlan()]
    return next(iter(kept or free), None)


def decline(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Decline an invitation, which frees the seat, or an offered seat, which stays its owner's.

    The log refers to the invitation and does not say who declines.
    """
    reference = reference_of(ports, id, player)

    def say_no(game: Game) -> Done:
        if (offered := game.offered_to(player)) is not None:
            owner = game.seats[offered].player
            told = notices.of_news(game, {owner} if owner else (), game.version + 1, ports.clock(), by=player)
            return [Offered(offered, None)], told
        kept = [number for number, seat in enumerate(game.seats) if seat.invited == player and game.status == GameStatus.OPEN]
        return [Left(number) for number in kept], [
            notices.of_declining(game, number, player, reference, ports.clock()) for number in kept[:1]
        ]

    return change(ports, id, reference, say_no, via)


def leave(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Leave a seat before the game begins."""

    def stand_up(game: Game) -> Done:
        if game.status != GameStatus.OPEN:
            raise Refused("already-started")
        seat = game.seat_of(player)
        return ([Left(seat)], []) if seat is not None else ([], [])

    return change(ports, id, player, stand_up, via)


def resign(ports: Ports, id: str, player: str, via: str = "") -> Game:
    """Resign; a bot plays on in the seat, so that the others can finish. If nobody is left, the game ends."""

    def give_up(game: Game) -> Done:
        seat = own_seat(game, player)
        name = substitute(game)
        told = notices_of_hand_over(game, seat, SeatPlan(bot=name), player, ports.clock())
        return end_if_deserted(ports, game, [Resigned(seat, name)], told)

    return change(ports, id, player, give_up, via)


def own_seat(game: Game, player: str) -> int:
    """Find the player's seat in a running game; refused if there is none."""
    seat = game.seat_of(player)
    if seat is None:
        raise Refused("not-your-game")
    if game.status != GameStatus.RUNNING:
        raise Refused("not-running")
    return seat


def not_of_tournament(game: Game) -> None:
    """Refuse that another person takes a seat at a table of a tournament: its result counts for whoever entered and was paired."""
    if game.competition:
        raise Refused("tournament-seat")


def notices_of_hand_over(game: Game, seat: int, to: SeatPlan, by: str, at: int) -> list[bytes]:
    """Build the notices after a seat changes hands: to the new player if they must decide, and to the others."""
    deciding, then = [seat] if seat in game.deciders else [], after(game, [HandedOver(seat, to)], at)
    others = {each.player for table in (game, then) for each in table.seats if each.player}
    return notices.to_decide(then, then.state, deciding, then.version, None, at) + notices.of_news(then, others - {by}, then.version, at)


def substitute(game: Game) -> str:
    """Name the bot that replaces a player."""
    return usual_bot(game.rules)


def begin_if_full(ports: Ports, id: str) -> Game:
    """Begin the game if every seat has a player or a bot."""

    def begin(game: Game) -> Done:
        if game.status != GameStatus.OPEN or not all(seat.player or seat.bot for seat in game.seats):
            return [], []
        secret = ports.games.secret(id)
        chance = game.chance(secret, Domain.DEAL)
        events = list(game.rules.start(game.setting, chance))
        due = list(game.rules.proceed(game.rules.fold(events), chance))
        began = Began(msgspec.Raw(game.rules.encode([*events, *due])), len(due), game.drawn_order(secret))
        then = after(game, [began], ports.clock())
        return [began], notices.of_start(then, then.state, then.version, ports.clock())

    return change(ports, id, None, begin)
