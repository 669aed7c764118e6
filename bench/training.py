"""What an export of training prompts costs beside `make` of the same design: CPU seconds of one process, and the ratio.

`python -m bench.training`: each suite's first recipe; `--suites`, `--units` of each family, `--rounds`. In a round the
same units are drawn twice, from their seeds of training for the export and from those of an evaluation for the set, one
after the other, so that other work on the machine weighs on both. The table has the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from veridical.base.workers import Workers
from veridical.records import Chunk
from veridical.rewards.export import export_training
from veridical.rewards.parts import RecipeSource, units_in_turn
from veridical.rewards.requests import recipe_sources
from veridical.stimulus_set import write_set
from veridical.suite import registry


class Cost(NamedTuple):
    """What both took for the same units, in CPU seconds, and how many pictures or clips were drawn."""

    media: int
    made: float
    exported: float

    @property
    def ratio(self) -> float:
        return self.exported / self.made


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a line for each suite, or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.training", description="What an export costs beside make.")
    parser.add_argument("--suites", nargs="+", default=["viprobe", "viabench"], help="suites with training recipes")
    parser.add_argument("--units", type=int, default=2, help="units of each family")
    parser.add_argument("--rounds", type=int, default=3, help="rounds")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    chosen = parser.parse_args(arguments)
    costs = {suite: [cost(suite, chosen.units) for _ in range(chosen.rounds)] for suite in chosen.suites}
    if chosen.json:
        facts = {suite: [{**each._asdict(), "ratio": each.ratio} for each in own] for suite, own in costs.items()}
        sys.stdout.write(json.dumps(facts, indent=1) + "\n")
        return
    for suite, own in costs.items():
        middle = median(each.ratio for each in own)
        spread = f"{min(each.ratio for each in own):.2f} to {max(each.ratio for each in own):.2f}"
        each_ms = [
            1000 * median(values) / own[0].media for values in ((c.made for c in own), (c.exported for c in own))
        ]
        sys.stdout.write(
            f"{suite}: {middle:.2f} ({spread}) with {own[0].media:,} pictures or clips, "
            f"{each_ms[0]:.2f} ms of CPU each in a set, {each_ms[1]:.2f} ms in an export\n"
        )


def cost(suite: str, units: int) -> Cost:
    """What a set of a suite and an export of the same units take."""
    [source] = recipe_sources([suite], None, 0)
    families = dict.fromkeys(family for family, _ in units_in_turn(source, 1, (), None))
    examples = sum(len(source.outlined(units, Chunk(family, index))) for family in families for index in range(units))
    with TemporaryDirectory(prefix="veridical-bench-") as place:
        began = process_time()
        media = _made(source, units, Path(place) / "set")
        between = process_time()
        export_training(suite, Path(place) / "train", examples=examples, trainer="trl", workers=1)
        return Cost(media, between - began, process_time() - between)


def _made(source: RecipeSource, units: int, folder: Path) -> int:
    """How many media a set of the recipe's design has, after it was drawn from the seed of an evaluation."""
    design = registry.get(source.suite).design
    options = source.options(units).model_copy(update={"seed": source.seed})
    made = write_set(
        folder, source.suite, options, design.chunks(options), design.make, factors=design.factors, workers=Workers(1)
    )
    return sum(len(stimulus.media) for stimulus in made.stimuli)


if __name__ == "__main__":
    main()
