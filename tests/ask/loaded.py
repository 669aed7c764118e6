"""Loads whatever a model needs, once in the process that others are forked from, so that none of them has to."""

from __future__ import annotations

from tests.ask import asking
from tests.ask.plans import DEFAULTS, QUICK
from veridical.ask import open_model

__all__ = ["asking"]

open_model("m", base_url="http://127.0.0.1:9/v1", model_args={}, sampling=DEFAULTS, policy=QUICK)
