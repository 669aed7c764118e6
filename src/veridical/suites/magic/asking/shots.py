"""Worked examples that come before a question: scenes of ours beyond those that a set can have, in words alone.

Their pictures are not shown: a trial refers to media of its own stimulus alone, so that each stimulus would keep a copy
of each picture.
"""

from __future__ import annotations

from functools import cache

from veridical.base.options import MOST_UNITS
from veridical.suites.magic.options import SceneKind
from veridical.suites.magic.scenes.compose import composed
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.make import marked_question, truth_of
from veridical.suites.magic.stimuli import QuestionType

RESERVED = MOST_UNITS
"""The first index of the scenes of examples: a set has fewer, whatever its seed is."""
_SEED, _WIDTH, _HEIGHT = 0, 640, 480
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
    scene = composed(kind, _WIDTH, _HEIGHT, _SEED, index)
    unit = f"shots/{index}"
    marked = marked_question(scene, Graph(scene.setting), name, _SEED, unit)
    truth = truth_of(marked, _SEED, f"{unit}/{name}")
    true = next(chain for chain in truth["chains"] if chain["kind"] == "true")
    steps = " ".join(step["text"] for step in true["steps"])
    boxes = listed(len(truth["boxes"]))
    return f"{len(truth['boxes'])} boxes, {boxes}.\nQuestion: {marked.asked.text}\n{steps}\nAnswer: {truth['full']}"


def listed(count: int) -> str:
    """The labels of so many boxes.

    >>> listed(1), listed(3)
    ('R1', 'R1, R2 and R3')
    """
    labels = [f"R{number}" for number in range(1, count + 1)]
    return labels[0] if count == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"
