"""Puzzles of the category `color`."""
