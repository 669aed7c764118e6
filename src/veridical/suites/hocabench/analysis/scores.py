"""Tasks II to IV by layer and below, what levels of a setting differ in on the same clips, and two runs compared."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.judges.marks import judged_slices, marked_replies, split_by_judge, verdict_counts
from veridical.records import PROPORTION, Estimate, Json
from veridical.suite.contrasts import holm_by, holm_corrected, mean_score, paired_difference
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, Slice
from veridical.suite.reply import REPLY
from veridical.suite.rows import OF_ALL, WHOLE, keys_of, sort_by_levels
from veridical.suites.hocabench.analysis.figures import SCORE, layer_gap
from veridical.suites.hocabench.analysis.rows import BY, both_kinds, default_level, pieces, plain_replies, replies
from veridical.suites.hocabench.asking.marking import GRADE
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.asking.tasks import TASKS
from veridical.suites.hocabench.asking.trials import SETTINGS
from veridical.suites.hocabench.asking.verdicts import RANGES
from veridical.suites.hocabench.stimuli import NAME

CHOICES = {DOMAIN: 9, DESCRIPTION: 4}
"""How many options each task has."""
COMPARED = ("frames", "sight", "video", "resolution", "domains", "attribution_rule")
"""The settings whose levels are compared on the same clips."""
PARTS = {part: f"mark_{part}" for part in ("total", "scene", "anomaly", "process", "reasoning")}
"""The column of each part's marks; `scene` alone would be that of the factor."""
TOTAL = PARTS["total"]
OF_FULL = "share of the full marks; of all, not answered is 0"


def choices(rows: pl.DataFrame) -> Iterator[Estimate]:
    """Accuracies of Tasks II and III, and what chance gives."""
    for task, options in CHOICES.items():
        chosen, note = plain_replies(rows, task)
        if chosen.is_empty():
            continue
        for piece in pieces(chosen, keys_of(chosen, BY), {"task": task}, note):
            yield piece.rate("accuracy", "right", OF_ALL)
        (piece,) = pieces(chosen, where={"task": task})
        yield piece.computed("chance", PROPORTION, f"1 of {options} options", 1 / options)


