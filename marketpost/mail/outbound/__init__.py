"""Outbound letters: write, render, sign and deliver them."""
