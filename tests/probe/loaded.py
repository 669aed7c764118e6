"""Loads whatever a staged run needs, once in the process that others are forked from, so that none of them has to."""

from inspect_ai.model import get_model_info

from tests.ask import loaded
from tests.probe_suite import asking, design, observers
from veridical.media import decode
from veridical.verbs.runs import run as verb

__all__ = ["asking", "decode", "design", "loaded", "observers", "verb"]

get_model_info("org/eye")  # reads inspect-ai's table of models, which takes longer than a small run
