"""The published results in a report: as printed, where a run matches, and marked as what they are."""

import html
import re

import polars as pl
import pytest

import veridical
from tests.calling import call
from tests.report import pages
from veridical import verbs
from veridical.errors import InputError
from veridical.published import table
from veridical.suites.viprobe.presentation.paper_tables import SHOWN, published_tables

WORDS = "other pictures, other prompts and other dates"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("published")


@pytest.fixture(scope="module")
def stimuli(folder):
    return veridical.make("viprobe", out=folder / "set", cases=["zollner"], units=2, levels=2, size=128)


@pytest.fixture(scope="module")
def run(stimuli, folder):
    return veridical.run(stimuli, "veridical/pixel", out=folder / "run", show="quiet", analyze=False)


@pytest.fixture(scope="module")
def instructed(stimuli, folder):
    settings = {"instruction": "weigh"}
    return veridical.run(stimuli, "veridical/prior", out=folder / "weigh", show="quiet", settings=settings)


@pytest.fixture(scope="module")
def page(run, instructed, folder):
    return verbs.write_report([run, instructed], folder / "report.html", published=True).read_text(encoding="utf-8")


def rows_of(page, number):
    """The rows of one published table in the page, as text."""
    part = page[page.index('<section id="published"') : page.index('<section class="items" id="items"')]
    rows = re.findall(r"<tr>(.*?)</tr>", part.split("<table>")[number], re.DOTALL)
    return [
        [html.unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row)]
        for row in rows
    ]


@pytest.mark.parametrize(("number", "shown"), list(enumerate(SHOWN, 1)), ids=lambda each: getattr(each, "table", ""))
def test_every_published_cell_stands_as_printed(page, number, shown):
    rows = {row[0]: row[1:] for row in rows_of(page, number)}
    frame = table(shown.paper, shown.table)
    frame = frame if shown.group is None else frame.filter(pl.col("group") == shown.group)
    places = {column: place for place, (column, _) in enumerate(shown.columns.values())}
    cells = [each for each in frame.iter_rows(named=True) if each["column"] in places]
    assert cells
    for cell in cells:
        assert rows[cell["row"]][places[cell["column"]]].removesuffix(" %") == cell["value"]


def test_a_run_that_matches_stands_above_the_published_rows_with_its_interval(page, run):
    rows = rows_of(page, 1)
    names = [row[0] for row in rows]
    assert names.index(run.model) < names.index("GPT-5")
    found = next(e for e in run.estimates() if e.metric == "PFA" and e.slice == {"variant": "P"})
    assert f"{100 * found.value:.1f} %[{100 * found.low:.1f}, {100 * found.high:.1f}]" in rows[names.index(run.model)]


def test_it_is_marked_as_other_pictures_prompts_and_dates(page):
    assert WORDS in page


def test_a_run_under_other_conditions_is_left_out_and_the_page_says_why(page, instructed):
    assert instructed.model not in [row[0] for row in rows_of(page, 1)]
    assert f"{instructed.model}</strong> is left out here: it had an instruction with every question" in page


def test_without_the_option_nothing_published_is_there(run, folder):
    page = verbs.write_report([run], folder / "bare.html").read_text(encoding="utf-8")
    assert WORDS not in page
    assert "GPT-5" not in page


def test_no_run_that_matches_ends_in_one_line(instructed, folder, monkeypatch, capsys):
    out = folder / "none.html"
    code, said, err = call(monkeypatch, capsys, "report", instructed.folder, "--published", "--out", out)
    assert (code, said) == (2, "")
    assert err.count("\n") == 1
    assert "had an instruction with every question" in err
    assert not out.exists()


def test_a_run_that_lacks_picture_types_is_told_which(folder):
    made = veridical.make("viprobe", out=folder / "few", cases=["zollner"], units=1, variants=["O", "OC"], size=128)
    run = veridical.run(made, "veridical/pixel", out=folder / "few_run", show="quiet", analyze=False)
    assert published_tables([run.result()], [run.model]) == (
        [],
        {run.model: "has no pair of questions on pictures P, PC"},
    )
    with pytest.raises(InputError, match="no pair of questions on pictures P, PC"):
        verbs.write_report([run], folder / "few.html", published=True)


def test_a_suite_without_published_numbers_says_so(tmp_path):
    with pytest.raises(InputError, match=r"nothing is stored for the suite toy; there is for (\w+, )*viprobe$"):
        pages.report(tmp_path, published=True)


def test_the_two_sources_do_differ_in_pfc_as_the_note_says():
    figure = table("viprobe", "text").filter(pl.col("group") == "Figure 4", pl.col("column") == "PFC")
    both = figure.join(table("viprobe", "2").filter(pl.col("column") == "PFC"), on="row")
    assert len(both) > 5
    assert (both["value"] != both["value_right"]).all()
    assert "not that of Table 2" in SHOWN[1].note
