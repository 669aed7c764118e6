"""Puzzles of the category `geometric`."""

from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = ()
