"""Every table of every paper loads, has the declared columns, and each of its cells once."""

import csv
import re
from pathlib import Path

import pytest

from veridical.errors import InputError
from veridical.published import TITLES
from veridical.published.printed import COLUMNS, KEY, UNITS, Sheet, names, papers, sheet, table
from veridical.published.ranges import printed

TABLES = [(paper, name) for paper in papers() for name in names(paper)]
DATA = Path(__file__).parents[2] / "src" / "veridical" / "published" / "data"


def test_every_paper_with_tables_has_a_name():
    assert set(papers()) <= set(TITLES)


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_a_table_has_the_declared_columns_and_each_cell_once(paper, name):
    frame = table(paper, name)
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == len(frame.unique(KEY)) > 0
    assert set(frame["paper"]) == {paper}
    assert set(frame["table"]) == {name}
    assert set(frame["unit"]) <= set(UNITS)
    assert all(frame[column].str.strip_chars().eq(frame[column]).all() for column in COLUMNS)
    for column in ("row", "column", "place"):
        assert frame[column].str.len_chars().min() > 0


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_a_table_is_read_as_another_reader_reads_it(paper, name):
    with (DATA / paper / f"{name}.csv").open(newline="") as file:
        assert table(paper, name).to_dicts() == list(csv.DictReader(file))


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_numbers_keep_their_digits_and_lie_in_the_range_of_their_unit(paper, name):
    bounds = {"percent": (-100, 100), "proportion": (-1, 1), "points": (-100, 100), "rank": (1, 1000)}
    for value, unit in table(paper, name).select("value", "unit").iter_rows():
        if unit in bounds and re.search(r"\d", value):
            found, (low, high) = printed(value), bounds[unit]
            assert low <= (found.low + found.high) / 2 <= high, value


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_a_cell_is_found_by_its_labels(paper, name):
    cells = sheet(paper, name)
    for group, row, column, value in table(paper, name).select("group", "row", "column", "value").iter_rows():
        assert cells.text(row, column, group) == value
        assert row in cells.rows(group)


def test_labels_that_name_no_cell_or_several_are_refused():
    runs = Sheet("viabench", "runs")
    with pytest.raises(KeyError, match="0 cells"):
        runs.text("6", "VA / Match")
    with pytest.raises(KeyError, match="2 cells"):
        runs.text("1", "VA / Match")


@pytest.mark.parametrize("wrong", [("viprob", "2"), ("viprobe", "99"), ("viprobe", "../viprobe/2"), ("..", "2")])
def test_a_wrong_name_is_told_the_right_ones_and_never_becomes_a_path(wrong):
    with pytest.raises(InputError, match="known:"):
        table(*wrong)
