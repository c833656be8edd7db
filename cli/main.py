"""The `marketpost` command: one group, a module for each kind of work, loaded when it is needed."""

from importlib import import_module
from keyword import iskeyword

import click

COMMANDS = {
    "up": "cli.up",
    "api": "cli.parts",
    "worker": "cli.parts",
    "mail-in": "cli.parts",
    "sweeper": "cli.parts",
    "token": "cli.operate",
    "player": "cli.operate",
    "verify": "cli.operate",
    "rebuild": "cli.operate",
    "backup": "cli.keep",
    "restore": "cli.keep",
    "archive": "cli.keep",
    "doctor": "cli.doctor",
    "mailbox": "cli.mailbox",
    "login": "cli.login",
    "logout": "cli.login",
    "new": "cli.seats",
    "games": "cli.seats",
    "join": "cli.seats",
    "show": "cli.look",
    "board": "cli.board",
    "rules": "cli.guide",
    "legal": "cli.look",
    "preview": "cli.look",
    "move": "cli.move",
    "standing": "cli.standing",
    "clock": "cli.standing",
    "undo": "cli.seats",
    "propose": "cli.agree",
    "agree": "cli.agree",
    "disagree": "cli.agree",
    "say": "cli.seats",
    "watch": "cli.watch",
    "link": "cli.agree",
    "hand-over": "cli.agree",
    "resign": "cli.seats",
    "rematch": "cli.agree",
    "export": "cli.seats",
    "import": "cli.seats",
    "replay": "cli.replay",
    "play": "cli.table",
    "demo": "cli.table",
}
"""Each command and the module that defines it under its own name."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
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
