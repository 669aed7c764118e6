"""The paper's Tables 2 to 7 beside the runs of a report that were asked alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridical.suite.results import Cell, PublishedTable, Result, Table, find
from veridical.suite.tables import Where
from veridical.suites.magicbench.analysis.marks import ITEMS, KINDS, MARKS
from veridical.suites.magicbench.asking.cells import FORENSIC, NEUTRAL, THOUGHT, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import COLUMNS, judge_name, judges, mark, stances
from veridical.suites.magicbench.stimuli import COMPONENTS, LETTERS, TYPES

_OWN = (
    "The paper's clips are 402 real performances, each with words of one type; ours are drawings that hear all types. "
    "Its judge is GPT-4o."
)
_TYPES = {f"Type {LETTERS[kind]}": kind for kind in COLUMNS}
_LIE, _, _FILLER, _ = TYPES
_CUE, _NOUNS, _ = COMPONENTS
_CELL = ("group", "row", "column", "value")
Run = tuple[str, Result, Where]
MarkRow = tuple[Cell, ...]
Printed = tuple[str, ...]


def published_tables(results: Sequence[Result], names: Sequence[str]) -> tuple[list[PublishedTable], dict[str, str]]:
    """Tables 3, 4, 5 and 7 with the marked runs, and why each other run is left out; the first judge's marks."""
    runs: list[Run] = []
    lacking: dict[str, str] = {}
    for name, result in zip(names, results, strict=True):
        judge = next(iter(judges(result)), None)
        if judge is None:
            lacking[name] = "has no marks of a judge: `veridical judge`"
        elif VISION_ONLY not in stances(result, judge):
            lacking[name] = f"was not asked with stance={VISION_ONLY}"
        else:
            runs.append((name, result, judge))
    every = [_main(runs), _components(runs), _thought(runs), _breakdown(runs)] if runs else []
    return [table for table in every if table is not None], lacking


def _named(name: str, result: Result, judge: Where, stance: str) -> tuple[Cell, Cell]:
    return f"{name}, judged by {judge_name(result, judge)}", stance


def _main(runs: Sequence[Run]) -> PublishedTable:
    """Table 3; in the paper Avg. is a plain mean of the types, but for GPT-4o, whose weights are not stated."""
    rows: list[MarkRow] = []
    for name, result, judge in runs:
        for stance in (each for each in (VISION_ONLY, FORENSIC) if each in stances(result, judge)):
            cells = [mark(result, "cpa", {"stance": stance, **judge}, kind) for kind in COLUMNS]
            means = [find(result, "cpa", {"stance": stance, "average": each, **judge}) for each in (ITEMS, KINDS)]
            rows.append((*_named(name, result, judge, stance), *cells, *means))
    weighted = {"GPT-4o": 0}
    printed = [
        (group, row, *(_with_error(cells, column) for column in _TYPES), *_average(cells, weighted.get(group, 1)))
        for (group, row), cells in _printed("3").items()
    ]
    note = (
        "CPA. The paper's one average is a plain mean of the types, but for GPT-4o: those of its rows fit neither "
        "this mean nor one by videos, are weighted by numbers that are not stated, and stand in the column by item. "
        f"±: standard error of 1,000 bootstrap draws. {_OWN}"
    )
    heads = ("Model", "Stance", *_TYPES, "Average by item", "Average of types")
    return _published(3, "CPA, as published", note, heads, rows, printed)


def _average(cells: Mapping[str, str], place: int) -> tuple[str, str]:
    return ("–", cells["Avg."]) if place or "Avg." not in cells else (cells["Avg."], "–")


def _with_error(cells: Mapping[str, str], column: str) -> str:
    error, sign = (cells.get(f"{column} / {part}") for part in ("standard error", "mark"))
    whole = cells.get(column, "–")
    return f"{whole}{f' ± {error}' if error else ''}{f' {sign}' if sign else ''}"


