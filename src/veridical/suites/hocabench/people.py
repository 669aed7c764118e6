"""People mark when the impossible happens in clips; where most of them agree, their times become those of the set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.answers.time_intervals import iou, merge_intervals
from veridical.errors import InputError
from veridical.people.label_figures import labeled_counts
from veridical.people.reply_samples import draw_items
from veridical.people.resolution import votes_of_items
from veridical.records import PROPORTION, Estimate, Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.imports import ExcludedItem
from veridical.suite.contrasts import mean_score
from veridical.suite.people_tasks import (
    FormField,
    MediumBlock,
    PeopleTask,
    ReadVotes,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.suite.rates import Slice
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE
from veridical.suites.hocabench.taxonomy import SUB_TYPES
from veridical.verbs.exchange.line_files import place_of
from veridical.verbs.exchange.releases import remake
from veridical.verbs.sets import open_set

FIELD = "intervals"
MOST = 12
"""How many intervals may be marked in a clip."""
Spans = Sequence[tuple[float, float]]


def time_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """The clips of a set in which something cannot be, one screen each, by sub-type."""
    whole = _whole(places)
    odd = [each for each in whole.stimuli if each.variant != PLAUSIBLE and each.media]
    if not odd:
        raise InputError(f"{whole.folder}: no clip has an anomaly, so there is nothing to mark")
    for stimulus in draw_items(odd, choices):
        kinds = [SUB_TYPES[name] for name in stimulus.truth["sub_types"]]
        listed = "\n".join(f"{kind.title}: {kind.definition}" for kind in kinds)
        title = ", ".join(kind.title for kind in kinds) or "Anything that could not happen"
        yield TaskItem(
            id=stimulus.id,
            blocks=[
                *(MediumBlock(medium=each, path=place_of(each.file, whole.folder)) for each in stimulus.media),
                TextBlock(title="What to look for", text=listed or title),
            ],
            fields=[FormField(name=FIELD, kind="intervals", title=title, most=MOST)],
            key={"stimulus": stimulus.id},
            stratum=title,
        )


def _whole(places: Sequence[Path]) -> StimulusSet:
    if len(places) != 1:
        raise InputError(f"{', '.join(map(str, places))}: times are marked in one set in a study")
    return open_set(places[0], NAME)


class MarkedClip(NamedTuple):
    """What people marked in a clip: the intervals that most agree on, and the mean temporal IoU of each two people."""

    intervals: Spans
    people: int
    agreement: float | None


def agreed_intervals(marked: Sequence[Spans]) -> list[tuple[float, float]]:
    """The intervals on which more than half of people agree, each with the median of their starts and of their ends.

    Intervals that overlap, also by way of others, are about one event. Of one person they count as one, from the first
    start to the last end. Results that overlap are joined.

    >>> agreed_intervals([[(1.0, 2.0)], [(1.2, 2.2), (3.0, 3.5)], [(1.1, 2.6)]])
    [(1.1, 2.2)]
    """
    made = []
    for start, end in merge_intervals(span for own in marked for span in own):
        inside = [[(a, b) for a, b in own if start <= a and b <= end] for own in marked]
        spans = [(min(a for a, _ in own), max(b for _, b in own)) for own in inside if own]
        if 2 * len(spans) > len(marked):
            made.append((round(median(a for a, _ in spans), 4), round(median(b for _, b in spans), 4)))
    return [(span.start, span.end) for span in merge_intervals(made)]


def marked_clip(votes: Sequence[StudyVote]) -> MarkedClip:
    """What the votes about a clip come to."""
    marked = [[(float(start), float(end)) for start, end in vote.answer.get(FIELD) or ()] for vote in votes]
    shares = [iou(one, other) for one, other in combinations(marked, 2)]
    return MarkedClip(agreed_intervals(marked), len(marked), float(np.mean(shares)) if shares else None)


def read_times(
    places: Sequence[Path],
    votes: Sequence[StudyVote],
    out: Path | None,
    choices: TaskChoices,  # noqa: ARG001 (what a task's reader gets)
) -> ReadVotes:
    """The set with the intervals that people agree on (see `agreed_intervals`), in `out`; unmarked clips stay.

    A clip on which no more than half agree is left out. Of a drawn clip with other intervals its state log goes, which
    said otherwise. Raises `InputError` without a folder, and where nobody has answered.
    """
    if out is None:
        raise InputError("--out SET is needed: the set with the marked times is written there")
    clips = {item: marked_clip(own) for item, own in votes_of_items(votes).items()}
    if not clips:
        raise InputError("nobody has answered yet")
    whole = _whole(places)
    kept, left_out = [], []
    for stimulus in whole.stimuli:
        clip = clips.get(stimulus.id)
        if clip is not None and not clip.intervals:
            detail = f"{stimulus.id}: no interval is marked by more than half of {clip.people} people"
            left_out.append(ExcludedItem(stimulus.id, "people differ", detail))
        else:
            kept.append(stimulus if clip is None else _with_times(stimulus, clip))
    if not kept:
        raise InputError(f"no clip is left: {left_out[0].detail}")
    facts = {"marked": len(clips), **_agreement(whole, clips)}
    remake(whole, kept, out, name="times", title="times marked by people", facts=facts, left_out=left_out)
    lines = [f"{len(clips):,} marked clips of {len(kept):,} in {out}"]
    lines += [f"left out, people differ: {len(left_out):,}"] if left_out else []
    return ReadVotes(out, [*lines, *_agreement_lines(facts)], facts)


def _with_times(stimulus: Stimulus, clip: MarkedClip) -> Stimulus:
    spans = [list(span) for span in clip.intervals]
    truth = {**stimulus.truth, "intervals": spans, "marked": {"people": clip.people, "iou": clip.agreement}}
    if spans != stimulus.truth.get("intervals"):
        truth.pop("made", None)
    return replace(stimulus, truth=truth, factors={**stimulus.factors, "event": spans[0][0]})


def _agreement(whole: StimulusSet, clips: Mapping[str, MarkedClip]) -> dict[str, Json]:
    """The mean temporal IoU of people among each other, with its interval over units, and with the set's own times."""
    stimuli = {stimulus.id: stimulus for stimulus in whole.stimuli}
    among = _among(stimuli, clips)
    own = [
        iou(clip.intervals, [(start, end) for start, end in stimuli[name].truth["intervals"]])
        for name, clip in clips.items()
        if stimuli[name].truth.get("intervals")
    ]
    numbers = {"iou": among.value, "iou_low": among.low, "iou_high": among.high}
    return {**numbers, "iou_with_set": float(np.mean(own)) if own else None}


