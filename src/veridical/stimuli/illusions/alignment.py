"""Figures in which one straight line looks broken."""

from __future__ import annotations

from veridical.stimuli.illusions.case import Case

CASES: tuple[Case, ...] = ()
