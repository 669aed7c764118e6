"""How clips are annotated: a filter, captions of frames, their summary, labels as validated JSON, and people's votes.

A clip with a description of its own needs no captions and no summary. A model may write the false options of Task III;
people then check that the true one alone is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.answers import Parser, Read, Reader, read_yes_no, text_reader
from veridical.answers.cut import never
from veridical.ask import Sampling
from veridical.records import Json, Stimulus
from veridical.suite.asking import PEOPLE, Asking, AtMost, Stage
from veridical.suite.parts import AskingPart
from veridical.suites.hocabench.annotate import trials
from veridical.suites.hocabench.annotate.distractors import DISTRACTORS, RIGHT, sub_type_of
from veridical.suites.hocabench.annotate.trials import FOLDER, FRAMES, frame_rule
from veridical.suites.hocabench.labels import LABELS

TRIES = 3
"""How often labels, and false options, are asked for until they validate."""
_CAPTION_TOKENS = 250


def _at_most(stimuli: Sequence[Stimulus], tokens: int, each: int = 1) -> AtMost:
    trials = len(stimuli) * each
    return AtMost(trials=trials, input_tokens=trials * tokens, assumed="every clip passes every stage before")


def _most_captions(stimuli: Sequence[Stimulus], asking: Asking) -> AtMost:
    return _at_most(stimuli, 1200, FRAMES[frame_rule(asking)])


def _most_summaries(stimuli: Sequence[Stimulus], asking: Asking) -> AtMost:
    return _at_most(stimuli, 300 + _CAPTION_TOKENS * FRAMES[frame_rule(asking)])


def _most_labels(stimuli: Sequence[Stimulus], asking: Asking) -> AtMost:  # noqa: ARG001
    return _at_most(stimuli, 1500)


def _text(text: str, expects: Mapping[str, Json]) -> Read:  # noqa: ARG001
    stripped = text.strip()
    return Read(stripped) if stripped else Read(None, "the reply is empty")


GREEDY = Sampling(temperature=0.0)
ASKING = AskingPart(
    stages=(
        Stage(name="filter", role="filter", settings=(), sampling=GREEDY, trials=trials.filters),
        Stage(
            name="captions",
            role="captioner",
            needs=("filter",),
            settings=("captioned",),
            sampling=GREEDY,
            trials=trials.captions,
            at_most=_most_captions,
        ),
        Stage(
            name="aggregate",
            role="analyst",
            needs=("filter", "captions"),
            settings=(),
            sampling=GREEDY,
            trials=trials.aggregates,
            at_most=_most_summaries,
        ),
        Stage(
            name="attribute",
            role="classifier",
            needs=("filter", "aggregate"),
            settings=(),
            sampling=GREEDY,
            trials=trials.attributions,
            at_most=_most_labels,
            most_tries=TRIES,
        ),
        Stage(
            name="distract",
            role="distractor",
            needs=("attribute",),
            settings=(),
            trials=trials.false_options,
            at_most=_most_labels,
            most_tries=TRIES,
        ),
        Stage(name="vote", role=PEOPLE, needs=("attribute",), settings=(), trials=trials.votes),
        Stage(
            name="check",
            role=PEOPLE,
            needs=("attribute", "distract"),
            settings=(),
            trials=trials.checks,
            stratum=sub_type_of,
        ),
    ),
    readers={
        "yes-no": (text_reader(Parser("yes-no", "2", read_yes_no)),),
        "text": (Reader(name="text", version="2", parse=_text, complete=never),),
        "labels": (LABELS,),
        "distractors": (DISTRACTORS,),
        "right-options": (RIGHT,),
    },
    settings={"captioned": tuple(FRAMES)},
    defaults={"captioned": ("uniform-8",)},
    prompts=FOLDER,
    reply_tokens=_CAPTION_TOKENS,
    bare_question=trials.bare_question,
)
