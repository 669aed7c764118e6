"""Putting trials to a model, safely: a run folder, one loop over every provider, retries that are counted."""

from veridical.ask.display import Progress, progress
from veridical.ask.failures import KINDS
from veridical.ask.loop import Tally, ask
from veridical.ask.models import is_embedded, open_model
from veridical.ask.policy import Policy, Sampling
from veridical.ask.redact import clean_endpoint
from veridical.ask.responses import Writer
from veridical.ask.store import Run

__all__ = [
    "KINDS",
    "Policy",
    "Progress",
    "Run",
    "Sampling",
    "Tally",
    "Writer",
    "ask",
    "clean_endpoint",
    "is_embedded",
    "open_model",
    "progress",
]
