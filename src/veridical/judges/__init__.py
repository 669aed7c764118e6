"""Judges: rubrics and the stages made of them, the reading of verdicts, rule judges, and calibration against people.

A `Rubric` is a prompt, the model of a `Verdict`, and what a judge may see. `marking` makes a stage of rubrics and
`readers` the readers of their verdicts. `judged` joins replies with the verdicts on them, `judged_rates` gives rates by
judge, and `judge_tables` tables of both. `SHORT_ANSWER` is the rubric for short answers.
"""

from veridical.judges.judged import judged, judged_rates
from veridical.judges.marking import Marking, marking, readers, rubrics_of
from veridical.judges.rubric import Rubric, Rule
from veridical.judges.rule_judge import EMBEDDED
from veridical.judges.short_answer import SHORT_ANSWER
from veridical.judges.tables import judge_tables
from veridical.judges.verdict import Verdict

__all__ = [
    "EMBEDDED",
    "SHORT_ANSWER",
    "Marking",
    "Rubric",
    "Rule",
    "Verdict",
    "judge_tables",
    "judged",
    "judged_rates",
    "marking",
    "readers",
    "rubrics_of",
]
