"""A table whose columns of one value are held once is the same table to everyone who reads it."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from veridical.base.columns import held_once

CELLS = {
    "text": (pl.String(), st.sampled_from([None, "", "a", "a longer text than twelve bytes"])),
    "count": (pl.Int64(), st.sampled_from([None, 0, 2**60])),
    "share": (pl.Float64(), st.sampled_from([None, 0.0, -0.0, float("nan")])),
    "flag": (pl.Boolean(), st.sampled_from([None, True])),
    "case": (pl.Enum(["x", "y"]), st.sampled_from([None, "x", "y"])),
}


@given(st.lists(st.fixed_dictionaries({name: cells for name, (_, cells) in CELLS.items()}), max_size=3))
def test_a_table_held_once_has_the_same_rows_types_and_pieces(rows):
    table = pl.DataFrame(rows, schema={name: kind for name, (kind, _) in CELLS.items()}, orient="row")
    held = held_once(table)
    assert_frame_equal(held, table, check_exact=True)
    assert list(map(str, held["share"])) == list(map(str, table["share"]))
    assert_frame_equal(held.filter(pl.col("text").is_null()), table.filter(pl.col("text").is_null()))
    assert_frame_equal(pl.concat([held, table.reverse()]), pl.concat([table, table.reverse()]))


def test_a_column_of_one_value_takes_no_memory_a_row():
    table = pl.DataFrame({"same": ["a text that is in every row"] * 1000, "other": range(1000), "none": [None] * 1000})
    assert held_once(table).select("same", "none").estimated_size() < table.select("same").estimated_size() / 100
    assert held_once(table, ["other"]).estimated_size() == table.estimated_size()
