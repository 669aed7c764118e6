"""Regions of a picture, as they are drawn over it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from veridical.records import Json, Stimulus, Trial
from veridical.suite.passages import Region

KEY = "regions"
"""Where a stimulus's truth, or what a trial expects, holds its regions."""


def regions_of(
    stimulus: Stimulus | None, trial: Trial | None, of_suite: Callable[[Stimulus], Sequence[Region]] = lambda _: ()
) -> list[list[Json]]:
    """Name, x0, y0, x1, y1 of each region, in pixels of the first picture; empty where there are none.

    Those of the suite have a title and a shade as well. Where it has none, they stand under `regions` in the stimulus's
    truth, else in what the trial expects, as a list of boxes (named R1 to Rn) or as boxes by name.
    """
    drawn = of_suite(stimulus) if stimulus is not None else ()
    if drawn:
        return [[each.name, *each.box, each.title, each.shade] for each in drawn if _is_box(list(each.box))]
    holders = [stimulus.truth if stimulus is not None else {}, trial.expects if trial is not None else {}]
    return next((boxes for holder in holders if (boxes := named_boxes(holder.get(KEY)))), [])


def named_boxes(value: Json) -> list[list[Json]]:
    """Boxes with their names; what is no box is left out.

    >>> named_boxes([[0, 0, 4, 8], "no box"]), named_boxes({"hat": [1, 2.5, 3, 4]}), named_boxes(3)
    ([['R1', 0, 0, 4, 8]], [['hat', 1, 2.5, 3, 4]], [])
    """
    if isinstance(value, Mapping):
        pairs = [(str(name), box) for name, box in value.items()]
    elif isinstance(value, list | tuple):
        pairs = [(f"R{number}", box) for number, box in enumerate(value, 1)]
    else:
        return []
    return [[name, *box] for name, box in pairs if _is_box(box)]


def _is_box(value: Json) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 4:
        return False
    if not all(type(side) in (int, float) and math.isfinite(side) for side in value):
        return False
    x0, y0, x1, y1 = value
    return bool(x0 < x1 and y0 < y1)
