"""Webhooks: calling players' own programs, and trusting none of them."""
