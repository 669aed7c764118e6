"""The settings of VI-Probe, and which rows of a run belong to which way of asking."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from veridical.records import Json

POLARITIES = ("forward", "reversed")
SETTINGS = {
    "polarity": POLARITIES,
    "instruction": ("none", "weigh", "measure"),
    "placement": ("system", "user"),
    "task": ("yes-no", "comparison"),
}
"""Polarity of a yes-no question; instruction given with it, in the system turn or after the picture; kind of task.

`weigh` asks to hold both hypotheses against the pixels and to set expectation aside, `measure` for a measurement of
each target before the answer. `comparison` asks which target has more; "the same" is not offered.
"""
DEFAULTS = {**SETTINGS, "instruction": ("none",), "placement": ("system",), "task": ("yes-no",)}
_UNSAID = {"polarity": None, "instruction": "none", "placement": "none", "task": "yes-no"}


def with_settings(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes with a column for each setting, and the family as `case`."""
    texts = outcomes["settings"].unique().to_list()
    stored = {text: _UNSAID | json.loads(text) for text in texts}
    return outcomes.with_columns(
        pl.col("family").alias("case"),
        *(
            pl.col("settings")
            .replace_strict({text: stored[text][name] for text in texts}, return_dtype=pl.String)
            .alias(name)
            for name in SETTINGS
        ),
    )


def ways(rows: pl.DataFrame) -> list[tuple[str, str]]:
    """The pairs of instruction and placement that the rows hold, the one without an instruction first."""
    there = set(rows.select("instruction", "placement").unique().iter_rows())
    places = ("none", *SETTINGS["placement"])
    return [(level, place) for level in SETTINGS["instruction"] for place in places if (level, place) in there]


def baseline(rows: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The rows without an instruction, else those of the first way of instructing; and what a method says of that."""
    if not (there := ways(rows)):
        return rows, ""
    level, place = there[0]
    chosen = rows.filter((pl.col("instruction") == level) & (pl.col("placement") == place))
    return chosen, "" if level == "none" else f"; instructed to {level}, in the {place} turn"


def by_instruction(rows: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The rows of each instruction, and of each of its placements where it has several; nothing if there is one way."""
    there = ways(rows)
    if len(there) < 2:
        return
    for level in dict.fromkeys(level for level, _ in there):
        given = rows.filter(pl.col("instruction") == level)
        yield {"instruction": level}, given
        places = [place for other, place in there if other == level]
        if len(places) > 1:
            for place in places:
                yield {"instruction": level, "placement": place}, given.filter(pl.col("placement") == place)
