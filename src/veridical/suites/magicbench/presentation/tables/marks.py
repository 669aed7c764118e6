"""Marks by stance and by what is said (the paper's Tables 3 and 7), and how far judges can be trusted (2 and 6)."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judges.blind import NOTE, floor_of
from veridical.judges.judged import NOT_JUDGED
from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.analysis.marks import ITEMS, KINDS, MARKS, READABLE
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.presentation.marking import (
    COLUMNS,
    SHARE_OF_ALL,
    Where,
    by_judge,
    judge_name,
    mark,
    stances,
    unmarked,
)
from veridical.suites.magicbench.stimuli import LETTERS

HOW = "Explanations without marks: `veridical judge RUN --judge rule`, or `--judge M` for a model as the judge."
_SAME = "Vision-only has no words: on our clips it is one figure for all types."


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 3: CPA by stance and type, with the average by item and the plain mean of the types."""
    note = (
        "CPA: how it is done, marks of a judge of 100, with 95 % intervals. Two averages: by item is pooled over all "
        "explanations, of types is the plain mean of the four columns (the paper has the second, and for "
        f"GPT-4o one with other weights). {_SAME} With the truth: the true principle in place of the words, the "
        f"ceiling. {NOTE} {HOW}"
    )
    heads = ("Model", "Judge", "Stance", *COLUMNS.values(), "Average by item", "Average of types", "Verdicts")
    rows = [*_unmarked(results, len(heads)), *_rows(results, {})]
    return Table("magicbench-cpa", "How is it done? CPA by what is said", note, heads, tuple(rows))


def readable(results: Sequence[Result]) -> Table:
    """The same over readable verdicts alone, as published totals are."""
    note = (
        "As above, over readable verdicts alone, as published totals are: replies without an explanation, and verdicts "
        "that cannot be read, are in no figure. Where this table is higher, replies were missing."
    )
    heads = ("Model", "Judge", "Stance", *COLUMNS.values(), "Average by item", "Average of types", "Verdicts")
    return Table("magicbench-readable", "CPA over readable verdicts", note, heads, tuple(_rows(results, READABLE)))


def _rows(results: Sequence[Result], of: Where) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            cells = [mark(result, "cpa", judge, stance, kind, **of) for kind in COLUMNS]
            means = [find(result, "cpa", {"stance": stance, "average": each, **judge, **of}) for each in (ITEMS, KINDS)]
            whole = means[0] or next((cell for cell in cells if cell is not None), None)
            if any(cells):
                rows.append(
                    (result.model, judge_name(result, judge), stance, *cells, *means, whole.counts if whole else None)
                )
            top = find(result, "truth ceiling", {"score": "cpa", "stance": stance, **judge, **of})
            if top is not None:
                label = f"{stance}, with the truth"
                rows.append(
                    (result.model, judge_name(result, judge), label, *[None] * len(COLUMNS), top, None, top.counts)
                )
        rows += _floor(result, judge) if not of else []
    return rows


def _floor(result: Result, judge: Where) -> list[tuple[Cell, ...]]:
    """A row for what the best fixed explanation is worth, where a rule marked."""
    floor = floor_of(result, judge, "cpa")
    if floor is None:
        return []
    return [(result.model, judge_name(result, judge), "blind floor", *[None] * len(COLUMNS), floor, None, floor.counts)]


def _unmarked(results: Sequence[Result], width: int) -> list[tuple[Cell, ...]]:
    """A row for each run whose explanations nobody marked."""
    missing = [(result, each) for result in results if (each := unmarked(result)) is not None]
    empty: list[Cell] = [None] * (width - 5)
    return [(result.model, NOT_JUDGED, None, *empty, each, each.counts) for result, each in missing]


