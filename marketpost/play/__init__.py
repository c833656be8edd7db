"""Use cases, one module each. The stores, the clock and the work queue come as an argument (`Ports`)."""
