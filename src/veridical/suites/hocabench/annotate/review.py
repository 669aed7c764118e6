"""People review generated annotations: accept, correct or reject them; what they keep becomes a labeled set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from veridical.answers import parse_answer
from veridical.errors import InputError
from veridical.people.reply_samples import draw_items
from veridical.people.resolution import deciding_votes, votes_of_items
from veridical.people.run_media import RunMedia
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import ExcludedItem
from veridical.suite.evidence import Evidence
from veridical.suite.people_tasks import (
    FieldOption,
    FormField,
    PeopleTask,
    ReadVotes,
    StudyVote,
    TaskChoices,
    TaskItem,
    TextBlock,
)
from veridical.suites.hocabench.annotate.design import (
    INVALID,
    STAGES,
    Rows,
    before_labels,
    index_of,
    labeled_clip,
    rows_by_clip,
    why_none,
)
from veridical.suites.hocabench.annotate.distractors import Distractors
from veridical.suites.hocabench.labels import Labels
from veridical.suites.hocabench.stimuli import TaskOptions
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES
from veridical.verbs.exchange.releases import adopt
from veridical.verbs.results.result import open_run

ACCEPT, CORRECT, REJECT = "accept", "correct", "reject"
INTERACTION: Mapping[str, str] = {
    "yes": "This is an interaction process.",
    "no": "This is a spontaneous process.",
}
"""How labels say whether things interact."""
_DECISIONS = (
    FieldOption(ACCEPT, "Accept", "All of it is right as it stands."),
    FieldOption(CORRECT, "Correct", "It is right as you have corrected it."),
    FieldOption(REJECT, "Reject", "The clip shows no such anomaly, or cannot be used."),
)
_TEXTS = {
    "scene_description": "Scene",
    "anomaly_phenomenon": "What could not happen",
    "normal_phenomenon": "Why, and what would happen instead",
}


def review_items(places: Sequence[Path], choices: TaskChoices) -> Iterator[TaskItem]:
    """The labels that validate, of one run of annotation, one screen a clip."""
    run = open_run(_one(places))
    media = RunMedia(run)
    rows = rows_by_clip(run.evidence(), "attribute")
    labeled = [(media.stimuli[name], row) for name, own in rows.items() if (row := _labels_row(own)) is not None]
    if not labeled:
        raise InputError(f"{run.folder}: no clip has labels that validate, so there is nothing to review")
    for stimulus, row in draw_items(labeled, choices):
        labels = parse_answer(row["answer"], Labels)
        yield TaskItem(
            id=row["trial"],
            blocks=[
                *media.blocks(medium.file for medium in stimulus.media),
                TextBlock(text="A proposal of what in this clip could not happen. Correct what is not right."),
            ],
            fields=_fields(labels),
            key={"stimulus": stimulus.id, "trial": row["trial"]},
            stratum=labels.sub_type,
        )


def _one(places: Sequence[Path]) -> Path:
    if len(places) != 1:
        raise InputError(f"{', '.join(map(str, places))}: one run is reviewed in a study")
    return places[0]


def _labels_row(rows: Sequence[Mapping[str, Json]]) -> Mapping[str, Json] | None:
    return next((row for row in rows if row["status"] == "answered" and row["repeat"] == 1), None)


def sub_type_options() -> list[FieldOption]:
    """The taxonomy as the options of a tree: layers, domains, and sub-types with their definitions."""
    return [
        FieldOption(each.name, each.title, each.definition, (f"{each.layer.capitalize()}", DOMAINS[each.domain].title))
        for each in SUB_TYPES.values()
    ]


def _fields(labels: Labels) -> list[FormField]:
    interaction = "yes" if labels.anomaly.interaction else "no"
    acts = [FieldOption("yes", "Yes", "Things act on each other."), FieldOption("no", "No", "It happens by itself.")]
    return [
        FormField(name="sub_type", kind="tree", title="Kind", options=sub_type_options(), value=labels.sub_type),
        *(
            FormField(name=name, kind="text", title=title, value=getattr(labels, name))
            for name, title in _TEXTS.items()
        ),
        FormField(name="interaction", kind="choice", title="Interaction", options=acts, value=interaction),
        FormField(name="decision", kind="choice", title="Decision", options=_DECISIONS),
        FormField(name="reason", kind="text", title="Why it is rejected", required=False, when=("decision", (REJECT,))),
    ]


def read_review(
    places: Sequence[Path],
    votes: Sequence[StudyVote],
    out: Path | None,
    choices: TaskChoices,  # noqa: ARG001 (what a task's reader gets)
) -> ReadVotes:
    """The labeled set of the clips that people keep, in `out`, with the labels as they corrected them.

    Raises `InputError` without a folder, where nobody has answered, and where no clip is kept.
    """
    if out is None:
        raise InputError("--out SET is needed: the reviewed set is written there")
    items = votes_of_items(votes)
    if not items:
        raise InputError("nobody has answered yet")
    made = adopt(_one(places), out, by=partial(reviewed_clips, votes=items))
    left_out = Counter((made.manifest["import"].get("left_out") or {}).get("reasons", {}))
    facts: dict[str, Json] = {"set": str(out), "stimuli": len(made), "left_out": dict(left_out)}
    lines = [f"{len(made):,} reviewed stimuli in {out}"]
    return ReadVotes(out, [*lines, *(f"left out, {reason}: {count:,}" for reason, count in left_out.items())], facts)


def reviewed_clips(
    stimuli: Sequence[Stimulus], evidence: Evidence, *, votes: Mapping[str, Sequence[StudyVote]]
) -> Iterator[Stimulus | ExcludedItem]:
    """A labeled stimulus for each clip whose labels people keep; each other clip with the reason."""
    rows = {stage: rows_by_clip(evidence, stage) for stage in STAGES}
    for stimulus in stimuli:
        mine = {stage: rows[stage].get(stimulus.id, ()) for stage in STAGES}
        outcome = _reviewed(stimulus, mine, votes)
        if isinstance(outcome, Stimulus):
            yield outcome
        else:
            yield ExcludedItem(stimulus.id, outcome[0], f"{stimulus.id}: {outcome[1]}")


def _reviewed(stimulus: Stimulus, mine: Rows, votes: Mapping[str, Sequence[StudyVote]]) -> Stimulus | tuple[str, str]:
    early = before_labels(stimulus, mine)
    if early is not None:
        return early
    row = _labels_row(mine["attribute"])
    if row is None:
        return INVALID, why_none(mine["attribute"])
    own = votes.get(row["trial"], ())
    if not own:
        return "not reviewed", "nobody has reviewed its labels"
    deciding = deciding_votes(own, _decision)
    if not deciding:
        return "people differ", f"no decision and kind is that of more than half of {len(own)} people"
    if deciding[0].answer["decision"] == REJECT:
        said = next((str(vote.answer["reason"]) for vote in deciding if vote.answer.get("reason")), "no reason stated")
        return "rejected by people", " ".join(said.split())
    labels = _corrected(parse_answer(row["answer"], Labels), deciding)
    counts = Counter(str(vote.answer["decision"]) for vote in own)
    false = next((e for e in mine["distract"] if e["status"] == "answered" and e["about_trial"] == row["trial"]), None)
    people: dict[str, Json] = {"reviewed": {**counts, "of": len(own)}}
    return labeled_clip(stimulus, str(row["model"]), labels, _options(false, labels, index_of(stimulus)), people)


def _decision(vote: StudyVote) -> tuple[Json, ...]:
    """What people must agree on: that the labels go, or the kind and the interaction with which they stay."""
    answer = vote.answer
    return (REJECT,) if answer["decision"] == REJECT else (answer["sub_type"], answer["interaction"])


def _corrected(labels: Labels, deciding: Sequence[StudyVote]) -> Labels:
    """The labels with the kind that people decided on, and of each text the one that most state, else the first."""
    answer = deciding[0].answer
    kind = SUB_TYPES[str(answer["sub_type"])]
    texts = {name: Counter(str(vote.answer[name]) for vote in deciding).most_common(1)[0][0] for name in _TEXTS}
    stated = {
        **labels.model_dump(),
        **texts,
        "type": f"{kind.layer.capitalize()} Anomaly",
        "category": DOMAINS[kind.domain].title,
        "sub_category": kind.title,
        "interaction_judgment": INTERACTION[str(answer["interaction"])],
    }
    return Labels.model_validate(stated)


def _options(false: Mapping[str, Json] | None, labels: Labels, index: str) -> TaskOptions | None:
    """The options of Task III, unless there are none, or a correction has made one of the false ones true."""
    if false is None:
        return None
    distractors = parse_answer(false["answer"], Distractors)
    try:
        distractors.require_false(labels.anomaly_phenomenon, labels.sub_type)
    except InputError:
        return None
    return distractors.options(labels.anomaly, index)


REVIEW = PeopleTask(
    title="Review annotations",
    help="Accept, correct or reject the labels that a model gave clips.",
    instructions="Watch the clip, read what is proposed, and correct each field that is not right. Then decide.",
    items=review_items,
    read=read_review,
    agreed={"decision": "nominal", "sub_type": "nominal"},
)
PEOPLE: Mapping[str, PeopleTask] = {"review": REVIEW}
