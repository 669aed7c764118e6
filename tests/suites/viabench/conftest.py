"""Sets of VIA-Bench that the tests share: each puzzle at a small size, and runs of embedded observers on it."""

from __future__ import annotations

import fcntl
import os

import pytest

import veridical
from veridical.stimulus_set import write
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.puzzle import VARIANTS


def matched(name):
    """Whether each answer of a puzzle has an illusion and an ordinary counterpart."""
    puzzle = PUZZLES[name]
    base = puzzle.sample(Nuisances(name, 256, 0, 0), 1)
    return all(len(puzzle.variants(base, answer)) == len(VARIANTS) for answer in puzzle.answers(base))


UNITS = 6
"""Units of each puzzle: every grade of difficulty and, of yes-no questions, each polarity at each grade."""


@pytest.fixture(scope="session")
def items(tmp_path_factory):
    """Every puzzle, six units each, drawn in this process: the cores are busy, and another would have to start.

    The first of the workers that need the set draws it, the others wait for it and open it.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with (shared / "viabench.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        patch.setattr(write, "cores", lambda: 1)
        return veridical.make("viabench", out=shared / "viabench" / "set", units=UNITS, size=256)


@pytest.fixture(scope="session")
def observed(items, tmp_path_factory):
    """Runs of an embedded observer on all puzzles, by its name and arguments, made once each."""
    folder, runs = tmp_path_factory.mktemp("viabench-runs"), {}

    def run(name, *, repeats=1, **model_args):
        key = (name, repeats, *sorted(model_args.items()))
        if key not in runs:
            options = {"repeats": repeats, "model_args": model_args, "judge": "rule", "show": "quiet"}
            runs[key] = veridical.run(items, f"veridical/{name}", out=folder / str(len(runs)), **options)
        return runs[key]

    return run
