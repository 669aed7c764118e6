"""States of a local model for the trials of a set or run, pooled and streamed to Parquet.

A folder of states has `states.json`, which says of which trials and of which model they are, `places.parquet` with the
boxes of picture tokens for each size of picture, and `states/*.parquet` with a row for each trial, in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from veridical.ask.local import PREFIX, is_local, require_local
from veridical.ask.local.loader import load_model, quiet, require_packages
from veridical.base.files import folder_lock
from veridical.errors import InputError
from veridical.records import Json, Media, Trial
from veridical.stimulus_set import StimulusSet
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage
from veridical.verbs.exchange.trials import require_picture
from veridical.verbs.results.result import open_run

if TYPE_CHECKING:
    from veridical.whitebox.places import TokenMap

FORMAT = 1
IDENTITY, MAPS, PARTS = "states.json", "places.parquet", "states/*.parquet"
PIXELS = "pixels"
"""The column of pooled pictures."""


@dataclass(frozen=True)
class StatesCost:
    """What reading the states of a number of trials takes, from the time of the first one.

    `passes` of the tower map picture tokens, for sizes of pictures that have no map yet.
    """

    trials: int
    seconds: float
    bytes: int
    passes: int


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
    place: Place,
    out: Path | str,
    model: str | None = None,
    *,
    model_args: Mapping[str, Json] | None = None,
    stage: str | None = None,
    settings: Mapping[str, str | Sequence[str]] | None = None,
    prompts: Path | str | None = None,
    limit: int | None = None,
    places: bool = True,
    random_weights: int | None = None,
    agree: Callable[[StatesCost], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> StatesTable:
    """The states of a local model for the trials of a set or run, which are written to the folder `out`.

    `model` is `veridical-hf/NAME` (default: that of the run). `stage`, `settings`, `prompts` and `limit` are as in
    `run`; trials that show no picture are left out. Without `places`, no picture tokens are mapped. With
    `random_weights`, a seed, the model's weights are random. `agree` gets the cost before it is paid. The same call
    resumes what was stopped. Raises `InputError` for a model that does not fit, for clips, and for a folder that holds
    the states of other trials or another model.
    """
    folder = Path(out)
    name, stated = _model_of(place, model, model_args)
    setup = planned_stage(place, stage, name, settings=settings, prompts=prompts, limit=limit)
    shown = [trial for trial in setup.trials if pictures_of(trial)]
    if not shown:
        raise InputError(f"stage {setup.stage.name} has no trial that shows a picture")
    for trial in shown:
        for medium in pictures_of(trial):
            require_picture(trial, medium, "a local model")
    require_packages()
    from veridical.whitebox.inside import Inside
    from veridical.whitebox.reading import StatesReading

    with folder_lock(folder):
        loaded = load_model(name.removeprefix(PREFIX), stated, random_weights=random_weights)
        with quiet(loaded.name):
            reading = StatesReading(Inside(loaded), setup, shown, folder)
            reading.require_same(name, stated, random_weights)
            agree(reading.cost(places=places))
            maps, unmapped = reading.maps() if places else ([], {})
            problems = reading.read(progress)
    return StatesTable(folder, len(shown), len(setup.trials) - len(shown), problems, maps, unmapped)


def _model_of(place: Place, model: str | None, model_args: Mapping[str, Json] | None) -> tuple[str, Mapping[str, Json]]:
    if model is None and is_run(place) and not isinstance(place, StimulusSet):
        result = open_run(place)
        identity = result.run.identity
        model, model_args = identity["model"], model_args or identity["model_args"]
    if model is None or not is_local(model):
        was = "" if model is None else f" '{model}' is none:"
        raise InputError(f"only a local model can be read from inside;{was} name one as {PREFIX}NAME")
    require_local(model, model_args or {})
    return model, model_args or {}


def pictures_of(trial: Trial) -> list[Media]:
    """What a trial shows, in order."""
    return [part for message in trial.messages for part in message.parts if isinstance(part, Media)]
