"""Oddness or impossibility: alarms on controls, pairs of clips, cuts of one clip, settings, and parts of the marks."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.hocabench.asking.cut import UNTIL
from veridical.suites.hocabench.presentation.tables.main import by_judge, judge_name, score

VARIANTS = ("violating", "plausible", "explained")
OUTCOMES = ("both right", "both implausible", "both plausible", "reversed", "not answered")
PARTS = ("scene", "anomaly", "process", "reasoning", "total")
CUTS = {
    "before": "0.5 s before the event",
    "event": "up to the event",
    "after-0.5": "0.5 s after it begins",
    "after-1": "1 s after it begins",
    "end": "whole",
}
assert tuple(CUTS) == tuple(UNTIL)
_TITLES = {"layer": "layer", "drawing": "style", "camera": "camera"}


def alarms(results: Sequence[Result]) -> Table:
    """How often each kind of clip is called implausible, and what follows for bias and sensitivity."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for label, where in _slices(result):
            says = [find(result, "says implausible", {"variant": variant, **where}) for variant in VARIANTS]
            others = ("alarm at the explained", "d_prime", "criterion", "balanced accuracy")
            cells = [find(result, metric, where) for metric in others]
            if any(says):
                rows.append((result.model, label, *says, *cells))
    note = (
        "The share of answers that say 'implausible'. Explained: the odd event with a cause that is seen. Alarm at "
        "the explained: explained − plausible, same units. d-prime: how well both are told apart; criterion below 0: "
        "'implausible' comes readily."
    )
    heads = ("Model", "Clips", "Violating", "Plausible", "Explained", "Alarm at the explained")
    return Table(
        "hocabench-alarms",
        "Impossible, or odd?",
        note,
        (*heads, "d-prime", "Criterion", "Balanced accuracy"),
        tuple(rows),
    )


def _slices(result: Result) -> list[tuple[str, dict[str, Json]]]:
    """All clips, then those of each layer, style and way of filming."""
    levels = [(key, level) for key in _TITLES for level in named(result, key)]
    return [("all", {}), *((f"{_TITLES[key]}: {level}", {key: level}) for key, level in levels)]


def pairs(results: Sequence[Result]) -> Table:
    """What becomes of a violating clip and its control, as a pair."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for control in ("plausible", "explained"):
            for label, where in _slices(result):
                places: list[dict[str, Json]] = [
                    {"control": control, "outcome": outcome, **where} for outcome in OUTCOMES
                ]
                cells = [find(result, "pair outcome", place) for place in places]
                if any(cells):
                    rows.append((result.model, control, label, *cells))
    note = "A violating clip and its control are the same up to the event. Reversed: the control alone is called so."
    heads = ("Model", "Control", "Clips", *(outcome.capitalize() for outcome in OUTCOMES))
    return Table("hocabench-pairs", "Clips in pairs", note, heads, tuple(rows))


def prefixes(results: Sequence[Result]) -> Table:
    """How often a clip is called implausible, by how much of it is shown."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for variant in VARIANTS:
            cells = [find(result, "implausible until", {"variant": variant, "until": until}) for until in CUTS]
            if any(cells):
                change = find(result, "change of mind", {"variant": variant})
                rows.append((result.model, variant, *cells, change, change.p if change else None))
    note = (
        "The share of answers 'implausible' to the same clips, cut. Up to the event all courses are the same pixels, "
        "and plausible. Change of mind: the latest cut − before the event, on the same clips; p by a sign-flip test."
    )
    heads = ("Model", "Clips", *CUTS.values(), "Change of mind", "p")
    return Table("hocabench-prefixes", "When does it change its mind?", note, heads, tuple(rows))


def settings(results: Sequence[Result]) -> Table:
    """The effect of each setting that a run has at more than one level, and the gain over not being shown the clip."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in result.estimates:
            place = each.slice
            if each.metric == "setting effect":
                words = f"{place['setting']}: {place['level']} − {place['against']}"
            elif each.metric == "gain over blind":
                words = "clip shown − not shown"
            else:
                continue
            rows.append((result.model, words, str(place["task"]), place.get("judge"), each, each.p))
    note = "On the same clips, in points of what the task is scored by; p by a sign-flip test, Holm over the tasks."
    heads = ("Model", "Setting", "Task", "Judge", "Effect", "p")
    return Table("hocabench-settings", "Effects of settings", note, heads, tuple(rows))


def gaps(results: Sequence[Result]) -> Table:
    """Ontological − causal in each task, with the test."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        own = (each for each in result.estimates if each.metric == "layer gap")
        rows += [(result.model, str(each.slice["task"]), each.slice.get("judge"), each, each.p) for each in own]
    note = "Ontological − causal, in points; p by a permutation test of units, Holm over the tasks."
    heads = ("Model", "Task", "Judge", "Ontological − causal", "p")
    return Table("hocabench-gaps", "Existence ahead of mechanism?", note, heads, tuple(rows))


def marks(results: Sequence[Result]) -> Table:
    """The parts of the marks of explanations."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for layer in (None, "ontological", "causal"):
            where: dict[str, Json] = {} if layer is None else {"layer": layer}
            cells = [score(result, judge, part, **where) for part in PARTS]
            whole = cells[-1]
            if any(cells):
                counts = whole.counts if whole else None
                rows.append((result.model, judge_name(result, judge), layer or "all", *cells, counts))
    note = (
        "The share of each part's full marks: scene 25, anomaly 25, attribution 15, reasoning 35. The reasoning has 0 "
        "for a wrong law, and all of it needs the broken law and the normal course. Code adds the marks."
    )
    heads = ("Model", "Judge", "Anomalies", "Scene", "Anomaly", "Attribution", "Reasoning", "Total", "Trials")
    return Table("hocabench-marks", "Explanations, part by part", note, heads, tuple(rows))
