"""How far each clip came: the rows of a stage by clip, and the clips that passed the filter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from veridical.records import Json, Source, Stimulus
from veridical.suite.evidence import Evidence

DESCRIPTION = "description"
"""The key of the truth under which a clip has a description of its own."""
Rows = Mapping[str, Sequence[Mapping[str, Json]]]


def rows_by_clip(evidence: Evidence, stage: str) -> Rows:
    """The outcomes of a stage by stimulus, in their order."""
    by_clip: dict[str, list[Mapping[str, Json]]] = {}
    for row in evidence.outcomes(stage).iter_rows(named=True):
        by_clip.setdefault(row["stimulus"], []).append(row)
    return by_clip


def index_of(stimulus: Stimulus) -> str:
    """The index of a raw clip in its set, such as "00001"."""
    return PurePosixPath(stimulus.unit).name


def is_realistic(rows: Sequence[Mapping[str, Json]]) -> bool | None:
    """Whether most answers of the filter say so; `None` without an answer. A tie is no.

    >>> is_realistic([{"status": "answered", "answer": "yes"}, {"status": "refused", "answer": None}])
    True
    """
    answers = [row["answer"] for row in rows if row["status"] == "answered"]
    return 2 * answers.count("yes") > len(answers) if answers else None


def passed(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[tuple[Stimulus, tuple[Source, ...]]]:
    """The clips that the filter calls realistic, with the replies that say so."""
    by_clip = rows_by_clip(evidence, "filter")
    for stimulus in stimuli:
        rows = by_clip.get(stimulus.id, ())
        if is_realistic(rows):
            yield stimulus, tuple(Source.of(row, read=True) for row in rows if row["status"] == "answered")
