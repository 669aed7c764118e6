"""The first screen: a finding for each model, then why, in a page that a keyboard reaches."""

import re
from dataclasses import replace

import pytest

from tests.report import found, toy
from tests.report.pages import TRIALS, report
from tests.report.test_suites import RUNS, published
from veridical.report.small_charts import legend, small_chart
from veridical.suite.results import PublishedTable

SECTIONS = ("opening", "why", "results", "figures", "tables", "items", "method", "glossary")


def page_of(folder, *findings, runs=("model-a", "model-b"), **changes):
    return report(folder, [toy.run(name, TRIALS) for name in runs], suite=found.suite(*findings, **changes))


def sections(page):
    return [a["id"] for tag, a in page.elements if tag == "section" and "id" in a]


def between(page, first, last):
    start = page.text.index(first)
    return page.text[start : page.text.index(last, start)]


def test_the_first_screen_says_verdict_how_sure_on_how_much_rates_and_coverage(tmp_path):
    page = page_of(tmp_path)
    assert sections(page)[0] == "opening"
    said = between(page, found.TITLE, " Why ")
    assert (
        "model-a 72 pictures of 9 base items sees Sees every change. Nothing else explains PFA. "
        "90.0 % [85.0, 95.0] 9 pictures 80.0 % [70.0, 90.0] 27 pictures 100.0 %"
    ) in said
    assert "O unchanged P changed Readable of the replies Accuracy by strength figures controls" in said
    assert "model-b 70 pictures of 9 base items open No verdict yet." in said
    assert "95.0 % [90.0, 100.0] 27 pictures 14.3 % 57 unparsed 3 refused 2 not asked" in said


def test_what_would_decide_is_said_of_what_is_open_and_of_nothing_else(tmp_path):
    page = page_of(tmp_path)
    assert page.text.count("What would decide it: more base items; pictures amid clutter.") == 1
    assert "What would decide" not in page_of(tmp_path, found.SEES).text
    decided = replace(found.SEES, needs=("clutter",))
    assert "What would decide more: clutter." in page_of(tmp_path, decided).text


def test_a_rate_without_a_value_shows_why_where_it_is_pointed_at(tmp_path):
    page = page_of(tmp_path)
    assert ("span", {"class": "undefined", "title": "no pair was answered"}) in page.elements


def test_why_follows_with_weights_evidence_cases_and_what_is_folded(tmp_path):
    page = page_of(tmp_path)
    assert sections(page)[1] == "why"
    why = between(page, " Why Bars:", " Results ")
    assert "both are seen alike changes are lost model-a sees 97 no change is lost noise 0.1" in why
    assert "Case by case: 2 open, 1 sees" in why
    assert "Case Verdict Weights Rests on Parameters Ponzo sees 100 alike" in why
    assert "2 of 3 cases are undetermined with 2 base items: about 10 are needed. A; B." in why
    bars = [a["aria-label"] for _, a in page.elements if a.get("class") == "weights"]
    assert bars == ["both are seen alike 97 %, changes are lost 3 %", "both are seen alike 100 %"]


def test_several_models_stand_in_a_table_that_sorts_and_one_does_not(tmp_path):
    classes = [a.get("class") for tag, a in page_of(tmp_path).elements if tag == "table"]
    assert "findings sortable" in classes
    alone = page_of(tmp_path, found.SEES, runs=["model-a"])
    assert "findings" in [a.get("class") for tag, a in alone.elements if tag == "table"]


def test_what_the_findings_say_already_is_no_table_and_no_figure(tmp_path):
    page = page_of(tmp_path, in_place_of=("main", "one"))
    assert "Main results" not in page.text
    assert [a["data-name"] for tag, a in page.elements if tag == "figure"] == ["two"]


def test_sections_and_the_links_to_them_stand_in_one_fixed_order(tmp_path):
    page = page_of(tmp_path)
    assert sections(page) == list(SECTIONS)
    start = next(k for k, (tag, _) in enumerate(page.elements) if tag == "nav")
    links = [a["href"] for tag, a in page.elements[start:] if tag == "a" and "class" not in a]
    assert links[: len(SECTIONS)] == [f"#{name}" for name in SECTIONS]


def test_the_skip_link_is_first_and_goes_to_what_holds_the_findings(tmp_path):
    page = page_of(tmp_path)
    after = [each for each in page.elements if each[0] in ("a", "button", "main", "section")]
    assert after[0] == ("a", {"class": "skip", "href": "#content"})
    main = next(k for k, (tag, _) in enumerate(after) if tag == "main")
    assert after[main][1] == {"id": "content", "tabindex": "-1"}
    assert after[main + 1][1]["id"] == "opening"


def test_every_table_has_a_caption_and_heads_with_a_scope(tmp_path):
    suite = replace(found.suite(), parts=found.suite().parts)
    page = report(tmp_path, [toy.run("model-a", TRIALS), toy.run("model-b", TRIALS)], suite=suite)
    table = PublishedTable(RUNS, "Nobody 2000, Table 1", (("GPT-0", "12.5 %"),))
    other = report(tmp_path, suite=toy.suite(presentation=published([table], {})), published=True)
    for elements in (page.elements, other.elements):
        tags = [tag for tag, _ in elements]
        assert tags.count("caption") == tags.count("table") >= 3
        assert all("scope" in a for tag, a in elements if tag == "th")


def test_abbreviations_are_spelled_out_and_link_to_the_glossary_where_a_section_first_has_them(tmp_path):
    page = page_of(tmp_path)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    terms = re.findall(r'<div id="(term-\d+)" tabindex="-1"><dt>(.*?)(?: <span|</dt>)', html)
    anchors = {title: anchor for anchor, title in terms}
    assert {"PFA", "σ", "sees", "base item", "unparsed"} <= anchors.keys()
    opening = html[html.index('id="opening"') : html.index('id="why"')]
    link = f'<a class="term" href="#{anchors["PFA"]}" title="polarity-flip accuracy: Controls less figures. Lower'
    assert opening.count(link) == 1
    assert f'href="#{anchors["sees"]}">sees</a>' in opening
    assert "PFA polarity-flip accuracy" in page.text


def test_a_small_chart_says_what_it_shows_and_a_higher_value_stands_higher():
    drawn = small_chart(found.chart("figures", "controls"))
    assert 'role="img" aria-label="Accuracy by strength: figures, controls"' in drawn
    rings = [tuple(map(float, each)) for each in re.findall(r'<circle cx="(.*?)" cy="(.*?)"', drawn)]
    squares = re.findall(r'<rect x="(.*?)" y="(.*?)"', drawn)
    assert len(rings) == len(squares) == 5
    assert [x for x, _ in rings] == sorted(x for x, _ in rings)
    left, inner, middle, *_ = (y for _, y in rings)
    assert inner > left == pytest.approx(middle)
    assert all(float(low) + 1.75 > high for (_, low), (_, high) in zip(squares, rings, strict=True))
    assert ">against<" in drawn
    assert ">100 %<" in drawn


def test_a_third_curve_such_as_peoples_has_a_key_of_its_own():
    keys = legend([found.chart("figures", "controls"), found.chart("figures", "controls", "people")])
    assert [name for name, _ in keys] == ["figures", "controls", "people"]
    assert len({key for _, key in keys}) == 3
