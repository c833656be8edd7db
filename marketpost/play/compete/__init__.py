"""Competitions: tournaments and leagues. Each is a log of its own; its state is the fold of it."""
