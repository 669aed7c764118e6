"""Geometry and space: slants, lengths, figures that cannot exist, and holes."""

from veridical.suites.viabench.puzzles.geometric.cafe_wall import CAFE_WALL
from veridical.suites.viabench.puzzles.geometric.corridor import CORRIDOR
from veridical.suites.viabench.puzzles.geometric.crate import CRATE
from veridical.suites.viabench.puzzles.geometric.fork import FORK
from veridical.suites.viabench.puzzles.geometric.hering import HERING
from veridical.suites.viabench.puzzles.geometric.hole import HOLE
from veridical.suites.viabench.puzzles.geometric.muller_lyer import MULLER_LYER
from veridical.suites.viabench.puzzles.geometric.oppel_kundt import OPPEL_KUNDT
from veridical.suites.viabench.puzzles.geometric.tribar import TRIBAR
from veridical.suites.viabench.puzzles.geometric.zollner import ZOLLNER
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (
    CAFE_WALL,
    ZOLLNER,
    HERING,
    MULLER_LYER,
    OPPEL_KUNDT,
    CORRIDOR,
    TRIBAR,
    CRATE,
    FORK,
    HOLE,
)
