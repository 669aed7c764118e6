"""Pictures that others made, on the user's disk, as stimulus sets: opened with limits, written, and described."""

from veridical.stimulus_set.imported.write import Import, Measure, Picture, write_import

__all__ = ["Import", "Measure", "Picture", "write_import"]
