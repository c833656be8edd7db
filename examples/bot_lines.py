"""A bot for `marketpost league run`, which needs no service: it reads a game as a line of JSON and answers with a line of orders.
marketpost league run greedy mine="python3 examples/bot_lines.py stall buy develop"
It plays a legal step at random; with words, one that begins with the first of these words that any step begins with.
"""

import json
import random
import sys

for line in sys.stdin:
    steps = json.loads(line)["steps"]
    wanted = ([step for step in steps if step.startswith(word)] for word in sys.argv[1:])
    if steps:  # none in the last line, which tells how the game ended
        print(random.choice(next(filter(None, wanted), steps)), flush=True)
