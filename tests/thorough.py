"""How often tests repeat what they do at random: once around in `make test`, and THOROUGH times as often in `make fuzz`."""

import os

THOROUGH = int(os.environ.get("THOROUGH", "1"))
