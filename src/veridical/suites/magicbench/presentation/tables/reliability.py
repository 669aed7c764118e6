"""How far judges can be trusted: agreement of each two ways of marking (the paper's Tables 2 and 6), and vetoes."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.judging.verdicts import FAILURES
from veridical.suites.magicbench.presentation.marking import by_judge, judge_name, stances


def agreement(results: Sequence[Result]) -> Table:
    """The paper's Table 6: correlations of each two ways of marking the same explanations."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in (one for one in result.estimates if one.metric == "judge correlation"):
            pair: dict[str, Json] = {key: value for key, value in each.slice.items() if key != "score"}
            difference = find(result, "judge difference", each.slice)
            veto = find(result, "veto agreement", pair)
            first, second = (
                judge_name(result, {"judge": pair[f"{side}judge"], "rubric": pair[f"{side}rubric"]})
                for side in ("", "against ")
            )
            score = str(each.slice["score"]).upper()
            rows.append((result.model, score, first, second, each, difference, veto, each.n_units))
    note = (
        "Pearson's correlation of two ways of marking the same explanations: judges by one rubric, and rubrics of one "
        "judge (no-pcs: without what really happens; professor: another persona; jittered: times and places off by 10 "
        "%). Difference: first − second, in points. Vetoes: Cohen's kappa."
    )
    heads = ("Model", "Mark", "First", "Second", "Correlation", "Difference", "Vetoes", "Units")
    return Table("magicbench-judges", "How far do judges agree?", note, heads, tuple(rows))


def impossible(results: Sequence[Result]) -> Table:
    """The paper's Table 2: how other ways of marking take the explanations that the one of reference vetoes."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in (one for one in result.estimates if one.metric == "cpa of the impossible"):
            share = find(result, "accepts the impossible", each.slice)
            who = judge_name(result, {key: each.slice[key] for key in ("judge", "rubric")})
            rows.append((result.model, who, str(each.slice["vetoed by"]), each, share, each.counts))
    note = (
        "Explanations that cannot be so: those that the rule, else the first judge by pcs, vetoes (its own CPA of them "
        "is 0 in code). How others mark them: mean CPA of 100, and the share with a CPA above 0, the paper's false "
        "positives. Ask with grading=pcs,no-pcs for a judge that does not know what really happens."
    )
    heads = ("Model", "Judge", "Vetoed by", "CPA", "Accepted", "Explanations")
    return Table("magicbench-impossible", "Is the impossible accepted?", note, heads, tuple(rows))


def vetoes(results: Sequence[Result]) -> Table:
    """Vetoes by kind, those that the judge's own CPA did not heed, and verdicts by status."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            where: dict[str, Json] = {"stance": stance, **judge}
            whole = find(result, "veto", where)
            if whole is not None:
                kinds = [find(result, "veto by failure", {**where, "failure": name}) for name in FAILURES]
                rest = find(result, "veto overridden", where)
                rows.append((result.model, judge_name(result, judge), stance, whole, *kinds, rest, whole.counts))
    note = (
        "A veto sets CPA to 0, in code: a prop that is not there, a thing where it is not, or the illusion taken for "
        "what happened. Of readable verdicts on tricks. Overridden: the judge gave a CPA above 0 all the same. "
        "Verdicts counts its replies by status: by rule, those that it cannot tell are unparsed."
    )
    heads = ("Model", "Judge", "Stance", "Veto", "Prop", "State", "Magic", "Overridden", "Verdicts")
    return Table("magicbench-vetoes", "Vetoes", note, heads, tuple(rows))
