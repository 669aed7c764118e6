"""A folder of stimuli on disk and the records in memory: what was asked for, write, read, verify.

The folder is what Hugging Face's `load_dataset("imagefolder", data_dir=...)` reads: `metadata.parquet` with one row per
stimulus, the pictures under `media/`, a data set card, and `manifest.json`, which is written last: what has a manifest
is whole.
"""

from veridical.stimulus_set.read import Check, NotMeasurable, StimulusSet, Verify
from veridical.stimulus_set.write import write_set

__all__ = ["Check", "NotMeasurable", "StimulusSet", "Verify", "write_set"]
