"""The paper's Tables 2 to 5 in form, and what all tables share: a run's judges, and the places of its main figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from veridical.judges.blind import NOTE, floor_of, named_judge
from veridical.records import PROPORTION, Counts, Estimate, Json, Unit
from veridical.suite.results import Cell, Result, Table, find, slice_values
from veridical.suite.tables import TRIALS, TableSpec, Where, table
from veridical.suites.hocabench.analysis.figures import SCORE
from veridical.suites.hocabench.stimuli import NAME

NOT_JUDGED = "not judged"
_KEYS = ("judge", "rubric")
LAYERS = {"ontological": "ont.", "causal": "caus."}
_TASKS = {"II": "domain", "III": "description", "IV": "explanation"}
_SPLIT = tuple(f"{task} {short}" for task in _TASKS for short in LAYERS.values())
_COLUMNS = ("I F1", *_SPLIT, "H-Index")
_NO_COUNTS = Counts(planned=0, asked=0, answered=0, unparsed=0, refused=0, truncated=0, error=0)
THRESHOLDS = tuple(k / 10 for k in range(1, 10))
"""The intersections over union from which an interval counts as found, for the recall curve."""


def judges(result: Result) -> list[dict[str, Json]]:
    """The judges and rubrics of a run as parts of a slice, each once; that it has none where nothing is judged."""
    seen: dict[tuple[Json, ...], dict[str, Json]] = {}
    for each in result.estimates:
        if each.metric == "explanation score" and "judge" in each.slice:
            where = {key: each.slice[key] for key in _KEYS if key in each.slice}
            seen.setdefault(tuple(where.values()), where)
    marked = [where for where in seen.values() if where["judge"] != NOT_JUDGED]
    return marked or list(seen.values()) or [{"judge": NOT_JUDGED}]


def judge_name(result: Result, where: Where) -> str | None:
    """Who judged, for a cell, and whether its marks are a smoke test; `None` where nobody did."""
    return None if where["judge"] == NOT_JUDGED else named_judge(result, where["judge"])


def score(result: Result, judge: Where, part: str = "total", **where: Json) -> Estimate | None:
    """The explanation score of a part by a judge, in a slice."""
    return find(result, "explanation score", {"part": part, **judge, **where})


def index(result: Result, judge: Where, weighting: str, **where: Json) -> Estimate | None:
    """The H-Index by a judge, with a weighting of the layers."""
    return find(result, "h_index", {"weighting": weighting, **judge, **where})


def accuracy(result: Result, task: str, **where: Json) -> Estimate | None:
    """The accuracy in a task, in a slice."""
    return find(result, "accuracy", {"task": task, **where})


def judge_results(results: Sequence[Result]) -> Iterator[tuple[Result, dict[str, Json]]]:
    """Each run with each of its judges."""
    for result in results:
        for judge in judges(result):
            yield result, judge


def mode(result: Result) -> str | None:
    """Whether a model is in its instruct or its thinking mode, where a user states it."""
    thinking = result.about.thinking if result.about else None
    return None if thinking is None else "thinking" if thinking else "instruct"


def main(results: Sequence[Result]) -> Table:
    """The paper's Table 2: a row per model and judge, then the paper's human row and what looking at nothing gives."""
    rows: list[tuple[Cell, ...]] = []
    about: list[tuple[Cell, ...]] = []
    for result, judge in judge_results(results):
        about.append(
            (result.model, result.about.group if result.about else None, mode(result), judge_name(result, judge))
        )
        split = [_task(result, judge, name, layer=layer) for name in _TASKS.values() for layer in LAYERS]
        whole = index(result, judge, "paper")
        rows.append((find(result, "f1", {}), *split, whole, Counts.of(result.outcomes)))
    best = _best([row[: len(_COLUMNS)] for row in rows])
    shown = [(*who, *row[:-1], mark, row[-1]) for who, row, mark in zip(about, rows, best, strict=True)]
    shown += [row for result, judge in judge_results(results) for row in _floor(result, judge)]
    if results:
        shown += [_human(), *_chance(results[0])]
    note = (
        "I: F1 for 'implausible'; a reply without an answer is a miss, or a false alarm. II and III: share right, of "
        "nine domains and of four descriptions. IV: marks of the judge, 0 to 100, summed in code. Ont., caus.: "
        "ontological and causal anomalies. Best: the columns in which no other run here has more. The human row is the "
        "paper's: it has one figure for both layers, and no interval. "
        f"{NOTE} Always 'implausible': its F1 at this run's balance of clips."
    )
    heads = ("Model", "Group", "Mode", "Judge", *_COLUMNS, "Best", "Trials")
    return Table("hocabench-main", "The four tasks by layer", note, heads, tuple(shown))


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
    from veridical.published import table as printed_table

    printed = printed_table("hocabench", "2").filter(row="Human")
    three, four = (
        _published(float(printed.filter(column=f"Task {task}")["value"].item()) / 100, metric, unit)
        for task, metric, unit in (("III", "accuracy", PROPORTION), ("IV", "explanation score", SCORE))
    )
    return ("people, as published", *[None] * 6, three, three, four, four, None, None, None)


def _published(value: float, metric: str, unit: Unit) -> Estimate:
    own: dict[str, Any] = {"suite": NAME, "slice": {}, "low": None, "high": None, "n_units": 0, "counts": _NO_COUNTS}
    reason = "the paper, Table 2; one figure for both layers"
    return Estimate(metric=metric, value=value, unit=unit, method="published", reason=reason, **own)


def _chance(result: Result) -> list[tuple[Cell, ...]]:
    """What looking at nothing gives on the items of the first run."""
    always = find(result, "f1 chance", {})
    two, three = (find(result, "chance", {"task": task}) for task in ("domain", "description"))
    rows: list[tuple[Cell, ...]] = []
    if always:
        rows.append(("always 'implausible'", None, None, None, always, *[None] * 9))
    if two or three:
        rows.append(("a random choice", *[None] * 4, two, two, three, three, *[None] * 5))
    return rows


@table(
    "hocabench-index",
    "The H-Index, three ways",
    ("Judge", "I", "II", "III", "IV", "As published", "All plain", "All by clips"),
    "The mean of four task scores. As published: II and III are plain means of the layers, IV is weighted by their "
    "254 and 376 clips, which fits all 26 published rows. All plain and all by clips weight II, III and IV alike.",
)
def indices(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The H-Index with each weighting of the layers, and what enters it."""
    for judge in judges(result):
        whole = [index(result, judge, weighting) for weighting in ("paper", "plain", "by clips")]
        if any(whole):
            yield judge_name(result, judge), *_index_parts(result, judge), *whole


