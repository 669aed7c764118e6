"""Puzzles of the category `general`."""
