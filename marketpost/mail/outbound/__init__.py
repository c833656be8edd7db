"""Outbound letters: compose, render, sign and deliver them."""
