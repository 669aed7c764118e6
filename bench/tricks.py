"""`python -m bench.tricks`: the processor's time that a clip of MagicBench takes, by family, and clips per second.

Made means logged, checked, drawn, encoded, and hashed after decoding, with its window, its boxes and its words, as
`veridical make magicbench` does it up to the file, at the default size. A trick and its control share what comes before
the secret. With `--whole`, also clips per second by the clock of a whole set on all cores.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from statistics import median
from time import perf_counter, process_time

import veridical
from bench.drawing import one_core
from veridical.base.options import parse_options
from veridical.records import Chunk
from veridical.suites.magicbench.make import make
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.tricks.trick import FAMILIES

MEDIAN = 0.45
"""The aim: CPU seconds of the median clip."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.tricks", description="What clips of tricks cost.")
    parser.add_argument("--tricks", nargs="+", default=list(FAMILIES), choices=list(FAMILIES), metavar="FAMILY")
    parser.add_argument("--units", type=int, default=6, help="units per family (%(default)s)")
    parser.add_argument("--whole", action="store_true", help="also clips per second of a whole set on all cores")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    chosen = parser.parse_args(arguments)
    rate = clips_per_second(chosen.tricks, chosen.units) if chosen.whole else None
    on = one_core()
    costs = measured(chosen.tricks, chosen.units)
    seconds = {family: [round(each, 2) for each in own] for family, own in costs.items()}
    made = {"on": on, "seconds": seconds, "clips_per_second": rate}
    sys.stdout.write((json.dumps(made, indent=1) if chosen.json else _text(costs, rate)) + "\n")


def measured(families: Sequence[str], units: int) -> dict[str, list[float]]:
    """CPU seconds per clip of each unit, by family, after one unit that does not count."""
    costs: dict[str, list[float]] = {}
    for family in families:
        _clips(family, units)
        for index in range(units):
            begun = process_time()
            count = _clips(family, index)
            costs.setdefault(family, []).append((process_time() - begun) / count)
    return costs


def clips_per_second(families: Sequence[str], units: int) -> float:
    """Clips per second by the clock, of a set that is made on all cores, and written."""
    begun = perf_counter()
    whole = veridical.make("magicbench", tricks=tuple(families), units=units)
    return len(whole) / (perf_counter() - begun)


def _clips(family: str, index: int) -> int:
    """The number of clips of a unit, after they were made."""
    return len(list(make(parse_options(MagicBenchOptions, {}), Chunk(family, index))))


def _text(costs: dict[str, list[float]], rate: float | None) -> str:
    every = [each for own in costs.values() for each in own]
    verdict = "reached" if median(every) <= MEDIAN else "missed"
    rows = [f"| {name} | {len(costs[name])} | {median(costs[name]):.2f} |" for name in costs]
    lines = ["| family | units | CPU s per clip |", "|---|---:|---:|", *rows, ""]
    lines.append(f"Median {median(every):.2f} (aim {MEDIAN}: {verdict}), most {max(every):.2f}.")
    if rate is not None:
        lines.append(f"{rate:.2f} clips per second of a whole set on all cores.")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
