"""The `marketpost` command."""
