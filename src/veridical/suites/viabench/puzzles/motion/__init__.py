"""Puzzles of the category `motion`."""
