"""The paper's Tables 2 and 5: the four tasks by layer with the H-Index, and the same with more frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.judges.blind import NOTE, floor_of
from veridical.records import PROPORTION, Counts, Estimate, Json, Unit
from veridical.suite.find import find, named
from veridical.suite.results import Cell, Result, Table
from veridical.suites.hocabench.analysis.figures import SCORE
from veridical.suites.hocabench.presentation.judging import accuracy, by_judge, index, judge_name, mode, score
from veridical.suites.hocabench.stimuli import NAME

LAYERS = {"ontological": "ont.", "causal": "caus."}
_TASKS = {"II": "domain", "III": "description", "IV": "explanation"}
_SPLIT = tuple(f"{task} {short}" for task in _TASKS for short in LAYERS.values())
_COLUMNS = ("I F1", *_SPLIT, "H-Index")
_NO_COUNTS = Counts(planned=0, asked=0, answered=0, unparsed=0, refused=0, truncated=0, error=0)


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 2: a row per model and judge, then the paper's human row and what looking at nothing gives."""
    rows: list[tuple[Cell, ...]] = []
    about: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        about.append(
            (result.model, result.about.group if result.about else None, mode(result), judge_name(result, judge))
        )
        rows.append((*_main_cells(result, judge), Counts.of(result.outcomes)))
    best = _best([row[: len(_COLUMNS)] for row in rows])
    whole = [(*who, *row[:-1], mark, row[-1]) for who, row, mark in zip(about, rows, best, strict=True)]
    whole += [row for result, judge in by_judge(results) for row in _floor(result, judge)]
    if results:
        whole += [_human(), *_chance(results[0])]
    note = (
        "I: F1 for 'implausible'. II and III: share right, among nine domains and among four descriptions. "
        "IV: marks of the judge, 0 to 100, summed in code. Ont., caus.: ontological and causal anomalies. Best: the "
        "columns in which no other run here has more. The human row is the paper's: it has one figure for both layers, "
        "and no interval. "
        f"{NOTE} Always 'implausible': its F1 at this run's balance of clips."
    )
    heads = ("Model", "Group", "Mode", "Judge", *_COLUMNS, "Best", "Trials")
    return Table("hocabench-main", "The four tasks by layer", note, heads, tuple(whole))


def _main_cells(result: Result, judge: dict[str, Json]) -> tuple[Estimate | None, ...]:
    split = [_task(result, judge, name, layer=layer) for name in _TASKS.values() for layer in LAYERS]
    return (find(result, "f1", {}), *split, index(result, judge, "paper"))


def _task(result: Result, judge: dict[str, Json], task: str, **where: Json) -> Estimate | None:
    if task == "explanation":
        return score(result, judge, **where)
    return accuracy(result, task, **where)


def _best(rows: Sequence[tuple[Cell, ...]]) -> list[str | None]:
    """For each row, the columns in which it has the highest value; nothing where there is one row alone."""
    values = [[_value(cell) for cell in row] for row in rows]
    most = [max((value for value in column if value is not None), default=None) for column in zip(*values, strict=True)]
    marks = []
    for row in values:
        pairs = zip(_COLUMNS, row, most, strict=True)
        heads = [head for head, value, top in pairs if value is not None and value == top]
        marks.append("all" if len(heads) == len(_COLUMNS) else ", ".join(heads) or None)
    return marks if len(rows) > 1 else [None] * len(rows)


def _value(cell: Cell) -> float | None:
    return round(cell.value, 9) if isinstance(cell, Estimate) and cell.value is not None else None


def _floor(result: Result, judge: dict[str, Json]) -> list[tuple[Cell, ...]]:
    """What the best fixed explanation is worth in Task IV, where a rule marked: one figure for both layers."""
    floor = floor_of(result, judge, "total")
    none: tuple[Cell, ...] = (None,) * 5
    row = (f"{result.model}: blind floor", None, None, judge_name(result, judge), *none, floor, floor, None, None, None)
    return [] if floor is None else [row]


def _human() -> tuple[Cell, ...]:
    """The paper's row of people, who did Tasks III and IV."""
    from veridical.published import table

    printed = table("hocabench", "2").filter(row="Human")
    three, four = (
        _published(float(printed.filter(column=f"Task {task}")["value"].item()) / 100, metric, unit)
        for task, metric, unit in (("III", "accuracy", PROPORTION), ("IV", "explanation score", SCORE))
    )
    return ("people, as published", None, None, None, None, None, None, three, three, four, four, None, None, None)


def _published(value: float, metric: str, unit: Unit) -> Estimate:
    own: dict[str, Any] = {"suite": NAME, "slice": {}, "low": None, "high": None, "n_units": 0, "counts": _NO_COUNTS}
    reason = "the paper, Table 2; one figure for both layers"
    return Estimate(metric=metric, value=value, unit=unit, method="published", reason=reason, **own)


def _chance(result: Result) -> list[tuple[Cell, ...]]:
    """What looking at nothing gives on the items of the first run."""
    always, two, three = (
        find(result, *place)
        for place in (("f1 chance", {}), ("chance", {"task": "domain"}), ("chance", {"task": "description"}))
    )
    none: tuple[Cell, ...] = (None, None, None)
    rows: list[tuple[Cell, ...]] = []
    if always:
        rows.append(("always 'implausible'", *none, always, *[None] * 9))
    if two or three:
        rows.append(("a random choice", *none, None, two, two, three, three, *[None] * 5))
    return rows


def indices(results: Sequence[Result]) -> Table:
    """The H-Index with each weighting of the layers, and what enters it."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        own = [find(result, "index part", {"part": part}) for part in ("I", "II", "III")]
        four = find(result, "index part", {"part": "IV", **judge})
        whole = [index(result, judge, weighting) for weighting in ("paper", "plain", "by clips")]
        if any(whole):
            rows.append((result.model, judge_name(result, judge), *own, four, *whole))
    note = (
        "The mean of four task scores. As published: II and III are plain means of the layers, IV is weighted by their "
        "254 and 376 clips, which fits all 26 published rows. All plain and all by clips weight II, III and IV alike."
    )
    heads = ("Model", "Judge", "I", "II", "III", "IV", "As published", "All plain", "All by clips")
    return Table("hocabench-index", "The H-Index, three ways", note, heads, tuple(rows))


def frames(results: Sequence[Result]) -> Table:
    """The paper's Table 5: the tasks and the H-Index by number of frames."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for level in named(result, "frames"):
            own = [find(result, "index part", {"part": part, "frames": level}) for part in ("I", "II", "III")]
            four = find(result, "index part", {"part": "IV", **judge, "frames": level})
            whole = index(result, judge, "paper", frames=level)
            if any((*own, four, whole)):
                rows.append((result.model, judge_name(result, judge), str(level), *own, four, whole))
    note = "The same clips with other frames. The effect of each setting, tested on pairs, is in the table of settings."
    heads = ("Model", "Judge", "Frames", "I", "II", "III", "IV", "H-Index")
    return Table("hocabench-frames", "More frames", note, heads, tuple(rows))
