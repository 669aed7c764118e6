"""The first screens of the five suites on observers that are known, in pages of the toy suite."""

from __future__ import annotations

from dataclasses import replace

import veridical
from tests.report import toy
from tests.report.pages import TRIALS
from tests.suites.hocabench import test_presentation as hocabench
from tests.suites.magic import test_presentation as magic
from tests.suites.magicbench import test_presentation as magicbench
from tests.suites.viprobe import test_tables as viprobe
from veridical.suite import registry

NAME = "veridical/simulated (reads the truth): {}"


def _viabench(folder):
    """Results on pictures of a puzzle of each category that are drawn small; the other suites need none."""
    made = veridical.make("viabench", out=folder / "set", units=2, size=256, puzzles=("dice", "contrast", "wheels"))
    for mechanism in ("sees", "recalls"):
        own = {"model_args": {"mechanism": mechanism}, "show": "quiet", "analyze": False, "repeats": 1}
        run = veridical.run(made, "veridical/simulated", out=folder / mechanism, **own)
        yield replace(run.result(), model=mechanism)


RESULTS = {
    "hocabench": lambda _: hocabench.results(),
    "magic": lambda _: magic.results(),
    "magicbench": lambda _: magicbench.results(),
    "viabench": _viabench,
    "viprobe": lambda _: viprobe.three(),
}


def opening(suite, folder):
    """The opening of a suite on its results, with models named as those of a demonstration are."""
    results = [replace(each, model=NAME.format(each.model)) for each in RESULTS[suite](folder)]
    return registry.get(suite).presentation.opening(results)


def run(suite, folder):
    """A run of the toy suite whose report begins with the opening of another suite."""
    first = opening(suite, folder)
    shown = replace(toy.PRESENTATION, opening=lambda _: first)
    return replace(toy.run("model", TRIALS), suite=toy.suite(presentation=shown))
