"""What another level of a setting changes on the same clips: a warning, other frames, a native video, a schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.judges.judged import NOT_JUDGED
from veridical.records import Estimate, Json
from veridical.suite.reply import REPLY
from veridical.suites.magicbench.analysis.marks import judges, verdict_counts
from veridical.suites.magicbench.analysis.paired import Sides, holm_by, paired_difference
from veridical.suites.magicbench.analysis.rows import plain, tricks
from veridical.suites.magicbench.asking.cells import DEFAULTS, EXPLAIN, PROBE, SETTINGS

CHANGED = ("hush", "frames", "video", REPLY)
_ALIKE = ("stimulus", "repeat", "stance", "words", "probe")
"""What a pair has in common; `probe` is null for explanations."""


def setting_effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` on probes and on CPA of each further level of a setting; nothing where all have one level."""
    for name in CHANGED:
        chosen, note = plain(rows, PROBE, (name,))
        yield from _of(tricks(chosen), name, "right", {"of": "probes"}, note)
        for where, own in judges(marks):
            if where["judge"] != NOT_JUDGED:
                chosen, note = plain(own, EXPLAIN, (name,))
                for found in _of(tricks(chosen), name, "cpa", {"of": "cpa", **where}, note):
                    yield replace(found, counts=verdict_counts(chosen.filter(pl.col(name).is_not_null())))


def _of(rows: pl.DataFrame, name: str, column: str, where: dict[str, Json], note: str) -> Iterator[Estimate]:
    present = [level for level in SETTINGS[name] if level in set(rows[name].drop_nulls())]
    if len(present) < 2:
        return
    usual = DEFAULTS[name][0]
    base = usual if usual in present else present[0]
    tested = []
    for level in present:
        if level != base:
            words = f"{name} {level} − {base}, all words alike"
            sides = Sides(pl.col(name) == level, pl.col(name) == base, words, _ALIKE)
            inside: dict[str, Json] = {"setting": name, "level": level, "against": base, **where}
            tested.append(paired_difference(rows, "setting effect", column, sides, inside, note))
    yield from holm_by(tested, ("setting", "of", "judge", "rubric"))
