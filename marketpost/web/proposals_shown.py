"""Show on the game page what the players may agree on: the open proposal, and what the reader may propose."""

from typing import Any

from marketpost.play.log.actions import ProposalKind
from marketpost.play.log.game import Game, GameStatus, Proposal
from marketpost.play.table.undo import last_own, undoable
from marketpost.rules.refusal import Refused
from marketpost.web.page_language import language, say


def proposals_shown(game: Game, player: str) -> dict[str, Any]:
    """Return the open proposal and the proposals that this player may make; `undo` is `free`, `ask`, or empty."""
    if not player or game.status != GameStatus.RUNNING:
        return {"proposal": None, "undo": "", "proposable": []}
    proposal = _proposal(game, player)
    return {"proposal": proposal, "undo": "" if proposal else _undo(game, player), "proposable": [] if proposal else _others(game)}


def _proposal(game: Game, player: str) -> dict[str, Any] | None:
    """Describe the open proposal: its sentence, whether it is the reader's own, and whether they must still answer."""
    found = game.proposal
    if found is None:
        return None
    who = game.rules.in_language(language()).translate(game.setting.colours[found.seat]).capitalize()
    mine = found.seat in game.seats_of(player)
    told = say(f"proposal.mine-{found.what}") if mine else say(f"proposal.theirs-{found.what}", who=who)
    return {"number": found.number, "told": told, "mine": mine, "asked": player in game.asked_by(found)}


def _undo(game: Game, player: str) -> str:
    """Say how the player's last orders can be taken back: freely, by asking the others, or not at all.

    Where all others are bots nobody needs to be asked, as `marketpost.play.table.proposals` carries the proposal out at once.
    """
    try:
        version, seat = last_own(game, player)
    except Refused:
        return ""
    if not game.asked_by(Proposal(0, seat, ProposalKind.UNDO, version - 1)):
        return "free"
    try:
        undoable(game, seat)
    except Refused:
        return "ask"
    return "free"


def _others(game: Game) -> list[ProposalKind]:
    """List what can be proposed beside an undo."""
    return [ProposalKind.DRAW, ProposalKind.ABANDON]
