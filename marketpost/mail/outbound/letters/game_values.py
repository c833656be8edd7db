"""Template values of a game for letters: players, board, picture and what happened."""

import re
from collections.abc import Iterable
from typing import Any

from marketpost.mail.outbound.letters.letter import LetterPicture, Links, Names
from marketpost.mail.outbound.render import Sentences
from marketpost.pictures.png import IN_LETTERS, png
from marketpost.play.analyses import AnalysisStatus
from marketpost.play.log.game import Game
from marketpost.play.moves.game_view import picture, position_at
from marketpost.rules.analysis import Analysis
from marketpost.rules.analysis_told import TurningPoint, basis_told, shares_told, turning_points_told
from marketpost.rules.bots import bot_told
from marketpost.rules.chart import chart
from marketpost.rules.guide import aim, primer
from marketpost.rules.hint_told import rule_told
from marketpost.rules.refusal import Refused
from marketpost.rules.svg import description
from marketpost.rules.variant import note
from marketpost.rules.words import COMMON, Words, typeset
from marketpost.store.players import LetterLength, Player, is_bot_id

FIRST_TURNS = 3
"""Moves of a player in a game after which letters explain its ruleset no more."""


def at_table(game: Game, seat: int | None, player: Player, names: Names, links: Links) -> dict[str, Any]:
    """Return the values that say which game it is and who plays."""
    words = game.rules.in_language(player.language)
    return {
        "title": game.rules.title(words),
        "variant": typeset(" ".join(about_setting(game, words)), player.language),
        "others": _others(game, seat, names, player.language),
        "players": [seated(game, each, seat, names, player.language) for each in range(len(game.seats))],
        "colour": words.translate(game.setting.colours[seat]) if seat is not None else "",
        "url": links.game(game.id, player.id) if game.may_see(player.id) else links.home,
    }


def about_setting(game: Game, words: Words) -> list[str]:
    """Say what is unusual about a table: its edition and options, and who may ask for hints."""
    return [*note(words, *game.rules.unusual(game.setting)), *rule_told(game.hint_rule, words)]


def the_aim(game: Game, player: Player) -> dict[str, Any]:
    """Return the title and sentences that say how the game is won, for somebody who may never have played it."""
    found = aim(game.rules.guide(game.setting, player.language))
    told = (found.title, " ".join(found.statements.values())) if found else ()
    return {"aim": told}


def is_explained(game: Game, seat: int, player: Player) -> bool:
    """Whether a letter explains the game and its orders: as the player has chosen, or in the first turns of a ruleset."""
    if player.letters != LetterLength.AUTO:
        return player.letters == LetterLength.FULL
    return game.rules.name not in player.learnt and own_moves(game, seat) < FIRST_TURNS


def own_moves(game: Game, seat: int) -> int:
    """Count the moves of a seat."""
    return sum(played.seat == seat for _, played in game.history)


def explanation(game: Game, seat: int, player: Player) -> dict[str, Any]:
    """Return the game in about ten lines and its orders, where letters explain them."""
    if not is_explained(game, seat, player):
        return {"explained": False, "primer": [], "help": []}
    return {"explained": True, "primer": primer(game.rules.guide(game.setting, player.language)), "help": order_help(game, player)}


def order_help(game: Game, player: Player) -> list[str]:
    """Return the lines that explain how orders are written; none for a ruleset without such a text."""
    words = game.rules.in_language(player.language)
    return typeset(words.say("help.orders"), words.language).strip("\n").splitlines()


def start(game: Game, seat: int, player: Player, names: Names, links: Links) -> dict[str, Any]:
    """Return the values of a game that has just begun."""
    told = the_aim(game, player) if is_explained(game, seat, player) else {"aim": ()}
    return at_table(game, seat, player, names, links) | on_board(game, player) | told


def game_name(game: Game, seat: int | None, names: Names, language: str) -> str:
    """Return a name such as `Portobello with Ben and a bot`, by which a player tells games apart."""
    title, others = game.rules.title(game.rules.in_language(language)), _others(game, seat, names, language)
    return Sentences(language, "answer").say("table", title=title, others=others) if others else title


