"""The trials whose pictures a local model is shown, with the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from veridical.answers.probabilities import AnswerForms, answer_forms
from veridical.ask.local import PREFIX, is_local, require_local
from veridical.ask.local.loader import load_model, quiet, require_packages
from veridical.base.files import folder_lock
from veridical.errors import InputError
from veridical.records import Json, Media, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.verbs.exchange.planned_stages import Place, is_run, planned_stage
from veridical.verbs.exchange.trials import require_picture
from veridical.verbs.results.result import open_run
from veridical.verbs.runs.setup import Setup

if TYPE_CHECKING:
    from veridical.whitebox.inside import Inside


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


@dataclass(frozen=True, repr=False)
class LocalTrials:
    """The trials of a stage that show pictures, and the local model that is read about them."""

    setup: Setup
    trials: Sequence[Trial]
    model: str
    model_args: Mapping[str, Json]
    random_weights: int | None = None

    @classmethod
    def of(cls, place: Place, model: str | None, **options: Unpack[ReadingOptions]) -> LocalTrials:
        """The trials of a set or run, and a model (default: that of the run); nothing is loaded.

        Raises `InputError` for a model that is not local, for clips, and where no trial shows a picture.
        """
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
        return cls(setup, shown, name, stated, options.get("random_weights"))

    @property
    def without_picture(self) -> int:
        return len(self.setup.trials) - len(self.trials)

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
    def opened(self, folder: Path) -> Iterator[Inside]:
        """The loaded model, while nobody else writes to a folder; raises `InputError` for one that does not fit."""
        from veridical.whitebox.inside import Inside

        with folder_lock(folder):
            name = self.model.removeprefix(PREFIX)
            loaded = load_model(name, self.model_args, random_weights=self.random_weights)
            with quiet(loaded.name):
                yield Inside(loaded)


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
