"""MagiC's figures: focus against accuracy, scaling with size, healing by kind of prefix, and views."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.results import Figure, Result
from veridical.suites.magic.presentation.figures.conditions import prefixes, views
from veridical.suites.magic.presentation.figures.focus import by_focus, models
from veridical.suites.magic.presentation.figures.scaling import scaling


def figures(results: Sequence[Result]) -> list[Figure]:
    """All figures; one that no run has anything for is left out."""
    drawn = (each(results) for each in (models, by_focus, views, prefixes, scaling))
    return [figure for figure in drawn if figure is not None]
