"""Mutation testing: small faults put into the core, one at a time, which the tests must notice. `python -m tests.mutation` runs it."""