def _index_parts(result: Result, judge: Where, **where: Json) -> list[Estimate | None]:
    own = [find(result, "index part", {"part": part, **where}) for part in ("I", "II", "III")]
    return [*own, find(result, "index part", {"part": "IV", **judge, **where})]


@table(
    "hocabench-frames",
    "More frames",
    ("Judge", "Frames", "I", "II", "III", "IV", "H-Index"),
    "The same clips with other frames. The effect of each setting, tested on pairs, is in the table of settings.",
)
def frames(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The paper's Table 5: the tasks and the H-Index by number of frames."""
    for judge in judges(result):
        for level in slice_values(result, "frames"):
            parts = _index_parts(result, judge, frames=level)
            yield judge_name(result, judge), str(level), *parts, index(result, judge, "paper", frames=level)


def grounding(results: Sequence[Result]) -> Table:
    """The paper's Table 3, with the recall at every threshold and what the best fixed interval gives."""
    rows: list[tuple[Cell, ...]] = []
    none: tuple[Cell, ...] = (None,) * (len(THRESHOLDS) + 1)
    for result in results:
        if whole := find(result, "mean iou", {}):
            rows.append((result.model, whole, *_recalls(result, "recall at iou"), whole.counts))
            rows += [
                (f"{result.model}, {level}", find(result, "mean iou", {"grounding": level}), *none)
                for level in slice_values(result, "grounding")
            ]
            if fixed := find(result, "mean iou chance", {}):
                recalls = _recalls(result, "recall at iou chance")
                rows.append((f"best fixed interval, {result.model}", fixed, *recalls, None))
    note = (
        "IoU: intersection over union of the seconds answered and the seconds that are odd, of several intervals of "
        "their unions; mIoU is its mean. R@0.5: the share of questions with an IoU of at least 0.5. The best fixed "
        "interval is one answer to all questions, chosen on the other clips."
    )
    heads = ("Model", "mIoU", *(f"R@{each:.1f}" for each in THRESHOLDS), "Trials")
    return Table("hocabench-grounding", "When is it odd?", note, heads, tuple(rows))


def _recalls(result: Result, metric: str) -> list[Cell]:
    return [find(result, metric, {"iou": each}) for each in THRESHOLDS]


several = TableSpec(
    name="hocabench-several",
    title="Several anomalies at a time",
    note="Clips with two or three anomalies at a time. F1 of the sets answered: micro counts all names, macro is "
    "the mean over sub-types or domains, by clips the mean over clips. Exact: the whole set is right.",
    about=("Of",),
    rows=lambda _: (((over,), {"over": over}) for over in ("sub-types", "domains")),
    columns={
        "F1, micro": ("set f1", {"average": "micro"}),
        "F1, macro": ("set f1", {"average": "macro"}),
        "F1, by clips": ("set f1", {"average": "clips"}),
        "Exact": "exact match",
        "Trials": TRIALS,
    },
)
