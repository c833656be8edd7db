"""Inbound mail: take a message in, read what its sender wrote, act on it and answer."""