def _others(game: Game, own: int | None, names: Names, language: str) -> str:
    """Return the other people by name, and the number of bots."""
    people = [_person(game, seat, names, language) for seat, plan in enumerate(game.seats) if plan.player and seat != own]
    bots = sum(bool(plan.bot) for seat, plan in enumerate(game.seats) if seat != own)
    return listed(language, [*people, Sentences(language, "words").say("bots", count=bots)] if bots else people)


def seated(game: Game, seat: int, own: int | None, names: Names, language: str) -> str:
    """Return a seat's colour and who sits there."""
    colour = game.rules.in_language(language).translate(game.setting.colours[seat])
    who = Sentences(language, "words").say("you") if seat == own else _person(game, seat, names, language)
    return f"{colour} ({who})"


def _person(game: Game, seat: int, names: Names, language: str) -> str:
    """Return the name in a seat: a player, a bot, or that it is free or waits for an answer."""
    say, plan = Sentences(language, "words").say, game.seats[seat]
    if plan.bot:
        return say("bot-after" if seat in game.absent else "bot", bot=bot_told(Words(language, COMMON), plan.bot))
    if not plan.player:
        return say("invited" if plan.invited else "free-seat")
    colour = game.setting.colours[seat]
    name = names.get(colour) or game.rules.in_language(language).translate(colour)
    return say("bot-account", name=name) if is_bot_id(plan.player) else name


def winner(game: Game, seat: int, names: Names, language: str) -> str:
    """Return the name of a winner as it stands within a sentence."""
    plan = game.seats[seat]
    if not plan.bot:
        return _person(game, seat, names, language)
    return Sentences(language, "words").say("the-bot", bot=bot_told(Words(language, COMMON), plan.bot))


def person(game: Game, seat: int, names: Names, language: str) -> str:
    """Return the name in a seat as it begins a sentence."""
    called = winner(game, seat, names, language)
    return called[:1].upper() + called[1:]


def on_board(game: Game, player: Player, width: int = IN_LETTERS) -> dict[str, Any]:
    """Return the values of the position: board as text and as a picture of this width, turn, and who decides."""
    words = game.rules.in_language(player.language)
    deciding = [words.translate(game.setting.colours[seat]) for seat in game.deciders]
    return {
        "board": game.rules.draw(game.state, words).rstrip("\n"),
        "picture": _picture(game, words, width),
        "turn": game.state.turn,
        "deciding": listed(player.language, deciding),
    }


def _picture(game: Game, words: Words, width: int) -> LetterPicture:
    """Draw the board, with a description for readers who do not see pictures."""
    svg = picture(game, game.version, words)
    return LetterPicture("board", png(svg, width), typeset(description(svg), words.language))


def score_chart(game: Game, words: Words) -> LetterPicture:
    """Draw the scores over the whole game."""
    svg = chart(game.rules, [event for played in game.played for event in played.events], words)
    return LetterPicture("chart", png(svg, IN_LETTERS), typeset(words.say("chart.title"), words.language))


def luck_and_skill(game: Game, own: int, player: Player, names: Names, found: tuple[AnalysisStatus, Analysis | None]) -> dict[str, Any]:
    """Return luck and skill of a finished game, with the turning points as text and as pictures; empty without an analysis."""
    status, analysis = found
    words = game.rules.in_language(player.language)
    if analysis is None:
        pending = [words.say("analysis.pending")] if status == AnalysisStatus.PENDING else []
        return {"luck": pending, "basis": "", "points": [], "luck_title": words.say("analysis.title")}
    seats = [seated(game, seat, own, names, player.language) for seat in range(len(game.seats))]
    points = turning_points_told(game.rules, analysis, seats, words)
    return {
        "luck": shares_told(analysis, seats, words),
        "basis": basis_told(analysis, words),
        "points": [_point(game, number, each, words) for number, each in enumerate(points, 1)],
        "luck_title": words.say("analysis.title"),
        "points_title": words.say("analysis.points"),
        "before": words.say("analysis.before"),
    }


