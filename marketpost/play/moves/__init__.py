"""Moves: submit, decide, preview, bots and standing orders."""
