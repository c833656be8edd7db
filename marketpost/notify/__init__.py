"""Webhooks: HTTP calls to programs of the players, none of which is trusted."""
