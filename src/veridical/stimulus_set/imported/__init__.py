"""Media that others made, on the user's disk, as stimulus sets: opened with limits, kept as they came, described."""

from veridical.stimulus_set.imported.write_import import Import, Item, Measured, write_import

__all__ = ["Import", "Item", "Measured", "write_import"]