def breakdown(results: Sequence[Result]) -> Table:
    """The paper's Table 7: VTG, CPA and CFR by stance and type; where CFR is about the apparent effect is marked."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            cells = [mark(result, score, judge, stance, kind) for score in MARKS for kind in COLUMNS]
            if any(cells):
                about = _about_the_effect(result, judge, stance)
                rows.append((result.model, judge_name(result, judge), stance, *cells, about))
    note = (
        "VTG: where and when. CPA: how. CFR: what is resisted. Of 100. CFR is about a false claim where one is made, "
        "and about where words draw attention under misdirection. Where nothing is claimed, it is about the apparent "
        "effect: the last column names these types, and their CFR is another figure than that under a lie. A share "
        "stands where it is so of some clips alone."
    )
    heads = [f"{score.upper()} {LETTERS[kind]}" for score in MARKS for kind in COLUMNS]
    columns = ("Model", "Judge", "Stance", *heads, "CFR is about the effect")
    return Table("magicbench-marks", "Where, how, and what is resisted", note, columns, tuple(rows))


def _about_the_effect(result: Result, judge: Where, stance: str) -> str | None:
    """The types under which CFR is about the apparent effect."""
    shares = {
        LETTERS[kind]: each.value
        for kind in COLUMNS
        if (each := find(result, "about the effect", {"stance": stance, "type": kind, **judge})) is not None
    }
    if stance == VISION_ONLY and not shares:
        return "all"
    named = [
        letter if share >= SHARE_OF_ALL else f"{letter} ({share:.0%})" for letter, share in shares.items() if share
    ]
    return ", ".join(named) or None


def errors(results: Sequence[Result]) -> Table:
    """The standard errors that the paper prints behind its means."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            for score in MARKS:
                cells = [mark(result, f"{score} error", judge, stance, kind) for kind in COLUMNS]
                if any(cells):
                    rows.append((result.model, judge_name(result, judge), stance, score.upper(), *cells))
    note = (
        "Standard errors of the means, from 1,000 bootstrap draws of units within families: what stands behind ± in "
        "the paper's Table 3."
    )
    heads = ("Model", "Judge", "Stance", "Mark", *COLUMNS.values())
    return Table("magicbench-errors", "Standard errors", note, heads, tuple(rows))


def chance(results: Sequence[Result]) -> Table:
    """What marks come to without the clip: words alone, and one explanation for all."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        own: list[tuple[str, dict[str, Json]]] = [
            (f"frames − words alone: {stance}, {kind}", {"stance": stance, "type": kind, **judge})
            for stance in stances(result, judge)
            for kind in COLUMNS
        ]
        for label, where in own:
            cells = [find(result, "gain over text-only", {"score": score, **where}) for score in MARKS]
            if any(cells):
                rows.append((result.model, judge_name(result, judge), label, *cells))
    for result, judge in by_judge(results):
        cells = [floor_of(result, judge, score) for score in MARKS]
        if any(cells):
            rows.append((result.model, judge_name(result, judge), "blind floor", *cells))
    note = (
        "Frames − words alone: what the frames add to the same words, in points; ask with stance=text-only. "
        f"{NOTE} Clips that the rule cannot mark count as 0."
    )
    heads = ("Model", "Judge", "What", *(score.upper() for score in MARKS))
    return Table("magicbench-chance", "Marks without looking", note, heads, tuple(rows))


def agreement(results: Sequence[Result]) -> Table:
    """The paper's Table 6: correlations of each two ways of marking the same explanations."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in (one for one in result.estimates if one.metric == "judge correlation"):
            pair = each.slice
            difference = find(result, "judge difference", each.slice)
            first, second = (
                judge_name(result, {"judge": pair[f"{side}judge"], "rubric": pair[f"{side}rubric"]})
                for side in ("", "against ")
            )
            score = str(each.slice["score"]).upper()
            rows.append((result.model, score, first, second, each, difference, each.n_units))
    note = (
        "Pearson's correlation of two ways of marking the same explanations: judges by one rubric, and rubrics of one "
        "judge (no-pcs: without what really happens; professor: another persona; jittered: times and places off by 10 "
        "%). Difference: first − second, in points."
    )
    heads = ("Model", "Mark", "First", "Second", "Correlation", "Difference", "Units")
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
    """Vetoes, and verdicts by status."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            where: dict[str, Json] = {"stance": stance, **judge}
            whole = find(result, "veto", where)
            if whole is not None:
                rows.append((result.model, judge_name(result, judge), stance, whole, whole.counts))
    note = (
        "A veto sets CPA to 0, in code: a prop that is not there, a thing where it is not, or the illusion taken for "
        "what happened. Of readable verdicts on tricks. Verdicts counts the judge's replies by status: by rule, those "
        "that it cannot tell are unparsed."
    )
    heads = ("Model", "Judge", "Stance", "Veto", "Verdicts")
    return Table("magicbench-vetoes", "Vetoes", note, heads, tuple(rows))
