"""Which model was served is told with each reply, and a table says where it changed within a run."""

import polars as pl
import pytest

import veridical
from tests.ask.server import Reply, said
from tests.probe.staged import EYE, answering, drawn

CHANGES_AFTER = 3


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    """A set of which every trial is text, two trials a unit."""
    return drawn(tmp_path_factory.mktemp("sums") / "set", sums=4)


def served(whole, folder, name):
    """A run whose server says of each request, by its number, which model it asked."""
    with answering(lambda r: Reply(body={**said("<answer>1</answer>").body, "model": name(r.number)})) as server:
        return veridical.run(whole, EYE, base_url=server.url, out=folder, max_connections=1, show="quiet")


def test_a_table_says_from_when_to_when_each_model_was_served(sums, tmp_path):
    run = served(sums, tmp_path / "run", lambda number: "eye-1 <i>" if number <= CHANGES_AFTER else "eye-2")
    table = pl.read_csv(tmp_path / "run/tables/served-models.csv")
    first, second = table.iter_rows(named=True)
    assert (first["Served as"], first["Replies"], second["Served as"]) == ("eye-1 <i>", CHANGES_AFTER, "eye-2")
    assert first["First reply"] <= first["Last reply"] <= second["First reply"] <= second["Last reply"]
    assert first["Replies"] + second["Replies"] == run.counts.asked
    page = veridical.write_report([run.folder], tmp_path / "page.html").read_text()
    assert "Served models" in page
    assert "eye-1 &lt;i&gt;" in page
    assert "eye-1 <i>" not in page


def test_models_that_alternate_are_a_row_each(tmp_path):
    many = drawn(tmp_path / "set", sums=10)
    run = served(many, tmp_path / "run", lambda number: f"eye-{number % 2}")
    table = pl.read_csv(tmp_path / "run/tables/served-models.csv")
    assert sorted(table["Served as"]) == ["eye-0", "eye-1"]
    assert table["Replies"].sum() == run.counts.asked > 12
    assert abs(table["Replies"][0] - table["Replies"][1]) <= 1


def test_an_embedded_observer_is_served_by_nobody(seeing):
    assert not (seeing.folder / "tables/served-models.csv").exists()
    assert seeing.outcomes()["served"].null_count() == len(seeing.outcomes())
