"""Gestalt: one thing that differs hides in the regularity of the whole."""
