"""`python -m bench.puzzles`: how many pictures of each puzzle are made per second on one core, verification included.

Made means drawn, read back, hashed and encoded, as `veridical make viabench` does it up to the file. A second is one of
the processor's time. Each pass makes other units, so nothing that is kept from one unit to the next counts twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from statistics import median
from time import process_time

from bench.drawing import one_core
from veridical.base.options import parse_options
from veridical.records import Chunk
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import make

MEDIAN, EACH = 150, 30
"""The aims: pictures per second of the median puzzle, and of each."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.puzzles", description="How fast puzzles are made.")
    parser.add_argument("--size", type=int, default=512, metavar="PX")
    parser.add_argument("--puzzles", nargs="+", default=list(PUZZLES), choices=list(PUZZLES), metavar="PUZZLE")
    parser.add_argument("--units", type=int, default=6, help="units per pass (%(default)s)")
    parser.add_argument("--passes", type=int, default=3, help="the best pass counts (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    chosen = parser.parse_args(arguments)
    on = one_core()
    rates = {name: rate(name, chosen.size, chosen.units, chosen.passes) for name in chosen.puzzles}
    found = {"on": on, "size": chosen.size, "made_per_s": {name: round(each, 1) for name, each in rates.items()}}
    sys.stdout.write((json.dumps(found, indent=1) if chosen.json else _text(rates)) + "\n")


def rate(name: str, size: int, units: int, passes: int) -> float:
    """Pictures per second of a puzzle in its best pass, after one unit that does not count."""
    options = parse_options(VIABenchOptions, {"size": size})
    list(make(options, Chunk(name, 0)))
    rates = []
    for turn in range(passes):
        begun = process_time()
        made = [files for k in range(units) for _, files in make(options, Chunk(name, 1 + turn * units + k))]
        rates.append(sum(map(len, made)) / (process_time() - begun))
    return max(rates)


def _text(rates: dict[str, float]) -> str:
    slowest = sorted(rates, key=lambda name: rates[name])
    middle = median(rates.values())
    below = [f"{name} {rates[name]:.0f}" for name in slowest if rates[name] < EACH]
    return "\n".join(
        [
            "| puzzle | category | pictures/s |",
            "|---|---|---:|",
            *(f"| {name} | {PUZZLES[name].category} | {rates[name]:.0f} |" for name in slowest),
            "",
            f"Median {middle:.0f} (aim {MEDIAN}: {'reached' if middle >= MEDIAN else 'missed'}).",
            f"Slowest: {slowest[0]}, {rates[slowest[0]]:.0f} (aim {EACH}: "
            + (f"missed by {', '.join(below)})." if below else "reached)."),
        ]
    )


if __name__ == "__main__":
    main()
