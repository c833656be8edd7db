"""Keep a log for ever: `DATA_DIR=data python -m tests.logs GAME tests/logs/today/portobello-new-action.jsonl`."""

import sys
from pathlib import Path

from marketpost.cli.store_access import ports
from tests.logs import keep

if __name__ == "__main__":
    keep(Path(sys.argv[2]), sys.argv[1], ports().games.read(sys.argv[1]))
