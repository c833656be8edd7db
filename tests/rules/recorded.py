"""Recorded games that tests of records begin with."""

from pathlib import Path

RECORDS = Path(__file__).parents[1] / "records"
FIRST = RECORDS / "portobello" / "001-2p-de.txt"
SHARED = RECORDS / "portobello" / "013-2p-it-shared-win.txt"

RUNNING = """\
marketpost record 1
rules: portobello
board: portobello-classic
edition: de
seats: red (Ann) yellow
---
0 yellow bobby 3 {red 10, yellow 10}
1 red 2: stall B-F; customer C=clerk {red 10, yellow 10}
! not-your-turn: red 3: stall B-F
2 yellow 3: bobby 3-4; stall BF; customer=citizen {red 11, yellow 9}
2 yellow place D; stall BF
"""
"""A game in its third turn; the lines that follow the rule are 7 to 11."""
