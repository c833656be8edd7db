"""The stores: every read and write of Redis and of the data folder. Only this package names Redis keys."""
