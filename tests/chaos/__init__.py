"""Hurt a running service while people play, then count: what was acknowledged must be there, once."""
