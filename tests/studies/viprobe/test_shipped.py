"""The page about the observers that come with the library: what stands there is what a run of them comes to."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import veridical
from studies.viprobe.commands import main
from studies.viprobe.training import shipped
from tests.calling import called
from veridical.suites.viprobe.illusions import CASES

STUDIED = Path(__file__).parents[3] / "docs" / "learned-observers.csv"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("examined")


@pytest.fixture(scope="module")
def found(place, one_process):
    """Two of the four networks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "SHIPPED", ("textbook", "heldout"))
        return shipped.examine(place, units=1, levels=2)


def cells(page, first):
    """The rows of the table whose head begins so."""
    rows = page[page.index(f"| {first} |") :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_the_figures_are_those_of_a_run(found, place, tmp_path):
    run = veridical.run(
        place / "shipped", "veridical/learned-heldout", out=tmp_path / "run", show="quiet", analyze=False
    )
    (examined,) = [each for each in found if each.name == "heldout"]
    rates = {tuple(e.slice.items()): e.value for e in run.estimates() if e.metric == "PFA"}
    ours = {tuple(e.slice.items()): e.value for e in examined.result.estimates if e.metric == "PFA"}
    assert ours == rates
    assert {"OS", "PS"} <= {dict(where).get("variant") for where in ours}


def test_every_case_with_clutter_is_told_of_every_network(found):
    rows = cells(shipped.page(found, {}), "network | case | PC")
    cluttered = [case.name for case in CASES.values() if not case.novel and not case.no_clutter]
    assert [row[:2] for row in rows] == [[each.name, case] for each in found for case in cluttered]
    assert len(cluttered) == 22
    for name, case, *_, declined in rows:
        outcomes = next(each for each in found if each.name == name).result.outcomes
        amid = outcomes.filter((pl.col("family") == case) & pl.col("variant").is_in(["OS", "PS"]))
        assert int(declined) == round(100 * (amid["status"] != "answered").mean())


def test_verdicts_are_counted_by_what_a_network_was_shown(found):
    rows = cells(shipped.page(found, {}), "network | trained on | cases")
    by_diet = {(row[0], row[1]): row for row in rows}
    assert set(by_diet) == {("textbook", "held out"), ("heldout", "changes shown"), ("heldout", "held out")}
    assert [int(by_diet["heldout", diet][2]) for diet in ("changes shown", "held out")] == [18, 9]
    heldout = next(each for each in found if each.name == "heldout")
    counted = ", ".join(by_diet["heldout", diet][4] for diet in ("changes shown", "held out"))
    totals = Counter()
    for part in counted.split(", "):
        name, _, number = part.rpartition(" ")
        totals[name] += int(number)
    assert totals == Counter(verdict for case, verdict in heldout.verdicts.items() if case)


def test_verdicts_that_changed_are_named_and_no_others(found):
    former = {each.name: dict(each.verdicts) for each in found}
    assert "None." in shipped.page(found, former)
    former["textbook"]["ponzo"] = "blind"
    rows = cells(shipped.page(found, former), "network | case | before")
    assert [row[:3] for row in rows] == [["textbook", "ponzo", "blind"]]


def test_former_verdicts_are_those_of_the_studys_table():
    former = shipped.before(STUDIED)
    assert {name: former[name][""] for name in ("textbook", "counterfactual")} == {
        "textbook": "loss on figures",
        "counterfactual": "undetermined",
    }
    classic = {case.name for case in CASES.values() if not case.novel}
    assert all({"", *classic} <= set(of) for of in former.values())


def test_a_table_that_is_not_there_is_named_in_one_line(monkeypatch, capsys, tmp_path):
    code, _, said = called(main, monkeypatch, capsys, "examine", "--before", tmp_path / "none.csv")
    assert code == 2
    assert "none.csv" in said
    (tmp_path / "other.csv").write_text("network,seed\n")
    code, _, said = called(main, monkeypatch, capsys, "examine", "--before", tmp_path / "other.csv")
    assert (code, said.count("\n")) == (2, 1)
    assert "other.csv is not the table of a study: it has no column 'way'" in said
