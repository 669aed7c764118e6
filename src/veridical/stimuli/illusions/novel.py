"""Figures in which targets and inducers meet as in an illusion, and no textbook shows it."""

from __future__ import annotations

from veridical.stimuli.illusions.case import Case

CASES: tuple[Case, ...] = ()
