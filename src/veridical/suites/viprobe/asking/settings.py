"""The settings of VI-Probe, and the rows of a run by setting."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

import polars as pl

from veridical.base.columns import held_once
from veridical.records import Json

POLARITIES = ("forward", "reversed")
PRIOR = "prior"
REASONED = "asked"
SETTINGS = {
    "polarity": POLARITIES,
    "instruction": ("none", "weigh", "measure"),
    "placement": ("system", "user"),
    "task": ("yes-no", "comparison"),
    "sight": ("shown", PRIOR),
    "rationale": (REASONED, "none"),
}
"""Polarity of a yes-no question; instruction, in the system turn or after the picture; kind of task; sight; rationale.

`weigh` asks the model to test both hypotheses against the pixels and to set expectations aside, `measure` to measure
each target before it answers. `comparison` asks which target has more; "the same" is no option. `prior` shows no
picture, and asks once for each base item which answer textbooks give: yes-no, without an instruction. Without
`rationale` the reply is the answer alone, so that its first token already tells how sure the model is.
"""
_USUAL = {
    "instruction": ("none",),
    "placement": ("system",),
    "task": ("yes-no",),
    "sight": ("shown",),
    "rationale": (REASONED,),
}
DEFAULTS = {**SETTINGS, **_USUAL}
_UNSAID = {
    "polarity": None,
    "instruction": "none",
    "placement": "none",
    "task": "yes-no",
    "sight": "shown",
    "rationale": REASONED,
}


def with_settings(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of questions about pictures with a column per setting, and the family as `case`.

    Where some replies have reasons and others none, those with reasons.
    """
    shown = rows_where(with_every_setting(outcomes), pl.col("sight") != PRIOR)
    reasoned = pl.col("rationale") == REASONED
    return rows_where(shown, reasoned) if shown.select(reasoned.any()).item() else shown


def expectations(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The same of questions about what textbooks say, asked without a picture."""
    return with_every_setting(outcomes).filter(pl.col("sight") == PRIOR)


def with_every_setting(outcomes: pl.DataFrame) -> pl.DataFrame:
    """All outcomes with a column per setting, and the family as `case`."""
    texts = outcomes["settings"].unique().to_list()
    stored = {text: _UNSAID | json.loads(text) for text in texts}
    coded = outcomes.with_columns(
        pl.col("family").alias("case"),
        *(
            pl.col("settings")
            .replace_strict({text: stored[text][name] for text in texts}, return_dtype=pl.String)
            .alias(name)
            for name in SETTINGS
        ),
    )
    return held_once(coded, tuple(SETTINGS))


def rows_where(rows: pl.DataFrame, holds: pl.Expr) -> pl.DataFrame:
    """The rows for which that holds; where it holds for all, the frame itself, not a second one in memory."""
    kept = rows.select(holds.fill_null(value=False)).to_series()
    return rows if kept.all() else rows.filter(kept)


def ways(rows: pl.DataFrame) -> list[tuple[str, str]]:
    """The pairs of instruction and placement in the rows, starting with the one without an instruction."""
    return ways_in_order(set(rows.select("instruction", "placement").unique().iter_rows()))


def ways_in_order(present: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """These pairs of instruction and placement, the one without an instruction first."""
    places = ("none", *SETTINGS["placement"])
    return [(level, place) for level in SETTINGS["instruction"] for place in places if (level, place) in present]


def baseline(rows: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The rows without an instruction, or else those of the first instruction; and a note on it for `method`."""
    if not (present := ways(rows)):
        return rows, ""
    level, place = present[0]
    chosen = rows_where(rows, (pl.col("instruction") == level) & (pl.col("placement") == place))
    return chosen, "" if level == "none" else f"; instructed to {level}, in the {place} turn"


def split_by_instruction(rows: pl.DataFrame) -> Iterator[tuple[dict[str, Json], pl.DataFrame]]:
    """The rows of each instruction, and of each placement if it has several; nothing if there is only one pair."""
    present = ways(rows)
    if len(present) < 2:
        return
    for level in dict.fromkeys(level for level, _ in present):
        instructed = rows.filter(pl.col("instruction") == level)
        yield {"instruction": level}, instructed
        places = [place for other, place in present if other == level]
        if len(places) > 1:
            for place in places:
                yield {"instruction": level, "placement": place}, instructed.filter(pl.col("placement") == place)
