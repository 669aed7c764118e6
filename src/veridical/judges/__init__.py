"""Judges: rubrics and the stages made of them, the reading of verdicts, rule judges, and calibration against people.

A `Rubric` is a prompt, the model of a `JudgeVerdict`, and what a judge may see. `marking` makes a stage of rubrics and
`readers` the readers of their verdicts. `join_verdicts` joins replies with the verdicts on them, `judged_rates` gives
rates by judge, and `judge_tables` tables of both. `SHORT_ANSWER` is the rubric for short answers. `sample` draws
replies for people, `read_people` reads their labels, and `calibrate` sets judges beside them; these work on tables,
and are loaded when they are first used. `veridical.sample_replies` and `veridical.calibrate_judges` do the same for
runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veridical.judges.judged_outcomes import join_verdicts, judge_tables, judged_rates
from veridical.judges.marking import Marking, marking, readers, rubrics_of
from veridical.judges.rubric import SHORT_ANSWER, Rubric, Rule
from veridical.judges.rule_judge import EMBEDDED
from veridical.judges.verdict import JudgeVerdict

if TYPE_CHECKING:
    from veridical.judges.calibration import Calibration, calibrate
    from veridical.judges.people import People, read_key, read_people
    from veridical.judges.sampling import ReplySample, sample

_LATER = {
    "Calibration": "calibration",
    "calibrate": "calibration",
    "People": "people",
    "read_key": "people",
    "read_people": "people",
    "ReplySample": "sampling",
    "sample": "sampling",
}
"""Names that need the room of statistics, by their module."""

__all__ = [
    "EMBEDDED",
    "SHORT_ANSWER",
    "Calibration",
    "JudgeVerdict",
    "Marking",
    "People",
    "ReplySample",
    "Rubric",
    "Rule",
    "calibrate",
    "join_verdicts",
    "judge_tables",
    "judged_rates",
    "marking",
    "read_key",
    "read_people",
    "readers",
    "rubrics_of",
    "sample",
]


if not TYPE_CHECKING:  # so that a type checker refuses a name that is none

    def __getattr__(name: str) -> Any:  # noqa: ANN401
        """Loads a name for calibration when it is first used."""
        if name not in _LATER:
            raise AttributeError(f"module 'veridical.judges' has no attribute '{name}'")
        return getattr(import_module(f"veridical.judges.{_LATER[name]}"), name)
