"""Notices: written to a game's outbox in the same commit as the change, delivered afterwards."""
