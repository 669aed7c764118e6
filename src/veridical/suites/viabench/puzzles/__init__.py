"""The puzzles: six categories, each a package of small files; a puzzle is a record in one of them."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.errors import unknown
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.puzzles.anomalies import (
    animals,
    birds,
    boards,
    clocks,
    dice,
    dominoes,
    draughts,
    feet,
    flags,
    go_board,
    grids,
    hands,
    insects,
    logos,
    shogi_board,
    sudoku,
)
from veridical.suites.viabench.puzzles.color import assimilation, checkers, contrast, plates
from veridical.suites.viabench.puzzles.general import behind_posts, kanizsa, profiles, reflection, symmetry, touch
from veridical.suites.viabench.puzzles.geometric import (
    cafe_wall,
    corridor,
    crate,
    fork,
    hering,
    hole,
    muller_lyer,
    oppel_kundt,
    tribar,
    zollner,
)
from veridical.suites.viabench.puzzles.gestalt import (
    camouflage,
    details,
    gaps,
    hues,
    lookalikes,
    mirror_letters,
    orientation,
    sizes,
)
from veridical.suites.viabench.puzzles.motion import (
    drift_order,
    drift_patches,
    drift_rings,
    poles,
    rays,
    static_drift,
    still_row,
    tunnel,
    wheels,
    window,
)
from veridical.suites.viabench.puzzles.puzzle import Puzzle

_FILES = (
    *(hands, feet, animals, birds, insects, dice, dominoes, clocks, flags),
    *(boards, draughts, go_board, shogi_board, sudoku, grids, logos),
    *(plates, checkers, assimilation, contrast),
    *(drift_patches, drift_order, drift_rings, still_row, wheels, window, tunnel, poles, rays, static_drift),
    *(orientation, mirror_letters, lookalikes, gaps, hues, sizes, details, camouflage),
    *(cafe_wall, zollner, hering, muller_lyer, oppel_kundt, corridor, tribar, crate, fork, hole),
    *(profiles, kanizsa, reflection, symmetry, behind_posts, touch),
)
PUZZLES: dict[str, Puzzle] = {
    puzzle.name: puzzle for file in _FILES for puzzle in vars(file).values() if isinstance(puzzle, Puzzle)
}


def get(name: str) -> Puzzle:
    """The puzzle of that name; raises `InputError` for an unknown one."""
    if name not in PUZZLES:
        raise unknown("puzzle", name, PUZZLES)
    return PUZZLES[name]


def selection(names: Sequence[str] | None) -> list[Puzzle]:
    """The puzzles with these names or of these categories, in the order of the registry; all without names."""
    if not names:
        return list(PUZZLES.values())
    for name in names:
        if name not in PUZZLES and name not in CATEGORIES:
            raise unknown("puzzle", name, [*CATEGORIES, *PUZZLES])
    return [puzzle for puzzle in PUZZLES.values() if puzzle.name in names or puzzle.category in names]
