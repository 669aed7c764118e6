"""Figures in which straight lines look bowed."""

from __future__ import annotations

from veridical.stimuli.illusions.case import Case

CASES: tuple[Case, ...] = ()
