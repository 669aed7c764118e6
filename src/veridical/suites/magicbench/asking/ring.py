"""Interventions on the picture: explanations that were bad are asked for again, with an aid and without.

An item is a clip under words. By default those are chosen whose explanation has a CPA below 3 with words, while that of
the same clip without words has one above 7: what is needed was seen once. The same items are asked again without an
aid, because items that are chosen for being bad are better the next time without any help.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from veridical.errors import InputError
from veridical.records import Json, Source, Stimulus, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.frames import FRAMES
from veridical.suite.reply import REPLY, form_of
from veridical.suite.stages import AskingOptions, Levels, Stage, StageBounds
from veridical.suites.magicbench.asking.aids import AIDS, BOXES, NONE, PLACEBO, RING, aided_frames
from veridical.suites.magicbench.asking.cells import DEFAULTS, EXPLAIN, SETTINGS, VISION_ONLY, Cell, cells
from veridical.suites.magicbench.asking.marking import grading
from veridical.suites.magicbench.asking.trials import load_prompts, repeat_trial

AID, CHOSEN = "aid", "failures_again"
DISCREPANT, FAILED, EVERY = "discrepant", "failed", "every"
BELOW, ABOVE = 3.0, 7.0
"""The CPA with words that a chosen item is below, and that without words which it is above."""
RINGED: Levels = {AID: AIDS, CHOSEN: (DISCREPANT, FAILED, EVERY)}
"""What is done to the frames, and which items are asked again: those that are bad with words and good without, all that
are bad with words, or all with words."""
RINGED_BY_DEFAULT: Levels = {AID: (NONE, RING, PLACEBO), CHOSEN: (DISCREPANT,)}
_MODEL_TOKENS = 6_000
_RUBRIC = "pcs"


@dataclass(frozen=True)
class RingCell:
    """A cell of a clip that is asked again: its settings, its mean CPA, and the replies and verdicts that chose it."""

    stimulus: str
    cell: Cell
    cpa: float
    sources: tuple[Source, ...]


def choose_cells(evidence: Evidence, level: str) -> list[RingCell]:
    """The items that a level of `failures_again` names, in the order of asking, with their judged scores.

    The scores are those of the judge that comes first, by the rubric `pcs`, over all repeats; a reply without a verdict
    is in no mean, and an item or a clip without any is not chosen.
    """
    replies = {(row["trial"], row["repeat"]): row for row in evidence.outcomes("ask").iter_rows(named=True)}
    scores: dict[str, list[float]] = defaultdict(list)
    sources: dict[str, list[Source]] = defaultdict(list)
    for verdict in _verdicts(evidence):
        reply = replies.get((verdict["about_trial"], verdict["about_repeat"]))
        if reply is not None:
            scores[reply["trial"]].append(verdict["score_cpa"])
            sources[reply["trial"]] += [Source.of(reply), Source.of(verdict, read=True)]
    asked = {row["trial"]: (row["stimulus"], json.loads(row["settings"])) for row in replies.values()}
    alone = {
        (stimulus, cell.get("frames"), cell.get(REPLY)): fmean(scores[trial])
        for trial, (stimulus, cell) in asked.items()
        if cell["stance"] == VISION_ONLY and scores.get(trial)
    }
    return [
        RingCell(stimulus, cell, fmean(scores[trial]), tuple(sources[trial]))
        for trial, (stimulus, cell) in asked.items()
        if scores.get(trial)
        and _can_be_aided(cell)
        and _is_chosen(level, fmean(scores[trial]), alone.get((stimulus, cell["frames"], cell.get(REPLY))))
    ]


def _verdicts(evidence: Evidence) -> Iterator[Mapping[str, Json]]:
    """The verdicts with a score of the first judge."""
    judge: str | None = None
    for row in evidence.outcomes("grade").iter_rows(named=True):
        if row["reader"] == _RUBRIC and row["status"] == "answered" and row.get("score_cpa") is not None:
            judge = judge or row["model"]
            if row["model"] == judge:
                yield row


def _can_be_aided(cell: Cell) -> bool:
    return cell["task"] == EXPLAIN and "patter" in cell and cell.get("video") == FRAMES


def _is_chosen(level: str, cpa: float, alone: float | None) -> bool:
    bad = cpa < BELOW
    return {EVERY: True, FAILED: bad, DISCREPANT: bad and alone is not None and alone > ABOVE}[level]


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """One trial for each chosen item and each aid; a clip without critical and placebo boxes has none.

    All arms of an item differ in their frames alone; so do frames themselves, except where an aid shows.
    """
    levels = {**RINGED_BY_DEFAULT, **asking.levels}
    _require_one(levels[CHOSEN])
    prompts, by_id = load_prompts(asking), {stimulus.id: stimulus for stimulus in stimuli}
    for item in choose_cells(evidence, levels[CHOSEN][0]):
        stimulus = by_id.get(item.stimulus)  # a limit may leave out clips that were asked about
        if stimulus is None or not _has_boxes(stimulus):
            continue
        for aid in levels[AID]:
            settings = {**item.cell, AID: aid, CHOSEN: levels[CHOSEN][0]}
            frames = aided_frames(item.cell["frames"], aid)
            made = {"stage": "ring", "form": f"ring,{form_of(settings)}", "settings": settings}
            yield repeat_trial(stimulus, item.cell, asking, prompts, frames, **made, sources=item.sources)


def _has_boxes(stimulus: Stimulus) -> bool:
    return all(stimulus.truth.get(name) for name in set(BOXES.values()))


def _require_one(chosen_by: Sequence[str]) -> None:
    if len(chosen_by) != 1:
        raise InputError(f"{CHOSEN}={','.join(chosen_by)}: one level chooses the items")


def _most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    levels = {**SETTINGS, **DEFAULTS, **RINGED_BY_DEFAULT, **asking.levels}
    _require_one(levels[CHOSEN])
    able = (cell for stimulus in stimuli if _has_boxes(stimulus) for cell in cells(stimulus, levels))
    return len(levels[AID]) * sum(_can_be_aided(cell) for cell in able)


def _at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> StageBounds:
    most = _most(stimuli, asking)
    return StageBounds(trials=most, input_tokens=_MODEL_TOKENS * most, assumed="every explanation with words is chosen")


RING_STAGE = Stage(name="ring", needs=("ask", "grade"), settings=(*SETTINGS, *RINGED), trials=trials, at_most=_at_most)
RING_GRADE = grading("ring-grade", "ring", _most)
