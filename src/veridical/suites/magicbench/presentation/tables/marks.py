"""Marks by stance and by what is said (the paper's Tables 3 and 7), and how far judges can be trusted (2 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judges.blind import NOTE, floor_of
from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.suite.findings import percent
from veridical.suite.results import Cell, Result, Table, find
from veridical.suite.tables import TRIALS, UNITS, TableSpec, Where, estimate_rows
from veridical.suites.magicbench.analysis.marks import ITEMS, KINDS, MARKS, READABLE
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.presentation.marking import (
    COLUMNS,
    SHARE_OF_ALL,
    judge_name,
    judge_results,
    mark,
    mark_of,
    mark_of_row,
    stance_rows,
    stances,
    unmarked_estimate,
)
from veridical.suites.magicbench.stimuli import LETTERS

HOW = "Explanations without marks: `veridical judge RUN --judge rule`, or `--judge M` for a model as the judge."
_SAME = "Vision-only has no words: on our clips it is one figure for all types."
_EMPTY: tuple[Cell, ...] = (None,) * len(COLUMNS)
"""Cells of a row whose figure is one for all types, or none."""
_HEADS = ("Model", "Judge", "Stance", *COLUMNS.values(), "Average by item", "Average of types", "Verdicts")


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 3: CPA by stance and type, with the average by item and the plain mean of the types."""
    note = (
        "CPA: how it is done, marks of a judge of 100, with 95 % intervals. Two averages: by item is pooled over all "
        "explanations, of types is the plain mean of the four columns (the paper has the second, and for "
        f"GPT-4o one with other weights). {_SAME} With the truth: the true principle in place of the words, the "
        f"ceiling. {NOTE} {HOW}"
    )
    missing = [(result, each) for result in results if (each := unmarked_estimate(result)) is not None]
    rows = [(result.model, NOT_JUDGED, None, *_EMPTY, None, each, each.counts) for result, each in missing]
    rows += _rows(results, {})
    return Table("magicbench-cpa", "How is it done? CPA by what is said", note, _HEADS, tuple(rows))


def readable(results: Sequence[Result]) -> Table:
    """The same over readable verdicts alone, as published totals are."""
    note = (
        "As above, over readable verdicts alone, as published totals are: replies without an explanation, and verdicts "
        "that cannot be read, are in no figure. Where this table is higher, replies were missing."
    )
    rows = tuple(_rows(results, READABLE))
    return Table("magicbench-readable", "CPA over readable verdicts", note, _HEADS, rows)


def _rows(results: Sequence[Result], of: Where) -> Iterator[tuple[Cell, ...]]:
    for result, judge in judge_results(results):
        who = (result.model, judge_name(result, judge))
        for stance in stances(result, judge):
            where = {"stance": stance, **judge, **of}
            cells = [mark(result, "cpa", where, kind) for kind in COLUMNS]
            means = [find(result, "cpa", {"average": each, **where}) for each in (ITEMS, KINDS)]
            if any(cells):
                whole = means[0] or next(cell for cell in cells if cell is not None)
                yield *who, stance, *cells, *means, whole.counts
            top = find(result, "truth ceiling", {"score": "cpa", **where})
            if top is not None:
                yield *who, f"{stance}, with the truth", *_EMPTY, top, None, top.counts
        floor = floor_of(result, judge, "cpa")
        if floor is not None and not of:
            yield *who, "blind floor", *_EMPTY, floor, None, floor.counts


def _about_the_effect(result: Result, where: Where) -> str | None:
    """The types under which CFR is about the apparent effect."""
    shares = {
        LETTERS[kind]: each.value
        for kind in COLUMNS
        if (each := find(result, "about the effect", {"type": kind, **where})) is not None
    }
    if where["stance"] == VISION_ONLY and not shares:
        return "all"
    named = [
        letter if share >= SHARE_OF_ALL else f"{letter} ({percent(share)})" for letter, share in shares.items() if share
    ]
    return ", ".join(named) or None


