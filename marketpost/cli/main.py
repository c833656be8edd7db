"""The `marketpost` command: a group whose commands are imported when they are called."""

from importlib import import_module
from keyword import iskeyword
from types import ModuleType

import click

COMMANDS = {
    "up": ("marketpost.cli.up", "Run everything here: Redis (unless REDIS_URL is set), API, workers, sweeper."),
    "api": ("marketpost.cli.processes", "Answer requests over HTTP."),
    "worker": ("marketpost.cli.processes", "Judge moves, let bots decide, send and read mail, or call webhooks."),
    "mail-in": ("marketpost.cli.processes", "Receive replies: by SMTP or LMTP where MAIL_LISTEN says, and from the mailbox at IMAP_URL."),
    "sweeper": ("marketpost.cli.processes", "Find moves and notices that got lost on their way to a worker."),
    "token": ("marketpost.cli.operate", "Print a code with which EMAIL signs in once, as if it had come by mail."),
    "player": ("marketpost.cli.operate", "Show who is registered under EMAIL."),
    "players": ("marketpost.cli.people_commands", "List the players whose name, address or id contains TEXT; all, if none is given."),
    "suspend": (
        "marketpost.cli.people_commands",
        "Suspend PLAYER, by id or address: signed out everywhere, and out of all games as if they had left.",
    ),
    "unsuspend": ("marketpost.cli.people_commands", "Let PLAYER sign in again."),
    "reports": ("marketpost.cli.people_commands", "Show what players have reported, oldest first."),
    "audit": ("marketpost.cli.people_commands", "Show every act of an operator, oldest first."),
    "operator": (
        "marketpost.cli.people_commands",
        "Make a password with which NAME signs in at /operate, and print it with what to add to OPERATORS.",
    ),
    "suppressions": ("marketpost.cli.suppression_commands", "List the addresses to which no letters are sent, add one, or lift one."),
    "verify": ("marketpost.cli.operate", "Check the chain of hashes of a game's log, and every draw if the game is over."),
    "trace": (
        "marketpost.cli.trace_command",
        "Show the way of a game, of a MOVE in it, or of a mail: what was accepted, decided, written and delivered, and when.",
    ),
    "rebuild": ("marketpost.cli.operate", "Rebuild the lists of games from the logs, and print what was different."),
    "adopt": ("marketpost.cli.operate", "Let the games belong to this service, after SECRET_KEY or MAIL_DOMAIN was changed on purpose."),
    "backup": ("marketpost.cli.backup_commands", "Write everything but the queues to FILE, while the service runs."),
    "restore": ("marketpost.cli.backup_commands", "Put a backup into an empty Redis, read every game again and compare its hash."),
    "archive": ("marketpost.cli.backup_commands", "Move finished games from Redis to FILE, or back."),
    "dump": (
        "marketpost.cli.dump_command",
        "Write all finished public games to FILE: records and logs as JSON lines, compressed by zstd, with pseudonyms for players.",
    ),
    "league": ("marketpost.cli.league_commands", "Let bots play each other on this machine, and rate them from the logs."),
    "drain": (
        "marketpost.cli.drain_command",
        "Accept nothing new, and wait until all moves are judged and all letters that are due are sent.",
    ),
    "resume": ("marketpost.cli.drain_command", "Accept everything again after `drain`."),
    "doctor": ("marketpost.cli.doctor", "Say what is set, what answers, what is durable, and what to do where something is wrong."),
    "canary": (
        "marketpost.cli.canary_command",
        "Send a letter through the mail server to ourselves, answer it, and say how long that took; status 1 if it does not come back.",
    ),
    "mailbox": ("marketpost.cli.mailbox", "Read and answer the mails that stay on this machine because no mail server is set."),
    "login": ("marketpost.cli.login", "Sign in."),
    "logout": ("marketpost.cli.login", "Sign out: the token is worth nothing afterwards, and is deleted here."),
    "tokens": (
        "marketpost.cli.account_commands",
        "List the programs and browsers that are signed in as you, or revoke one of their tokens.",
    ),
    "bots": ("marketpost.cli.bot_commands", "List, create and erase accounts for programs of yours, and manage their tokens."),
    "feeds": (
        "marketpost.cli.account_commands",
        "Print the secret addresses of your feeds: what waits for you (Atom), and your deadlines (iCalendar).",
    ),
    "address": ("marketpost.cli.address_command", "List your mail addresses, or add or remove EMAIL or make it the main one."),
    "letters": (
        "marketpost.cli.account_commands",
        "Choose whether letters explain the game: all (full), none (short), or the first ones (auto).",
    ),
    "hide": ("marketpost.cli.account_commands", "Take yourself off the lists and pages of players."),
    "unhide": ("marketpost.cli.account_commands", "Show yourself on the lists and pages of players again."),
    "channels": (
        "marketpost.cli.channel_commands",
        "List, add, test and remove the chats, phones and programs that are told of your games.",
    ),
    "new": (
        "marketpost.cli.game_commands",
        "Open a game, in words as in a mail: portobello fr with bob@example.org and a strong bot, 1 day per move, weekends off.",
    ),
    "rename": ("marketpost.cli.game_commands", "Name a game of yours before it begins; without NAME, take its name away."),
    "games": ("marketpost.cli.games_command", "List your games, newest first."),
    "join": ("marketpost.cli.game_commands", "Take the seat you are invited to, or the first that is free."),
    "word": ("marketpost.cli.game_commands", "Contribute a WORD of your own to chance, such as lucky-7, until the game begins."),
    "show": ("marketpost.cli.show", "Show a game: the board, the last turns, and what you may do."),
    "board": ("marketpost.cli.board_command", "Show the board of a game, or of a record at its end."),
    "rules": ("marketpost.cli.rules_command", "Print the whole rules of RULESET, or those of GAME with its edition and options."),
    "legal": ("marketpost.cli.show", "List every legal next step, now or after ORDERS."),
    "preview": ("marketpost.cli.show", "Say what ORDERS would do, for every branch of chance."),
    "move": ("marketpost.cli.move", "Send ORDERS, or what stands on standard input, and wait for the outcome."),
    "standing": (
        "marketpost.cli.standing_commands",
        "Show your standing orders, or leave ORDERS in place of them: for decisions outside your own turn.",
    ),
    "ahead": (
        "marketpost.cli.standing_commands",
        'Show your orders ahead, or leave BRANCHES in place of them: for your next turn, each such as "if red leads: 3: stall B-C".',
    ),
    "hint": (
        "marketpost.cli.hint_command",
        "Say what a bot would play in your place now, and why; everybody at the table sees that you have asked.",
    ),
    "clock": ("marketpost.cli.standing_commands", "Show how long one may think in a game, and who has to decide by when."),
    "undo": ("marketpost.cli.game_commands", "Take back your last orders."),
    "propose": ("marketpost.cli.agreement_commands", "Propose an undo, a draw, or to abandon the game."),
    "agree": ("marketpost.cli.agreement_commands", "Say yes to what is proposed."),
    "disagree": ("marketpost.cli.agreement_commands", "Say no to what is proposed, or take your own proposal back."),
    "say": ("marketpost.cli.game_commands", "Say something at the table: TEXT, or what stands on standard input."),
    "block": ("marketpost.cli.account_commands", "Block PLAYER, by the id that `show --json` prints; or list whom you have blocked."),
    "unblock": ("marketpost.cli.account_commands", "Block PLAYER no more."),
    "report": ("marketpost.cli.account_commands", "Report PLAYER to the operator of the service."),
    "analysis": ("marketpost.cli.analysis_command", "Tell luck and skill of a finished game, and its turning points with their boards."),
    "watch": ("marketpost.cli.watch", "Watch a game live: it is redrawn whenever something happens, until it is over or you press q."),
    "mcp": ("marketpost.cli.mcp_command", "Serve the tools for agents on standard input and output (Model Context Protocol)."),
    "link": (
        "marketpost.cli.agreement_commands",
        "Make a link to a free seat or to view the game; without either, list those you have made.",
    ),
    "hand-over": ("marketpost.cli.agreement_commands", "Hand your seat over: to a bot at once, to a person as soon as they join."),
    "resign": ("marketpost.cli.game_commands", "Give up: a bot plays on in your seat."),
    "rematch": ("marketpost.cli.agreement_commands", "Play once more with the same people, after a game is over."),
    "find": ("marketpost.cli.search_command", "Search for people to play the game RULES with; without it, list your searches."),
    "profile": ("marketpost.cli.rating_commands", "Show the results, ratings and pace of the player NAME, or of yourself."),
    "ratings": ("marketpost.cli.rating_commands", "List the ratings of the game RULES, best first."),
    "competition": ("marketpost.cli.competition_commands", "Tournaments and leagues: announce one, or take part."),
    "export": ("marketpost.cli.game_commands", "Write the game's record to FILE, or print it."),
    "import": ("marketpost.cli.game_commands", "Let the service check a record, or play it on."),
    "replay": ("marketpost.cli.replay_command", "Replay records and check everything they say."),
    "play": ("marketpost.cli.terminal_play", "Play a game here against bots."),
    "demo": ("marketpost.cli.terminal_play", "Watch bots play a game; the board is redrawn after each turn."),
}
"""Each command: the module that defines it under the same name, and its line in the help, which is shown without importing it."""


class _Commands(click.Group):
    """Imports the module of a command only when the command is called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(_module(COMMANDS[cmd_name][0]), f"{name}_" if iskeyword(name) else name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their lines of the table, cut to the width of the terminal as click does."""
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, click.Command(name, help=line).get_short_help_str(limit)) for name, (_, line) in COMMANDS.items()])


def _module(name: str) -> ModuleType:
    """Import the module of a command; an installation without the server says what it lacks."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        raise click.ClickException(f"{missing.name} is missing: pip install 'marketpost[server]'") from missing


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marketpost")
def main() -> None:
    """Board games over days: by mail, over REST, and here."""


if __name__ == "__main__":
    main(prog_name="marketpost")