def accuracy_by_level(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`accuracy` of Tasks I to III at each level of the settings of which a run has more than one."""
    for task in (PLAUSIBILITY, *CHOICES):
        for name in COMPARED:
            chosen, note = plain_replies(rows, task, (name,))
            ordered, present = sort_by_levels(both_kinds(chosen), name, SETTINGS[name])
            for piece in pieces(ordered, [(name,)], {"task": task}, note) if len(present) > 1 else ():
                yield piece.rate("accuracy", "right", OF_ALL)


def marks_of(evidence: Evidence) -> pl.DataFrame:
    """The replies to Task IV, once by each judge and rubric, with the columns of `PARTS`, each of 0 to 1.

    A column is 0 for a reply that cannot be judged, and null where there is no verdict. `judge` and `rubric` are null
    where there is no judge.
    """
    marks = {column: (part, RANGES[part][1]) for part, column in PARTS.items()}
    return replies(marked_replies(evidence, GRADE, marks)).filter(pl.col("task") == EXPLAINED)


def scores(marks: pl.DataFrame) -> Iterator[Estimate]:
    """`explanation score` by part, judge and rubric: over all, by layer, and the total by each column of `BY`."""
    for where, rows in split_by_judge(marks):
        chosen, note = plain_replies(rows, EXPLAINED)
        for part, column in PARTS.items():
            inside = {"part": part, **where}
            if where["judge"] == NOT_JUDGED:
                piece = Slice(NAME, inside, chosen, verdict_counts(chosen), note)
                yield piece.estimate("explanation score", SCORE, OF_FULL, None, NOTHING, NOT_JUDGED)
                continue
            for piece in judged_slices(NAME, chosen, keys_of(chosen, BY if part == "total" else BY[:1]), inside, note):
                yield mean_score(piece, "explanation score", column, SCORE, OF_FULL)


def layer_gaps(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`layer gap` of Tasks II to IV; p by Holm over the tasks, for Task IV with those of the same judge."""
    own: list[Estimate] = []
    for task in CHOICES:
        chosen, note = plain_replies(rows, task)
        if not chosen.is_empty():
            own += [layer_gap(piece, "layer gap", "right") for piece in pieces(chosen, where={"task": task}, note=note)]
    marked: list[list[Estimate]] = []
    for where, judged_rows in split_by_judge(marks):
        if where["judge"] != NOT_JUDGED:
            chosen, note = plain_replies(judged_rows, EXPLAINED)
            inside: dict[str, Json] = {"task": EXPLAINED, **where}
            parts = judged_slices(NAME, chosen, WHOLE, inside, note)
            marked.append([layer_gap(piece, "layer gap", TOTAL) for piece in parts])
    first = [*own, *(marked[0] if marked else [])]
    yield from holm_corrected(first) if first else ()
    for tested in marked[1:]:
        yield from holm_corrected([*own, *tested])[len(own) :]


CHANGED = ("frames", "video", "resolution", "domains", "attribution_rule", REPLY)
WORDS = {INTERVAL: "intersection over union", SEVERAL: "F1 of the set", EXPLAINED: "score"}
"""What is compared in the tasks whose replies are not right or wrong."""
F1_DIFFERENCE = "B − A; F1 linearized in both rates, variance recovery, correlated within units; sign-flip test by unit"


def effects(rows: pl.DataFrame, marks: pl.DataFrame) -> Iterator[Estimate]:
    """`setting effect` of each further level of a setting, and `gain over blind`, by task."""
    for name in CHANGED:
        yield from holm_by(_of_setting(rows, marks, name), ("level",), together=True)
    yield from holm_by(
        _effect(own, "gain over blind", ("sight", "shown", "blind"), {"task": task, **where})
        for task, own, where in _by_task(rows, marks, "sight")
        if {"blind", "shown"} <= set(own["sight"].drop_nulls())
    )


def _of_setting(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[Estimate]:
    for task, own, where in _by_task(rows, marks, name):
        present = [level for level in SETTINGS[name] if level in set(own[name].drop_nulls())]
        if len(present) < 2:
            continue
        base = default_level(name, task) if default_level(name, task) in present else present[0]
        for level in present:
            if level != base:
                inside: dict[str, Json] = {"setting": name, "level": level, "against": base, "task": task, **where}
                yield _effect(own, "setting effect", (name, level, base), inside)


def _by_task(rows: pl.DataFrame, marks: pl.DataFrame, name: str) -> Iterator[tuple[str, pl.DataFrame, dict[str, Json]]]:
    """The replies to each task at one level of all other settings; explanations by judge, with the share of marks."""
    for task in TASKS:
        if task == EXPLAINED:
            for where, own in split_by_judge(marks):
                scored = own.with_columns(pl.col(TOTAL).alias("value"))
                if scored["value"].count():
                    yield task, plain_replies(scored, task, (name,))[0], where
            continue
        own = both_kinds(rows) if task == "plausibility" else rows
        yield task, plain_replies(own, task, (name,))[0], {}


def _effect(rows: pl.DataFrame, metric: str, levels: tuple[str, str, str], where: dict[str, Json]) -> Estimate:
    """The mean difference of two levels of a setting over the clips and repeats that have both."""
    name, level, base = levels
    task = str(where["task"])
    words = f"{WORDS.get(task, 'accuracy')}, {level} − {base}, on the same clips"
    of_levels = (pl.col(name) == level, pl.col(name) == base, words)
    lacking = "no clip was asked at both levels"
    return paired_difference(NAME, rows, metric, "value", of_levels, where, fractions=task in WORDS, lacking=lacking)
