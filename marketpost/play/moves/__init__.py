"""Moves: submit, decide, preview, and standing orders."""
