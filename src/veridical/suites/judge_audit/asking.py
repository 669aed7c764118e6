"""How a judge is asked: one verdict on each reply, by the rubric for short answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.answers import Marks, ParsedAnswer
from veridical.judges import SHORT_ANSWER, Marking
from veridical.judges.marking import GREEDY, verdict_trial
from veridical.judges.verdict import verdict_scores
from veridical.records import Stimulus, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AskingPart
from veridical.suite.stages import MODEL, AskingOptions
from veridical.suites.judge_audit.design import CORRECT, WRONG

STAGE = "mark"


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """One trial per reply; the gold answer is whether the reply is correct."""
    prompt = SHORT_ANSWER.prompt(asking.prompts)
    for stimulus in stimuli:
        shown = {"question": stimulus.question, **{key: stimulus.truth[key] for key in ("gold", "reply")}}
        trial = verdict_trial(stimulus, SHORT_ANSWER, prompt, shown, stage=STAGE, form="verdict", settings={})
        yield replace(trial, gold=stimulus.label)


def _as_label(read: ParsedAnswer) -> ParsedAnswer:
    if read.answer is None:
        return read
    return ParsedAnswer(CORRECT if verdict_scores(read.answer, SHORT_ANSWER.verdict)["correct"] else WRONG)


def _marks(answer: str, trial: Trial) -> Marks:
    return Marks(answer == trial.gold, {"correct": float(answer == CORRECT)})


_VERDICTS = SHORT_ANSWER.reader
READER = replace(_VERDICTS, parse=lambda text, expects: _as_label(_VERDICTS.parse(text, expects)), mark=_marks)
ASKING = AskingPart(
    stages=(
        Marking(
            name=STAGE,
            role=MODEL,
            settings=(),
            sampling=GREEDY,
            trials=trials,
            most_tries=3,
            about=STAGE,
            rubrics=(SHORT_ANSWER,),
        ),
    ),
    readers={SHORT_ANSWER.name: (READER,)},
    prompts=SHORT_ANSWER.folder,
    reply_tokens=60,
)
