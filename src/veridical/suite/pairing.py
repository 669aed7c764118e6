"""Pairing of rows that agree in every factor and setting except the one that is compared."""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl

from veridical.records import canonical


def pair(
    outcomes: pl.DataFrame,
    compared: str,
    levels: tuple[str, str],
    columns: Sequence[str],
    factors: Sequence[str] = (),
) -> pl.DataFrame:
    """One row per stimulus, repeat and remaining settings, with `columns` of both levels of the setting `compared`.

    The columns of the levels carry the level as suffix (`answer_forward`, `answer_reversed`); a missing half is null.
    `setting` holds the remaining settings as canonical JSON; `factors` names the factors of the stimulus to keep.
    Raises ValueError if a half occurs twice.
    """
    settings = {text: json.loads(text) for text in outcomes["settings"].unique()}
    level = {text: value.get(compared) for text, value in settings.items()}
    rest = {
        text: canonical({key: v for key, v in value.items() if key != compared}) for text, value in settings.items()
    }
    frame = outcomes.with_columns(
        pl.col("settings").replace_strict(level, return_dtype=pl.String).alias("_level"),
        pl.col("settings").replace_strict(rest, return_dtype=pl.String).alias("setting"),
    )
    key = ["stimulus", "stage", "repeat", "setting"]
    shared = ["unit", "family", "category", "variant", *factors]
    halves = [
        frame.filter(pl.col("_level") == name).select(*key, *shared, *[pl.col(c).alias(f"{c}_{name}") for c in columns])
        for name in levels
    ]
    for half, name in zip(halves, levels, strict=True):
        twice = half.filter(pl.struct(key).is_duplicated())
        if len(twice):
            raise ValueError(f"{twice['stimulus'][0]} has more than one row with {compared} = {name}")
    joined = halves[0].join(halves[1], on=key, how="full", coalesce=True, maintain_order="left_right", suffix="_right")
    return joined.with_columns(pl.coalesce(name, f"{name}_right").alias(name) for name in shared).drop(
        [f"{name}_right" for name in shared]
    )
