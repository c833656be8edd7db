"""HTTP: parse, call play, dump."""
