"""The replies of a run, ready for counting: what was said and asked, by clip, and differences on the same clips."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from string import ascii_uppercase

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.contrasts import SAME_ITEM, Sides, paired_difference
from veridical.suite.reply import REPLY
from veridical.suite.rows import MOST_LEVELS, RIGHT, asked_slices, filter_to_level, score_columns, with_settings
from veridical.suites.magicbench.asking.cells import DEFAULTS, PROBE, SETTINGS
from veridical.suites.magicbench.stimuli import HONEST, LETTERS, NAME, OWN, REAL, TRICK

TRICKS = (TRICK, REAL)
"""The clips with a secret; honest controls are counted apart."""
NOTHING_CLAIMED, ALL_TRUE, SOME_FALSE = CLAIMED = ("nothing claimed", "claims true", "claims false")
"""What is claimed over a clip: nothing, what is true in this clip alone, or something that is false in it."""
BY = ("family", "difficulty", "tag", "tell", "occluder", "decoy_speed", "window", "taken_from")
"""The columns by which clips are sliced, one at a time."""
USUAL = {name: DEFAULTS[name][0] for name in ("video", "frames", "until", "hush", REPLY)}
"""The level of each setting at which figures are made where they do not say another."""
_TYPE_OF = {letter: name for name, letter in LETTERS.items()}
_GRADES = {"tell": ("peek", (0.45, 0.8)), "decoy_speed": ("decoy", None), "window": ("window_length", None)}
"""Slices made of numbers: grades of the tell at its middles, halves of the others at their medians."""

pieces = partial(asked_slices, NAME)


def replies(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of the first stage with a column per setting, null where it does not apply, and numbers to count.

    Added are `words` (what is said: the patter, of a released clip its type; null for vision-only), `type` (the same,
    also of vision-only replies to a released clip), `right` (1 or 0; not answered is 0), and the scores of explanations
    without their prefix. `claimed` is one of `CLAIMED`. Of probes `asks`, `moment`, `probe` (its place), `options`,
    `gold_text` and `answer_text` (the option, null without an answer), `names` (the letters that the words name).
    """
    rows = _with_expected(with_settings(outcomes, SETTINGS))
    own_type = pl.col("linguistic_type").replace_strict(_TYPE_OF, default=None, return_dtype=pl.String)
    words = pl.when(pl.col("patter") == OWN).then(own_type.fill_null(OWN)).otherwise("patter")
    kind = pl.when(pl.col("variant") == REAL).then(own_type.fill_null(OWN)).otherwise(words)
    scores = score_columns(rows, ("confidence", "claims_trick"))
    made = rows.with_columns(words.alias("words"), kind.alias("type"), RIGHT.alias("right"), *scores)
    return made.with_columns(_option("gold").alias("gold_text"), _option("answer").alias("answer_text"))


def _with_expected(rows: pl.DataFrame) -> pl.DataFrame:
    """What the reader of each reply had to know, as columns."""
    cases = rows.select("expects").unique(maintain_order=True)
    read = [json.loads(text) for text in cases["expects"]]
    texts, lists = ("asks", "moment"), {"options": "options", "names": "claimed"}
    columns = [pl.Series(name, [each.get(name) for each in read], dtype=pl.String) for name in texts]
    columns += [
        pl.Series(name, [each.get(key) if "probe" in each else None for each in read], dtype=pl.List(pl.String))
        for name, key in lists.items()
    ]
    columns += [
        pl.Series("probe", [each.get("probe") for each in read], dtype=pl.Int64),
        pl.Series("claimed", [_claimed(each.get("claims")) for each in read], dtype=pl.String),
    ]
    return rows.join(cases.with_columns(columns), on="expects", how="left", maintain_order="left")


def _claimed(claims: list[bool] | None) -> str | None:
    if claims is None:
        return None
    return NOTHING_CLAIMED if not claims else ALL_TRUE if all(claims) else SOME_FALSE


def _option(column: str) -> pl.Expr:
    """The text of the option whose letter a column has; null for a letter that is none."""
    places = {letter: place for place, letter in enumerate(ascii_uppercase)}
    place = pl.when(pl.col("task") == PROBE).then(
        pl.col(column).replace_strict(places, default=None, return_dtype=pl.Int64)
    )
    return pl.col("options").list.get(place, null_on_oob=True)


def plain_replies(rows: pl.DataFrame, task: str, free: Collection[str] = ()) -> tuple[pl.DataFrame, str]:
    """The replies to a task at one level of frames, video, hush and reply but the `free` ones, and a note for `method`.

    The level is the usual one, or the first that the run has. Rows to which a setting does not apply are kept.
    """
    return filter_to_level(rows.filter(pl.col("task") == task), USUAL, SETTINGS, free)


def tricks(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of clips with a secret."""
    return rows.filter(pl.col("variant").is_in(TRICKS))


def honest(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of honest controls."""
    return rows.filter(pl.col("variant") == HONEST)


def clip_breakdowns(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The columns of `BY` that have levels here, and not too many, each with the rows that have one.

    A row stands once for each challenge tag of its clip.
    """
    for name in BY:
        own = _sliced(rows, name).drop_nulls(name)
        if 1 < own[name].n_unique() <= MOST_LEVELS:
            yield name, own


def _sliced(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    if name == "tag":
        tags = pl.col("tags").str.split(",").list.eval(pl.element().str.strip_chars().replace("", None))
        return rows.with_columns(tags.alias("tag")).explode("tag")
    if name not in _GRADES:
        return rows
    source, edges = _GRADES[name]
    if rows[source].null_count() == len(rows):
        return rows.with_columns(pl.lit(None, pl.String).alias(name))
    if edges is None:
        middle = rows.select("stimulus", source).unique()[source].median()
        halves = pl.when(pl.col(source) <= middle).then(pl.lit("lower half")).otherwise(pl.lit("upper half"))
        return rows.with_columns(pl.when(pl.col(source).is_not_null()).then(halves).alias(name))
    value, (faint, plain_from) = pl.col(source), edges
    grade = pl.when(value <= faint).then(pl.lit("faint")).when(value <= plain_from).then(pl.lit("medium"))
    return rows.with_columns(pl.when(value.is_not_null()).then(grade.otherwise(pl.lit("plain"))).alias(name))


def same_clip_difference(
    rows: pl.DataFrame,
    metric: str,
    column: str,
    sides: Sides,
    where: Mapping[str, Json],
    note: str = "",
    pair_by: Collection[str] = SAME_ITEM,
) -> Estimate:
    """The mean of a column of values from 0 to 1 on one side less that on the other, in points, on the same clips.

    p is that of the sign-flip test by unit, not yet corrected. Counts are those of all replies on both sides.
    """
    plus, minus, words = sides
    stated = (plus, minus, f"{words}, on the same clips; not answered is 0")
    lacking = "no clip has both sides"
    return paired_difference(NAME, rows, metric, column, stated, where, note, pair_by=pair_by, lacking=lacking)
