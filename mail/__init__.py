"""Letters out, replies in."""
