"""Trials for other people's runners, and what comes back from them."""

from veridical.export.batch import write_batch
from veridical.export.trials import write_trials
from veridical.observers.answers_file import Answer, read_answers

__all__ = ["Answer", "read_answers", "write_batch", "write_trials"]
