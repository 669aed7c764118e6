"""Geometry and space: slants, lengths, figures that cannot exist, and holes."""
