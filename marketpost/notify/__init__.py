"""The delivery engine: notices of games become letters and messages on other channels; also feeds. Receivers are never trusted."""
