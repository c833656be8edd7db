"""Webhooks: HTTP calls to players' programs, which are never trusted."""
