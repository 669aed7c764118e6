"""Oddness or impossibility: alarms on controls, pairs of clips, cuts of one clip, settings, marks, and slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from veridical.records import Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, slice_values
from veridical.suite.tables import P, RowHead, TableSpec, counts_of, estimate_rows, table
from veridical.suites.hocabench.asking.cut import UNTIL
from veridical.suites.hocabench.presentation.tables.main import accuracy, judge_name, judge_results, judges, score
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES, Domain, SubType

VARIANTS = ("violating", "plausible", "explained")
CUTS = {
    "before": "0.5 s before the event",
    "event": "up to the event",
    "after-0.5": "0.5 s after it begins",
    "after-1": "1 s after it begins",
    "end": "whole",
}
assert tuple(CUTS) == tuple(UNTIL)
_OUTCOMES = ("both right", "both implausible", "both plausible", "reversed", "not answered")
_PARTS = ("scene", "anomaly", "process", "reasoning", "total")
_TITLES = {"layer": "layer", "drawing": "style", "camera": "camera"}


def _slices(result: Result) -> list[RowHead]:
    """All clips, then those of each layer, style and way of filming."""
    levels = [(key, level) for key in _TITLES for level in slice_values(result, key)]
    return [(("all",), {}), *(((f"{_TITLES[key]}: {level}",), {key: level}) for key, level in levels)]


alarms = TableSpec(
    name="hocabench-alarms",
    title="Impossible, or odd?",
    note="The share of answers that say 'implausible'. Explained: the odd event with a cause that is seen. Notices: "
    "violating − plausible; alarm at the explained: explained − plausible, same units. d-prime: how well both are told "
    "apart; criterion below 0: 'implausible' comes readily.",
    about=("Clips",),
    rows=_slices,
    columns={
        **{variant.capitalize(): ("says implausible", {"variant": variant}) for variant in VARIANTS},
        "Notices": "notices the impossible",
        "Alarm at the explained": "alarm at the explained",
        "d-prime": "d_prime",
        "Criterion": "criterion",
        "Balanced accuracy": "balanced accuracy",
        "F1 of answered": ("f1", {"of": "answered"}),
    },
)
pairs = TableSpec(
    name="hocabench-pairs",
    title="Clips in pairs",
    note="A violating clip and its control are the same up to the event. Reversed: the control alone is called so.",
    about=("Control", "Clips"),
    rows=lambda result: (
        ((control, *label), {"control": control, **where})
        for control in ("plausible", "explained")
        for label, where in _slices(result)
    ),
    columns={outcome.capitalize(): ("pair outcome", {"outcome": outcome}) for outcome in _OUTCOMES},
)
prefixes = TableSpec(
    name="hocabench-prefixes",
    title="When does it change its mind?",
    note="The share of answers 'implausible' to the same clips, cut. Up to the event all courses are the same pixels, "
    "and plausible. Change of mind: the latest cut − before the event, on the same clips; p by a sign-flip test.",
    about=("Clips",),
    rows=lambda _: (((variant,), {"variant": variant}) for variant in VARIANTS),
    columns={
        **{head: ("implausible until", {"until": until}) for until, head in CUTS.items()},
        "Change of mind": "change of mind",
        "p": P,
    },
)


@table(
    "hocabench-settings",
    "Effects of settings",
    ("Setting", "Task", "Judge", "Effect", "p"),
    "On the same clips, in points of what the task is scored by; p by a sign-flip test, Holm over the tasks.",
)
def settings(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The effect of each setting that a run has at more than one level, and the gain over not being shown the clip."""
    for each in result.estimates:
        if each.metric in ("setting effect", "gain over blind"):
            at = each.slice
            shown = each.metric == "gain over blind"
            words = "clip shown − not shown" if shown else f"{at['setting']}: {at['level']} − {at['against']}"
            yield words, str(at["task"]), at.get("judge"), each, each.p


