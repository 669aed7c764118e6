"""What follows the probe's first look: verdicts, a second look at what was called wrong, captions, people's votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import polars as pl

from tests.marked_rule import marked
from veridical.ask import Sampling
from veridical.media.derive import frames_of
from veridical.records import Media, Message, Source, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.stages import JUDGE, PEOPLE, AskingOptions, Stage, StageBounds

RUBRICS = ("strict", "lenient")
RULES = {"clip": frames_of("uniform-4", quality=None), "boxes": marked("regions")}
VERDICTS = ["right", "wrong"]
READER = {"tiles": "options", "dots": "closeness", "boxes": "boxes", "clip": "tagged", "sums": "tagged"}
_SYSTEM = Message("system", (Text("You look closely."),))


def verdicts(
    stage: str, about: str, stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence
) -> Iterator[Trial]:
    """A verdict on each answered reply of a stage, for each rubric."""
    known = {stimulus.id: stimulus for stimulus in stimuli}
    for row in evidence.outcomes(about).filter(pl.col("status") == "answered").iter_rows(named=True):
        stimulus = known[row["stimulus"]]
        for rubric in asking.levels["severity"]:
            told = f"Judge a reply, {rubric}. The true answer is {stimulus.label}. The reply: «{row['text']}»"
            yield _trial(
                stimulus,
                f"{stage},{rubric},{row['trial']},{row['repeat']}",
                stage=stage,
                messages=(Message("user", (Text(told),)),),
                gold=VERDICTS[not row["correct"]],
                reader="tagged",
                settings={"severity": rubric},
                expects={"options": VERDICTS},
                sources=(Source.of(row),),
            )


def _marks(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    return verdicts("mark", "look", stimuli, asking, evidence)


def _remarks(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    return verdicts("remark", "again", stimuli, asking, evidence)


def _again(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """The question once more, with the earlier reply, where a judge called it wrong by any rubric."""
    known = {stimulus.id: stimulus for stimulus in stimuli}
    looks = {(row["trial"], row["repeat"]): row for row in evidence.outcomes("look").iter_rows(named=True)}
    wrong = evidence.outcomes("mark").filter(pl.col("answer") == "wrong")
    for (trial, repeat), rows in wrong.group_by("about_trial", "about_repeat", maintain_order=True):
        look = looks[trial, repeat]
        stimulus = known[look["stimulus"]]
        judged = [Source.of(row, read=True) for row in rows.iter_rows(named=True)]
        yield _shown(
            stimulus,
            f"again,{trial},{repeat}",
            f"{stimulus.question} Before, you said: «{look['text']}». A judge called that wrong.",
            stage="again",
            sources=(Source.of(look), *judged),
        )


def _captions(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    for stimulus in stimuli:
        if stimulus.family in RULES:
            yield _shown(stimulus, "caption", "Describe what you see.", stage="caption", reader="any", gold=None)


def _closer(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """The question on derived media, beside the caption."""
    known = {stimulus.id: stimulus for stimulus in stimuli}
    for row in evidence.outcomes("caption").iter_rows(named=True):
        stimulus = known[row["stimulus"]]
        media = asking.derived(stimulus, RULES[stimulus.family])
        text = f"{stimulus.question} A caption says: «{row['text']}»."
        yield _shown(
            stimulus,
            f"closer,{row['repeat']}",
            text,
            media=media,
            stage="closer",
            sources=(Source.of(row),),
        )


def _votes(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    for stimulus in stimuli:
        if stimulus.family == "sums":
            yield _shown(stimulus, "vote", stimulus.question, stage="vote")


def _weighed(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """The question beside what people answered."""
    known = {stimulus.id: stimulus for stimulus in stimuli}
    answered = evidence.outcomes("vote").filter(pl.col("status") == "answered")
    for (name,), rows in answered.group_by("stimulus", maintain_order=True):
        stimulus, said = known[str(name)], ", ".join(rows["text"])
        sources = tuple(Source.of(row) for row in rows.iter_rows(named=True))
        yield _shown(stimulus, "weighed", f"{stimulus.question} People say: «{said}».", stage="weigh", sources=sources)


def _shown(stimulus: Stimulus, form: str, text: str, *, media: Sequence[Media] | None = None, **others: Any) -> Trial:
    shown = tuple(Media.of(medium) for medium in stimulus.media) if media is None else media
    options = {"options": stimulus.truth["options"]} if "options" in stimulus.truth else {}
    regions = {"regions": len(stimulus.truth["regions"])} if stimulus.family == "boxes" else {}
    usual: dict[str, Any] = {"reader": READER[stimulus.family], "expects": {**options, **regions}}
    messages = (_SYSTEM, Message("user", (*shown, Text(text))))
    return _trial(stimulus, form, **{**usual, "messages": messages, **others})


def _trial(stimulus: Stimulus, form: str, **others: Any) -> Trial:
    return Trial.about(stimulus, form, **{"prompt": "none", **others})


def _at_most(stimuli: Sequence[Stimulus], asking: AskingOptions, *, rubrics: bool) -> StageBounds:
    """Every look is answered, and each of the verdicts on it calls it wrong."""
    looks = len(stimuli) * len(asking.levels["tone"]) * len(asking.levels["lens"])
    trials = looks * len(asking.levels["severity"]) if rubrics else looks
    return StageBounds(trials=trials, input_tokens=40 * trials, assumed="every look is answered, and called wrong")


_LOOKS, _VERDICTS = partial(_at_most, rubrics=False), partial(_at_most, rubrics=True)
LATER = (
    Stage(
        name="mark",
        role=JUDGE,
        needs=("look",),
        settings=("severity",),
        sampling=Sampling(temperature=0.0),
        trials=_marks,
        at_most=_VERDICTS,
    ),
    Stage(name="again", needs=("look", "mark"), settings=(), trials=_again, at_most=_LOOKS),
    Stage(
        name="remark",
        role=JUDGE,
        needs=("again",),
        settings=("severity",),
        trials=_remarks,
        at_most=_VERDICTS,
    ),
    Stage(name="caption", role="captioner", settings=(), trials=_captions),
    Stage(name="closer", needs=("caption",), settings=(), trials=_closer, at_most=_LOOKS),
    Stage(name="vote", role=PEOPLE, settings=(), trials=_votes),
    Stage(name="weigh", needs=("vote",), settings=(), repeats=2, trials=_weighed),
)