def _breakdown(runs: Sequence[Run]) -> PublishedTable:
    """Table 7."""
    heads = [f"{score.upper()} / {LETTERS[kind]}" for score in MARKS for kind in COLUMNS]
    rows: list[MarkRow] = []
    for name, result, judge in runs:
        for stance in stances(result, judge):
            cells = [mark(result, score, {"stance": stance, **judge}, kind) for score in MARKS for kind in COLUMNS]
            if any(cells):
                rows.append((*_named(name, result, judge, stance), *cells))
    printed = [(group, row, *(cells.get(head, "–") for head in heads)) for (group, row), cells in _printed("7").items()]
    note = f"CFR is about the apparent effect on C, D and vision-only, where nothing is claimed. {_OWN}"
    columns = ("Model", "Stance", *(head.replace(" / ", " ") for head in heads))
    return _published(7, "Three marks, as published", note, columns, rows, printed)


def _components(runs: Sequence[Run]) -> PublishedTable | None:
    """Table 4, for runs that heard parts of a patter."""
    rows: list[MarkRow] = []
    for name, result, judge in runs:
        if not any(mark(result, "cpa", {"stance": FORENSIC, **judge}, kind) for kind in (_CUE, _NOUNS)):
            continue
        who = f"{name}, judged by {judge_name(result, judge)}"
        rows.append((who, VISION_ONLY, find(result, "cpa", {"stance": VISION_ONLY, **judge}), None))
        for kind in (_CUE, _FILLER, _NOUNS, _LIE):
            where = {"score": "cpa", "stance": FORENSIC, "words": kind, "against": VISION_ONLY, **judge}
            alone = mark(result, "cpa", {"stance": FORENSIC, **judge}, kind)
            rows.append((who, kind, alone, find(result, "component effect", where)))
    if not rows:
        return None
    printed = [
        ("GPT-4o", row, cells.get("CPA (%)", "–"), cells.get("vs. Baseline", "–").replace("-", "−"))
        for (_, row), cells in _printed("4").items()
        if "CPA (%)" in cells
    ]
    note = f"CPA under parts of a lie. The paper has 50 clips of type A. {_OWN}"
    heads = ("Model", "Words", "CPA", "Against vision-only")
    return _published(4, "Parts of a patter, as published", note, heads, rows, printed)


def _thought(runs: Sequence[Run]) -> PublishedTable | None:
    """Table 5, for runs that were asked with image-of-thought."""
    rows: list[MarkRow] = []
    for name, result, judge in runs:
        if THOUGHT not in stances(result, judge):
            continue
        for stance in (NEUTRAL, FORENSIC, THOUGHT, VISION_ONLY):
            cells = [mark(result, "cpa", {"stance": stance, **judge}, kind) for kind in COLUMNS]
            mean = find(result, "cpa", {"stance": stance, "average": KINDS, **judge})
            if any(cells):
                rows.append((*_named(name, result, judge, stance), *cells, mean))
    if not rows:
        return None
    printed = [
        ("GPT-4o", row, *(_with_error(cells, column) for column in _TYPES), cells["Avg."])
        for (_, row), cells in _printed("5").items()
        if "Avg." in cells
    ]
    note = f"CPA. Averages are plain means of the types. {_OWN}"
    heads = ("Model", "Stance", *_TYPES, "Average of types")
    return _published(5, "Image-of-thought, as published", note, heads, rows, printed)


def _published(
    number: int,
    title: str,
    note: str,
    heads: tuple[str, ...],
    rows: Sequence[tuple[Cell, ...]],
    printed: Sequence[Printed],
) -> PublishedTable:
    table = Table(f"published-{number}", title, note, heads, tuple(rows))
    return PublishedTable(table, f"MagicBench, Table {number}", tuple(printed))


def _printed(number: str) -> dict[tuple[str, str], dict[str, str]]:
    """The printed cells of a table by group and row, and by column."""
    from veridical.published import table

    cells: dict[tuple[str, str], dict[str, str]] = {}
    for group, row, column, value in table("magicbench", number).select(_CELL).iter_rows():
        cells.setdefault((group or "", row), {})[column] = value
    return cells
