"""The verdicts of a run: data-quality gate, model fits, and a name for each case and for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from veridical.records import Estimate
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_NEEDS, most_unseen
from veridical.suites.viprobe.analysis.missing_answers import MissingGate, fills, gate
from veridical.suites.viprobe.analysis.replies import template
from veridical.suites.viprobe.asking.settings import baseline, rows_where, with_settings
from veridical.suites.viprobe.verdicts import names
from veridical.suites.viprobe.verdicts.adequacy import DRAWS, adequacy, recalled_by_unit, with_own_lapses
from veridical.suites.viprobe.verdicts.counts import Ints, PairCounts, PairRates, choice_counts, pair_counts, rates
from veridical.suites.viprobe.verdicts.decide import SURE, decision
from veridical.suites.viprobe.verdicts.explain import RunFits, explanation
from veridical.suites.viprobe.verdicts.names import ObserverVerdict
from veridical.suites.viprobe.verdicts.scope import Scope
from veridical.suites.viprobe.verdicts.weigh import DECISIVE, pooled_weights, weights

MIXED_FROM = 0.2
"""The verdict is mixed if this share of the cases, and at least two, have a decided verdict of another kind."""

_NEARLY_ALL = 0.8
"""If this share of the cases has another verdict, and none the overall one, the overall effect is too small to name."""

_CONTEXTS = ("O", "P", "OC", "PC")


def verdicts(outcomes: pl.DataFrame, *, draws: int = DRAWS) -> list[ObserverVerdict]:
    """The verdict on the yes-no questions overall, then that of each case, sorted by name.

    Uses the trials without an instruction, or those with the first instruction if there are none. If too many answers
    are missing, the gate is closed and a verdict stands only if every way of filling them in leads to it. One that
    blames the observer is not given where more than 5 % of any type of picture change outside what it sees, if that was
    measured. `draws` is the number of bootstrap draws of the goodness-of-fit test (0: no test).
    """
    return _verdicts(outcomes, "yes-no", draws)


def comparison_verdicts(outcomes: pl.DataFrame, *, draws: int = DRAWS) -> list[ObserverVerdict]:
    """The verdicts on the comparisons, of cases whose illusion has a direction; empty without comparisons."""
    return _verdicts(outcomes, "comparison", draws)


def _verdicts(outcomes: pl.DataFrame, task: str, draws: int) -> list[ObserverVerdict]:
    rows = baseline(rows_where(with_settings(outcomes), pl.col("task") == task))[0]
    if rows.is_empty() and task == "comparison":
        return []
    concluded = _of_answered(rows, task, draws)
    context_rows = rows.filter(pl.col("variant").is_in(_CONTEXTS))
    gates = {"": gate(context_rows)} | {
        str(name): gate(part) for (name,), part in context_rows.partition_by("family", as_dict=True).items()
    }
    if not all(each.open for each in gates.values()):
        standing = _standing(rows, task, concluded, gates)
        concluded = [_through(each, gates[str(each.where.get("case", ""))], standing) for each in concluded]
    return list(_in_sight(concluded, context_rows))


def _in_sight(concluded: Sequence[ObserverVerdict], rows: pl.DataFrame) -> Iterator[ObserverVerdict]:
    """The verdicts, but `UNSEEN` where they blame an observer that does not see where the changes are."""
    for each in concluded:
        case = each.where.get("case")
        unseen = most_unseen(rows if case is None else rows.filter(pl.col("family") == case))
        if unseen.too_many and each.name in names.BLAMING:
            yield replace(each, name=UNSEEN, evidence=(str(unseen),), parameters={}, needs=UNSEEN_NEEDS, unseen=unseen)
        elif unseen.unseen:
            yield replace(each, evidence=(*each.evidence, str(unseen)), unseen=unseen)
        else:
            yield each


def _standing(
    rows: pl.DataFrame, task: str, concluded: Sequence[ObserverVerdict], gates: Mapping[str, MissingGate]
) -> set[str]:
    """The scopes (a case, or "" for all) with a closed gate whose verdict no filling of missing answers changes.

    Stops as soon as no scope is left.
    """
    names_ = {str(each.where.get("case", "")): each.name for each in concluded}
    standing = {place for place in names_ if not gates[place].open}
    for filled in fills(rows):
        if not standing:
            break
        filled_names = {str(each.where.get("case", "")): each.name for each in _of_answered(filled, task, 0)}
        standing = {place for place in standing if filled_names.get(place) == names_[place]}
    return standing


def _through(verdict: ObserverVerdict, passed: MissingGate, standing: set[str]) -> ObserverVerdict:
    """The verdict if the gate is open or no filling of missing answers changes it; else `MISSING`."""
    if passed.open:
        return verdict
    missing = tuple(str(row) for row in passed.rows if row.missing)
    if str(verdict.where.get("case", "")) in standing:
        return replace(verdict, evidence=(*verdict.evidence, names.STANDS))
    at_random = verdict.name if passed.ignorable else None
    return replace(
        verdict, name=names.MISSING, evidence=("missing: " + "; ".join(missing),), parameters={}, at_random=at_random
    )


def _of_answered(rows: pl.DataFrame, task: str, draws: int) -> list[ObserverVerdict]:
    comparison = task == "comparison"
    contexts = choice_counts(rows) if comparison else pair_counts(rows)
    control, figure = contexts.get("control"), contexts.get("figure")
    if control is None or figure is None or not control.pairs.any() or not figure.pairs.any():
        lacking = " and ".join(name for name, each in (("controls", control), ("figures", figure)) if each is None)
        needs = (f"answers on {lacking or 'controls and figures'}",)
        return [ObserverVerdict(where={}, name=names.OPEN, evidence=(), needs=needs)]
    run_fits = explanation(control, figure, comparison=comparison)
    fit = adequacy(run_fits, draws=draws) if draws else None
    recited = {each.slice.get("case"): each for each in template(rows, "") if each.metric == "template_rate"}
    clutter = contexts.get("clutter")
    overall = weights(run_fits.together, len(control.case))
    scope = _scope(run_fits, clutter, recited, None, overall, fails=fit is not None and fit.fails())
    fails = [fit is not None and fit.fails(k) for k in range(len(control.cases))]
    cases = _by_case(run_fits, clutter, recited, fails, scope)
    if any(each.name in names.ACCUSING for each in cases):
        # Lapses may vary over a run: a case keeps such a verdict only if it also holds with the case's own lapse rate.
        again = _by_case(with_own_lapses(run_fits), clutter, recited, fails, scope)
        cases = [new if old.name in names.ACCUSING else old for old, new in zip(cases, again, strict=True)]
    if overall["loss"] >= SURE and not comparison and recalled_by_unit(run_fits)[0] >= DECISIVE:
        scope = replace(scope, by_unit=True)
    whole = decision(scope)
    return [_agreed(whole, cases), *cases]


def _by_case(
    run_fits: RunFits, clutter: PairCounts | None, recited: dict[object, Estimate], fails: Sequence[bool], whole: Scope
) -> list[ObserverVerdict]:
    units = run_fits.control.units
    case_weights = pooled_weights([weights(fits, int(n)) for fits, n in zip(run_fits.by_case, units, strict=True)])
    scopes = (_scope(run_fits, clutter, recited, k, case_weights[k], fails=fails[k]) for k in range(len(units)))
    return [decision(replace(scope, whole=whole)) for scope in scopes]


def _scope(
    run_fits: RunFits,
    clutter: PairCounts | None,
    recited: dict[object, Estimate],
    case: int | None,
    hypothesis_weights: Mapping[str, float],
    *,
    fails: bool,
) -> Scope:
    control, figure, problem = run_fits.control, run_fits.figure, run_fits.problem
    comparison = problem.design.comparison
    fits = run_fits.together if case is None else run_fits.by_case[case]
    where = {} if case is None else {"case": control.cases[case]}
    places = np.arange(len(control.cases)) if case is None else np.array([case])
    if case is not None:
        control, figure = control.of_cases(places), figure.of_cases(places)
        problem = problem._replace(counts=problem.counts[places], case=problem.case[places])
    return Scope(
        where,
        problem,
        fits,
        hypothesis_weights,
        rates(control, figure, comparison=comparison),
        fails,
        *_clutter(run_fits, clutter, places),
        recited.get(None if case is None else where["case"]),
    )


def _clutter(run_fits: RunFits, clutter: PairCounts | None, places: Ints) -> tuple[PairRates | None, PairRates | None]:
    """Rates of clutter and of figures against controls, over the cases that have clutter."""
    if clutter is None:
        return None, None
    with_clutter = places[clutter.total[places].sum((1, 2)) > 0]
    if not len(with_clutter):
        return None, None
    control, figure, amid = (each.of_cases(with_clutter) for each in (run_fits.control, run_fits.figure, clutter))
    comparison = run_fits.problem.design.comparison
    return rates(control, amid, comparison=comparison), rates(control, figure, comparison=comparison)


def _agreed(overall: ObserverVerdict, cases: Sequence[ObserverVerdict]) -> ObserverVerdict:
    """The overall verdict, unless decided verdicts of cases contradict it; with the tally of cases as evidence."""
    decided_ = [each.name for each in cases if each.name in names.DECIDED]
    kinds = Counter(names.kind(name) for name in decided_)
    name_counts = Counter(each.name for each in cases)
    words = ", ".join(f"{count} {name}" for name, count in name_counts.most_common())
    tally = f"{len(cases)} cases: {words}"
    others = sum(kinds.values()) - (max(kinds.values()) if kinds else 0)
    if overall.name in names.DECIDED:
        others = sum(count for name, count in kinds.items() if name != names.kind(overall.name))
    if overall.name in names.DECIDED and not kinds[names.kind(overall.name)] and others >= _NEARLY_ALL * len(cases):
        return replace(overall, name=names.OPEN, evidence=(tally, *overall.evidence))
    if others >= max(2, MIXED_FROM * len(cases)):
        return replace(overall, name=names.MIXED, evidence=(tally, *overall.evidence))
    return replace(overall, evidence=(*overall.evidence, tally))
