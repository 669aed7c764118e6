"""Every figure of a study with its interval and n, as a CSV table beside the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from studies.viprobe.training.results import DECLINED, Record, Results
from studies.viprobe.training.study import UNTAUGHT
from veridical.records import Json
from veridical.stats import wilson

Figure = tuple[str, str, Sequence[Json], str]
"""The case, the name of the figure, its value with bounds and n, and the verdict."""

_NONE = (None, None, None, None)
_COLUMNS = {
    "network": pl.String,
    "seed": pl.Int64,
    "way": pl.String,
    "pictures": pl.String,
    "case": pl.String,
    "figure": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "n": pl.Int64,
    "verdict": pl.String,
}


def every_figure(results: Results) -> str:
    """The records as CSV, one row per figure; a verdict is a row without a value.

    `way` is how the network was tested: "asked" like any model, "fresh" on a set that was used for no choice, "forced"
    to answer where it would decline, "spoilt" on pictures degraded as in `pictures`, "probed" for its features. `case`
    is empty over the classic cases. Rates are shares, I and the rise are percentage points, sizes are in units of α;
    `n` counts replies or, for read-outs, pictures.
    """
    rows = [
        (each["arm"], each["seed"], each["way"], each.get("change", ""), case, figure, *values, verdict)
        for each in results.records
        for case, figure, values, verdict in (_from_probe(each) if each["way"] == "probed" else _from_replies(each))
    ]
    table = pl.DataFrame(rows, _COLUMNS, orient="row")
    return table.with_columns(pl.col("value", "low", "high").round(5), pl.col(pl.String).replace("", None)).write_csv()


def _from_probe(record: Record) -> Iterator[Figure]:
    for case, right, own, n in record["read"]:
        yield case, "read_out", (right / n, *wilson(right / n, n), n), ""
        if record["arm"] != UNTAUGHT:
            yield case, "own", (own / n, *wilson(own / n, n), n), ""


def _from_replies(record: Record) -> Iterator[Figure]:
    for name in ("I", "rise", DECLINED):
        yield "", name, record[name], ""
    for variant, values in record["rates"].items():
        yield "", variant, values, ""
    yield "", "verdict", _NONE, record["verdicts"][""]
    for part in (record, record["novel"]) if "novel" in record else ():
        for case, variant, *values in part["cases"]:
            yield case, variant, values, ""
        for case, values in part["sizes"].items():
            yield case, "illusion_size", values, ""
        for case, verdict in part["verdicts"].items():
            if case:
                yield case, "verdict", _NONE, verdict
