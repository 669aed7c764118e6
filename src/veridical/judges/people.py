"""People's labels of judged replies: read from a table, with their mean as the reference and their agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from veridical.errors import InputError, unknown
from veridical.judges.verdict_frames import KEY, check_verdicts
from veridical.stats import Statistic, krippendorff_alpha
from veridical.stimulus_set.imports.sheets import SheetRow, number, read_rows

Ranges = Mapping[str, tuple[float, float]]
"""The range of each score, by its name."""

_REQUIRED, _OPTIONAL = ("item", "person", "label"), ("model", "score_name", "weight")
_WORDS = {"yes": 1.0, "true": 1.0, "correct": 1.0, "right": 1.0, "no": 0.0, "false": 0.0, "wrong": 0.0}
_WORDS |= {"incorrect": 0.0}
_BINARY = (0.0, 1.0)


@dataclass(frozen=True)
class People:
    """What people said: `labels`, one row each; `reference`, their mean per reply and score; and their agreement.

    `reference` has the columns item, model, score_name, reference, people and weight. `agreement` is Krippendorff's
    alpha by score name, without a value where fewer than two people labeled the same replies. `blank` counts rows
    without a label.
    """

    labels: pl.DataFrame
    reference: pl.DataFrame
    agreement: Mapping[str, Statistic]
    blank: int = 0


def read_people(
    paths: Path | Sequence[Path], verdicts: pl.DataFrame, ranges: Ranges, weights: Mapping[str, float] | None = None
) -> People:
    """The labels in tables with the columns item, person, label and, where they are needed, model and score_name.

    A label is a number in the range of its score; of a score from 0 to 1, also yes, no, true, false, correct and wrong.
    A row with an empty label is counted as blank. `weights` says for how many replies an item stands (see `read_key`);
    without it, a column `weight` does, else each stands for one. Other columns are left out. Raises `InputError` for an
    unknown item or score, a label out of range, two labels of one person for one reply, and tables without labels.
    """
    places = [paths] if isinstance(paths, Path) else list(paths)
    rows = [row for path in places for row in read_rows(path, _REQUIRED, _OPTIONAL, others=True)]
    judged = check_verdicts(verdicts)
    models: dict[str, list[str]] = {}
    for item, model in judged.select(KEY).unique(maintain_order=True).iter_rows():
        models.setdefault(item, []).append(model)
    filled = [row for row in rows if row.cells["label"]]
    if not filled:
        names = ", ".join(map(str, places))
        raise InputError(f"{names} holds no label: the column 'label' is empty in all {len(rows):,} rows")
    labeled: dict[tuple[str, str, str, str], str] = {}
    records = []
    for row in filled:
        score = _score_name(row, ranges)
        item, model = _reply(row, models)
        person = row.cells["person"]
        if not person:
            raise InputError(f"{row.place}: person is empty: a name or number is needed")
        key = item, model, score, person
        if key in labeled:
            raise InputError(
                f"{row.place}: '{person}' labeled item '{item}' in {labeled[key]} already: one label per person and"
                " reply is allowed"
            )
        labeled[key] = row.place.rpartition(", ")[2] if len(places) == 1 else row.place
        records.append((*key, _label(row, ranges[score]), _weight(row, weights)))
    return _people(records, ranges, len(rows) - len(filled))


def _people(records: list[tuple[str, str, str, str, float, float]], ranges: Ranges, blank: int) -> People:
    names = ("item", "model", "score_name", "person", "label", "weight")
    kinds = (pl.String, pl.String, pl.String, pl.String, pl.Float64, pl.Float64)
    labels = pl.DataFrame(records, schema=dict(zip(names, kinds, strict=True)), orient="row")
    reference = labels.group_by("item", "model", "score_name", maintain_order=True).agg(
        pl.col("label").mean().alias("reference"), pl.len().alias("people"), pl.col("weight").first()
    )
    agreement = {
        str(score): people_alpha(rows, ranges[str(score)])
        for (score,), rows in labels.group_by("score_name", maintain_order=True)
    }
    return People(labels, reference, agreement, blank)


def people_alpha(labels: pl.DataFrame, score_range: tuple[float, float]) -> Statistic:
    """Krippendorff's alpha among people on one score: nominal from 0 to 1, otherwise of intervals."""
    wide = labels.with_columns(reply=pl.struct(KEY).rank("dense") - 1, rater=pl.col("person").rank("dense") - 1)
    ratings = np.full((wide["rater"].n_unique(), wide["reply"].n_unique()), np.nan)
    ratings[wide["rater"].to_numpy(), wide["reply"].to_numpy()] = wide["label"].to_numpy()
    return krippendorff_alpha(ratings, "nominal" if score_range == _BINARY else "interval")


def _score_name(row: SheetRow, ranges: Ranges) -> str:
    name = row.cells["score_name"]
    if not name and len(ranges) == 1:
        return next(iter(ranges))
    if not name:
        raise InputError(f"{row.place}: there are the scores {', '.join(ranges)}: name one in a column 'score_name'")
    if name not in ranges:
        raise InputError(f"{row.place}: {unknown('score', name, ranges)}")
    return name


def _reply(row: SheetRow, models: Mapping[str, list[str]]) -> tuple[str, str]:
    item, model = row.cells["item"], row.cells["model"]
    if item not in models:
        raise InputError(f"{row.place}: no verdict is about item '{item}': the items of the sample are allowed")
    if not model and len(models[item]) == 1:
        return item, models[item][0]
    if not model:
        names = ", ".join(models[item])
        raise InputError(f"{row.place}: item '{item}' has replies of {names}: name one in a column 'model'")
    if model not in models[item]:
        raise InputError(f"{row.place}: {unknown('model', model, models[item])}")
    return item, model


def _label(row: SheetRow, score_range: tuple[float, float]) -> float:
    text = row.cells["label"].lower()
    value = _WORDS[text] if score_range == _BINARY and text in _WORDS else number(row, "label")
    low, high = score_range
    if not low <= value <= high:
        raise InputError(f"{row.place}: label {value:g}: {low:g} to {high:g} are allowed")
    return value


def _weight(row: SheetRow, weights: Mapping[str, float] | None) -> float:
    if weights is not None:
        if row.cells["item"] not in weights:
            raise InputError(
                f"{row.place}: the key has no item '{row.cells['item']}': the key of this sample is needed"
            )
        return weights[row.cells["item"]]
    return _above_0(row) if row.cells["weight"] else 1.0


def _above_0(row: SheetRow) -> float:
    value = number(row, "weight")
    if value <= 0:
        raise InputError(f"{row.place}: weight {value:g}: a number above 0 is needed, as the sample has it")
    return value


def read_key(path: Path) -> dict[str, float]:
    """For how many replies each item stands, by item, from the key that a sample is written with.

    Raises `InputError` for a table without items and weights, and for a weight that is not above 0.
    """
    return {row.cells["item"]: _above_0(row) for row in read_rows(path, ("item", "weight"), others=True)}
