"""Visual anomalies: what breaks a common-sense prior, each beside its normal version."""

from veridical.suites.viabench.puzzles.anomalies.boards import BOARDS
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (BOARDS,)
