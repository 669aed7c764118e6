"""`python -m bench.events`: the processor's time that a clip of HOCA-Bench takes, by scene, verification included.

Made means played, checked, drawn, encoded, and hashed after decoding, as `veridical make hocabench` does it up to the
file, at the default size and duration. Courses of a unit share what comes before the event.
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
from veridical.suites.hocabench.options import HOCABenchOptions
from veridical.suites.hocabench.physics.make import make
from veridical.suites.hocabench.taxonomy import SUB_TYPES

MEDIAN = 0.45
"""The aim: CPU seconds of the median clip."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.events", description="What clips of anomalies cost.")
    parser.add_argument("--sub-types", nargs="+", default=list(SUB_TYPES), choices=list(SUB_TYPES), metavar="SUB_TYPE")
    parser.add_argument("--units", type=int, default=4, help="units per sub-type (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    chosen = parser.parse_args(arguments)
    on = one_core()
    costs = measured(chosen.sub_types, chosen.units)
    found = {"on": on, "seconds": {scene: [round(each, 2) for each in own] for scene, own in costs.items()}}
    sys.stdout.write((json.dumps(found, indent=1) if chosen.json else _text(costs)) + "\n")


def measured(sub_types: Sequence[str], units: int) -> dict[str, list[float]]:
    """CPU seconds per clip of each unit, by scene, after one unit that does not count."""
    options = parse_options(HOCABenchOptions, {})
    list(make(options, Chunk(sub_types[0], units)))
    costs: dict[str, list[float]] = {}
    for name in sub_types:
        for index in range(units):
            begun = process_time()
            made = list(make(options, Chunk(name, index)))
            costs.setdefault(str(made[0][0].factors["scene"]), []).append((process_time() - begun) / len(made))
    return costs


def _text(costs: dict[str, list[float]]) -> str:
    every = [each for own in costs.values() for each in own]
    verdict = "reached" if median(every) <= MEDIAN else "missed"
    ordered = sorted(costs, key=lambda scene: -median(costs[scene]))
    return "\n".join(
        [
            "| scene | units | CPU s per clip |",
            "|---|---:|---:|",
            *(f"| {scene} | {len(costs[scene])} | {median(costs[scene]):.2f} |" for scene in ordered),
            "",
            f"Median {median(every):.2f} (aim {MEDIAN}: {verdict}), most {max(every):.2f}.",
        ]
    )


if __name__ == "__main__":
    main()
