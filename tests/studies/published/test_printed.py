"""Every paper with tables has claims, each printed number lies in the range of its unit, and cells have labels."""

import re

import pytest

from studies.published import TITLES
from studies.published.printed import Sheet, sheet
from studies.published.ranges import printed
from veridical.published import names, papers, table

TABLES = [(paper, name) for paper in papers() for name in names(paper)]


def test_every_paper_with_tables_has_a_name():
    assert set(papers()) <= set(TITLES)


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
