"""A run folder of about so many outcomes, with its set, made without pictures of its own and without asking anybody."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from studies.viprobe.validation.design import planned_stimuli
from veridical.ask import Run
from veridical.ask.outcomes import outcome_table
from veridical.ask.run_folder import RESPONSES
from veridical.base.options import parse_options
from veridical.base.path_checks import MANIFEST
from veridical.records import Response, Stimulus, Trial, canonical
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.media_hashes import HASHES
from veridical.stimulus_set.stimulus_table import to_row
from veridical.stimulus_set.write import hashes_of_part, join_set, part_of, write_set
from veridical.suite.registry import get
from veridical.suites.viprobe.analysis.pairs import TYPES
from veridical.suites.viprobe.observers.simulation import ViprobeMechanism, simulate
from veridical.suites.viprobe.options import VIProbeOptions
from veridical.verbs.runs.preparation import prepare

MODEL = "veridical/prior"
"""Whose run it is, so that it can be resumed: it takes no time, and looks at no picture."""

OBSERVER = ViprobeMechanism(memory=0.6, recognition=0.8, jnd=0.08, spread=0.05, lapse=0.05, insensitivity=0.05)
UNREADABLE = 0.02
_QUESTIONS = 2
"""Trials on each picture of the default design."""
_WORDS = "The two targets were compared edge by edge; what the picture shows decides, not what it is known for. "


def make(run: Path, stimuli: Path, outcomes: int, *, distinct: bool = False) -> None:
    """Makes a run and its set, in whole base items of every case; `distinct`: no two replies are equal."""
    suite = get("viprobe")
    factors = suite.design.factors
    setup = prepare(made_set(stimuli, outcomes), MODEL)
    trials = setup.trials
    stored = Run.start(run, setup.identity(), setup.execution(), trials, factors=factors, repeats=1)
    gone = np.random.default_rng(1).random(len(trials)) < UNREADABLE
    with stored.writer() as writer:
        for start in range(0, len(trials), _AT_A_TIME):
            some = trials[start : start + _AT_A_TIME]
            table = outcome_table("simulated", some, {}, suite.asking.readers, factors=factors)
            answers = simulate(table, OBSERVER, np.random.default_rng(start))["answer"]
            for trial, answer, without in zip(some, answers, gone[start:], strict=False):
                words = f"{_WORDS}The trial is {trial.id}. " if distinct else _WORDS
                writer.append(_reply(trial, None if without else str(answer), words))


def shorten(run: Path, share: float) -> None:
    """Takes a share of the replies of a run away, spread over all of it."""
    log = run / RESPONSES
    shorter, rng = log.with_suffix(".shorter"), np.random.default_rng(2)
    with log.open("rb") as lines, shorter.open("wb") as kept:
        kept.writelines(line for line in lines if rng.random() >= share)
    shorter.replace(log)


_AT_A_TIME = 20_000
"""Trials whose answers are simulated at a time."""


def made_set(folder: Path, outcomes: int) -> StimulusSet:
    """The set of the default design for so many outcomes, with the pictures of the first base item of each case."""
    suite = get("viprobe")
    facts: dict[str, Any] = {"variants": TYPES, "levels": 10}
    first = parse_options(VIProbeOptions, {**facts, "units": 1})
    drawn = write_set(
        folder, "viprobe", first, suite.design.chunks(first), suite.design.make, factors=suite.design.factors
    )
    pictures = {_figure(stimulus): stimulus for stimulus in drawn.stimuli}
    units = -(-outcomes // (_QUESTIONS * len(drawn)))
    whole = parse_options(VIProbeOptions, {**facts, "units": units})
    part = part_of(folder, 0)
    part.parent.mkdir()
    with part.open("w") as rows:
        for stimulus in planned_stimuli(whole, as_made=True):
            shown = replace(stimulus, media=pictures[_figure(stimulus)].media)
            rows.write(canonical(to_row(shown, suite.design.factors)) + "\n")
    shutil.copy(folder / HASHES, hashes_of_part(part))
    arguments = {**drawn.manifest["arguments"], "units": units}
    (folder / MANIFEST).unlink()
    facts = {"source": "generated; no third-party data"}
    join_set(folder, [part], {"arguments": arguments, "seed": 0}, facts, suite.design.factors, "")
    shutil.rmtree(part.parent)
    return StimulusSet.open(folder)


def _figure(stimulus: Stimulus) -> tuple[str, str, Any]:
    return stimulus.family, stimulus.variant, stimulus.factors["alpha"]


def _reply(trial: Trial, answer: str | None, words: str) -> Response:
    text = words if answer is None else f"<reasons>{words}</reasons><answer>{answer}</answer>"
    own: dict[str, Any] = {"input_tokens": 400, "output_tokens": 40, "latency": 0.5, "served_model": "simulated"}
    return Response(trial=trial.id, text=text, stop_reason="stop", ended="2026-01-01T00:00:00Z", **own)
