"""States of a local model for the trials of a set or run, pooled and streamed to Parquet.

A folder of states has `states.json`, which says of which trials and of which model they are, `places.parquet` with the
boxes of picture tokens for each size of picture, and `states/*.parquet` with a row for each trial, in parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import polars as pl

from veridical.verbs.exchange.planned_stages import Place
from veridical.whitebox.local_trials import LocalTrials, ReadingOptions

if TYPE_CHECKING:
    from veridical.whitebox.places import TokenMap

FORMAT = 1
IDENTITY, PARTS = "states.json", "states/*.parquet"
PIXELS = "pixels"
"""The column of pooled pictures."""


@dataclass(frozen=True, repr=False)
class StatesTable:
    """The states in a folder: how many `trials` they are of, those `without_picture` that were left out, and maps.

    `problems` counts trials without states by reason. `unmapped` has the sizes of pictures without a map, and why.
    """

    folder: Path
    trials: int
    without_picture: int
    problems: Mapping[str, int]
    maps: Sequence[TokenMap]
    unmapped: Mapping[tuple[int, int], str]

    def frame(self) -> pl.LazyFrame:
        """A row for each trial, read when it is collected: facts of the trial, factors, `problem`, and states as lists.

        The names of states are those of `Inside.states`; `pixels` are the trial's pictures, pooled to 16 × 16 each. A
        trial without states has a `problem` and nulls.
        """
        return pl.scan_parquet(self.folder / PARTS)

    def __repr__(self) -> str:
        return f"<States of {self.trials:,} trials: {self.folder}>"


def write_states(
    place: Place, out: Path | str, model: str | None = None, *, places: bool = True, **options: Unpack[ReadingOptions]
) -> StatesTable:
    """The states of a local model for the trials of a set or run, which are written to the folder `out`.

    `model` is `veridical-hf/NAME` (default: that of the run); the options are those of `ReadingOptions`. Trials that
    show no picture are left out. Without `places`, no picture tokens are mapped. The same call resumes what was
    stopped. Raises `InputError` for a model that does not fit, for clips, and for a folder that holds the states of
    other trials or another model.
    """
    shown, folder = LocalTrials.of(place, model, **options), Path(out)
    from veridical.whitebox.reading import StatesReading

    with shown.opened(folder) as inside:
        reading = StatesReading(inside, shown, folder, places=places)
        reading.begin(options)
        maps, unmapped = reading.maps() if places else ([], {})
        problems = reading.read(options)
    return StatesTable(folder, len(shown.trials), shown.without_picture, problems, maps, unmapped)
