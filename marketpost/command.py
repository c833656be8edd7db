"""The entry point of the `marketpost` command."""

import sys
from importlib import import_module


def main() -> None:
    """Run the command; an installation with the client and the rules only says what it lacks."""
    try:
        command = import_module("marketpost.cli.main").main
    except ModuleNotFoundError as missing:
        sys.exit(f"this installation has only the client and the rules ({missing.name} is missing): pip install 'marketpost[server]'")
    command()
