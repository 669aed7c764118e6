"""Sets of raw clips, how far each clip came, and the labeled stimuli that an annotated run comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import PurePosixPath

from veridical.answers import parse_answer
from veridical.records import FactorTypes, Json, Source, Stimulus
from veridical.stimulus_set.imports import ExcludedItem
from veridical.suite.evidence import Evidence
from veridical.suite.releases import imported_design
from veridical.suites.hocabench.annotate.distractors import majority, options_of
from veridical.suites.hocabench.labels import Labels
from veridical.suites.hocabench.stimuli import SourceClip, TaskOptions, violating_clip

DESCRIPTION = "description"
"""The key of the truth under which a clip has a description of its own."""
Rows = Mapping[str, Sequence[Mapping[str, Json]]]
ANNOTATED = "annotation"
"""The level of `taken_from` for clips that were labeled by the pipeline."""
UNREAL, INVALID = "not realistic", "labels that do not validate"
STAGES = ("filter", "captions", "aggregate", "attribute", "distract", "vote", "check")
NAME = "hoca-annotate"
FAMILY, RAW = "videos", "raw"
QUESTION = "What in this clip could not happen?"
FACTORS: FactorTypes = {"described": bool}


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


def realistic_clips(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[tuple[Stimulus, tuple[Source, ...]]]:
    """The clips that the filter calls realistic, with the replies that say so."""
    by_clip = rows_by_clip(evidence, "filter")
    for stimulus in stimuli:
        rows = by_clip.get(stimulus.id, ())
        if is_realistic(rows):
            yield stimulus, tuple(Source.of(row, read=True) for row in rows if row["status"] == "answered")


def enough_agree(yes: int, votes: int) -> bool:
    """Whether enough people agree: at least 3, and at least three in five of those who voted.

    >>> enough_agree(3, 5), enough_agree(2, 2), enough_agree(4, 7), enough_agree(5, 7)
    (True, False, False, True)
    """
    return yes >= max(3, ceil(3 * votes / 5))


def labeled_clips(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[Stimulus | ExcludedItem]:
    """A labeled stimulus for each clip on whose labels enough people agree; each other clip with the reason."""
    rows = {stage: rows_by_clip(evidence, stage) for stage in STAGES}
    for stimulus in stimuli:
        yield _outcome(stimulus, rows)


def _outcome(stimulus: Stimulus, rows: dict[str, Rows]) -> Stimulus | ExcludedItem:
    def left_out(reason: str, detail: str) -> ExcludedItem:
        return ExcludedItem(stimulus.id, reason, f"{stimulus.id}: {detail}")

    mine = {stage: rows[stage].get(stimulus.id, ()) for stage in STAGES}
    early = before_labels(stimulus, mine)
    if early is not None:
        return left_out(*early)
    votes = [vote for vote in mine["vote"] if vote["status"] == "answered"]
    about = {vote["about_trial"] for vote in votes}
    row = next(
        (row for row in mine["attribute"] if row["status"] == "answered" and (not about or row["trial"] in about)), None
    )
    if row is None:
        return left_out(INVALID, why_none(mine["attribute"]))
    given = [vote["answer"] for vote in votes if vote["about_trial"] == row["trial"]]
    if not given:
        return left_out("no votes", "nobody voted on its labels")
    if not enough_agree(given.count("yes"), len(given)):
        detail = f"{given.count('yes')} of {len(given)} people agree with its labels"
        return left_out("fewer than three of five votes", detail)
    false = next((each for each in mine["distract"] if _answers(each, row)), None)
    checks = [each for each in mine["check"] if false is not None and _answers(each, false)]
    alone = [bool(each["correct"]) for each in checks]
    if checks and not majority(alone):
        return left_out("options of which people do not find the true one alone right", _split(checks))
    people = {"votes": {"yes": given.count("yes"), "of": len(given)}}
    people |= {"checked": {"alone": alone.count(True), "of": len(alone)}} if alone else {}
    labels = parse_answer(row["answer"], Labels)
    options = None if false is None else options_of(false, labels, index_of(stimulus))
    return labeled_clip(stimulus, str(row["model"]), labels, options, people)


def before_labels(stimulus: Stimulus, mine: Rows) -> tuple[str, str] | None:
    """The reason and its detail where a clip did not come as far as its labels."""
    realistic = is_realistic(mine["filter"])
    if realistic is None:
        return "no answer of the filter", why_none(mine["filter"])
    if not realistic:
        return UNREAL, "the filter calls it animation, or without color"
    if not stimulus.truth.get(DESCRIPTION):
        for stage, reason in (("captions", "no caption"), ("aggregate", "no summary")):
            if not any(row["status"] == "answered" for row in mine[stage]):
                return reason, why_none(mine[stage])
    return None


def _split(checks: Sequence[Mapping[str, Json]]) -> str:
    """Which options people find right, and how many of them."""
    counts = Counter(str(each["answer"]).replace(",", " and ") for each in checks)
    listed = ", ".join(f"{answer} ({count})" for answer, count in counts.most_common())
    return f"{listed}; the true one is {checks[0]['gold']}"


def _answers(row: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Whether a row is an answer about another row."""
    return bool(row["status"] == "answered" and row["about_trial"] == other["trial"])


def labeled_clip(
    stimulus: Stimulus, model: str, labels: Labels, options: TaskOptions | None, people: Mapping[str, Json]
) -> Stimulus:
    """The stimulus of a clip with labels, whose model they are, the options of Task III, and what people say."""
    facts: dict[str, Json] = {"imported": ANNOTATED, **people}
    facts |= {"labeled_by": model, "file": stimulus.truth.get("file")}
    facts |= {key: stimulus.truth[key] for key in ("rights", "prompt") if key in stimulus.truth}
    slices = {key: stimulus.truth.get(key) for key in ("source_model", "theme", "scene_type")}
    index = index_of(stimulus)
    clip = SourceClip(
        unit=f"clip/{index}", index=index, taken_from=ANNOTATED, factors=slices, facts=facts, media=stimulus.media
    )
    return violating_clip(clip, labels.anomaly, (), options)


def why_none(rows: Sequence[Mapping[str, Json]]) -> str:
    """Why a stage has no answer about a clip: the reason of its last reply."""
    if not rows:
        return "it was not asked"
    last = rows[-1]
    status = last["status"] or "not asked"
    tries = f" after {last['attempt']} tries" if (last["attempt"] or 0) > 1 else ""
    return f"{status}{tries}{': ' + str(last['reason'])[:200] if last['reason'] else ''}"


DESIGN = imported_design(
    (FAMILY,),
    FACTORS,
    labeled_clips,
    not_drawn=f"{NAME} draws nothing: `veridical import videos FOLDER --out SET` makes a set of your clips",
    not_measured="a raw clip, whose truth is not known",
)
