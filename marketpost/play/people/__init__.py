"""Players: registration, guests, preferences, erasure, ratings and profiles."""
