"""Tables of a user are rows of text, whatever the file, and bad ones end in a line."""

import sys
import zipfile

import polars as pl
import pytest

from tests.imported.workbooks import write_workbook
from veridical.errors import InputError
from veridical.stimulus_set.imports.sheets import number, read_rows

CELLS = {"unit": ["a", " b ", None], "label": ["1", "0.50", "=1+1"]}


@pytest.fixture
def write(tmp_path):
    def as_file(kind, frame):
        path = tmp_path / f"table.{kind}"
        if kind == "csv":
            frame.write_csv(path)
        elif kind == "parquet":
            frame.write_parquet(path)
        else:
            pytest.importorskip("fastexcel")
            write_workbook(path, [frame.columns, *([cell or "" for cell in row] for row in frame.iter_rows())])
        return path

    return as_file


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_a_table_is_the_same_text_from_every_kind_of_file(write, kind):
    rows = read_rows(write(kind, pl.DataFrame(CELLS)), ("unit", "label"), ("more",))
    assert [row.cells["unit"] for row in rows] == ["a", "b", ""]
    assert [row.cells["label"] for row in rows] == ["1", "0.50", "=1+1"]
    assert {row.cells["more"] for row in rows} == {""}
    assert [row.place.rpartition(", ")[2] for row in rows] == ["row 1", "row 2", "row 3"]


def test_numbers_and_truths_of_parquet_are_read_as_text(write):
    path = write("parquet", pl.DataFrame({"unit": [1, 2], "label": [True, False]}))
    rows = read_rows(path, ("unit", "label"))
    assert [tuple(row.cells.values()) for row in rows] == [("1", "true"), ("2", "false")]
    assert [number(row, "unit") for row in rows] == [1.0, 2.0]


def test_of_a_formula_the_stored_result_is_read(tmp_path):
    pytest.importorskip("fastexcel")
    write_workbook(tmp_path / "table.xlsx", [["unit"], [("1+1", "seven")]])
    assert [row.cells["unit"] for row in read_rows(tmp_path / "table.xlsx", ("unit",))] == ["seven"]


def test_xlsx_without_its_package_says_how_to_get_it(tmp_path, monkeypatch):
    write_workbook(tmp_path / "table.xlsx", [["unit"], ["a"]])
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(InputError, match=r"fastexcel: install it with .* or save the table as CSV"):
        read_rows(tmp_path / "table.xlsx", ("unit",))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("unt,label\na,1\n", r"column 'unit' is missing \(is it 'unt'\?\)"),
        ("unit,label,contrl\na,1,x\n", "unknown column 'contrl': did you mean 'control'"),
        ("unit,label\n", "holds no row"),
        ("", "cannot be read"),
        ('unit,label\n"a', "cannot be read|column"),
        ("unit,label\na,b,c,d\n", "cannot be read"),
        (f"unit,label\na,{'x' * 20_000}\n", "label has 20,000 characters"),
    ],
)
def test_a_bad_table_is_told_in_one_line(tmp_path, content, said):
    (tmp_path / "table.csv").write_text(content)
    with pytest.raises(InputError, match=said) as error:
        read_rows(tmp_path / "table.csv", ("unit", "label"), ("control",))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["table.parquet", "table.xlsx", "table.csv", "table.txt"])
def test_bytes_that_are_no_table_are_told_in_one_line(tmp_path, name):
    if name.endswith("xlsx"):
        pytest.importorskip("fastexcel")
    (tmp_path / name).write_bytes(b"\xff\xfe\x00PK no table \x80")
    with pytest.raises(InputError) as error:
        read_rows(tmp_path / name, ("unit",))
    assert "\n" not in str(error.value)


def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path):
    pytest.importorskip("fastexcel")
    with zipfile.ZipFile(tmp_path / "table.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(300 * 2**20))
    with pytest.raises(InputError, match="unpacks to more than 256 MB"):
        read_rows(tmp_path / "table.xlsx", ("unit",))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_rows(tmp_path / "table.csv", ("unit",))


@pytest.mark.parametrize("text", ["", "a", "nan", "inf", "1,5"])
def test_what_is_no_number_is_told_with_its_place(tmp_path, text):
    (tmp_path / "table.csv").write_text(f'unit,label\n"{text}",1\n')
    (row,) = read_rows(tmp_path / "table.csv", ("unit", "label"))
    with pytest.raises(InputError, match="row 1: unit"):
        number(row, "unit")
