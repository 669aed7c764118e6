"""Tables and figures as files."""

import math
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import toy
from veridical.errors import InputError
from veridical.records import Estimate
from veridical.report import Exhibits, write_figures, write_tables
from veridical.suite.results import Figure, Table

VALUES = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def suite_with(**parts):
    return toy.suite(presentation=replace(toy.PRESENTATION, **parts))


def written(folder, *rows, columns=("name", "n", "PFA")):
    table = Table("main", "Main", "", columns, tuple(rows))
    return write_tables(Exhibits(suite_with(tables=lambda _: [table]), []), folder)[0]


@given(
    st.lists(st.tuples(VALUES, VALUES, VALUES, st.none() | st.text("ab ,\"'\n", min_size=1)), min_size=1, max_size=9)
)
def test_estimates_read_back_number_for_number(tmp_path_factory, parts):
    rows = [("m", 7, toy.estimate("PFA", v, low, high, reason=reason)) for v, low, high, reason in parts]
    path = written(tmp_path_factory.mktemp("t"), *rows)
    schema = {"name": pl.String, "n": pl.Int64}
    schema |= {"PFA": pl.Float64, "PFA low": pl.Float64, "PFA high": pl.Float64, "PFA reason": pl.String}
    frame = pl.read_csv(path, schema=schema)
    reasons = [r if r is None or not r.startswith("\n") else "'" + r for *_, r in parts]
    assert frame.rows() == [("m", 7, *p[:3], reason) for p, reason in zip(parts, reasons, strict=True)]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_cell_is_a_formula(tmp_path, start):
    text = f"{start}HYPERLINK(1)"
    estimate = toy.estimate("PFA", None, None, None, reason=text)
    path = written(tmp_path, (text, -1, estimate), columns=(text, "n", text + "2"))
    frame = pl.read_csv(path, infer_schema=False)
    cells = [*frame.columns, *(cell for cell in frame.row(0) if cell is not None)]
    assert [cell for cell in cells if cell.startswith(start) and cell != "-1"] == []
    assert frame.row(0) == ("'" + text, "-1", None, None, None, "'" + text)


def test_numbers_stay_numbers(tmp_path):
    path = written(tmp_path, ("a", -5, -0.25), ("b", 6, None))
    assert pl.read_csv(path).rows() == [("a", -5, -0.25), ("b", 6, None)]


def test_text_with_a_lone_surrogate_is_written(tmp_path):
    assert "\\udc80" in written(tmp_path, ("a\udc80", 1, 1)).read_text(encoding="utf-8")


def test_a_row_without_a_cell_for_each_column_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"row 1 has 2 cells for 3 columns"):
        written(tmp_path, ("a", 1))


@pytest.mark.parametrize("names", [("../up",), ("",), (".hidden",), ("a/b",), ("Main", "main")])
def test_a_name_that_cannot_be_a_file_is_refused(tmp_path, names):
    tables = [Table(name, "", "", ("a",), ()) for name in names]
    figures = [Figure(name, "", "", toy.SVG) for name in names]
    suite = suite_with(tables=lambda _: tables, figures=lambda _: figures)
    for write in (write_tables, write_figures):
        with pytest.raises(InputError, match="name"):
            write(Exhibits(suite, []), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_figures_are_written_as_they_were_drawn(tmp_path):
    paths = write_figures(Exhibits(toy.suite(), []), tmp_path / "figures")
    assert [path.name for path in paths] == ["one.svg", "two.svg"]
    assert {path.read_text(encoding="utf-8") for path in paths} == {toy.SVG}


def test_an_estimate_is_written_in_its_own_unit(tmp_path):
    estimates: list[Estimate] = [toy.ESTIMATES[0], toy.ESTIMATES[2]]
    path = written(tmp_path, ("m", *estimates), columns=("name", "PFA", "gap"))
    row = pl.read_csv(path).row(0, named=True)
    assert math.isclose(row["PFA"], 0.9166)
    assert (row["gap"], row["gap low"], row["gap high"]) == (12.34, -3.21, 20.0)
