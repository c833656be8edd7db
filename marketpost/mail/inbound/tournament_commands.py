"""The command `tournament`: list, show, enter, leave, announce or cancel one; and a yes or no to an invitation."""

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

from marketpost.mail.inbound.command_context import CommandContext
from marketpost.mail.outbound.letters.tables import pace
from marketpost.mail.outbound.letters.times import day_of, decimal
from marketpost.mail.outbound.render import Sentences
from marketpost.mail.outbound.tournament_letters import ranked
from marketpost.play.compete.competition import Competition, CompetitionStatus
from marketpost.play.compete.entering import all_competitions, announce, cancel_competition, competition_of, enter, withdraw
from marketpost.play.compete.plan_request import read_plan
from marketpost.rules.ruleset import ruleset
from marketpost.rules.words import COMMON, fold, lexicon
from marketpost.store.competition_logs import CompetitionLogs

MOST_LISTED = 20


def is_about_tournament(context: CommandContext) -> bool:
    """Whether the answered letter is about a tournament."""
    return (context.reply.game or "").startswith(CompetitionLogs.PREFIX)


def answer_tournament(context: CommandContext, *, yes: bool) -> list[str]:
    """Enter the tournament of the answered letter, or decline."""
    id = context.reply.game or ""
    return _enter(context, id) if yes else _leave(context, id)


def tournament_command(context: CommandContext) -> list[str]:
    """List the tournaments; with an id show, enter, leave or cancel one; with a name and a colon announce one."""
    text = context.argument.strip(" .!")
    if ":" in text:
        return _announce(context, text)
    first, *others = text.split() or [""]
    [verb, *_] = lexicon(COMMON, "competition").get(fold(first), ("",))
    if verb in VERBS:
        return VERBS[verb](context, others[0] if others else context.reply.game or "")
    return _show(context, first) if first else _list(context)


def _announce(context: CommandContext, text: str) -> list[str]:
    """Announce a tournament, once for each message; the host takes part."""
    request = read_plan(text)
    ports = context.mailer.ports
    id = f"{CompetitionLogs.PREFIX}{hashlib.sha256(context.via.encode()).hexdigest()[:12]}"
    announce(ports, id, context.player.id, request.plan, request.addresses)
    made = enter(ports, id, context.player.id)
    return [
        *context.say("tournament-announced", name=made.plan.name, date=_date(context, made), id=id),
        context.mailer.links.tournament(id),
    ]


def _enter(context: CommandContext, id: str) -> list[str]:
    made = enter(context.mailer.ports, id, context.player.id, context.via)
    key = "tournament-entered" if made.status == CompetitionStatus.OPEN else "tournament-entered-later"
    return context.say(key, name=made.plan.name, date=_date(context, made))


def _leave(context: CommandContext, id: str) -> list[str]:
    before = competition_of(context.mailer.ports, id)
    took_part = context.player.id in before.active or context.via in before.done
    withdraw(context.mailer.ports, id, context.player.id, context.via)
    return context.say("tournament-left" if took_part else "tournament-declined", name=before.plan.name)


def _cancel(context: CommandContext, id: str) -> list[str]:
    """Cancel the player's own tournament."""
    over = cancel_competition(context.mailer.ports, id, context.player.id, context.via)
    return context.say("tournament-cancelled", name=over.plan.name)


VERBS: dict[str, Callable[[CommandContext, str], list[str]]] = {"join": _enter, "leave": _leave, "cancel": _cancel}


def _show(context: CommandContext, id: str) -> list[str]:
    """Say what is played, at which pace and how far it is, show the standings, and say how to enter while that is possible."""
    found = competition_of(context.mailer.ports, id)
    lines = [
        f"    {line}"
        for each, name in ranked(context.mailer.ports, found, context.player.id)
        for line in context.say("tournament-place", place=each.place, who=name, points=decimal(each.points, context.player.language, 2))
    ]
    how = context.say("tournament-how", id=id) if found.takes_entries else []
    standings = context.say("tournament-standings", name=found.plan.name)
    return [*_plan(context, found), *standings, *lines, *how, context.mailer.links.tournament(id)]


def _plan(context: CommandContext, competition: Competition) -> list[str]:
    plan, language = competition.plan, context.player.language
    rules = ruleset(plan.rules)
    values = {
        "title": rules.title(rules.in_language(language)),
        "format": Sentences(language, "tournament-invitation").say(f"format-{plan.format}"),
        "seats": plan.seats,
        "status": _status(context, competition),
    }
    return [*context.say("tournament-plan", **values), " ".join(pace(plan.clock, language))]


def _list(context: CommandContext) -> list[str]:
    found = all_competitions(context.mailer.ports)[:MOST_LISTED]
    lines = [f"    {_line(context, each)}" for each in found]
    return [*context.say("tournament-listed"), *lines] if lines else context.say("tournament-none")


def _line(context: CommandContext, competition: Competition) -> str:
    return context.say("tournament-line", name=competition.plan.name, status=_status(context, competition), id=competition.id)[0]


def _status(context: CommandContext, competition: Competition) -> str:
    date = _date(context, competition) if competition.status == CompetitionStatus.OPEN else ""
    return context.say(f"tournament-status-{competition.status}", date=date, number=len(competition.rounds))[0]


def _date(context: CommandContext, competition: Competition) -> str:
    return day_of(datetime.fromtimestamp(competition.plan.starts / 1000, UTC), context.player)
