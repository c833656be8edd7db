"""docs/capacity.md: the figures of two runs, what the model makes of them, and the first bottleneck."""

from collections.abc import Iterable, Iterator, Sequence

from tests.capacity.measure import OF_LETTERS, OF_MOVES, Measurement, Run
from tests.capacity.model import GB, SHORTER, Bottleneck, Costs, Machine, Needs, Use, needs
from tests.proof import table

TITLE = """# Capacity
What a move, a letter, a game, an account and an open page cost, and what a public service would need. `make capacity` measures,
computes and writes this page; every figure on it is from that run. Costs come from people who play over REST and by mail as `make soak`
has them play. The model is in `tests/capacity/model.py`: everything is proportional to what one of its kind costs. Put your own assumptions
and prices there; `.venv/bin/python -m tests.capacity --again` computes the page anew from what was measured.
"""
REMEDIES = {
    "the node": """All letters, their queue and the addresses to answer them have one hash tag, so that scripts can change several of them
at once; a cluster therefore keeps them on one node. Give that node more memory, or keep letters for less than 90 days and their reply
addresses for less than 400; beyond that, the tag has to name the recipient.""",
    "the sweeper": """The sweeper searches all keys so that a move is found even if the list of games with work is lost. Above this number
of games a search takes longer than the time between two of them: moves are not late by it, because the list is looked at every 5 s, but a
lost list is repaired later and one core is busy with it. Then the search has to be spread over the nodes, or be made less often.""",
    "the queue": """All moves pass one Redis, because rq does not work on a Cluster. Beyond this, games have to be divided among several
queues.""",
}
"""What to do about each of the things of which there is only one, by how its name begins."""


def cost_rows(costs: Costs) -> Iterator[tuple[str, str]]:
    told = ", ".join(f"{name} {seconds * 1e3:.2f}" for name, seconds in costs.move.items() if seconds)
    yield "CPU time of a move, looked at, sent, judged and told", f"{sum(costs.move.values()) * 1e3:.1f} ms: {told}"
    told = ", ".join(f"{name} {seconds * 1e3:.2f}" for name, seconds in costs.letter.items() if seconds)
    yield "CPU time of a letter, and of the mail that answers it", f"{sum(costs.letter.values()) * 1e3:.1f} ms: {told}"
    yield "CPU time of opening a game of four", f"{costs.opening * 1e3:.0f} ms"
    yield "moves of a whole game, entries of its log for a move", f"{costs.moves:.0f}, {costs.entries:.2f}"
    yield (
        "Redis: a running game",
        f"{costs.game:,.0f} bytes at its beginning and {costs.entry:,.0f} for each later entry, in {costs.keys:.1f} keys",
    )
    yield "Redis: a finished game", f"{costs.finished:,.0f} bytes"
    yield "Redis: a letter", f"{costs.letter_days / 1000:,.0f} kB-days (bytes times the days for which they stay)"
    yield "Redis: an account", f"{costs.account:,.0f} bytes"
    yield "Redis: memory for a byte of keys and values", f"{costs.overhead:.2f}"
    yield "letters for a move by mail, size of a letter", f"{costs.letters:.2f}, {costs.letter_size / 1000:.0f} kB"
    yield "an open page", f"{costs.stream / 1000:.0f} kB of an API process"
    yield "the sweeper's search of all keys", f"{costs.search * 1e6:.1f} µs a key"


def check_rows(small: Run, large: Run) -> Iterator[tuple[str, str, str, str]]:
    """What the costs of the small run say of the large one, and what it was."""
    costs = small.costs

    def row(name: str, predicted: float, measured: float, unit: str) -> tuple[str, str, str, str]:
        return name, f"{predicted:,.1f} {unit}", f"{measured:,.1f} {unit}", f"{measured / predicted:.2f}" if predicted else "–"

    moves = sum(large.cpu.get(name, 0.0) for name in OF_MOVES)
    letters = sum(large.cpu.get(name, 0.0) for name in OF_LETTERS)
    yield row(f"CPU time of {large.moves:,} moves", large.moves * sum(costs.move.values()), moves, "s")
    yield row(f"CPU time of {large.letters:,} letters", large.letters * sum(costs.letter.values()), letters, "s")
    predicted = large.running * costs.game + large.entries * costs.entry
    yield row(f"Redis: {large.running:,} running games with {large.entries:,} later entries", predicted / 1e6, large.game_bytes / 1e6, "MB")
    yield row(f"search of {large.keys:,} keys", large.keys * costs.search * 1e3, large.search * 1e3, "ms")
    yield row("letters for a move by mail", costs.letters, large.costs.letters, "")
    yield row("Redis: a letter", costs.letter_days / 1000, large.costs.letter_days / 1000, "kB-days")


def assumption_rows(use: Use, machine: Machine) -> Iterator[tuple[str, str]]:
    yield "games running, players on a day, accounts", f"{use.games:,}, {use.players:,}, {use.accounts:,}"
    yield "moves of a player on a day", f"{use.moves:g}"
    yield "moves by mail; letters for any other move", f"{use.by_mail:.0%}; {use.other_letters:g}"
    yield "the busiest hour", f"{use.busiest:.0%} of the day's moves; {use.pages:.0%} of its players have a page open"
    yield "a finished game stays in Redis", f"{use.kept:g} days, then it is archived"
    yield (
        "a node of the cluster",
        f"{machine.memory / GB:.0f} GB, filled to {machine.filled:.0%}, {machine.replicas} replica, {machine.node_price:g} € a month",
    )
    yield (
        "a machine for API and workers",
        f"{machine.cores} cores, busy to {machine.load:.0%} in the busiest hour, {machine.machine_price:g} € a month",
    )
    yield "a thousand letters", f"{machine.letters_price:.2f} €"


