"""The replies of a run, ready for counting: a column per setting, and what each reply comes to."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import polars as pl

from veridical.suite.reply import REPLY
from veridical.suite.rows import RIGHT, asked_slices, filter_to_level, score_columns, with_settings
from veridical.suites.hocabench.asking.readers import INTERVAL, SEVERAL
from veridical.suites.hocabench.asking.trials import DEFAULTS, SETTINGS
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE, VIOLATING

EXPLAINED_CONTROL = "explained"
CLIPS = ("drawing", "camera", "scene", "taken_from", "source_model", "theme", "scene_type")
BY = ("layer", "category", "sub_type", *CLIPS)
"""The columns by which single clips are sliced, one at a time."""
_HELD = ("sight", "video", "frames", "resolution", "until", "domains", "attribution_rule", "grounding", REPLY)

pieces = partial(asked_slices, NAME)


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of the first stage with a column per setting, null where it does not apply, and numbers to count.

    Added are `right` (1 or 0; not answered is 0), `value` (right, but the overlap of an interval and the F1 of a set,
    0 to 1), and `implausible` (1 or 0: the reply says that this cannot happen; null without an answer).
    """
    rows = with_settings(outcomes, SETTINGS)
    rows = rows.with_columns(RIGHT.alias("right"), *score_columns(rows, ("iou", "set_f1")))
    task = pl.col("task")
    value = pl.when(task == SEVERAL).then("set_f1").when(task == INTERVAL).then("iou").fill_null(0.0)
    single = task.is_null() | ~task.is_in([SEVERAL, INTERVAL])
    return rows.with_columns(
        value=pl.when(single).then("right").otherwise(value), implausible=(pl.col("answer") == "No").cast(pl.Float64)
    )


def default_level(name: str, task: str) -> str:
    """The level of a setting that a task has by default.

    >>> default_level("frames", "set"), default_level("until", "plausibility")
    ('uniform-64', 'end')
    """
    if name == "frames":
        return "uniform-64" if task == SEVERAL else "uniform-16"
    return DEFAULTS[name][0]


def plain_replies(rows: pl.DataFrame, task: str, free: Collection[str] = ()) -> tuple[pl.DataFrame, str]:
    """The replies to a task at one level of each setting but the `free` ones, and a note on these for `method`.

    The level is the usual one, or the first that the run has. Rows to which a setting does not apply are kept.
    """
    usual = {name: default_level(name, task) for name in _HELD}
    return filter_to_level(rows.filter(pl.col("task") == task), usual, SETTINGS, free)


def both_kinds(rows: pl.DataFrame) -> pl.DataFrame:
    """Violating and plausible clips; explained controls are counted apart."""
    return rows.filter(pl.col("variant").is_in([VIOLATING, PLAUSIBLE]))
