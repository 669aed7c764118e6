"""Puzzles of the category `gestalt`."""

from veridical.suites.viabench.puzzles.puzzle import Puzzle

PUZZLES: tuple[Puzzle, ...] = ()