def _among(stimuli: Mapping[str, Stimulus], clips: Mapping[str, MarkedClip]) -> Estimate:
    """The mean over clips of the mean temporal IoU of each two people, with its interval over units."""
    shared = {name: clip.agreement for name, clip in clips.items() if clip.agreement is not None}
    schema: Mapping[str, type[pl.DataType]] = {"unit": pl.String, "family": pl.String, "iou": pl.Float64}
    named = [(stimuli[name].unit, stimuli[name].family, value) for name, value in shared.items()]
    piece = Slice(NAME, {}, pl.DataFrame(named, schema, orient="row"), labeled_counts(len(named)))
    return mean_score(piece, "agreement", "iou", PROPORTION, "mean temporal IoU of each two people")


def _agreement_lines(facts: Mapping[str, Json]) -> Iterator[str]:
    if facts["iou"] is not None:
        bounds = ", ".join("none" if each is None else f"{each:.2f}" for each in (facts["iou_low"], facts["iou_high"]))
        yield f"agreement of each two people, mean temporal IoU: {facts['iou']:.2f} [{bounds}]"
    if facts["iou_with_set"] is not None:
        yield f"with the set's own times: {facts['iou_with_set']:.2f}"


TIMES = PeopleTask(
    title="Mark times",
    help="Mark when what could not happen begins and ends.",
    instructions="Mark each stretch of time during which something is seen that could not happen, from its first frame "
    "to its last.",
    items=time_items,
    read=read_times,
)
PEOPLE: Mapping[str, PeopleTask] = {"times": TIMES}
