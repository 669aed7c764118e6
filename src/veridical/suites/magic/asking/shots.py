"""Worked examples that come before a question: scenes of ours beyond those that a set can have, in words alone.

Their pictures are not shown: a trial refers to media of its own stimulus alone, so that each stimulus would keep a copy
of each picture.
"""

from __future__ import annotations

from functools import cache

from veridical.base.options import MOST_UNITS, parse_options
from veridical.records import Chunk
from veridical.suites.magic.options import MagicOptions, SceneKind
from veridical.suites.magic.stimuli import QuestionType

RESERVED = MOST_UNITS
"""The first index of the scenes of examples: a set has fewer, whatever its seed is."""
_EXAMPLES: tuple[tuple[SceneKind, QuestionType, int], ...] = (
    ("room", "query", 0),
    ("room", "logical", 1),
    ("table", "compare", 4),
    ("table", "verify", 1),
)
"""Kind of scene, type of question, and place after `RESERVED`: chosen so that every answer is another one."""


@cache
def examples() -> str:
    """The worked examples, with blank lines between them: the boxes, the question, a true chain, and the answer.

    >>> examples().count("Question: ")
    4
    """
    return "\n\n".join(
        f"Example {number}: {_example(kind, name, RESERVED + place)}"
        for number, (kind, name, place) in enumerate(_EXAMPLES, start=1)
    )


def _example(kind: SceneKind, name: QuestionType, index: int) -> str:
    from veridical.suites.magic.scenes.make import outline  # it takes long to import

    options = parse_options(MagicOptions, {"scenes": [kind]})
    made = next(stimulus for stimulus in outline(options, Chunk(kind, index)) if stimulus.category == name)
    true = next(chain for chain in made.truth["chains"] if chain["kind"] == "true")
    steps, count = " ".join(step["text"] for step in true["steps"]), len(made.truth["boxes"])
    return f"{count} boxes, {list_labels(count)}.\nQuestion: {made.question}\n{steps}\nAnswer: {made.truth['full']}"


def list_labels(count: int) -> str:
    """The labels of so many boxes.

    >>> list_labels(1), list_labels(3)
    ('R1', 'R1, R2 and R3')
    """
    labels = [f"R{number}" for number in range(1, count + 1)]
    return labels[0] if count == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"
