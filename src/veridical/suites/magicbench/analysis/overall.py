"""The figures that stand for a run as a whole: one of each headline metric, with what it is in its method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridical.judges.blind import is_smoke
from veridical.records import Estimate, Json
from veridical.suites.magicbench.analysis.effects import WORDED
from veridical.suites.magicbench.analysis.marks import KINDS, MARKS
from veridical.suites.magicbench.analysis.seeing import BASES
from veridical.suites.magicbench.asking.cells import FORENSIC
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import TYPES

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