gaps = TableSpec(
    name="hocabench-gaps",
    title="Existence ahead of mechanism?",
    note="Ontological − causal, in points; p by a permutation test of units, Holm over the tasks.",
    about=("Task", "Judge"),
    rows=estimate_rows("layer gap", lambda _, at: (str(at["task"]), at.get("judge"))),
    columns={"Ontological − causal": "layer gap", "p": P},
)


@table(
    "hocabench-marks",
    "Explanations, part by part",
    ("Judge", "Anomalies", "Scene", "Anomaly", "Attribution", "Reasoning", "Total", "Trials"),
    "The share of each part's full marks: scene 25, anomaly 25, attribution 15, reasoning 35. The reasoning has 0 "
    "for a wrong law, and all of it needs the broken law and the normal course. Code adds the marks.",
)
def marks(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The parts of the marks of explanations."""
    for judge in judges(result):
        for layer in (None, "ontological", "causal"):
            cells = [score(result, judge, part, **({"layer": layer} if layer else {})) for part in _PARTS]
            yield judge_name(result, judge), layer or "all", *cells, counts_of(cells[-1])


_MOST = 40
_HEADS = ("Calls it implausible", "Control called implausible", "I F1", "II", "III", "IV")
_NOTE = (
    "Calls it implausible: of violating clips; the control is the plausible clip of the same event. II: the domain, "
    "III: the description, both shares right. IV: marks of the judge, 0 to 100."
)


def _of_taxonomy(head: str, key: str, kinds: Iterable[Domain | SubType]) -> Callable[[Sequence[Result]], Table]:
    @table(f"hocabench-{head.lower()}s", f"By {head.lower()}", ("Judge", "Layer", head, *_HEADS), _NOTE)
    def rows(result: Result) -> Iterator[tuple[Cell, ...]]:
        present = set(slice_values(result, key))
        for judge in judges(result):
            for kind in (each for each in kinds if each.name in present):
                yield judge_name(result, judge), kind.layer, kind.title, *_tasks(result, judge, key, kind.name)

    return rows


def _sliced(name: str, title: str, keys: Sequence[str]) -> Callable[[Sequence[Result]], Table]:
    def made(results: Sequence[Result]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        left_out = 0
        for result, judge in judge_results(results):
            for key in keys:
                levels = slice_values(result, key)
                if len(levels) < 2:
                    continue
                left_out = max(left_out, len(levels) - _MOST)
                slice_name = "style" if key == "drawing" else key.replace("_", " ")
                for level in sorted(levels, key=lambda level: -_planned(result, key, level))[:_MOST]:
                    cells = _tasks(result, judge, key, level)
                    if any(cells):
                        rows.append((result.model, judge_name(result, judge), slice_name, str(level), *cells))
        more = f" The {_MOST} levels with most clips; {left_out:,} others are in the exported figures."
        note = f"{_NOTE}{more if left_out else ''}"
        return Table(name, title, note, ("Model", "Judge", "Slice", "Level", *_HEADS), tuple(rows))

    return made


def _planned(result: Result, key: str, level: Json) -> int:
    each = find(result, "f1", {key: level}) or accuracy(result, "plausibility", **{key: level})
    return each.counts.planned if each else 0


def _tasks(result: Result, judge: dict[str, Json], key: str, level: Json) -> list[Estimate | None]:
    where = {key: level}
    return [
        *(find(result, "says implausible", {"variant": variant, **where}) for variant in ("violating", "plausible")),
        find(result, "f1", where),
        *(accuracy(result, task, **where) for task in ("domain", "description")),
        score(result, judge, **where),
    ]


SLICES = (
    _of_taxonomy("Domain", "category", DOMAINS.values()),
    _of_taxonomy("Sub-type", "sub_type", SUB_TYPES.values()),
    _sliced("hocabench-styles", "Style and camera", ("drawing", "camera")),
    _sliced("hocabench-scenes", "By scene", ("scene",)),
    _sliced(
        "hocabench-sources", "By source, theme and type of scene", ("taken_from", "source_model", "theme", "scene_type")
    ),
)
"""The four tasks by domain, sub-type, style, camera and scene, and by what a release says of its clips."""
