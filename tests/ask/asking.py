"""Asks the plan of the kill tests in a process of its own: `python -m tests.ask.asking FOLDER URL` prints the tally."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from tests.ask.plans import plan, put

PICTURES, QUESTIONS = 20, 3

if __name__ == "__main__":
    tally = put(Path(sys.argv[1]), sys.argv[2], plan(PICTURES, QUESTIONS), mode="plain")
    sys.stdout.write(json.dumps(asdict(tally)))
