"""Counts that end when they are decided."""

from __future__ import annotations

from collections.abc import Callable


def in_four_of_five(holds: Callable[[int], bool], runs: int) -> bool:
    """Whether something holds in at least four of five runs, each with the number of its own seed.

    It is what a count of all runs says: no run is left out that could change it.
    """
    hits = misses = 0
    for seed in range(runs):
        if holds(seed):
            hits += 1
        else:
            misses += 1
        if hits >= 0.8 * runs:
            return True
        if runs - misses < 0.8 * runs:
            return False
    raise AssertionError("so many runs decide nothing")
