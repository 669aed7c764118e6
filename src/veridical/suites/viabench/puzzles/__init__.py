"""The puzzles: six categories, each a package of small files."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import unknown
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.puzzles import anomalies, color, general, geometric, gestalt, motion
from veridical.suites.viabench.puzzles.puzzle import Puzzle

_ALL = (
    *anomalies.PUZZLES,
    *color.PUZZLES,
    *motion.PUZZLES,
    *gestalt.PUZZLES,
    *geometric.PUZZLES,
    *general.PUZZLES,
)
PUZZLES: dict[str, Puzzle] = {puzzle.name: puzzle for puzzle in _ALL}


def get(name: str) -> Puzzle:
    """The puzzle of that name; raises `InputError` for an unknown one."""
    if name not in PUZZLES:
        raise unknown("puzzle", name, PUZZLES)
    return PUZZLES[name]


def chosen(names: Sequence[str] | None) -> list[Puzzle]:
    """The puzzles with these names or of these categories, in the order of the registry; all without names."""
    if not names:
        return list(PUZZLES.values())
    for name in names:
        if name not in PUZZLES and name not in CATEGORIES:
            raise unknown("puzzle", name, [*CATEGORIES, *PUZZLES])
    return [puzzle for puzzle in PUZZLES.values() if puzzle.name in names or puzzle.category in names]
