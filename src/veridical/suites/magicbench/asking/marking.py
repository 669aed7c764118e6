"""The marking stages: explanations of the first stage, and those with an aid, by each rubric that is chosen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial

from veridical.judges import Marking, marking
from veridical.judges.marking import AtMostReplies
from veridical.records import Json, Stimulus, canonical
from veridical.suite.stages import AskingOptions, Levels
from veridical.suites.magicbench.asking.cells import DEFAULTS, EXPLAIN, REVEAL, SETTINGS, cells
from veridical.suites.magicbench.judging.jitter import jitter_atoms, place_off
from veridical.suites.magicbench.judging.judge_material import (
    FACTS,
    UNJITTERED,
    constraint_lines,
    critical_place,
    judge_fields,
)
from veridical.suites.magicbench.judging.rubrics import GRADING, JITTERED, PCS, RUBRICS

JUDGING: Levels = {GRADING: tuple(rubric.name for rubric in RUBRICS)}
"""The setting of the marking stages."""
JUDGED_BY_DEFAULT: Levels = {GRADING: (PCS.name,)}


def with_noise(stimulus: Stimulus, shown: Mapping[str, str]) -> dict[str, str]:
    """What is shown, with noise on the times and places of the constraints; `unjittered` counts those without any."""
    atoms, without = jitter_atoms(stimulus.truth["pcs"], stimulus.id)
    place = critical_place(stimulus)
    still = [each for each in without if place is None or atoms[each]["kind"] != "secret"]
    facts = json.loads(shown[FACTS])
    formed = [atom for atom in atoms if atom["kind"] != "release"]
    return {
        **shown,
        "atoms": constraint_lines(atoms, place_off(place, stimulus.id)),
        FACTS: canonical({**facts, "atoms": formed}),
        UNJITTERED: str(len(still)),
    }


def grading(name: str, about: str, at_most: AtMostReplies) -> Marking:
    """A stage in which explanations of the stage `about` are marked; replies to probes and to cut clips are not."""
    facts = {rubric.name: partial(_facts, rubric is JITTERED) for rubric in RUBRICS}
    return marking(name, about, RUBRICS, facts=facts, at_most=at_most, setting=GRADING)


def _facts(noisy: bool, stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
    settings = json.loads(row["settings"])
    if not _is_marked(settings):
        return None
    shown = judge_fields(stimulus, settings.get("patter"))
    return with_noise(stimulus, shown) if noisy else shown


def _at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    levels = {**SETTINGS, **DEFAULTS, **asking.levels}
    return sum(_is_marked(cell) for stimulus in stimuli for cell in cells(stimulus, levels))


def _is_marked(cell: Mapping[str, str]) -> bool:
    """Whether the reply is an explanation of a whole clip: a rubric expects what the end of the clip shows."""
    return cell["task"] == EXPLAIN and cell.get("until") != REVEAL


GRADE = grading("grade", "ask", _at_most)
"""Explanations that were read are marked; others have no verdict."""
