"""`python -m studies.rewards [UNITS]`: the table of attacks on every recipe, for `docs/howto/training.md`."""

from __future__ import annotations

import sys

from studies.rewards.attacks import attack, recipes, table

if __name__ == "__main__":
    units = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    sys.stdout.write("\n".join(table([attack(source, units) for source in recipes()])) + "\n")
