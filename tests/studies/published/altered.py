"""A published table with one cell changed, to see that a claim notices."""

import polars as pl

from studies.published import printed
from studies.published.check import checked
from studies.published.claims import source


def altered(monkeypatch, paper, name, row, column, value, group=None):
    """From here on the table is read with `value` in that cell; the cell as printed is returned."""
    here = (pl.col("row") == row) & (pl.col("column") == column)
    if group is not None:
        here &= pl.col("group") == group
    read = printed.table
    frame = read(paper, name)
    old = frame.filter(here)["value"].item()
    changed = frame.with_columns(value=pl.when(here).then(pl.lit(value)).otherwise(pl.col("value")))
    monkeypatch.setattr(printed, "table", lambda p, n: changed if (p, n) == (paper, name) else read(p, n))
    printed.sheet.cache_clear()
    return old


def result(claim_id):
    """The verdict on one claim, by its id."""
    of = source(claim_id.partition("-")[0])
    (claim,) = (claim for claim in of.claims if claim.id == claim_id)
    return checked(claim, of)