def _point(game: Game, number: int, point: TurningPoint, words: Words) -> dict[str, Any]:
    """Return what happened at a turning point, and the position before it as text and as a picture."""
    svg = picture(game, point.version, words)
    drawn = LetterPicture(f"turning-{number}", png(svg, IN_LETTERS), typeset(description(svg), words.language))
    board = game.rules.draw(position_at(game, point.version), words).rstrip("\n")
    return {"told": point.told, "board": board, "picture": drawn}


def last_own(game: Game, seat: int) -> int:
    """Return the version of the last move that the player made in person, without standing orders; 0 before the first."""
    return max((version for version, played in game.history if played.seat == seat and version not in game.stood), default=0)


def since_own(game: Game, seat: int, player: Player) -> list[str]:
    """Narrate what happened since the player's last move, and what their standing orders and orders ahead played."""
    words, last = game.rules.in_language(player.language), last_own(game, seat)
    stood = [action for version, action in game.stood.items() if version > last and action.seat == seat]
    say = Sentences(player.language, "words").say
    told = [say("ahead-played" if each.ahead else "stood", orders=renotated(game, each.orders, words)) for each in stood]
    return since(game, last, player) + told + hints_taken(game, last, player, seat)


def hints_taken(game: Game, version: int, player: Player, own: int | None = None) -> list[str]:
    """Tell the hints that others than the own seat were given after that version."""
    words, say = game.rules.in_language(player.language), Sentences(player.language, "words").say
    given = [hint for number, hint in game.hints.items() if number > version and hint.seat != own and hint.orders]
    return [
        say("hinted", who=words.translate(game.setting.colours[hint.seat]), orders=renotated(game, hint.orders, words)) for hint in given
    ]


def since(game: Game, version: int, player: Player) -> list[str]:
    """Narrate what happened after that version."""
    before = [event for number, played in game.history if number <= version for event in played.events]
    after = [event for number, played in game.history if number > version for event in played.events]
    told = game.rules.story(game.rules.fold(before), after, game.rules.in_language(player.language))
    return [typeset(each, player.language) for each in told]


def has_begun(game: Game, seat: int) -> bool:
    """Whether this seat has moved in this turn already, before others had to decide something."""
    last = last_own(game, seat) if game.rules.standing and game.state.turn else 0
    return bool(last) and position_at(game, last - 1).turn == game.state.turn


def own_turn(game: Game, seat: int, player: Player) -> list[str]:
    """Narrate the seat's moves since anybody else's, with what chance drew."""
    others = max((version for version, played in game.history if played.seat not in (seat, None)), default=0)
    return since(game, others, player)


def is_in_turn(game: Game, seat: int) -> bool:
    """Whether this seat decides, or its turn goes on as soon as others have decided something."""
    standing = game.rules.standing
    return seat in game.deciders or (bool(game.deciders) and standing is not None and seat == standing.turn_of(game.state))


def next_up(game: Game, seat: int, player: Player) -> str:
    """Say who decides, if it is somebody else, and whether this seat's turn goes on afterwards."""
    words, say = game.rules.in_language(player.language), Sentences(player.language, "words").say
    deciders = [game.setting.colours[each] for each in game.deciders if game.seats[each].player != player.id]
    key = "next-aside" if seat not in game.deciders and is_in_turn(game, seat) else "next"
    return say(key, who=listed(player.language, map(words.translate, deciders))) if deciders else ""


def ranking(game: Game, names: Names, language: str) -> list[tuple[str, str]]:
    """List the players with their scores, best first."""
    words = game.rules.in_language(language)
    scores = [(seat, score) for seat, score in enumerate(game.rules.scores(game.state))]
    ranked = sorted(scores, key=lambda each: _numbers(each[1]), reverse=True)
    return [(seated(game, seat, None, names, language), words.score(score)) for seat, score in ranked]


def _numbers(score: str) -> list[int]:
    """Return the numbers of a score for comparison; its last number counts first."""
    return [int(each) for each in reversed(re.findall(r"-?\d+", score))]


def renotated(game: Game, step: str, words: Words) -> str:
    """Write an order in the player's language; as it is if it cannot be parsed."""
    try:
        return str(game.rules.notate(game.rules.parse(step), words))
    except Refused:
        return step


def listed(language: str, parts: Iterable[str]) -> str:
    """Join names with commas and the language's word for `and`."""
    return Words(language, COMMON).listed(parts, "and")
