"""How relative spatial density changes between presentations of the same clips, such as with words and without."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stats import Cells, student
from veridical.suite.rates import unit_sums
from veridical.suites.magicbench.saliency import Density

BOXES = ("critical", "placebo")


class DensityChange(NamedTuple):
    """The mean over clips of a presentation's density − the first one's; the 95 % interval is over units.

    Only `clips` that have both count; without any, or with one unit, what is not defined is `None`.
    """

    value: float | None
    low: float | None
    high: float | None
    clips: int
    units: int


@dataclass(frozen=True)
class PresentationDensity:
    """The mean densities of a presentation over clips that have them, and how they differ from the first one's.

    `unseen` counts clips whose critical region is not seen, `undefined` others without a finite density there.
    """

    name: str
    clips: int
    unseen: int
    undefined: int
    critical: float | None
    placebo: float | None
    critical_change: DensityChange | None
    placebo_change: DensityChange | None

    def stated(self) -> dict[str, Json]:
        """The same as JSON."""
        changes = {f"{box}_change": getattr(self, f"{box}_change") for box in BOXES}
        return {**asdict(self), **{name: change and change._asdict() for name, change in changes.items()}}


def names_of(folders: Sequence[Path]) -> dict[str, Path]:
    """Folders of maps by the names of their presentations, which are those of the folders.

    Raises `InputError` for two of one name.
    """
    named: dict[str, Path] = {}
    for folder in folders:
        name = folder.resolve().name
        if name in named:
            raise InputError(f"{named[name]} and {folder} have one name: name folders after what they show")
        named[name] = folder
    return named


def compare_presentations(
    stimuli: Sequence[Stimulus], made: Mapping[str, Sequence[Density]]
) -> list[PresentationDensity]:
    """The densities of each presentation, compared with the first, clip by clip."""
    held = {stimulus.id: stimulus for stimulus in stimuli}
    values = {name: {box: _finite(clips, box) for box in BOXES} for name, clips in made.items()}
    first = next(iter(values.values()))
    rows = []
    for place, (name, own) in enumerate(values.items()):
        unseen = sum(clip.not_seen for clip in made[name])
        critical, placebo = (fmean(own[box].values()) if own[box] else None for box in BOXES)
        row = PresentationDensity(
            name=name,
            clips=len(made[name]),
            unseen=unseen,
            undefined=len(made[name]) - unseen - len(own["critical"]),
            critical=critical,
            placebo=placebo,
            critical_change=_change(held, first["critical"], own["critical"]) if place else None,
            placebo_change=_change(held, first["placebo"], own["placebo"]) if place else None,
        )
        rows.append(row)
    return rows


def _finite(clips: Sequence[Density], box: str) -> dict[str, float]:
    values = {clip.stimulus: getattr(clip, box) for clip in clips}
    return {name: value for name, value in values.items() if value is not None and math.isfinite(value)}


def _change(held: Mapping[str, Stimulus], first: Mapping[str, float], own: Mapping[str, float]) -> DensityChange:
    both = [(held[name].unit, held[name].family, own[name] - first[name]) for name in own if name in first]
    if not both:
        return DensityChange(None, None, None, 0, 0)
    rows = pl.DataFrame(both, schema=["unit", "family", "change"], orient="row")
    cells = Cells(*unit_sums(rows, ("change",), np.zeros(len(rows), np.int64), 1))
    value = float(cells.rates[0, 0])
    low, high = student(value, cells.replicates[:, 0, 0], cells.df) if cells.df > 0 else (None, None)
    return DensityChange(value, low, high, len(rows), cells.units)
