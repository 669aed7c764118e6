"""Puzzles of the category `motion`."""

from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = ()
