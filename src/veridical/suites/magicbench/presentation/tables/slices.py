"""The same by family of tricks, difficulty, challenge and what hides the secret; and the effects of settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find, named
from veridical.suites.magicbench.analysis.rows import BY
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.presentation.marking import judges

_TITLES = {
    "family": "By family of tricks",
    "difficulty": "By difficulty",
    "tag": "By challenge",
    "tell": "By how much of the tell shows",
    "occluder": "By what stands in front",
    "decoy_speed": "By speed of the decoy",
    "window": "By length of the critical window",
    "taken_from": "By source",
}
assert set(_TITLES) == set(BY)


def slices(results: Sequence[Result]) -> Iterator[Table]:
    """A table for each column by which clips differ."""
    for key, title in _TITLES.items():
        rows: list[tuple[Cell, ...]] = []
        for result in results:
            for level in named(result, key):
                cells = _cells(result, key, level)
                if any(cells):
                    rows.append((result.model, str(level), *cells))
        note = (
            "Probes: right answers without words and under a lie, and the effect of the lie in points. CPA: by the "
            "first judge, in the forensic stance. False alarms: honest controls called a trick, vision-only."
        )
        heads = ("Model", title.removeprefix("By ").capitalize(), "Probes", "Under a lie", "Effect of a lie")
        columns = (*heads, "CPA, lie", "CPA, silence", "False alarms")
        yield Table(f"magicbench-by-{key.replace('_', '-')}", title, note, columns, tuple(rows))


def _cells(result: Result, key: str, level: Json) -> list[Cell]:
    own = {key: level}
    probes = [find(result, "probe accuracy", {"under": under, **own}) for under in (VISION_ONLY, "lie")]
    effect = find(result, "effect of a lie", {"against": VISION_ONLY, **own})
    judge = next(iter(judges(result)), None)
    marks: list[Cell] = [None, None]
    if judge is not None:
        marks = [find(result, "cpa", {"stance": FORENSIC, "type": kind, **own, **judge}) for kind in ("lie", "silence")]
    return [*probes, effect, *marks, find(result, "false alarms", {"stance": VISION_ONLY, **own})]


def settings(results: Sequence[Result]) -> Table:
    """What another level of a setting changes on the same clips."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in (one for one in result.estimates if one.metric == "setting effect"):
            place = each.slice
            what = f"{place['setting']}: {place['level']} − {place['against']}"
            rows.append((result.model, what, str(place["of"]), place.get("judge"), each, each.p))
    note = "A warning in silence, other frames, a native video, a JSON schema: on the same clips and words, in points."
    heads = ("Model", "Setting", "Of", "Judge", "Effect", "p")
    return Table("magicbench-settings", "Effects of settings", note, heads, tuple(rows))
