"""The notebook runs from its first cell to its last in a kernel, and shows what the stored one shows."""

from pathlib import Path

import nbformat
import pytest

from tests.notebook import executed

PLACE = Path(__file__).parents[3] / "examples" / "first_run.ipynb"
VERDICTS = ("veridical", "loss on figures", "undetermined")


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory):
    """The notebook as it is stored, and as it comes out of a kernel."""
    return nbformat.read(PLACE, as_version=4), executed(PLACE, tmp_path_factory.mktemp("notebook"))


def outputs(notebook):
    """What each code cell gives, with the kinds of content that it has."""
    cells = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [[sorted(each.data) for each in given if each.output_type != "stream"] for given in cells]


def column(notebook, start):
    """The verdicts by case in the table of the cell that begins so."""
    (cell,) = [cell for cell in notebook.cells if cell.source.startswith(start)]
    lines = cell.outputs[-1].data["text/plain"].splitlines()
    rows = [[part.strip() for part in line.strip("│").split("┆")] for line in lines if "┆" in line]
    return {row[0]: row[1] for row in rows if row[1] in VERDICTS}


def test_a_kernel_gives_the_verdicts_and_the_kinds_of_output_that_are_stored(notebooks):
    stored, made = notebooks
    assert outputs(made) == outputs(stored)
    for start, verdict in (("pixel, textbook = runs", "loss on figures"), ("pixel.tables()", "veridical")):
        assert column(made, start) == column(stored, start)
        assert column(made, start)["overall"] == verdict


def test_the_figures_and_the_pictures_stand_in_the_notebook(notebooks):
    for notebook in notebooks:
        data = [each.get("data", {}) for cell in notebook.cells for each in cell.get("outputs", ())]
        assert sum("image/svg+xml" in each for each in data) == 2
        assert data[0]["text/html"].count("data:image/png;base64,") == 12
    assert PLACE.stat().st_size < 400_000
