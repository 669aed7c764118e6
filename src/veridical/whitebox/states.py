"""States of a local model for the trials of a set or run, pooled and streamed to Parquet.

A folder of states has `states.json`, which says of which trials and of which model they are, `places.parquet` with the
boxes of picture tokens for each size of picture, and `states/*.parquet` with a row for each trial, in parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from veridical.errors import InputError
from veridical.internals.token_map import TokenMap
from veridical.verbs.exchange.local_trials import LocalTrials, ReadingOptions, ReadRows
from veridical.verbs.exchange.planned_stages import Place


@dataclass(frozen=True, repr=False, kw_only=True)
class StatesTable(ReadRows):
    """A row for each trial that shows a picture: facts of the trial, factors, `problem`, and states as lists.

    The names of states are those of `Inside.states`; `pixels` are the trial's pictures, pooled to 16 × 16 each.
    `unmapped` has the sizes of pictures without a map, and why.
    """

    name = "states"
    maps: Sequence[TokenMap]
    unmapped: Mapping[tuple[int, int], str]


def write_states(
    place: Place,
    out: Path | str | None = None,
    model: str | None = None,
    *,
    places: bool = True,
    batch: int | None = None,
    **options: Unpack[ReadingOptions],
) -> StatesTable:
    """The states of a local model for the trials of a set or run, which are written to the folder `out`.

    By default, they are in the folder `inside/states` of the run, or in `inside/random` if weights are random. `model`
    is `veridical-hf/NAME` (default: that of the run); the options are those of `ReadingOptions`. Trials that show no
    picture are left out. Without `places`, no picture tokens are mapped. At most `batch` trials whose inputs have the
    same shapes are read at once (default: 8 on a GPU, else 1), fewer where memory lacks. The same call resumes. Raises
    `InputError` for a model that does not fit, for clips, for a set without `out`, and for a folder that holds the
    states of other trials or another model.
    """
    if batch is not None and batch < 1:
        raise InputError(f"batch={batch}: a whole number from 1 on is needed")
    name = "states" if options.get("random_weights") is None else "random"
    shown = LocalTrials.of(place, out, model, name, **options)
    from veridical.whitebox.states_reading import StatesReading

    with shown.opened() as loaded:
        return StatesTable(**StatesReading(loaded, shown, places=places, batch=batch).read())
