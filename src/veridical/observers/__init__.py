"""Embedded observers whose mechanism is known: they validate the instruments and travel the road of any model."""