def need_rows(found: Needs, use: Use) -> Iterator[tuple[str, str]]:
    yield "moves a second in the busiest hour", f"{found.moves_a_second:.0f}"
    yield (
        "letters",
        f"{found.letters_a_day:,.0f} a day, {found.letters_a_second:.0f} a second in the busiest hour, "
        f"{found.mail_traffic / GB:,.0f} GB a day",
    )
    yield "open pages", f"{found.streams:,.0f}, {found.stream_bytes / GB:.1f} GB of API processes"
    for name, cores in sorted(found.cores.items(), key=lambda each: -each[1]):
        if cores >= 0.005:
            yield f"cores: {name}", f"{cores:.2f}"
    yield "Redis: games", f"{found.game_bytes / GB:,.0f} GB"
    yield "Redis: accounts", f"{found.account_bytes / GB:,.1f} GB"
    yield "nodes of the cluster for both, with replicas", str(found.nodes)
    yield "Redis: mail", f"{found.mail_bytes / GB:,.0f} GB, which would fill {found.mail_nodes} nodes with replicas if it could be spread"
    yield f"the same, if nothing of a letter were kept longer than {SHORTER:.0f} days", f"{found.mail_bytes_shorter / GB:,.0f} GB"
    yield "machines for API, workers, sweeper and the queue", str(found.machines)
    for name, price in found.price.items():
        yield f"€ a month: {name}", f"{price:,.0f}"
    yield (
        "€ a month: all",
        f"{sum(found.price.values()):,.0f}, {sum(found.price.values()) / use.players * 100:.1f} cents for each player of a day",
    )


def an_active_player(costs: Costs, use: Use) -> list[tuple[str, str]]:
    """What one more player of a day adds."""
    one = needs(costs, Use(games=use.games // use.players, players=1, accounts=use.accounts // use.players), Machine())
    cpu = use.moves * sum(costs.move.values()) + one.letters_a_day * sum(costs.letter.values())
    redis = {"games": one.game_bytes, "mail": one.mail_bytes, "account": one.account_bytes}
    return [
        ("CPU time a day", f"{cpu:.2f} s"),
        ("Redis", f"{sum(redis.values()) / 1e6:.2f} MB: " + ", ".join(f"{name} {size / 1e6:.3f}" for name, size in redis.items())),
        ("letters a day", f"{one.letters_a_day:.1f}, {one.mail_traffic / 1e6:.2f} MB"),
        ("streams in the busiest hour", f"{one.streams:.2f}, {one.stream_bytes / 1000:.1f} kB"),
    ]


def limit_rows(found: Needs, use: Use) -> Iterator[tuple[str, ...]]:
    for each in _tightest_first(found):
        yield (
            each.name,
            f"{each.used:,.2f} {each.unit}",
            f"{each.most:,.2f} {each.unit}",
            f"{each.ratio:.2f}",
            f"{use.games / each.ratio:,.0f}",
        )


def page(measured: Measurement, use: Use, machine: Machine) -> str:
    """The whole document."""
    small, large = measured.small, measured.large
    found = needs(large.costs, use, machine)
    enough = f", from about {use.games / found.first.ratio:,.0f} games of this use on." if found.first.ratio > 1 else "; it suffices here."
    parts = [
        TITLE + "\n" + measured.circumstances,
        "## What one of each costs",
        f"From {large.games:,} games, {large.moves:,} moves and {large.letters:,} letters in {large.seconds:.0f} s.",
        _table(("what", "figure"), cost_rows(large.costs)),
        "## What one more active player needs",
        f"With the assumptions below: {use.games // use.players} games, {use.moves:g} moves a day.",
        _table(("what", "figure"), an_active_player(large.costs, use)),
        f"## Checked at {round(large.games / small.games)} times the games",
        f"What a run with {large.games:,} games should have cost by the costs of a run with {small.games:,} games ({small.moves:,} moves "
        f"in {small.seconds:.0f} s), and what it did cost.",
        _table(("what", "model", "measured", "measured ÷ model"), check_rows(small, large)),
        "## Assumptions",
        "None of these is measured.",
        _table(("what", "assumed"), assumption_rows(use, machine)),
        f"## {use.games:,} games, {use.players:,} players a day",
        _table(("what", "needed"), need_rows(found, use)),
        "## The first bottleneck",
        "Processes of the API, workers, and nodes for games are added as they are needed. There is only one of each of these. "
        f"**The first that does not suffice is {found.first.name}**{enough}",
        _table(("only one", "used", "there is", "used ÷ there is", "enough for games"), limit_rows(found, use)),
        *(f"**{each.name[:1].upper()}{each.name[1:]}.** {_remedy(each.name)}" for each in _tightest_first(found)),
    ]
    return "\n\n".join(parts) + "\n"


def _tightest_first(found: Needs) -> list[Bottleneck]:
    return sorted(found.bottlenecks, key=lambda each: -each.ratio)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(table([head, *rows]))


def _remedy(name: str) -> str:
    return next(text for start, text in REMEDIES.items() if name.startswith(start))
