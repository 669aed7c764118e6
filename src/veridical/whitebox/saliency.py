"""Where a local model looks: saliency maps of the pictures of a set or run, a file for each stimulus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import polars as pl

from veridical.errors import unknown
from veridical.records import Json
from veridical.verbs.exchange.local_trials import LocalTrials, ReadingOptions, ReadRows
from veridical.verbs.exchange.planned_stages import Place

ATTENTION, ROLLOUT, GRADIENT, GRAD_CAM = KINDS = ("attention", "rollout", "gradient", "grad-cam")
"""Kinds of saliency maps; the last two need answers that are a few known ones."""


@dataclass(frozen=True, repr=False, kw_only=True)
class SaliencyTable(ReadRows):
    """A row for each stimulus and presentation, each with a map of every one of `kinds`.

    `presentation` has the settings that vary, as in the path `KIND/PRESENTATION/STIMULUS.npz`; `trials` counts the
    trials whose mean the map is; `pictures`, `width` and `height` are those of its pictures; `unseen` is the part of a
    picture that no picture token sees. `answer` and `log_odds` are those whose gradients were taken, of the first
    trial.
    """

    name = "saliency"
    kinds: Sequence[str]

    def presentations(self) -> list[dict[str, Json]]:
        """By presentation, how many `stimuli` have maps, and the largest part of a picture that is `unseen`."""
        rows = self.frame().filter(pl.col("problem").is_null()).group_by("presentation", maintain_order=True)
        return rows.agg(pl.len().alias("stimuli"), pl.col("unseen").max()).collect().to_dicts()


def write_saliency(
    place: Place,
    out: Path | str | None = None,
    model: str | None = None,
    *,
    kinds: Sequence[str] = (ATTENTION, ROLLOUT),
    opening: str = "",
    **options: Unpack[ReadingOptions],
) -> SaliencyTable:
    """The saliency maps of a local model for the trials of a set or run, in the folder `out`.

    By default, it is the folder `inside/saliency` of the run.
    A map is that of the position of the answer, after `opening`, which begins each reply. Trials of one stimulus under
    the same settings show the same pictures, and have one map, their mean. The files `KIND/PRESENTATION/STIMULUS.npz`
    have the arrays `times`, shape (n,), in seconds, 0 for what is no frame of a clip; `saliency`, shape (n, height,
    width), float32, on a grid of at most 64 cells a side; and `seen`, shape (height, width), how much of each cell any
    token sees, 0 to 1. The same call resumes. Raises `InputError` as `write_states` does, and for an unknown kind.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise unknown("kind of saliency map", kind, KINDS)
    shown = LocalTrials.of(place, out, model, "saliency", **options)
    from veridical.whitebox.saliency_reading import SaliencyReading

    wanted = [kind for kind in KINDS if kind in kinds]
    with shown.opened() as loaded:
        return SaliencyTable(**SaliencyReading(loaded, shown, wanted, opening).read(kinds=list(wanted)), kinds=wanted)
