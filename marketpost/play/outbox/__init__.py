"""Notices: written with the change they tell of, dispatched afterwards."""
