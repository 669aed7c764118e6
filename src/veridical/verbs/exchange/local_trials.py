"""The trials whose pictures a local model is shown, with the model, and the folder for what is read from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple, TypedDict, Unpack

import polars as pl

from veridical.answers.probabilities import AnswerForms, answer_forms
from veridical.ask.local import PREFIX, is_local, require_local
from veridical.ask.local.loader import LoadedModel, load_model, quiet, require_packages
from veridical.base.files import folder_lock, write_whole
from veridical.base.path_checks import INSIDE
from veridical.errors import InputError
from veridical.internals.stored_states import FORMAT, reading_identity
from veridical.internals.token_map import Size
from veridical.media.decode import medium_of
from veridical.records import Json, Media, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage
from veridical.verbs.exchange.trials import require_picture
from veridical.verbs.results.result import open_run
from veridical.verbs.runs.setup import Setup


@dataclass(frozen=True)
class ReadingCost:
    """What reading a model takes, from the time of the first row: of `rows`, with so many `bytes` of numbers.

    `passes` of the tower map picture tokens, for sizes of pictures that have no map yet.
    """

    rows: int
    seconds: float
    bytes: int
    passes: int


class ReadingOptions(TypedDict, total=False):
    """What all readings of a model take.

    `stage`, `settings`, `prompts` and `limit` are as in `run`. `agree` gets the cost before it is paid; `progress` gets
    the number of rows that are written and of all. With `random_weights`, a seed, the model's weights are random.
    """

    model_args: Mapping[str, Json] | None
    stage: str | None
    settings: Mapping[str, str | Sequence[str]] | None
    prompts: Path | str | None
    limit: int | None
    random_weights: int | None
    agree: Callable[[ReadingCost], None]
    progress: Callable[[int, int], None]


@dataclass(frozen=True, repr=False, kw_only=True)
class ReadRows:
    """What was read from a model, in a folder: so many `rows`, and `left_out`, the number of trials without one.

    `problems` counts rows that could not be read by reason.
    """

    name: ClassVar[str]
    folder: Path
    rows: int
    left_out: int
    problems: Mapping[str, int]

    @property
    def read(self) -> int:
        """How many rows could be read."""
        return self.rows - sum(self.problems.values())

    def frame(self) -> pl.LazyFrame:
        """The rows, read when the frame is collected; one that could not be read has a `problem` and nulls."""
        return pl.scan_parquet(self.folder / self.name / "*.parquet")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.rows:,} rows: {self.folder}>"


class PictureFrame(NamedTuple):
    """The size of a picture in pixels, and for a frame of a clip its time in seconds, else 0."""

    width: int
    height: int
    time: float = 0.0


@dataclass(frozen=True, repr=False)
class LocalTrials:
    """The trials of a stage that show pictures, the local model that is read about them, and the folder for that."""

    setup: Setup
    trials: Sequence[Trial]
    folder: Path
    model: str
    model_args: Mapping[str, Json]
    options: ReadingOptions

    @classmethod
    def of(
        cls, place: Place, out: Path | str | None, model: str | None, kind: str, **options: Unpack[ReadingOptions]
    ) -> LocalTrials:
        """The trials of a set or run, and a model (default: that of the run); nothing is loaded.

        The folder is `out`, by default that of a `kind` of reading in the run. Raises `InputError` for a model that is
        not local, for clips, where no trial shows a picture, and for a set without `out`.
        """
        folder = Path(out) if out is not None else _folder_in_run(place, kind)
        name, stated = _model_of(place, model, options.get("model_args"))
        chosen = {key: options.get(key) for key in ("settings", "prompts", "limit")}
        setup = planned_stage(place, options.get("stage"), name, **chosen)  # type: ignore[arg-type]
        shown = [trial for trial in setup.trials if pictures_of(trial)]
        if not shown:
            raise InputError(f"stage {setup.stage.name} has no trial that shows a picture")
        for trial in shown:
            for medium in pictures_of(trial):
                require_picture(trial, medium, "a local model")
        require_packages()
        return cls(setup, shown, folder, name, stated, options)

    def frame(self, file: str) -> PictureFrame:
        """The size of a picture that is shown, and the time at which it stands in its clip."""
        return self._frames[file]

    @cached_property
    def _frames(self) -> dict[str, PictureFrame]:
        """What the trials show, by its file, in the order in which it is shown."""
        stored = {
            each.file: PictureFrame(each.width, each.height)
            for stimulus in self.setup.stimuli.stimuli
            for each in stimulus.media
        }
        for derived in self.setup.made.derived.values() if self.setup.made else ():
            for row in derived.rows:
                time = float(Fraction(row["facts"].get("requested", 0)))
                stored[row["file"]] = PictureFrame(row["width"], row["height"], time)
        files = dict.fromkeys(medium.file for trial in self.trials for medium in pictures_of(trial))
        return {file: stored.get(file) or self._measured(file) for file in files}

    def _measured(self, file: str) -> PictureFrame:
        medium = medium_of(file, self.setup.read(file))
        return PictureFrame(medium.width, medium.height)

    @property
    def without_picture(self) -> int:
        return len(self.setup.trials) - len(self.trials)

    @property
    def sizes(self) -> list[Size]:
        """The different sizes of the pictures that the trials show, in the order in which they are shown."""
        return list(dict.fromkeys(frame[:2] for frame in self._frames.values()))

    def forms(self, trial: Trial) -> AnswerForms:
        """The answers to a trial; a gold answer, its own or another's of its kind, says only how they are spelled.

        Raises `InputError` if they are not a few that are known.
        """
        gold = self._golds.get(_kind(trial)) if trial.gold is None else trial.gold
        forms = None if gold is None else answer_forms(gold, trial.expects)
        if forms is None:
            raise InputError("its answer is none of a few that are known")
        return forms

    @cached_property
    def _golds(self) -> dict[tuple[str, str], str]:
        return {_kind(trial): trial.gold for trial in self.trials if trial.gold is not None}

    @contextmanager
    def opened(self) -> Iterator[LoadedModel]:
        """The loaded model, while nobody else writes to the folder."""
        with folder_lock(self.folder):
            name = self.model.removeprefix(PREFIX)
            loaded = load_model(name, self.model_args, random_weights=self.options.get("random_weights"))
            with quiet(loaded.name):
                yield loaded

    def require_same(self, name: str, loaded: LoadedModel, more: Mapping[str, Json]) -> None:
        """Writes what the folder is of to `NAME.json`, if there is none; raises `InputError` if it is of another thing.

        That is the stage, the model, and `more`.
        """
        path, stated, seed = self.folder / f"{name}.json", self.setup.stated(), self.options.get("random_weights")
        identity: dict[str, Json] = {each: stated[each] for each in ("suite", "stage", "set", "settings")}
        identity |= {"model": self.model, "model_args": dict(self.model_args), "revision": loaded.facts["revision"]}
        identity |= {**({} if seed is None else {"random_weights": seed}), **more}
        if not path.exists():
            facts = {"format": FORMAT, "identity": identity, "loaded": dict(loaded.facts)}
            write_whole(path, json.dumps(facts, indent=2, ensure_ascii=False).encode())
            return
        was = reading_identity(path, name)
        if other := [each for each in {**identity, **was} if was.get(each) != identity.get(each)]:
            raise InputError(f"{self.folder} has {name} that differ in {', '.join(other)}: name a new folder")


def _folder_in_run(place: Place, kind: str) -> Path:
    if isinstance(place, StimulusSet) or not is_run(place):
        folder = place.folder if isinstance(place, StimulusSet) else place
        raise InputError(
            f"{folder} is no run, in which readings have a place: name a folder for this one, --out FOLDER"
        )
    return open_run(place).folder / INSIDE / kind


def _kind(trial: Trial) -> tuple[str, str]:
    return trial.reader, canonical(dict(trial.expects))


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
