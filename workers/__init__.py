"""rq: short jobs that carry ids only."""
