"""The marking pass: explanations in four parts, by a model or by rule."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.answers import Readers
from veridical.judges import Rubric, marking
from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json, Stimulus, canonical
from veridical.suite.stages import AskingOptions
from veridical.suites.hocabench.asking.attribution import RULES, attribution_of
from veridical.suites.hocabench.asking.readers import EXPLAINED
from veridical.suites.hocabench.asking.rule import fixed_pieces, rule_verdict
from veridical.suites.hocabench.asking.tasks import applies
from veridical.suites.hocabench.asking.trials import DEFAULTS, SETTINGS, arms
from veridical.suites.hocabench.asking.verdicts import BY_EXAMPLE, BY_RULE, RANGES, PartMarks, marks_of, totals
from veridical.suites.hocabench.taxonomy import SUB_TYPES

NOT_STATED = "not stated"


@dataclass(frozen=True, kw_only=True, repr=False)
class ExplanationRubric(Rubric):
    """A rubric whose parts are summed in code; a tautology loses `deduction` marks."""

    deduction: int = BY_RULE

    @property
    def ranges(self) -> Mapping[str, tuple[float, float]]:
        """The scores of `verdicts.totals`."""
        return RANGES

    def scored(self, answer: str, shown: Shown) -> dict[str, float]:
        """The marks of the parts, and their sum by the rules of the paper."""
        return totals(marks_of(answer), shown[REPLY], shown["attribution"], self.deduction)


COUNTERFACTUAL = ExplanationRubric(
    name="counterfactual",
    folder=Path(__file__).parent.parent / "rubrics",
    verdict=PartMarks,
    sees=("scene", "anomaly", "attribution", "reasoning", "rule", "words", REPLY),
    rule=rule_verdict,
    fixed=fixed_pieces,
    vetoes=("wrong_law", "tautology"),
    help="how much of an explanation in four parts is right, 0 to 100",
)
RUBRICS = (COUNTERFACTUAL,)
TAUTOLOGY_30 = "tautology-30"
"""The reader by which a tautology loses what it loses in the paper's example: `--reader tautology-30`."""

VERDICTS: Readers = {
    COUNTERFACTUAL.name: (
        COUNTERFACTUAL.reader,
        replace(replace(COUNTERFACTUAL, deduction=BY_EXAMPLE).reader, name=TAUTOLOGY_30),
    )
}
"""The readers of verdicts: by the paper's rule and by its example, of the same replies of the judge."""


def judge_fields(stimulus: Stimulus, rule: str) -> dict[str, str]:
    """What a judge sees of a violating clip besides the reply, by field; `rule` is the level of attribution.

    `words` are JSON: names of the things and of the law, actions, signs of the anomaly, words of the normal course.
    """
    reference, sub_type = stimulus.truth["reference"], stimulus.factors.get("sub_type")
    words: dict[str, Json] = {"kind": sub_type or NOT_STATED, **(stimulus.truth.get("rule") or {})}
    if sub_type in SUB_TYPES:
        law = SUB_TYPES[sub_type].law.partition(" (")[0]
        words["law"] = [law, *SUB_TYPES[sub_type].law_names]
    return {
        **{part: str(reference.get(part) or "").strip() or NOT_STATED for part in ("scene", "anomaly", "reasoning")},
        "attribution": attribution_of(stimulus, rule),
        "rule": RULES[rule],
        "words": canonical(words),
    }


def _facts(stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
    settings = json.loads(row["settings"])
    return judge_fields(stimulus, settings["attribution_rule"]) if settings["task"] == EXPLAINED else None


def _at_most(stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    planned = arms(EXPLAINED, {**SETTINGS, **DEFAULTS, **asking.levels})
    wanted = EXPLAINED in asking.levels.get("task", SETTINGS["task"])
    return wanted * sum(applies(stimulus, arm) for stimulus in stimuli for arm in planned)


GRADE = marking("grade", "ask", RUBRICS, facts=_facts, at_most=_at_most, setting="grading")
"""Explanations that have an answer are marked; others have no verdict."""
