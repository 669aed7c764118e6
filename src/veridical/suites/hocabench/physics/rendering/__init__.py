"""Clips in three dimensions: bodies that a physics engine moves, and pictures of the same state logs."""
