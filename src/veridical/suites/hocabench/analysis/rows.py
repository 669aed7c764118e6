"""The replies of a run, ready for counting: a column per setting, and what each reply comes to."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

import polars as pl

from veridical.records import Json
from veridical.suite.rates import Slice, slices
from veridical.suite.reply import REPLY
from veridical.suites.hocabench.asking.readers import SEVERAL
from veridical.suites.hocabench.asking.trials import DEFAULTS, SETTINGS
from veridical.suites.hocabench.stimuli import NAME, PLAUSIBLE, VIOLATING

EXPLAINED_CONTROL = "explained"
SINGLE = (VIOLATING, PLAUSIBLE)
BY = (
    "layer",
    "category",
    "sub_type",
    "drawing",
    "camera",
    "scene",
    "taken_from",
    "source_model",
    "theme",
    "scene_type",
)
"""The columns by which single clips are sliced, one at a time."""
MOST_LEVELS = 40
"""A column with more levels than this makes no slices: scenes of a release are descriptions of single clips."""

_HELD = ("sight", "video", "frames", "resolution", "until", "domains", "attribution_rule", "grounding", REPLY)
_SCORES = ("score_iou", "score_set_f1")


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of the first stage with a column per setting, null where it does not apply, and numbers to count.

    Added are `right` (1 or 0; not answered is 0), `value` (right, but the overlap of an interval and the F1 of a set,
    0 to 1), and `implausible` (1 or 0: the reply says that this cannot happen; null without an answer).
    """
    levels = outcomes.select("settings").unique()
    read = [json.loads(text) for text in levels["settings"]]
    named = levels.with_columns(
        pl.Series(name, [each.get(name) for each in read], dtype=pl.String) for name in SETTINGS
    )
    joined = outcomes.join(named, on="settings", how="left", maintain_order="left")
    lacking = [pl.lit(None, pl.Float64).alias(name) for name in _SCORES if name not in joined.columns]
    right = pl.col("correct").fill_null(value=False).cast(pl.Float64)
    own = {"interval": "score_iou", SEVERAL: "score_set_f1"}
    value = right
    for task, column in own.items():
        value = pl.when(pl.col("task") == task).then(pl.col(column).fill_null(0.0)).otherwise(value)
    return joined.with_columns(lacking).with_columns(
        right=right, value=value, implausible=(pl.col("answer") == "No").cast(pl.Float64)
    )


def default_level(name: str, task: str) -> str:
    """The level of a setting that a task has by default.

    >>> default_level("frames", "set"), default_level("until", "plausibility")
    ('uniform-64', 'end')
    """
    if name == "frames":
        return "uniform-64" if task == SEVERAL else "uniform-16"
    return DEFAULTS[name][0]


def plain(rows: pl.DataFrame, task: str, free: Collection[str] = ()) -> tuple[pl.DataFrame, str]:
    """The replies to a task at one level of each setting but the `free` ones, and a note on these for `method`.

    The level is the usual one, or the first that the run has. Rows to which a setting does not apply are kept.
    """
    chosen, notes = rows.filter(pl.col("task") == task), []
    for name in _HELD:
        present = set(chosen[name].drop_nulls().unique())
        if name in free or not present:
            continue
        expected = default_level(name, task)
        level = expected if expected in present else next(each for each in SETTINGS[name] if each in present)
        chosen = chosen.filter(pl.col(name).is_null() | (pl.col(name) == level))
        notes += [] if level == expected else [f"{name} {level}"]
    return chosen, f"; {', '.join(notes)}" if notes else ""


def with_status(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of trials that were asked: what was not asked yet is neither right nor wrong."""
    return rows.filter(pl.col("status").is_not_null())


def pieces(rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json], note: str = "") -> Iterator[Slice]:
    """As `slices`, with what was asked alone among the rows that count."""
    return slices(NAME, rows, with_status(rows), keys, where, note)


def groups(
    rows: pl.DataFrame, keys: tuple[str, ...], where: dict[str, Json]
) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The rows by the levels of the keys, each with its slice; all of them where there is no key."""
    parts = rows.drop_nulls(keys).group_by(keys, maintain_order=True) if keys else [((), rows)]
    for values, within in parts:
        yield {**where, **dict(zip(keys, values, strict=True))}, within


def keys_of(rows: pl.DataFrame, columns: tuple[str, ...] = BY) -> list[tuple[str, ...]]:
    """No key, and each of the columns that has levels in these rows, and not too many to be slices."""
    return [(), *((name,) for name in columns if 0 < rows[name].drop_nulls().n_unique() <= MOST_LEVELS)]


def both_kinds(rows: pl.DataFrame) -> pl.DataFrame:
    """Violating and plausible clips; explained controls are counted apart."""
    return rows.filter(pl.col("variant").is_in(SINGLE))
