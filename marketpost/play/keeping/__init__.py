"""Keeping games: backup, archive, compaction and verification."""
