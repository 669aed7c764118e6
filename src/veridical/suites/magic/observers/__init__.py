"""Observers of MagiC whose mechanism is known."""
