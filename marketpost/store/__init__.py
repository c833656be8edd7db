"""The only place that names a Redis key."""
