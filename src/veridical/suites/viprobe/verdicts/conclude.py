"""The verdicts of a run: the gate, the fits, the names of all cases and of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import Estimate
from veridical.suites.viprobe.analysis.choices import template
from veridical.suites.viprobe.asking.settings import baseline, with_settings
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.adequacy import DRAWS, adequacy
from veridical.suites.viprobe.verdicts.by_unit import recalled_by_unit
from veridical.suites.viprobe.verdicts.counts import Counts, Ints, compared, counted
from veridical.suites.viprobe.verdicts.decide import SURE, decided
from veridical.suites.viprobe.verdicts.explain import Explained, explained
from veridical.suites.viprobe.verdicts.gate import Gate, fills, gate
from veridical.suites.viprobe.verdicts.names import Verdict
from veridical.suites.viprobe.verdicts.rates import Rates, rates
from veridical.suites.viprobe.verdicts.scope import Scope
from veridical.suites.viprobe.verdicts.weigh import DECISIVE, pooled, weights

MIXED_FROM = 0.2
"""The verdict is mixed where so many of the cases, and at least two, decidedly have one of another kind."""

_NEARLY_ALL = 0.8
"""Where so many cases say something else, and none the same, the whole speaks of an effect too small to be named."""

_CONTEXTS = ("O", "P", "OC", "PC")


def verdicts(outcomes: pl.DataFrame, *, draws: int = DRAWS) -> list[Verdict]:
    """The verdict on the yes-no questions overall, and that of each case, in the order of their names.

    From the trials without an instruction, else those of the first way of instructing. Where answers are missing so
    that the gate is closed, a verdict stands only if it is the same whatever the missing answers would have been.
    `draws` are those of the bootstrap that tells whether any model fits (0: not asked).
    """
    return _verdicts(outcomes, "yes-no", draws)


def comparison_verdicts(outcomes: pl.DataFrame, *, draws: int = DRAWS) -> list[Verdict]:
    """The same on the comparisons of the cases whose impression has a direction; none where none were asked."""
    return _verdicts(outcomes, "comparison", draws)


def _verdicts(outcomes: pl.DataFrame, task: str, draws: int) -> list[Verdict]:
    rows = baseline(with_settings(outcomes).filter(pl.col("task") == task))[0]
    if rows.is_empty() and task == "comparison":
        return []
    found = _of_answered(rows, task, draws)
    asked = rows.filter(pl.col("variant").is_in(_CONTEXTS))
    gates = {"": gate(asked)} | {
        str(name): gate(part) for (name,), part in asked.partition_by("family", as_dict=True).items()
    }
    if all(each.open for each in gates.values()):
        return found
    standing = _standing(rows, task, found, gates)
    return [_through(each, gates[str(each.where.get("case", ""))], standing) for each in found]


def _standing(rows: pl.DataFrame, task: str, found: Sequence[Verdict], gates: Mapping[str, Gate]) -> set[str]:
    """The scopes (a case, or "" for all) whose verdict is the same under every filling of what is missing.

    Of those whose gate is closed; no filling is tried that could change nothing any more.
    """
    names_ = {str(each.where.get("case", "")): each.name for each in found}
    standing = {place for place in names_ if not gates[place].open}
    for filled in fills(rows):
        if not standing:
            break
        told = {str(each.where.get("case", "")): each.name for each in _of_answered(filled, task, 0)}
        standing = {place for place in standing if told.get(place) == names_[place]}
    return standing


def _through(verdict: Verdict, passed: Gate, standing: set[str]) -> Verdict:
    """The verdict if the gate is open, or if no filling of what is missing gives another; else that it is missing."""
    if passed.open:
        return verdict
    missing = tuple(str(row) for row in passed.rows if row.missing)
    if str(verdict.where.get("case", "")) in standing:
        return replace(verdict, evidence=(*verdict.evidence, "the same whatever the missing answers were"))
    at_random = verdict.name if passed.ignorable else None
    return replace(
        verdict, name=names.MISSING, evidence=("missing: " + "; ".join(missing),), parameters={}, at_random=at_random
    )


def _of_answered(rows: pl.DataFrame, task: str, draws: int) -> list[Verdict]:
    comparison = task == "comparison"
    contexts = compared(rows) if comparison else counted(rows)
    control, figure = contexts.get("control"), contexts.get("figure")
    if control is None or figure is None or not control.pairs.any() or not figure.pairs.any():
        lacking = " and ".join(name for name, each in (("controls", control), ("figures", figure)) if each is None)
        needs = (f"answers on {lacking or 'controls and figures'}",)
        return [Verdict(where={}, name=names.OPEN, evidence=(), needs=needs)]
    found = explained(control, figure, comparison=comparison)
    fit = adequacy(found, draws=draws) if draws else None
    recited = {each.slice.get("case"): each for each in template(rows, "") if each.metric == "template_rate"}
    clutter = contexts.get("clutter")
    told = pooled([weights(fits, int(n)) for fits, n in zip(found.by_case, control.units, strict=True)])
    cases = [
        decided(_scope(found, clutter, recited, k, told[k], fails=fit is not None and fit.fails(k)))
        for k in range(len(control.cases))
    ]
    overall = weights(found.together, len(control.case))
    scope = _scope(found, clutter, recited, None, overall, fails=fit is not None and fit.fails())
    if overall["loss"] >= SURE and not comparison and recalled_by_unit(found)[0] >= DECISIVE:
        scope = replace(scope, by_unit=True)
    whole = decided(scope)
    return [_agreed(whole, cases), *cases]


def _scope(
    found: Explained,
    clutter: Counts | None,
    recited: dict[object, Estimate],
    case: int | None,
    told: Mapping[str, float],
    *,
    fails: bool,
) -> Scope:
    control, figure, problem = found.control, found.figure, found.problem
    comparison = problem.design.comparison
    fits = found.together if case is None else found.by_case[case]
    where = {} if case is None else {"case": control.cases[case]}
    places = np.arange(len(control.cases)) if case is None else np.array([case])
    if case is not None:
        control, figure = control.of_cases(places), figure.of_cases(places)
        problem = problem._replace(counts=problem.counts[places], case=problem.case[places])
    return Scope(
        where,
        problem,
        fits,
        told,
        rates(control, figure, comparison=comparison),
        fails,
        *_clutter(found, clutter, places),
        recited.get(None if case is None else where["case"]),
    )


def _clutter(found: Explained, clutter: Counts | None, places: Ints) -> tuple[Rates | None, Rates | None]:
    """The rates of clutter, and of figures, against controls, over the cases that have clutter."""
    if clutter is None:
        return None, None
    there = places[clutter.total[places].sum((1, 2)) > 0]
    if not len(there):
        return None, None
    control, figure, amid = (each.of_cases(there) for each in (found.control, found.figure, clutter))
    comparison = found.problem.design.comparison
    return rates(control, amid, comparison=comparison), rates(control, figure, comparison=comparison)


def _agreed(overall: Verdict, cases: Sequence[Verdict]) -> Verdict:
    """The overall verdict, or that cases decidedly disagree with it, and how."""
    decided_ = [each.name for each in cases if each.name in names.DECIDED]
    kinds = Counter(names.kind(name) for name in decided_)
    told = Counter(each.name for each in cases)
    words = ", ".join(f"{name} {count}" for name, count in told.most_common())
    said = f"of {len(cases)} cases: {words}"
    others = sum(kinds.values()) - (max(kinds.values()) if kinds else 0)
    if overall.name in names.DECIDED:
        others = sum(count for name, count in kinds.items() if name != names.kind(overall.name))
    if overall.name in names.DECIDED and not kinds[names.kind(overall.name)] and others >= _NEARLY_ALL * len(cases):
        return replace(overall, name=names.OPEN, evidence=(said, *overall.evidence))
    if others >= max(2, MIXED_FROM * len(cases)):
        return replace(overall, name=names.MIXED, evidence=(said, *overall.evidence))
    return replace(overall, evidence=(*overall.evidence, said))
