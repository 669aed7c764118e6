"""How clips are annotated: a filter, captions of frames, their summary, labels as validated JSON, and people's votes.

A clip with a description of its own needs no captions and no summary. A model may write the false options of Task III;
people then check that the true one alone is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from veridical.answers import ParsedAnswer, Parser, Reader, parse_answer, read_yes_no, text_reader
from veridical.answers.truncation import nothing_complete
from veridical.ask import Sampling
from veridical.errors import InputError
from veridical.judges.quotes import quote_block
from veridical.media.derive import frames_of
from veridical.records import Json, Media, Message, Source, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AskingPart
from veridical.suite.people_forms import ANSWER, YES_NO, lettered_options, named_form, text_form
from veridical.suite.people_tasks import FieldOption, FormField
from veridical.suite.prompts import Prompt, letter_options, load_all
from veridical.suite.stages import PEOPLE, AskingOptions, Stage, StageBounds
from veridical.suites.hocabench.annotate.design import DESCRIPTION, index_of, realistic_clips, rows_by_clip
from veridical.suites.hocabench.annotate.distractors import DISTRACTORS, NONE, RIGHT, options_of, sub_type_of
from veridical.suites.hocabench.asking.attribution import INTERACTION, RULES
from veridical.suites.hocabench.labels import LABELS, Labels
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES, domain_sub_types

FOLDER = Path(__file__).parent / "prompts"
FRAMES = {"uniform-8": 8, "uniform-4": 4, "uniform-16": 16, "adaptive-20": 20}
"""The rules by which the captioned frames are taken, with the most frames that each takes of a clip."""
FILTER_FRAMES = frames_of("uniform-4")
_FIELDS: dict[str, tuple[str, ...]] = {
    "filter": (),
    "caption": ("number", "frames"),
    "aggregate": ("captions", "frames"),
    "attribute": ("summary", "taxonomy", "rule"),
    "distract": ("claim", "taxonomy"),
    "vote": ("claim",),
    "check": ("options",),
}
RIGHT_OPTIONS = "right-options"
TRIES = 3
"""How often labels, and false options, are asked for until they validate."""
_CAPTION_TOKENS = 250


def filters(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """Whether each clip is realistic, by a few of its frames."""
    prompt = _prompts(asking)["filter"]
    for stimulus in stimuli:
        frames = asking.derived(stimulus, FILTER_FRAMES)
        yield _trial(stimulus, "filter", "filter", prompt, (*frames, Text(prompt.fill())), reader="yes-no")


def captions(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """A caption of each sampled frame of the realistic clips that have no description."""
    prompt, level = _prompts(asking)["caption"], frame_rule(asking)
    for stimulus, sources in realistic_clips(stimuli, evidence):
        if stimulus.truth.get(DESCRIPTION):
            continue
        frames = asking.derived(stimulus, frames_of(level))
        for number, frame in enumerate(frames, start=1):
            text = Text(prompt.fill(number=str(number), frames=str(len(frames))))
            known = {"reader": "text", "sources": sources, "settings": {"captioned": level}}
            yield _trial(stimulus, "captions", f"caption,{level},{number:02}", prompt, (frame, text), **known)


def aggregates(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """What the captions of each clip say together; a frame without a caption is named as such."""
    prompt = _prompts(asking)["aggregate"]
    by_clip = rows_by_clip(evidence, "captions")
    for stimulus, _ in realistic_clips(stimuli, evidence):
        rows = sorted(by_clip.get(stimulus.id, ()), key=lambda row: str(row["trial"]).partition("#")[0])
        if not any(row["status"] == "answered" for row in rows):
            continue
        texts = [row["answer"] if row["status"] == "answered" else "(no description)" for row in rows]
        listed = "\n\n".join(f"Frame {number}: {text}" for number, text in enumerate(texts, start=1))
        shown = Text(prompt.fill(captions=quote_block("descriptions", listed), frames=str(len(rows))))
        sources = tuple(Source.of(row) for row in rows)
        yield _trial(stimulus, "aggregate", "summary", prompt, (shown,), reader="text", sources=sources)


def attributions(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """The labels of each clip, from its summary or its own description."""
    prompt = _prompts(asking)["attribute"]
    summaries = rows_by_clip(evidence, "aggregate")
    for stimulus, sources in realistic_clips(stimuli, evidence):
        text = stimulus.truth.get(DESCRIPTION)
        if not text:
            row = next((row for row in summaries.get(stimulus.id, ()) if row["status"] == "answered"), None)
            if row is None:
                continue
            text, sources = row["answer"], (Source.of(row),)
        fields = {"summary": quote_block("summary", str(text)), "taxonomy": taxonomy(), "rule": RULES[INTERACTION]}
        shown = Text(prompt.fill(**fields))
        yield _trial(stimulus, "attribute", "labels", prompt, (shown,), reader="labels", sources=sources)


def false_options(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """Three false options for each labeled clip."""
    prompt = _prompts(asking)["distract"]
    for stimulus, row in _answered(stimuli, evidence, "attribute"):
        labels = parse_answer(row["answer"], Labels)
        shown = Text(prompt.fill(claim=quote_block("labels", claim_of(labels)), taxonomy=taxonomy()))
        expects = {"text": labels.anomaly_phenomenon, "sub_type": labels.sub_type}
        known = {"reader": "distractors", "expects": expects, "sources": (Source.of(row, read=True),)}
        yield _trial(stimulus, "distract", "options", prompt, (shown,), **known)


def votes(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """What people vote on: the clip, and the claim that its labels make."""
    prompt = _prompts(asking)["vote"]
    for stimulus, row in _answered(stimuli, evidence, "attribute"):
        text = Text(prompt.fill(claim=claim_of(parse_answer(row["answer"], Labels))))
        media = tuple(Media.of(medium) for medium in stimulus.media)
        known = {"reader": "yes-no", "sources": (Source.of(row, read=True),)}
        yield _trial(stimulus, "vote", "vote", prompt, (*media, text), **known)


def checks(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """What people check: the clip with its four options, of which the true one alone should be right."""
    prompt = _prompts(asking)["check"]
    labeled = rows_by_clip(evidence, "attribute")
    for stimulus, row in _answered(stimuli, evidence, "distract"):
        answers = {each["trial"]: each["answer"] for each in labeled.get(stimulus.id, ()) if each["repeat"] == 1}
        if answers.get(row["about_trial"]):
            labels = parse_answer(answers[row["about_trial"]], Labels)
            options = options_of(row, labels, index_of(stimulus))
            text = Text(prompt.fill(options=letter_options(options.texts)))
            media = tuple(Media.of(medium) for medium in stimulus.media)
            known: dict[str, Any] = {"reader": RIGHT_OPTIONS, "sources": (Source.of(row, read=True),)}
            known["expects"] = {"options": list(options.texts), "sub_type": labels.sub_type}
            known["gold"] = ascii_uppercase[options.texts.index(options.true)]
            yield _trial(stimulus, "check", "check", prompt, (*media, text), **known)


def _answered(
    stimuli: Sequence[Stimulus], evidence: Evidence, stage: str
) -> Iterator[tuple[Stimulus, Mapping[str, Json]]]:
    """Each clip with each row of a stage that has an answer, of the first repeat."""
    rows = rows_by_clip(evidence, stage)
    for stimulus in stimuli:
        for row in rows.get(stimulus.id, ()):
            if row["status"] == "answered" and row["repeat"] == 1:
                yield stimulus, row


def claim_of(labels: Labels) -> str:
    """What labels say of a clip, in lines for people."""
    kind = SUB_TYPES[labels.sub_type]
    lines = (
        f"Scene: {labels.scene_description}",
        f"What could not happen: {labels.anomaly_phenomenon}",
        f"Kind: {kind.title} ({DOMAINS[kind.domain].title}, {kind.layer}): {kind.definition}",
        f"Why: {labels.normal_phenomenon}",
    )
    return "\n".join(" ".join(line.split()) for line in lines)


def taxonomy() -> str:
    """The taxonomy as a list for a prompt: layers, domains and sub-types with their definitions."""
    lines = []
    for layer in ("ontological", "causal"):
        lines.append(f"{layer.capitalize()} Anomaly")
        for domain in DOMAINS.values():
            if domain.layer == layer:
                lines.append(f"- category {domain.title}: {domain.definition}")
                inside = [SUB_TYPES[name] for name in domain_sub_types(domain.name)]
                lines += [f"  - sub_category {each.title}: {each.definition}" for each in inside]
    return "\n".join(lines)


def _prompts(asking: AskingOptions) -> dict[str, Prompt]:
    return load_all(FOLDER, asking.prompts, _FIELDS)


def frame_rule(asking: AskingOptions) -> str:
    """The rule by which the captioned frames are taken; raises `InputError` for several."""
    levels = asking.levels["captioned"]
    if len(levels) != 1:
        raise InputError(f"captioned {', '.join(levels)}: a clip is annotated in one way, so one level is needed")
    return levels[0]


def _trial(
    stimulus: Stimulus,
    stage: str,
    form: str,
    prompt: Prompt,
    parts: tuple[Media | Text, ...],
    **others: Any,  # noqa: ANN401 (the other fields of a trial)
) -> Trial:
    usual: dict[str, Any] = {"stage": stage, "prompt": prompt.digest, "messages": (Message("user", parts),)}
    return Trial.about(stimulus, form, **usual, **others)


_CHECK = """Which of these descriptions of what could not happen in the clip are right: the clip shows it, and it \
could not happen? Any number of them may be."""


def bare_question(stimulus: Stimulus, trial: Trial) -> str:  # noqa: ARG001 (what a suite may look at)
    """What people are asked: the text of the trial with the claim that it is about, or which descriptions are right."""
    if trial.reader == RIGHT_OPTIONS:
        return _CHECK
    return "\n".join(part.text for part in trial.messages[-1].parts if isinstance(part, Text))


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:  # noqa: ARG001 (what a suite may look at)
    """Yes or no to a claim, or any of the descriptions, or none of them."""
    if trial.reader == RIGHT_OPTIONS:
        options = [*lettered_options(trial.expects["options"]), FieldOption(NONE, "None of them")]
        return (FormField(name=ANSWER, kind="codes", options=options),)
    return named_form(YES_NO) if trial.reader == "yes-no" else text_form()


def _at_most(tokens: int, *, captions: int = 0, of_frames: bool = False) -> Callable[..., StageBounds]:
    """At most one request a clip or a frame, each of so many tokens, and `captions` for the caption of each frame."""

    def at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> StageBounds:
        frames = FRAMES[frame_rule(asking)]
        count = len(stimuli) * (frames if of_frames else 1)
        total = count * (tokens + captions * frames)
        return StageBounds(trials=count, input_tokens=total, assumed="every clip passes every stage before")

    return at_most


def _text(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001
    stripped = text.strip()
    return ParsedAnswer(stripped) if stripped else ParsedAnswer(None, "the reply is empty")


GREEDY = Sampling(temperature=0.0)
ASKING = AskingPart(
    stages=(
        Stage(name="filter", role="filter", settings=(), sampling=GREEDY, trials=filters),
        Stage(
            name="captions",
            role="captioner",
            needs=("filter",),
            settings=("captioned",),
            sampling=GREEDY,
            trials=captions,
            at_most=_at_most(1200, of_frames=True),
        ),
        Stage(
            name="aggregate",
            role="analyst",
            needs=("filter", "captions"),
            settings=(),
            sampling=GREEDY,
            trials=aggregates,
            at_most=_at_most(300, captions=_CAPTION_TOKENS),
        ),
        Stage(
            name="attribute",
            role="classifier",
            needs=("filter", "aggregate"),
            settings=(),
            sampling=GREEDY,
            trials=attributions,
            at_most=_at_most(1500),
            most_tries=TRIES,
        ),
        Stage(
            name="distract",
            role="distractor",
            needs=("attribute",),
            settings=(),
            trials=false_options,
            at_most=_at_most(1500),
            most_tries=TRIES,
        ),
        Stage(name="vote", role=PEOPLE, needs=("attribute",), settings=(), trials=votes),
        Stage(
            name="check", role=PEOPLE, needs=("attribute", "distract"), settings=(), trials=checks, stratum=sub_type_of
        ),
    ),
    readers={
        "yes-no": (text_reader(Parser("yes-no", "2", read_yes_no)),),
        "text": (Reader(name="text", version="2", parse=_text, complete=nothing_complete),),
        "labels": (LABELS,),
        "distractors": (DISTRACTORS,),
        RIGHT_OPTIONS: (RIGHT,),
    },
    settings={"captioned": tuple(FRAMES)},
    defaults={"captioned": ("uniform-8",)},
    prompts=FOLDER,
    reply_tokens=_CAPTION_TOKENS,
    bare_question=bare_question,
    answer_form=answer_form,
)
