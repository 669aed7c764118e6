"""Runs of several suites on one page, a part for each."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.report import scenes, toy
from tests.report.pages import STIMULI, TRIALS, Page, media, report
from veridical.errors import InputError
from veridical.records import PROPORTION, Unit
from veridical.report import write_report
from veridical.report.headlines import axis
from veridical.suite.results import PublishedTable, Table

SETS = {"toy": toy.finder(STIMULI), "scenes": toy.finder(scenes.STIMULI)}
MEDIA = {"toy": media, "scenes": scenes.FILES.__getitem__}


def together(folder, **options):
    runs = [toy.run("model-a", TRIALS), scenes.run("model-a"), toy.run("model-b", TRIALS)]
    path = write_report(runs, folder / "report.html", stimuli=SETS, media=MEDIA, **options)
    return Page(path.read_text(encoding="utf-8"))


def documents(page):
    return [json.loads(text) for text in page.scripts[:-1]]


def test_each_suite_has_a_part_with_its_own_runs_items_and_citation(tmp_path):
    page = together(tmp_path)
    toys, others = documents(page)
    assert (toys["runs"], others["runs"]) == (["model-a", "model-b"], ["model-a"])
    assert sum(len(unit["items"]) for unit in toys["units"]) == len(STIMULI)
    assert sum(len(unit["items"]) for unit in others["units"]) == len(scenes.STIMULI)
    assert [factor["name"] for factor in others["factors"]] == ["tone", "step"]
    for suite in (toy.suite(), scenes.SUITE):
        assert suite.title in page.text
        assert suite.citation in page.text
    assert page.text.index("It sees the hat.") > page.text.index(toy.suite().citation)


def test_no_id_is_there_twice_and_every_link_inside_the_page_has_its_goal(tmp_path):
    elements = together(tmp_path).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    goals = [a["href"].removeprefix("#") for _, a in elements if a.get("href", "").startswith("#")]
    goals += [a["aria-labelledby"] for _, a in elements if "aria-labelledby" in a]
    assert goals
    assert set(goals) <= set(ids)


def test_headings_go_down_by_one_level_at_a_time(tmp_path):
    for page in (together(tmp_path), report(tmp_path)):
        levels = [int(tag[1]) for tag, _ in page.elements if tag in {"h1", "h2", "h3", "h4", "h5"}]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_items_and_bytes_are_shared_among_the_parts(tmp_path):
    toys, others = documents(together(tmp_path, items=26))
    assert sum(len(unit["items"]) for unit in toys["units"]) == 8
    assert sum(len(unit["items"]) for unit in others["units"]) == 5
    together(tmp_path, limit_bytes=110_000)
    assert (tmp_path / "report.html").stat().st_size <= 110_000


def test_the_title_of_a_metric_its_definition_and_its_source_stand_beside_it(tmp_path):
    page = report(tmp_path)
    assert "gap of accuracies Controls less figures. Lower is better." in page.text
    assert "Nobody 2000" in [attributes.get("title") for _, attributes in page.elements]
    assert "PFA Method Wilson at the effective n, 95 % interval" in page.text


def test_a_suites_opening_stands_before_its_results(tmp_path):
    page = together(tmp_path)
    assert "It sees the hat. 1 run says so. Five scenes were asked." in page.text
    assert "opening" not in [a.get("class") for _, a in report(tmp_path).elements]


def published(tables, apart):
    return replace(toy.PRESENTATION, published=lambda *_: (tables, apart))


RUNS = Table("published-1", "Table 1", "As printed.", ("Model", "PFA"), (("model-a", toy.ESTIMATES[0]),))


def test_published_rows_stand_under_those_of_the_runs(tmp_path):
    table = PublishedTable(RUNS, "Nobody 2000, Table 1", (("GPT-0", "12.5 %"),))
    page = report(tmp_path, suite=toy.suite(presentation=published([table], {"model-b": "was asked otherwise"})))
    assert "no comparison of models" not in page.text
    page = report(
        tmp_path, suite=toy.suite(presentation=published([table], {"model-b": "was asked otherwise"})), published=True
    )
    assert "model-a 91.7 % [88.1, 94.2] published: Nobody 2000, Table 1 GPT-0 12.5 %" in page.text
    assert "model-b is left out here: it was asked otherwise" in page.text


def test_where_no_run_has_a_published_table_the_reasons_are_told(tmp_path):
    suite = toy.suite(presentation=published([], {"model-a": "was asked otherwise"}))
    with pytest.raises(InputError, match="as the published models were: model-a was asked otherwise"):
        report(tmp_path, suite=suite, published=True)


def test_a_published_row_as_wide_as_its_table_is_needed(tmp_path):
    suite = toy.suite(presentation=published([PublishedTable(RUNS, "s", (("GPT-0",),))], {}))
    with pytest.raises(InputError, match="1 cells for 2 columns"):
        report(tmp_path, suite=suite, published=True)


@pytest.mark.parametrize(
    ("unit", "values", "ends"),
    [
        (PROPORTION, [0.4], (0.0, 1.0)),
        (Unit(name="share", digits=3, low=-1.0, high=1.0, neutral=0.0), [0.2], (-1.0, 1.0)),
        (Unit(name="points", digits=1, signed=True, neutral=0.0), [-33.0, 4.0], (-50.0, 50.0)),
        (Unit(name="ratio", digits=2, low=0.0, neutral=1.0), [0.3], (0.0, 2.0)),
        (Unit(name="ratio", digits=2, low=0.0, neutral=1.0), [7.3], (0.0, 10.0)),
        (Unit(name="score", digits=1, low=0.0, high=10.0), [7.3], (0.0, 10.0)),
        (Unit(name="seconds", digits=1), [0.3, 1.2], (0.0, 2.0)),
        (Unit(name="seconds", digits=1), [-0.3, 1.2], (-0.5, 2.0)),
        (Unit(name="alpha", digits=3, neutral=0.0), [0.012], (-0.02, 0.02)),
        (Unit(name="depth", digits=1, high=0.0), [-12.0], (-20.0, 0.0)),
        (Unit(name="nothing", digits=1), [], (0.0, 1.0)),
    ],
)
def test_an_axis_holds_the_values_between_round_numbers_or_the_units_own_bounds(unit, values, ends):
    assert axis(unit, values) == pytest.approx(ends)
