"""`python -m bench.scenes`: how many scenes with their five questions are made per second on one core.

Made means composed, asked about, painted, encoded, hashed and written as rows, as `veridical make magic` does it up to
the file; "words" are the scene, its questions and chains without any picture. A second is one of the processor's time.
Each pass makes other scenes, so nothing that is kept from one scene to the next counts twice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time

from bench.drawing import one_core
from veridical.base.options import parse_options
from veridical.records import Chunk, canonical
from veridical.stimulus_set.stimulus_table import to_row
from veridical.suites.magic.options import KINDS, MagicOptions, SceneKind
from veridical.suites.magic.scenes.compose import compose
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.make import make, marked_question, truth_of, words
from veridical.suites.magic.stimuli import FACTORS

MADE, WORDS = 100, 333
"""The aims: scenes per second, and scenes without a picture per second."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, and prints a table for people or, with `--json`, one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m bench.scenes", description="How fast scenes are made.")
    parser.add_argument("--width", type=int, default=640, metavar="PX")
    parser.add_argument("--scenes", nargs="+", default=list(KINDS), choices=list(KINDS), metavar="KIND")
    parser.add_argument("--units", type=int, default=40, help="scenes per pass (%(default)s)")
    parser.add_argument("--passes", type=int, default=3, help="the best pass counts (%(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    chosen = parser.parse_args(arguments)
    on = one_core()
    options = parse_options(MagicOptions, {"width": chosen.width})
    rates = {
        kind: {
            name: rate(partial(work, options, kind), chosen.units, chosen.passes)
            for name, work in (("made", _made), ("words", _words))
        }
        for kind in chosen.scenes
    }
    measured = {"on": on, "width": chosen.width, "scenes_per_s": rates}
    sys.stdout.write((json.dumps(measured, indent=1) if chosen.json else _text(rates)) + "\n")


def rate(work: Callable[[int], object], units: int, passes: int) -> float:
    """Scenes per second in the best pass, after a few scenes that do not count."""
    for index in range(10):
        work(index)
    rates = []
    for turn in range(passes):
        begun = process_time()
        for k in range(units):
            work(10 + turn * units + k)
        rates.append(units / (process_time() - begun))
    return round(max(rates), 1)


def _made(options: MagicOptions, kind: SceneKind, index: int) -> None:
    for stimulus, _ in make(options, Chunk(kind, index)):
        canonical(to_row(stimulus, FACTORS))


def _words(options: MagicOptions, kind: SceneKind, index: int) -> None:
    scene = compose(kind, options.width, options.width * 3 // 4, options.seed, index)
    graph, unit = Graph(scene.setting), f"{kind}/{index:04}"
    nuisances = words(unit, options.seed)
    for name in scene.questions:
        truth_of(marked_question(scene, graph, name, options.seed, unit), nuisances)


def _text(rates: dict[str, dict[str, float]]) -> str:
    slowest = {name: min(each[name] for each in rates.values()) for name in ("made", "words")}
    aims = (("made", MADE), ("words", WORDS))
    return "\n".join(
        [
            "| scene | made/s | words alone/s |",
            "|---|---:|---:|",
            *(f"| {kind} | {each['made']:.0f} | {each['words']:.0f} |" for kind, each in rates.items()),
            "",
            *(
                f"Slowest, {name}: {slowest[name]:.0f} (aim {aim}: {'reached' if slowest[name] >= aim else 'missed'})."
                for name, aim in aims
            ),
        ]
    )


if __name__ == "__main__":
    main()
