"""A stratified sample of judged replies for people: equally many of each type, band of the score, and model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from veridical.base.files import write_whole
from veridical.base.format import visible
from veridical.errors import InputError
from veridical.judges.verdict_frames import KEY

STRATA = ("type", "band", "model")
BLANK = ("person", "label")
HIDDEN = ("model", "type", "band", "score", "weight")
"""What people must not see. A weight gives the band away: it says how common the reply's stratum is."""

NO_SCORE = "no verdict"
_NAMED = 5


@dataclass(frozen=True)
class ReplySample:
    """What was drawn: `rows` in a random order, and by stratum how many there were and how many were drawn.

    Each row has a `weight`: how many replies of its stratum it stands for.
    """

    rows: pl.DataFrame
    strata: pl.DataFrame

    @property
    def empty(self) -> str | None:
        """One line that names the strata without any reply, or `None`."""
        empty = self.strata.filter(pl.col("available") == 0)
        if empty.is_empty():
            return None
        names = [" × ".join(map(str, row)) for row in empty.select(STRATA).head(_NAMED).iter_rows()]
        more = f" and {len(empty) - _NAMED:,} more" if len(empty) > _NAMED else ""
        return f"{len(empty):,} of {len(self.strata):,} strata have no reply: {', '.join(names)}{more}"

    def write(self, out: Path | str, scores: Mapping[str, tuple[float, float]] | None = None) -> tuple[Path, Path]:
        """Writes a CSV for people and, beside it, its key `…-key.csv`; returns both paths.

        The file for people has empty columns `person` and `label`, and nothing of `HIDDEN`. With `scores`, the ranges
        of several scores, each reply has one row per score, with its name and what is allowed. The key has the hidden
        columns by item. Raises `InputError` if a file exists already or cannot be written.
        """
        place = Path(out)
        key = key_of(place)
        for path in (place, key):
            if path.exists():
                raise InputError(f"{path} exists, and may hold labels: name another file")
        rows = self.rows.drop(name for name in HIDDEN if name in self.rows.columns)
        if scores:
            ranges = [
                (name, f"{low:g} to {high:g}{_WORDS if (low, high) == (0, 1) else ''}")
                for name, (low, high) in scores.items()
            ]
            rows = rows.join(pl.DataFrame(ranges, schema=["score_name", "allowed"], orient="row"), how="cross")
        rows = rows.with_columns(pl.lit("").alias(name) for name in BLANK).with_columns(
            pl.col(name).map_elements(_harmless, pl.String) for name, kind in rows.schema.items() if kind == pl.String
        )
        hidden = self.rows.select("item", *(name for name in HIDDEN if name in self.rows.columns)).sort("item")
        try:
            write_whole(place, rows.write_csv().encode())
            write_whole(key, hidden.write_csv().encode())
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}") from error
        return place, key


def key_of(people: Path) -> Path:
    """The place of the key of a file for people."""
    return people.with_name(f"{people.stem}-key.csv")


_WORDS = " (no or yes)"


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula, with hidden characters written out."""
    shown = visible(text)
    return f"'{shown}" if shown[:1] in _FORMULA and not _is_number(shown) else shown


_FORMULA = frozenset("=+-@\t\r")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def bands(score: pl.Expr, low: float, high: float, count: int) -> pl.Expr:
    """The band of a score among `count` equally wide ones from `low` to `high`, by name; "no verdict" without a score.

    >>> scores = pl.DataFrame({"score": [0.0, 4.0, 10.0, None]})
    >>> scores.select(bands(pl.col("score"), 0, 10, 2).alias("band"))["band"].to_list()
    ['0 to 5', '0 to 5', '5 to 10', 'no verdict']
    """
    width = (high - low) / count
    place = ((score - low) / width).floor().clip(0, count - 1)
    named = pl.lit(NO_SCORE)
    for index in reversed(range(count)):
        named = pl.when(place == index).then(pl.lit(_name(index, low, high, count))).otherwise(named)
    return named


def sample(
    replies: pl.DataFrame,
    *,
    score_range: tuple[float, float],
    per_stratum: int = 5,
    score_bands: int = 3,
    seed: int = 0,
) -> ReplySample:
    """A sample of judged replies, up to `per_stratum` of each type × band of the score × model.

    `replies` has the columns item, a name of its own for each reply, model, type and score (null where no verdict was
    read: a band of its own where it occurs), one row per reply, and what people are to see. Raises `InputError` for
    numbers that are not allowed, and for a table without replies.
    """
    _require(replies, score_range, per_stratum, score_bands)
    low, high = score_range
    named = replies.with_columns(bands(pl.col("score"), low, high, score_bands).alias("band"))
    every = _crossed(named, low, high, score_bands)
    order = np.random.default_rng(seed).permutation(len(named))
    shuffled = named[order]
    available = shuffled.group_by(STRATA).agg(pl.len().cast(pl.Int64).alias("available"))
    drawn = pl.min_horizontal("available", pl.lit(per_stratum)).alias("drawn")
    strata = every.join(available, on=STRATA, how="left", maintain_order="left").fill_null(0).with_columns(drawn)
    place = pl.int_range(pl.len()).over(STRATA)
    rows = shuffled.filter(place < per_stratum).join(strata, on=STRATA, how="left", maintain_order="left")
    weight = (pl.col("available") / pl.col("drawn")).alias("weight")
    return ReplySample(rows.with_columns(weight).drop("available", "drawn"), strata)


def _require(replies: pl.DataFrame, score_range: tuple[float, float], per_stratum: int, score_bands: int) -> None:
    for name in (*KEY, "type", "score"):
        if name not in replies.columns:
            raise InputError(f"the table of replies has no column '{name}': item, model, type and score are needed")
    if replies.is_empty():
        raise InputError("there is no judged reply to draw from")
    twice = replies.filter(pl.col("item").is_duplicated())
    if len(twice):
        raise InputError(f"item '{twice['item'][0]}' occurs more than once: a name of its own for each reply is needed")
    for name, value in (("per stratum", per_stratum), ("score bands", score_bands)):
        if value < 1:
            raise InputError(f"{name} {value}: 1 or more are allowed")
    low, high = score_range
    outside = replies["score"].drop_nulls()
    outside = outside.filter((outside < low) | (outside > high))
    if len(outside):
        raise InputError(f"score {outside[0]:g}: {low:g} to {high:g} are allowed")


def _crossed(named: pl.DataFrame, low: float, high: float, count: int) -> pl.DataFrame:
    """Every stratum: the types and models that occur, crossed with all bands; without a verdict, those that occur."""
    names = pl.DataFrame({"band": [_name(index, low, high, count) for index in range(count)]})
    types, models = (named.select(name).unique().sort(name) for name in ("type", "model"))
    crossed = types.join(names, how="cross").join(models, how="cross").select(STRATA)
    none = named.filter(pl.col("band") == NO_SCORE).select(STRATA).unique().sort(STRATA)
    return pl.concat([crossed, none])


def _name(index: int, low: float, high: float, count: int) -> str:
    width = (high - low) / count
    return f"{low + index * width:.3g} to {low + (index + 1) * width:.3g}"
