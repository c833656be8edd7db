"""The games as pure functions: no clock, network, database or global random number in here."""
