"""The study: models are taught on pictures of some base items, and read on those of others."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import veridical
from studies.inside.lessons import VARIANTS, Lessons, planned, question_of, reply_of
from studies.inside.reading import read_model
from studies.inside.twins import TWINS, Twin
from veridical.ask.local.loader import load_model

if TYPE_CHECKING:
    from veridical.stimulus_set import StimulusSet

CASE, SIZE = "simultaneous_contrast", 128
STRENGTHS = (-1.0, -0.5, 0.5, 1.0)
_TAUGHT, _HELD_OUT = 1000, 2000
"""What is added to a seed for the pictures that are taught, and for those that models are read on."""


@dataclass(frozen=True, kw_only=True)
class Amounts:
    """How much is taught and read: base items, and steps of the tower and of the text model."""

    taught: int = 200
    tower_steps: int = 600
    answer_steps: int = 250
    read: int = 24


Results = Mapping[tuple[int, str], Mapping[str, Any]]
"""What was read from each model, by seed and name."""


def study(
    folder: Path,
    seeds: Sequence[int],
    amounts: Amounts = Amounts(),
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> Results:
    """Teaches the models of each seed and reads them; what a folder has is kept."""
    found, total = dict[tuple[int, str], Mapping[str, Any]](), len(seeds) * len(TWINS)
    for seed in seeds:
        home = folder / f"seed-{seed}"
        stimuli = drawn(home / "read", _HELD_OUT + seed, amounts.read)
        for twin in TWINS:
            model = home / twin.name
            if not (model / "config.json").exists():
                _teach(home, seed, amounts)
            found[seed, twin.name] = read_model(stimuli, model, home / f"{twin.name}-read")
            progress(len(found), total)
    return found


def drawn(folder: Path, seed: int, units: int, case: str = CASE) -> StimulusSet:
    """Figures and controls of a case, changed and unchanged, and inducers alone."""
    drawing: dict[str, Any] = {"cases": [case], "alphas": STRENGTHS, "variants": VARIANTS, "size": SIZE, "workers": 1}
    return veridical.make("viprobe", out=folder, units=units, seed=seed, **drawing)


def _teach(home: Path, seed: int, amounts: Amounts) -> None:
    """Makes all models of a seed."""
    stimuli = drawn(home / "taught", _TAUGHT + seed, amounts.taught)
    for cropped in (False, True):
        teach_twins(home, [twin for twin in TWINS if twin.cropped == cropped], stimuli, seed, amounts)


def teach_twins(home: Path, twins: Sequence[Twin], stimuli: StimulusSet, seed: int, amounts: Amounts) -> None:
    """Makes models that see the same; they share a tower."""
    from studies.inside.model import build, saved
    from studies.inside.teaching import teach_answers, teach_tower

    texts = [question_of(trial) for trial in planned(stimuli).trials]
    start = home / f"start-{twins[0].name}"
    build(start, texts, [reply_of(0), reply_of(1)], seed, cropped=twins[0].cropped)
    loaded = load_model(str(start), {})
    lessons = Lessons.of(stimuli, loaded)
    teach_tower(loaded, lessons, amounts.tower_steps, seed)
    with_tower = copy.deepcopy(loaded.model.state_dict())
    for twin in twins:
        loaded.model.load_state_dict(with_tower)
        answers = twin.taught(lessons.gold, lessons.textbook, lessons.figure)
        teach_answers(loaded, lessons, answers, amounts.answer_steps, seed)
        saved(home / twin.name, loaded.model, loaded.processor)
