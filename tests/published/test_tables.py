"""Every table of every paper loads, has the declared columns, and each of its cells once."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from veridical.errors import InputError
from veridical.published.tables import COLUMNS, KEY, UNITS, names, papers, table

TABLES = [(paper, name) for paper in papers() for name in names(paper)]
DATA = Path(__file__).parents[2] / "src" / "veridical" / "published" / "data"


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


@pytest.mark.parametrize("wrong", [("viprob", "2"), ("viprobe", "99"), ("viprobe", "../viprobe/2"), ("..", "2")])
def test_a_wrong_name_is_told_the_right_ones_and_never_becomes_a_path(wrong):
    with pytest.raises(InputError, match="known:"):
        table(*wrong)


def test_the_command_line_starts_without_the_published_tables():
    code = "import sys, veridical.cli; print([m for m in sys.modules if m.startswith('studies.published')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
