"""Figures in which steps of luminance make lines appear, or change the shade of what they bound."""

from __future__ import annotations

from veridical.stimuli.illusions.case import Case

CASES: tuple[Case, ...] = ()
