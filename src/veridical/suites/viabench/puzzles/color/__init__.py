"""Puzzles of the category `color`."""

from veridical.suites.viabench.puzzles.color.assimilation import ASSIMILATION
from veridical.suites.viabench.puzzles.color.checkers import CHECKERS
from veridical.suites.viabench.puzzles.color.contrast import CONTRAST
from veridical.suites.viabench.puzzles.color.plates import PLATES, WORDS
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (PLATES, WORDS, CHECKERS, ASSIMILATION, CONTRAST)
