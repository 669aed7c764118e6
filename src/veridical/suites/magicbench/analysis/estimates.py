"""The estimates of a run, and those that stand for it as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.judges.blind import blind_floors, is_smoke
from veridical.records import Estimate, Json
from veridical.suite.evidence import Evidence
from veridical.suites.magicbench.analysis.aided import aided
from veridical.suites.magicbench.analysis.effects import WORDED, effects, setting_effects
from veridical.suites.magicbench.analysis.marks import KINDS, MARKS, SCORE, marked, scores, vetoes
from veridical.suites.magicbench.analysis.noticed import confidence, noticed
from veridical.suites.magicbench.analysis.reliability import accepted, reliability
from veridical.suites.magicbench.analysis.rows import replies
from veridical.suites.magicbench.analysis.seeing import BASES, decisive, seeing
from veridical.suites.magicbench.asking.cells import FORENSIC
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import NAME, TYPES

Where = dict[str, Json]


def overall(estimates: Sequence[Estimate]) -> Iterator[Estimate]:
    """Headline metrics with an empty slice: the first of their usual slices that a run has with a value.

    Marks are those of the first judge by the rubric `pcs` (else by the first), in the forensic stance (else the next
    one asked), as the plain mean of the types. The effect of a lie is that against vision-only, else silence.
    """
    for metric, candidates in _wanted(estimates):
        for where in candidates:
            found = next(
                (each for each in estimates if each.metric == metric and dict(each.slice) == where and _valued(each)),
                None,
            )
            if found is not None:
                words = ", ".join(f"{level}" for level in where.values())
                yield replace(found, slice={}, method=f"{words}: {found.method}")
                break


def _valued(estimate: Estimate) -> bool:
    return estimate.value is not None


def main_judge(estimates: Sequence[Estimate]) -> Where | None:
    """The judge and the rubric that stand for a run: the first judge's marks by `pcs`, else by its first rubric.

    One whose marks are a smoke test comes last.
    """
    seen = [each.slice for each in estimates if each.metric == "cpa" and "rubric" in each.slice]
    ordered = sorted(seen, key=lambda where: (is_smoke(estimates, where["judge"]), where["rubric"] != PCS.name))
    return {"judge": ordered[0]["judge"], "rubric": ordered[0]["rubric"]} if ordered else None


def _wanted(estimates: Sequence[Estimate]) -> Iterator[tuple[str, list[Where]]]:
    yield "effect of a lie", [{"against": base} for base in BASES]
    yield "told apart", [{"under": base} for base in BASES]
    yield "pull of the lie", [{"against": base} for base in BASES]
    judge = main_judge(estimates)
    stances = (FORENSIC, *(stance for stance in WORDED if stance != FORENSIC))
    if judge is not None:
        for mark in MARKS:
            yield mark, [{**judge, "stance": stance, "average": KINDS} for stance in stances]
        marks: Where = {"score": "cpa", **judge}
        yield "agency loss", [{**marks, "stance": stance} for stance in stances]
        yield (
            "spotlight gain",
            [{**marks, "stance": stance, "type": kind} for stance in stances for kind in TYPES[:2]],
        )
    yield "d_prime", [{"stance": stance} for stance in stances]
    yield "criterion", [{"stance": stance} for stance in stances]


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of tasks, stances and stages that it does not have are left out."""
    rows, marks = replies(evidence.outcomes()), marked(evidence)
    every = [*seeing(rows), *decisive(rows), *scores(marks), *effects(marks), *noticed(rows)]
    every += [*confidence(marks), *vetoes(marks), *reliability(marks), *aided(evidence)]
    every += blind_floors(NAME, evidence, GRADE, MARKS, SCORE)
    every += [*setting_effects(rows, marks), *accepted(evidence)]
    return [*every, *overall(every)]
