"""Media that others made, on the user's disk, as stimulus sets: opened with limits, kept as they came, described."""

from veridical.stimulus_set.imports.item import EmbeddedFile, ExcludedItem, Import, ImportItem, MeasuredMedia, bytes_of
from veridical.stimulus_set.imports.write_import import write_import

__all__ = ["EmbeddedFile", "ExcludedItem", "Import", "ImportItem", "MeasuredMedia", "bytes_of", "write_import"]
