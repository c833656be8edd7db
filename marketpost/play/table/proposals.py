"""Proposals, which need everybody's yes: undo after the turn has passed, draw, abandon. One at a time; any move makes it lapse."""

from dataclasses import replace

from marketpost.play.log.actions import Agreed, AnyAction, Disagreed, Done, Ending, ProposalKind, Proposed, Undone
from marketpost.play.log.commit import change
from marketpost.play.log.game import Game, Proposal
from marketpost.play.moves.game_view import position_at
from marketpost.play.outbox import notices
from marketpost.play.ports import Ports
from marketpost.play.table.early_end import ended
from marketpost.play.table.seating import own_seat
from marketpost.rules.refusal import Refused


def propose(ports: Ports, id: str, player: str, what: ProposalKind, via: str = "") -> Game:
    """Propose something to all others. Proposing what another has proposed agrees to it."""
    return change(ports, id, player, lambda game: proposed(ports, game, own_seat(game, player), what), via)


def proposed(ports: Ports, game: Game, seat: int, what: ProposalKind, back_to: int | None = None) -> Done:
    """Build what a proposal writes; where all others are bots, it is carried out at once."""
    standing, mine = game.proposal, Proposal(game.version + 1, seat, what, back_to)
    if standing and (standing.what, standing.back_to) == (what, back_to):
        return _say_yes(ports, game, standing, seat) if game.seats[seat].player in game.asked_by(standing) else ([], [])
    if standing:
        raise Refused("proposal-open")
    actions: list[AnyAction] = [Proposed(seat, what, back_to)]
    if game.asked_by(mine):
        return actions, notices.of_proposal(game, mine, ports.clock())
    done, told = _carry_out(ports, game, mine, mine.number + 1, game.seats[seat].player)
    return actions + done, told


def agree(ports: Ports, id: str, player: str, number: int, via: str = "") -> Game:
    """Agree to a proposal; the last yes carries it out."""

    def say_yes(game: Game) -> Done:
        seat = own_seat(game, player)
        proposal = _standing(game, number)
        return _say_yes(ports, game, proposal, seat) if player in game.asked_by(proposal) else ([], [])

    return change(ports, id, player, say_yes, via)


def disagree(ports: Ports, id: str, player: str, number: int, via: str = "") -> Game:
    """Disagree with a proposal, which ends it; its proposer so withdraws it."""

    def say_no(game: Game) -> Done:
        seat = own_seat(game, player)
        _standing(game, number)
        others = {each.player for each in game.seats if each.player and each.player != player}
        return [Disagreed(seat, number)], notices.of_news(game, others, game.version + 1, ports.clock())

    return change(ports, id, player, say_no, via)


def _standing(game: Game, number: int) -> Proposal:
    if game.proposal is None or game.proposal.number != number:
        raise Refused("no-such-proposal")
    return game.proposal


def _say_yes(ports: Ports, game: Game, proposal: Proposal, seat: int) -> Done:
    actions: list[AnyAction] = [Agreed(seat, proposal.number)]
    if game.asked_by(replace(proposal, agreed=(*proposal.agreed, seat))):
        return actions, []
    done, told = _carry_out(ports, game, proposal, game.version + 2, game.seats[seat].player)
    return actions + done, told


def _carry_out(ports: Ports, game: Game, proposal: Proposal, version: int, by: str | None) -> Done:
    """Build what an accepted proposal writes. `by` gave the last yes and is not notified."""
    if proposal.what == ProposalKind.DRAW:
        return ended(ports, game, Ending.DRAW, version, range(len(game.seats)))
    if proposal.what == ProposalKind.ABANDON:
        return ended(ports, game, Ending.ABANDONED, version, by=by)
    back_to, at = proposal.back_to or 0, ports.clock()
    told = taken_back(game, back_to, version, None, at) + notices.of_news(game, _not_deciding(game, back_to) - {by}, version, at)
    return [Undone(proposal.seat, back_to, True)], told


def taken_back(game: Game, back_to: int, version: int, mover: int | None, at: int) -> list[bytes]:
    """Build the notices to those who must decide in the earlier position."""
    return notices.after_move(game, position_at(game, back_to), version, mover, at)


def _not_deciding(game: Game, back_to: int) -> set[str]:
    deciding = {game.seats[seat].player for seat in game.rules.deciders(position_at(game, back_to))}
    return {seat.player for seat in game.seats if seat.player and seat.player not in deciding}
