"""The four tasks by domain, sub-type, style, camera and scene, and by what a release says of its clips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.records import Estimate, Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.hocabench.presentation.tables.main import accuracy, by_judge, judge_name, score
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES, Domain, SubType

_MOST = 40
_TAXONOMY: dict[str, Sequence[Domain | SubType]] = {
    "category": tuple(DOMAINS.values()),
    "sub_type": tuple(SUB_TYPES.values()),
}
_HEADS = ("Calls it implausible", "Control called implausible", "I F1", "II", "III", "IV")
_NOTE = (
    "Calls it implausible: of violating clips; the control is the plausible clip of the same event. II: the domain, "
    "III: the description, both shares right. IV: marks of the judge, 0 to 100."
)


def slices(results: Sequence[Result]) -> Iterator[Table]:
    """A table for each of the factors that a run has."""
    yield _of_taxonomy(results, "category", "Domain", "By domain")
    yield _of_taxonomy(results, "sub_type", "Sub-type", "By sub-type")
    yield _sliced(results, ("drawing", "camera"), "Style and camera", "hocabench-styles")
    yield _sliced(results, ("scene",), "By scene", "hocabench-scenes")
    released = ("taken_from", "source_model", "theme", "scene_type")
    yield _sliced(results, released, "By source, theme and type of scene", "hocabench-sources")


def _of_taxonomy(results: Sequence[Result], key: str, head: str, title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        present = set(named(result, key))
        for kind in (each for each in _TAXONOMY[key] if each.name in present):
            cells = _cells(result, judge, key, kind.name)
            if any(cells):
                rows.append((result.model, judge_name(result, judge), kind.layer, kind.title, *cells))
    heads = ("Model", "Judge", "Layer", head, *_HEADS)
    return Table(f"hocabench-{head.lower()}s", title, _NOTE, heads, tuple(rows))


def _sliced(results: Sequence[Result], keys: Sequence[str], title: str, name: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    left_out = 0
    for result, judge in by_judge(results):
        for key in keys:
            levels = named(result, key)
            if len(levels) < 2:
                continue
            frequent = sorted(levels, key=lambda level: -_planned(result, key, level))
            left_out = max(left_out, len(levels) - _MOST)
            for level in frequent[:_MOST]:
                cells = _cells(result, judge, key, level)
                if any(cells):
                    rows.append(
                        (
                            result.model,
                            judge_name(result, judge),
                            "style" if key == "drawing" else key.replace("_", " "),
                            str(level),
                            *cells,
                        )
                    )
    more = f" The {_MOST} levels with most clips; {left_out:,} others are in the exported figures." if left_out else ""
    return Table(name, title, f"{_NOTE}{more}", ("Model", "Judge", "Slice", "Level", *_HEADS), tuple(rows))


def _planned(result: Result, key: str, level: Json) -> int:
    each = find(result, "f1", {key: level}) or accuracy(result, "plausibility", **{key: level})
    return each.counts.planned if each else 0


def _cells(result: Result, judge: dict[str, Json], key: str, level: Json) -> list[Estimate | None]:
    where = {key: level}
    return [
        *(find(result, "says implausible", {"variant": variant, **where}) for variant in ("violating", "plausible")),
        find(result, "f1", where),
        *(accuracy(result, task, **where) for task in ("domain", "description")),
        score(result, judge, **where),
    ]
