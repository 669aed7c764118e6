"""Verdicts on explanations: the marks of a judge, and what they add up to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from pydantic import Field, field_validator

from veridical.judges import JudgeVerdict
from veridical.suites.hocabench.asking.explanations import label_of, parts

SCENE, ANOMALY, PROCESS, REASONING = 25, 25, 15, 35
"""The most marks of each part; together 100."""
BY_RULE, BY_EXAMPLE = 10, 30
"""What a tautology loses: 10 by the rule in the paper's rubric, 30 by its example (5 of 35 remain). Both in B.8."""
ONE_MISSING: Final = REASONING - BY_RULE
"""The most marks of a reasoning without the broken law or without the normal course.

Our choice: the paper has full marks for both alone, and no figure for one of them.
"""


class PartMarks(JudgeVerdict, title="Marks"):
    """The marks of each part of an explanation. The reasoning is marked before a tautology loses anything."""

    justification: str
    entity: int = Field(ge=0, le=10)
    action: int = Field(ge=0, le=10)
    outcome: int = Field(ge=0, le=5)
    anomaly: int = Field(ge=0, le=ANOMALY)
    process: int = Field(ge=0, le=PROCESS)
    reasoning: int = Field(ge=0, le=REASONING)
    law: bool = True
    normal_course: bool = True
    wrong_law: bool
    tautology: bool

    @field_validator("process")
    @classmethod
    def _exact(cls, value: int) -> int:
        if value not in (0, PROCESS):
            raise ValueError(f"an attribution has {PROCESS} or 0")
        return value


RANGES: Mapping[str, tuple[float, float]] = {
    "entity": (0.0, 10.0),
    "action": (0.0, 10.0),
    "outcome": (0.0, 5.0),
    "law": (0.0, 1.0),
    "normal_course": (0.0, 1.0),
    "wrong_law": (0.0, 1.0),
    "tautology": (0.0, 1.0),
    "scene": (0.0, float(SCENE)),
    "anomaly": (0.0, float(ANOMALY)),
    "process": (0.0, float(PROCESS)),
    "reasoning": (0.0, float(REASONING)),
    "total": (0.0, 100.0),
}
"""The scores of a verdict: those of the judge, the four parts by the rules, and their sum."""


def totals(marks: PartMarks, reply: str, attribution: str, deduction: int) -> dict[str, float]:
    """The scores of a verdict on a reply whose true attribution is given, by the rules of the paper.

    - The scene is full where the main thing and the central action are.
    - The attribution is compared in code where the reply gives a label; two labels are none. Else the judge's counts.
    - The reasoning is 0 for a wrong law, and for what explains nothing that happened (an anomaly of 0). A tautology
      loses `deduction`. Without the law or without the normal course it has at most `ONE_MISSING`.

    >>> full = dict(entity=10, action=10, outcome=5, anomaly=25, process=15, reasoning=35, justification="")
    >>> marks = PartMarks(**full, wrong_law=False, tautology=True)
    >>> [totals(marks, "Attribution: Causal", "Causal", each)["total"] for each in (BY_RULE, BY_EXAMPLE)]
    [90.0, 70.0]
    >>> totals(marks, "Attribution: Ontological", "Causal", BY_RULE)["process"]
    0.0
    """
    full = marks.entity == 10 and marks.action == 10
    label = label_of(parts(reply))
    process = marks.process if label is None else PROCESS * (label == attribution)
    own = {
        "scene": SCENE if full else marks.entity + marks.action + marks.outcome,
        "anomaly": marks.anomaly,
        "process": process,
        "reasoning": _reasoning(marks, deduction),
    }
    judged = {name: getattr(marks, name) for name in RANGES if name in PartMarks.model_fields}
    return {name: float(value) for name, value in {**judged, **own, "total": sum(own.values())}.items()}


def _reasoning(marks: PartMarks, deduction: int) -> int:
    if marks.wrong_law or marks.anomaly == 0:
        return 0
    if marks.tautology:
        return max(0, marks.reasoning - deduction)
    return marks.reasoning if marks.law and marks.normal_course else min(marks.reasoning, ONE_MISSING)


def marks_of(answer: str) -> PartMarks:
    """The marks in a verdict's canonical JSON."""
    return PartMarks(**json.loads(answer))
