"""Workers: what they run, and what they leave alone."""
