"""The paper's Tables 2 to 5 beside the runs of a report that were asked alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.published.tables import Find, PublishedLayout, add_run_rows
from veridical.records import Json
from veridical.suite.reply import FREE, REPLY
from veridical.suite.results import PublishedTable, Result, find
from veridical.suite.tables import comparable_runs, join_tables
from veridical.suites.hocabench.presentation.tables.main import NOT_JUDGED, frames, judge_name, judges

_OWN = (
    "The paper's clips are others: 630 generated and 630 real videos, and clips of its own for grounding and for "
    "several anomalies at a time. Its judge is GPT-OSS-120B."
)
_TASKS = {"Task II": ("II", "domain"), "Task III": ("III", "description")}
_LAYERS = {"Onto.": ("ont.", "ontological"), "Caus.": ("caus.", "causal")}
_DEFAULTS = {"sight": "shown", "domains": "nine", "attribution_rule": "interaction-first", "until": "end", REPLY: FREE}


def published_tables(results: Sequence[Result], names: Sequence[str]) -> tuple[list[PublishedTable], dict[str, str]]:
    """Tables 2 to 5 with the runs that were asked as the paper asks, and why each other run is left out."""
    alike, lacking = comparable_runs(results, names, _lacks)
    tables = [
        _main([(name, result, judge) for name, result in alike for judge in judges(result)]),
        _simple(_GROUNDING, alike, ("mean iou", {})),
        _simple(
            _SEVERAL, [run for run in alike if _was_shown(run[1], "set", "uniform-64")], ("exact match", _SUB_TYPES)
        ),
        _frames(alike),
    ]
    return [table for table in tables if table is not None], lacking


def _lacks(result: Result) -> str | None:
    """Why a run cannot stand beside the paper's rows."""
    for setting, level in _DEFAULTS.items():
        levels = _levels(result, setting)
        if levels and level not in levels:
            return f"was not asked with {setting}={level}"
    tasks = _levels(result, "task")
    if "plausibility" in tasks and not _was_shown(result, "plausibility", "uniform-16"):
        return "was not shown 16 frames"
    return None if tasks & {"plausibility", "interval", "set"} else "was not asked a task of the paper's tables"


def _levels(result: Result, setting: str) -> set[str]:
    return set(result.outcomes["settings"].str.json_path_match(f"$.{setting}").drop_nulls().unique())


def _was_shown(result: Result, task: str, frames: str) -> bool:
    settings = result.outcomes["settings"]
    of_task = settings.filter(settings.str.json_path_match("$.task") == task)
    return frames in set(of_task.str.json_path_match("$.frames").drop_nulls().unique())


def _main(runs: Sequence[tuple[str, Result, Mapping[str, Json]]]) -> PublishedTable | None:
    """Table 2, with a row for each run and judge."""
    own = [run for run in runs if find(run[1], "f1", {})]
    return join_tables(
        [add_run_rows(_shown_main(judge), [(_row(name, result, judge), result)]) for name, result, judge in own]
    )


def _row(name: str, result: Result, judge: Mapping[str, Json]) -> str:
    return f"{name}, judged by {judge_name(result, judge)}" if len(judges(result)) > 1 else name


def _shown_main(judge: Mapping[str, Json]) -> PublishedLayout:
    columns: dict[str, tuple[str, Find]] = {"I F1": ("Task I / F1", ("f1", {}))}
    for task, (short, name) in _TASKS.items():
        for kind, (head, layer) in _LAYERS.items():
            columns[f"{short} {head}"] = (f"{task} / {kind}", ("accuracy", {"task": name, "layer": layer}))
    for kind, (head, layer) in _LAYERS.items():
        place: Find = ("explanation score", {"part": "total", **judge, "layer": layer})
        columns[f"IV {head}"] = (f"Task IV / {kind}", place)
    columns["H-Index"] = ("H-Index (Avg)", ("h_index", {"weighting": "paper", **judge}))
    unjudged = (
        "" if judge.get("judge") != NOT_JUDGED else " Explanations of these runs have no marks: `veridical judge`."
    )
    return PublishedLayout(
        title="The four tasks by layer, as published",
        note=f"{_OWN} (T): thinking mode. Its human row has one figure for both layers: III 96 %, IV 81.9.{unjudged}",
        source="HOCA-Bench, Table 2",
        paper="hocabench",
        table="2",
        group=None,
        columns=columns,
    )


_SUB_TYPES: Mapping[str, Json] = {"over": "sub-types"}
_GROUNDING = PublishedLayout(
    title="Temporal grounding, as published",
    note=f"mIoU: mean intersection over union. R@0.5: the share with at least 0.5. {_OWN}",
    source="HOCA-Bench, Table 3",
    paper="hocabench",
    table="3",
    group=None,
    columns={"mIoU": ("mIoU (%)", ("mean iou", {})), "R@0.5": ("R@0.5 (%)", ("recall at iou", {"iou": 0.5}))},
)
_SEVERAL = PublishedLayout(
    title="Several anomalies at a time, as published",
    note=f"The paper does not say how its F1 is averaged; that of the runs is micro. All see 64 frames. {_OWN}",
    source="HOCA-Bench, Table 4",
    paper="hocabench",
    table="4",
    group=None,
    columns={
        "F1": ("F1 (%)", ("set f1", {**_SUB_TYPES, "average": "micro"})),
        "Exact": ("Acc (%)", ("exact match", _SUB_TYPES)),
    },
)


def _simple(shown: PublishedLayout, runs: Sequence[tuple[str, Result]], needed: Find) -> PublishedTable | None:
    own = [(name, result) for name, result in runs if find(result, *needed)]
    return add_run_rows(shown, own) if own else None


def _frames(runs: Sequence[tuple[str, Result]]) -> PublishedTable | None:
    """Table 5, for runs that saw the same clips with more than one number of frames; a row for each."""
    from veridical.published import table

    own = frames([replace(result, model=name) for name, result in runs])
    if not own.rows:
        return None
    cells = {
        (group, row, column): value
        for group, row, column, value in table("hocabench", "5").select("group", "row", "column", "value").iter_rows()
    }
    places = dict.fromkeys((group, row) for group, row, _ in cells)
    stored = tuple(
        (group, "", row, *(cells.get((group, row, each), "–") for each in _PRINTED)) for group, row in places
    )
    note = f"The paper's runs are in instruct mode. {_OWN}"
    shown = replace(own, name="published-5", title="More frames, as published", note=note)
    return PublishedTable(shown, "HOCA-Bench, Table 5", stored)


_PRINTED = ("T-I", "T-II", "T-III", "T-IV", "H-Idx")
