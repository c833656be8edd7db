"""The games themselves. Nothing in here knows a clock, a network, a database or a global random number."""
