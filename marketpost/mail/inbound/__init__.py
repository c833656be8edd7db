"""Inbound messages: receive them, find what their senders wrote, act on it and answer."""
