"""The `marketpost` command: one group, a module for each kind of work."""

import click

from cli.replay import replay
from cli.table import demo, play


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marketpost")
def main() -> None:
    """Board games over days: by mail, over REST, and here."""


for command in (replay, play, demo):
    main.add_command(command)
