"""What settings change on the same clips: frames, a native video, other domains, a reply in JSON, no clip at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import Counts, Estimate, Json
from veridical.suite.contrasts import corrected, difference
from veridical.suite.means import twice
from veridical.suite.rates import Slice
from veridical.suite.reply import REPLY
from veridical.suites.hocabench.analysis.explained import TOTAL, judges
from veridical.suites.hocabench.analysis.rows import both_kinds, plain, sent, usual
from veridical.suites.hocabench.asking.readers import EXPLAINED, INTERVAL, SEVERAL
from veridical.suites.hocabench.asking.tasks import TASKS
from veridical.suites.hocabench.asking.trials import SETTINGS
from veridical.suites.hocabench.stimuli import NAME

CHANGED = ("frames", "video", "resolution", "domains", "attribution_rule", REPLY)
_FRACTIONS = (INTERVAL, SEVERAL, EXPLAINED)
_WORDS = {INTERVAL: "intersection over union", SEVERAL: "F1 of the set", EXPLAINED: "score"}


def effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` of each further level of a setting, and `gain over blind`, by task."""
    for name in CHANGED:
        found = list(_of_setting(rows, marks, name))
        by_level: dict[Json, list[Estimate]] = {}
        for each in found:
            by_level.setdefault(each.slice["level"], []).append(each)
        for same in by_level.values():
            yield from corrected(same)
    blind = []
    for task, own, where in _by_task(rows, marks, "sight"):
        if "blind" in set(own["sight"].drop_nulls()) and "shown" in set(own["sight"].drop_nulls()):
            blind.append(_effect(own, "gain over blind", ("sight", "shown", "blind"), {"task": task, **where}))
    yield from corrected(blind) if blind else ()


def _of_setting(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[Estimate]:
    for task, own, where in _by_task(rows, marks, name):
        present = [level for level in SETTINGS[name] if level in set(own[name].drop_nulls())]
        if len(present) < 2:
            continue
        base = usual(name, task) if usual(name, task) in present else present[0]
        for level in present:
            if level != base:
                inside: dict[str, Json] = {"setting": name, "level": level, "against": base, "task": task, **where}
                yield _effect(own, "setting effect", (name, level, base), inside)


def _by_task(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[tuple[str, pl.DataFrame, dict[str, Json]]]:
    """The replies to each task at one level of all other settings; explanations by judge, with the share of marks."""
    for task in TASKS:
        if task == EXPLAINED:
            for where, own in judges(marks):
                scored = own.with_columns(pl.col(TOTAL).alias("value"))
                if scored["value"].count():
                    yield task, plain(scored, task, (name,))[0], where
            continue
        own = both_kinds(rows) if task == "plausibility" else rows
        yield task, plain(own, task, (name,))[0], {}


def _effect(rows: pl.DataFrame, metric: str, levels: tuple[str, str, str], where: dict[str, Json]) -> Estimate:
    """The mean difference of two levels of a setting over the clips and repeats that have both."""
    name, level, base = levels
    task = str(where["task"])
    counted = sent(rows).filter(pl.col(name).is_in([level, base])).drop_nulls("value")
    paired = counted.filter(pl.col(name).n_unique().over("stimulus", "repeat") == 2)
    words = f"{_WORDS.get(task, 'accuracy')}, {level} − {base}, on the same clips"
    used = twice(paired) if task in _FRACTIONS else paired
    piece = Slice(NAME, where, used, Counts.of(rows.filter(pl.col(name).is_in([level, base]))))
    found = difference(piece, metric, "value", (pl.col(name) == level, pl.col(name) == base, words))
    return replace(found, reason="no clip was asked at both levels") if found.value is None else found