breakdown = TableSpec(
    name="magicbench-marks",
    title="Where, how, and what is resisted",
    note="VTG: where and when. CPA: how. CFR: what is resisted. Of 100. CFR is about a false claim where one is made, "
    "and about where words draw attention under misdirection. Where nothing is claimed, it is about the apparent "
    "effect: the last column names these types, and their CFR is another figure than that under a lie. A share "
    "stands where it is so of some clips alone.",
    about=("Judge", "Stance"),
    rows=stance_rows,
    columns={
        **{f"{score.upper()} {LETTERS[kind]}": mark_of(score, kind) for score in MARKS for kind in COLUMNS},
        "CFR is about the effect": _about_the_effect,
    },
)
errors = TableSpec(
    name="magicbench-errors",
    title="Standard errors",
    note="Standard errors of the means, from 1,000 bootstrap draws of units within families: what stands behind ± in "
    "the paper's Table 3.",
    about=("Judge", "Stance", "Mark"),
    rows=lambda result: (
        ((*head, score.upper()), {"metric": f"{score} error", **where})
        for head, where in stance_rows(result)
        for score in MARKS
    ),
    columns={head: mark_of_row(kind) for kind, head in COLUMNS.items()},
)


def _floors(results: Sequence[Result]) -> Iterator[tuple[Cell, ...]]:
    for result, judge in judge_results(results):
        cells = [floor_of(result, judge, score) for score in MARKS]
        if any(cells):
            yield result.model, judge_name(result, judge), "blind floor", *cells


chance = TableSpec(
    name="magicbench-chance",
    title="Marks without looking",
    note="Frames − words alone: what the frames add to the same words, in points; ask with stance=text-only. "
    f"{NOTE} Clips that the rule cannot mark count as 0.",
    about=("Judge", "What"),
    rows=lambda result: (
        ((who, f"frames − words alone: {stance}, {kind}"), {"type": kind, **where})
        for (who, stance), where in stance_rows(result)
        for kind in COLUMNS
    ),
    columns={score.upper(): ("gain over text-only", {"score": score}) for score in MARKS},
    below=_floors,
)


def _two_ways(result: Result, where: Where) -> tuple[Cell, ...]:
    sides = [{"judge": where[f"{side}judge"], "rubric": where[f"{side}rubric"]} for side in ("", "against ")]
    return str(where["score"]).upper(), *(judge_name(result, side) for side in sides)


agreement = TableSpec(
    name="magicbench-judges",
    title="How far do judges agree?",
    note="Pearson's correlation of two ways of marking the same explanations: judges by one rubric, and rubrics of one "
    "judge (no-pcs: without what really happens; professor: another persona; jittered: times and places off by 10 "
    "%). Difference: first − second, in points.",
    about=("Mark", "First", "Second"),
    rows=estimate_rows("judge correlation", _two_ways),
    columns={"Correlation": "judge correlation", "Difference": "judge difference", "Units": UNITS},
)
impossible = TableSpec(
    name="magicbench-impossible",
    title="Is the impossible accepted?",
    note="Explanations that cannot be so: those that the rule, else the first judge by pcs, vetoes (its own CPA of "
    "them is 0 in code). How others mark them: mean CPA of 100, and the share with a CPA above 0, the paper's false "
    "positives. Ask with grading=pcs,no-pcs for a judge that does not know what really happens.",
    about=("Judge", "Vetoed by"),
    rows=estimate_rows("cpa of the impossible", lambda result, at: (judge_name(result, at), str(at["vetoed by"]))),
    columns={"CPA": "cpa of the impossible", "Accepted": "accepts the impossible", "Explanations": TRIALS},
)
vetoes = TableSpec(
    name="magicbench-vetoes",
    title="Vetoes",
    note="A veto sets CPA to 0, in code: a prop that is not there, a thing where it is not, or the illusion taken for "
    "what happened. Of readable verdicts on tricks. "
    "Verdicts counts its replies by status: by rule, those that it cannot tell are unparsed.",
    about=("Judge", "Stance"),
    rows=stance_rows,
    columns={"Veto": "veto", "Verdicts": TRIALS},
)
