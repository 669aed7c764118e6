"""Figures in which equal gaps and areas look unequal."""

from __future__ import annotations

from veridical.stimuli.illusions.case import Case

CASES: tuple[Case, ...] = ()
