"""The `marketpost` command: a group whose commands are imported when they are called."""

from importlib import import_module
from keyword import iskeyword

import click

COMMANDS = {
    "up": "marketpost.cli.up",
    "api": "marketpost.cli.processes",
    "worker": "marketpost.cli.processes",
    "mail-in": "marketpost.cli.processes",
    "sweeper": "marketpost.cli.processes",
    "token": "marketpost.cli.operate",
    "player": "marketpost.cli.operate",
    "players": "marketpost.cli.people_commands",
    "suspend": "marketpost.cli.people_commands",
    "unsuspend": "marketpost.cli.people_commands",
    "reports": "marketpost.cli.people_commands",
    "audit": "marketpost.cli.people_commands",
    "suppressions": "marketpost.cli.suppression_commands",
    "verify": "marketpost.cli.operate",
    "rebuild": "marketpost.cli.operate",
    "adopt": "marketpost.cli.operate",
    "backup": "marketpost.cli.backup_commands",
    "restore": "marketpost.cli.backup_commands",
    "archive": "marketpost.cli.backup_commands",
    "dump": "marketpost.cli.dump_command",
    "doctor": "marketpost.cli.doctor",
    "canary": "marketpost.cli.canary_command",
    "mailbox": "marketpost.cli.mailbox",
    "login": "marketpost.cli.login",
    "logout": "marketpost.cli.login",
    "tokens": "marketpost.cli.account_commands",
    "feeds": "marketpost.cli.account_commands",
    "address": "marketpost.cli.address_command",
    "letters": "marketpost.cli.account_commands",
    "channels": "marketpost.cli.channel_commands",
    "new": "marketpost.cli.game_commands",
    "games": "marketpost.cli.game_commands",
    "join": "marketpost.cli.game_commands",
    "word": "marketpost.cli.game_commands",
    "show": "marketpost.cli.show",
    "board": "marketpost.cli.board_command",
    "rules": "marketpost.cli.rules_command",
    "legal": "marketpost.cli.show",
    "preview": "marketpost.cli.show",
    "move": "marketpost.cli.move",
    "standing": "marketpost.cli.standing_commands",
    "clock": "marketpost.cli.standing_commands",
    "undo": "marketpost.cli.game_commands",
    "propose": "marketpost.cli.agreement_commands",
    "agree": "marketpost.cli.agreement_commands",
    "disagree": "marketpost.cli.agreement_commands",
    "say": "marketpost.cli.game_commands",
    "block": "marketpost.cli.account_commands",
    "unblock": "marketpost.cli.account_commands",
    "report": "marketpost.cli.account_commands",
    "watch": "marketpost.cli.watch",
    "link": "marketpost.cli.agreement_commands",
    "hand-over": "marketpost.cli.agreement_commands",
    "resign": "marketpost.cli.game_commands",
    "rematch": "marketpost.cli.agreement_commands",
    "export": "marketpost.cli.game_commands",
    "import": "marketpost.cli.game_commands",
    "replay": "marketpost.cli.replay_command",
    "play": "marketpost.cli.terminal_play",
    "demo": "marketpost.cli.terminal_play",
}
"""Each command and the module that defines it under the same name."""


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
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), f"{name}_" if iskeyword(name) else name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marketpost")
def main() -> None:
    """Board games over days: by mail, over REST, and here."""


if __name__ == "__main__":
    main(prog_name="marketpost")
