"""Puzzles of the category `color`."""

from veridical.suites.viabench.puzzles.color.plates import PLATES
from veridical.suites.viabench.puzzles.color.words import WORDS
from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = (PLATES, WORDS)
