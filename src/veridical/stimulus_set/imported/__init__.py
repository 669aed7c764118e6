"""Media that others made, on the user's disk, as stimulus sets: opened with limits, kept as they came, described."""

from veridical.stimulus_set.imported.item import Embedded, Import, Item, LeftOut, Measured, bytes_of
from veridical.stimulus_set.imported.write_import import write_import

__all__ = ["Embedded", "Import", "Item", "LeftOut", "Measured", "bytes_of", "write_import"]
