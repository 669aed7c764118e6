"""The estimates of a run, those that stand for it as a whole, differences of two runs, and what a plan shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from veridical.judges.blind import blind_floors, is_smoke
from veridical.records import Estimate, Json, Trial
from veridical.suite.contrasts import smallest_effect, smallest_mean
from veridical.suite.evidence import Evidence
from veridical.suite.results import index_by_slice
from veridical.suites.magicbench.analysis.effects import WORDED, aid_estimates, effects, setting_effects
from veridical.suites.magicbench.analysis.marks import (
    KINDS,
    MARKS,
    SCORE,
    explanations_by_judge,
    impossible_accepted,
    reliability,
    scores,
    vetoes,
)
from veridical.suites.magicbench.analysis.probes import BASES, decisive, probe_estimates
from veridical.suites.magicbench.analysis.rows import TRICKS, replies
from veridical.suites.magicbench.analysis.trick_detection import confidence, detection_estimates
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC, PROBE, VISION_ONLY
from veridical.suites.magicbench.asking.marking import GRADE
from veridical.suites.magicbench.judging.rubrics import PCS
from veridical.suites.magicbench.stimuli import NAME, TYPES

Where = dict[str, Json]


def overall(estimates: Sequence[Estimate]) -> Iterator[Estimate]:
    """Headline metrics with an empty slice: the first of their usual slices that a run has with a value.

    Marks are those of the first judge by the rubric `pcs` (else by the first), in the forensic stance (else the next
    one asked), as the plain mean of the types. The effect of a lie is that against vision-only, else silence.
    """
    valued = index_by_slice([each for each in estimates if each.value is not None])
    for metric, candidates in _wanted(estimates):
        for where in candidates:
            found = valued.get((metric, frozenset(where.items())))
            if found is not None:
                words = ", ".join(map(str, where.values()))
                yield replace(found, slice={}, method=f"{words}: {found.method}")
                break


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
    rows, marks = replies(evidence.outcomes()), explanations_by_judge(evidence)
    every = [*probe_estimates(rows), *decisive(rows), *scores(marks), *effects(marks), *detection_estimates(rows)]
    every += [*confidence(marks), *vetoes(marks), *reliability(marks), *aid_estimates(evidence)]
    every += blind_floors(NAME, evidence, GRADE, MARKS, SCORE)
    every += [*setting_effects(rows, marks), *impossible_accepted(marks)]
    return [*every, *overall(every)]


_SPREAD = 0.35
"""The standard deviation of the difference of two marks of a clip, of 1."""


def resolution(pieces: Iterable[tuple[Sequence[Trial], int]]) -> Iterator[str]:
    """Lines for a plan that asks without words and with them; nothing where one of both lacks."""
    clips: dict[str, int] = {PROBE: 0, EXPLAIN: 0}
    probes, stances = 0, set()
    for trials, times in pieces:
        own = [trial for trial in trials if trial.variant in TRICKS]
        stances |= {trial.settings.get("stance") for trial in own}
        for task in clips:
            mine = [t for t in own if t.settings.get("task") == task and t.settings.get("stance") == VISION_ONLY]
            clips[task] += times * len({trial.stimulus for trial in mine})
            probes += times * len(mine) if task == PROBE else 0
    if len(stances) < 2:
        return
    if clips[PROBE]:
        each = probes / clips[PROBE]
        yield (
            f"probes: an effect of words of {smallest_effect(clips[PROBE], each):.0f} points or more on seeing shows "
            f"in four of five runs ({clips[PROBE]:,} tricks, {probes:,} probes)"
        )
    if clips[EXPLAIN]:
        gain = smallest_mean(_SPREAD, clips[EXPLAIN])
        yield (
            f"explanations: a spotlight gain or an agency loss of {gain:.0f} points or more in marks shows in four of "
            f"five runs ({clips[EXPLAIN]:,} tricks)"
        )
