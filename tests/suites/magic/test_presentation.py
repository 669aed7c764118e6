"""What a report shows of observers whose mechanism is known: verdicts, tables, figures, and boxes beside replies."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

import veridical
from tests.report.pages import Page
from tests.report.test_browser import sideways
from tests.suites.magic.outcomes import (
    ERRORS,
    EVERY_VIEW,
    MECHANISMS,
    asked,
    continued,
    evidence,
    healed,
    observed,
    prefixed,
    reasoned,
    relevant_of,
)
from tests.suites.magic.stimuli import make_stimulus, released
from veridical.ask import Run
from veridical.published import table as printed
from veridical.records import Box
from veridical.suite.results import ModelFacts, Passage, Result
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.magic.analysis import ANALYSIS
from veridical.suites.magic.analysis.verdict import verdict
from veridical.suites.magic.asking.readers import answer_of
from veridical.suites.magic.asking.trials import trials
from veridical.suites.magic.presentation import PRESENTATION
from veridical.suites.magic.presentation.figures import bars, effects, points
from veridical.suites.magic.regions.rule import stored_numbers
from veridical.verbs import write_report

HOSTILE = '</script><script>alert("x")</script><img src=x onerror=alert(1)> \u202e'
CHROMIUM = shutil.which("chromium")
UNITS = 12


def result(name, own, about=None):
    return Result(name, own.outcomes(), ANALYSIS.estimates(own), about, own)


@cache
def results():
    abouts = (
        ModelFacts(family="Ob", size=7.0, thinking=False),
        ModelFacts(group="Large", family="Ob", size=72.0),
        None,
        None,
        None,
    )
    return tuple(result(name, observed(name, UNITS), about) for name, about in zip(MECHANISMS, abouts, strict=True))


@cache
def tables():
    return {each.name: each for each in PRESENTATION.tables(results())}


def cells(name, **where):
    """The cells of the one row with these values, by head; of estimates, their value."""
    shown = tables()[name]
    rows = [dict(zip(shown.columns, row, strict=True)) for row in shown.rows]
    (row,) = [row for row in rows if all(row[head] == value for head, value in where.items())]
    return {head: getattr(cell, "value", cell) for head, cell in row.items()}


VERDICTS = {
    "perfect": "grounded, corrects itself",
    "exhaustive": "lists every box",
    "distracted": "wrong boxes",
    "stubborn": "does not heal",
    "overcorrecting": "corrects what is right",
}


def test_each_observer_has_the_verdict_that_its_mechanism_implies():
    opening = PRESENTATION.opening(results())
    assert {each.model: each.verdict for each in opening.findings} == VERDICTS
    tones = {each.model: each.tone for each in opening.findings}
    assert {name: tone for name, tone in tones.items() if tone != "bad"} == {"perfect": "good"}
    for each in opening.findings:
        assert len(each.rates) == len(opening.rates)
        assert [reason.about for reason in each.reasons] == [
            "Does it look at the right boxes?",
            "Do they matter for its answer?",
            "Does it correct mistakes?",
        ]
    names = {each.name for each in (verdict(own.evidence, own.estimates).parts[0] for own in results())}
    assert names <= set(PRESENTATION.terms)


def test_focus_and_healing_are_told_apart_in_a_verdict():
    exhaustive = verdict(results()[1].evidence, results()[1].estimates)
    assert tuple(part.tone for part in exhaustive.parts) == ("bad", "good", "good")
    distracted = verdict(results()[2].evidence, results()[2].estimates)
    assert distracted.parts[1].tone == "open"
    assert "too seldom right" in distracted.parts[1].sentence


def test_no_verdict_rests_on_replies_without_an_answer_or_on_few_scenes():
    def silent(own, repeat):
        return "unparsed" if own.unit in ("room/0000", "room/0001") else (True, relevant_of(own), {})

    missing = result("m", evidence(reason=reasoned(asked(UNITS), silent)))
    assert verdict(missing.evidence, missing.estimates).name == "undetermined: answers missing"
    few = result("m", observed("perfect", 1))
    concluded = verdict(few.evidence, few.estimates)
    assert concluded.tone == "open"
    assert concluded.needs


def test_no_verdict_on_covering_or_healing_rests_on_replies_without_an_answer():
    def masked(own, repeat):
        return "refused" if own.settings["view"] == "adversarial-masked" else (True, relevant_of(own), {})

    heal = continued(prefixed(UNITS))
    cut = heal.with_columns(status=pl.when(pl.col("unit") == "room/0000").then(pl.lit("truncated")).otherwise("status"))
    marks = healed(cut, lambda _: True, lambda _: True, lambda _: False)
    own = result("m", evidence(reason=reasoned(asked(UNITS, EVERY_VIEW), masked), heal=cut, heal_grade=marks))
    concluded = verdict(own.evidence, own.estimates)
    assert concluded.parts[0].tone == "good"
    assert concluded.parts[1].sentence == concluded.parts[2].sentence == "Cannot tell: too many replies have no answer."


def test_what_was_not_asked_is_in_no_verdict_and_named_as_what_would_decide():
    own = result("m", evidence(reason=reasoned(asked(UNITS), lambda own, _: (True, relevant_of(own), {}))))
    concluded = verdict(own.evidence, own.estimates)
    assert (concluded.name, concluded.tone) == ("right boxes", "good")
    assert {concluded.parts[1].name, concluded.parts[2].name} == {"not asked"}
    assert any("relevant-masked" in need for need in concluded.needs)
    assert any("Self-Heal" in need for need in concluded.needs)


def test_an_answer_that_stays_right_with_relevant_boxes_covered_does_not_rest_on_them():
    table = reasoned(asked(24, EVERY_VIEW), lambda own, _: (True, relevant_of(own), {}))
    own = result("m", evidence(reason=table))
    concluded = verdict(own.evidence, own.estimates)
    assert (concluded.parts[1].name, concluded.tone) == ("focus does not matter", "bad")


def test_replies_that_mention_no_box_and_those_at_chance_have_verdicts_of_their_own():
    def named(boxes):
        return result("m", evidence(reason=reasoned(asked(40), lambda own, _: (True, boxes(own), {}))))

    silent = named(lambda _: [])
    assert verdict(silent.evidence, silent.estimates).parts[0].name == "names no boxes"
    first = named(lambda own: [1 + sum(own.id.encode()) % 4])
    assert verdict(first.evidence, first.estimates).parts[0].name == "boxes at chance"


def test_replies_that_often_name_no_box_and_else_a_random_one_do_not_name_wrong_ones():
    def reply(own, repeat):
        number = sum(map(ord, own.id)) % (2 * own.factors["box_count"])
        return True, {number + 1} if number < own.factors["box_count"] else set()

    few = result("few", evidence(reason=reasoned(asked(60), reply)))
    named = next(e for e in few.estimates if e.metric == "magiscore precision" and e.slice == {"silent": "undefined"})
    assert named.high > 0.3
    assert verdict(few.evidence, few.estimates).parts[0].name != "wrong boxes"


def test_without_false_alarms_known_no_one_is_said_to_heal():
    heal = continued(prefixed(UNITS))
    marks = healed(heal, lambda _: True, lambda _: True, lambda _: False)
    wrong_alone = marks.filter(marks["reader"] == "heal")
    table = reasoned(asked(UNITS), lambda own, _: (True, relevant_of(own), {}))
    own = result("m", evidence(reason=table, heal=heal, heal_grade=wrong_alone))
    part = verdict(own.evidence, own.estimates).parts[2]
    assert (part.tone, part.needs) == ("open", ("true prefixes",))


def test_the_main_table_has_what_follows_from_the_mechanisms():
    perfect, exhaustive, distracted = (cells("magic-main", Model=name) for name in MECHANISMS[:3])
    heads = ("Full", "Short", "Reader", "P macro", "R macro", "F1 macro", "P micro", "R micro", "F1 micro")
    assert [perfect[head] for head in heads] == pytest.approx([1] * 9)
    assert [distracted[head] for head in heads] == pytest.approx([0] * 9)
    micro = 7 / 20
    assert exhaustive["P macro"] == pytest.approx((3 * 1 / 4 + 2 * 2 / 4) / 5)
    assert exhaustive["F1 macro"] == pytest.approx((3 * 2 / 5 + 2 * 2 / 3) / 5)
    assert exhaustive["P micro"] == pytest.approx(micro)
    assert exhaustive["F1 micro"] == pytest.approx(2 * micro / (1 + micro))
    every = cells("magic-main", Model="all boxes")
    assert [every[head] for head in heads[3:]] == pytest.approx([exhaustive[head] for head in heads[3:]])
    drawn = cells("magic-main", Model="random boxes, as many as perfect")
    assert drawn["P macro"] == pytest.approx((3 / 4 + 2 * 2 / 4) / 5)
    assert (perfect["Thinks"], perfect["Size, B"]) == ("no", 7.0)


def test_covering_what_matters_costs_the_answer_and_covering_the_rest_does_not():
    masked = cells("magic-view-effects", Model="perfect", View="relevant boxes covered − all boxes", Judge=None)
    assert masked["Answers"] == pytest.approx(-100)
    assert masked["p"] < 0.05
    assert masked["F1 of boxes"] == 0
    kept = cells("magic-view-effects", Model="perfect", View="adversarial boxes covered − all boxes", Judge=None)
    assert (kept["Answers"], kept["p"]) == (0, 1)
    assert cells("magic-view-types", Model="perfect", Type="query")["Effect"] == pytest.approx(100)
    assert cells("magic-views", Model="perfect", View="relevant boxes covered")["Reader"] == 0


def test_healing_stands_by_kind_with_listings_apart_and_the_number_of_stretches():
    for name, heals, denies in (("perfect", 1, 0), ("stubborn", 0, 0), ("overcorrecting", 1, 1)):
        row = cells("magic-heal", **{"Model": name, "Asked to correct": "yes"})
        assert (row["Heals"], row["Over-corrects"], row["Whose"]) == (heals, denies, "ours")
        assert row["Wrong stretches"] == UNITS * 5 * 3
        listing = cells("magic-heal-kinds", **{"Model": name, "Asked to correct": "no", "Prefix": "listing"})
        assert (listing["Heals"], listing["Wrong stretches"]) == (heals, UNITS * 5)
    told = [cells("magic-heal", **{"Model": name, "Asked to correct": "yes"})["d-prime"] for name in MECHANISMS]
    assert max(told) == told[0] > 4 > 1 > abs(told[-1])
    assert cells("magic-requests", Model="perfect", Outcome="heals")["With − without"] == 0


def test_steps_errors_types_and_sizes_have_their_rows():
    assert cells("magic-steps", Model="perfect")["Checkable steps"] == pytest.approx(0.5)
    every = cells("magic-errors", Model="exhaustive", Among="all replies", Type="all")
    assert [every[head] for head in ("All boxes", "Wrong box", "Wrong relation", "Wrong description")] == [1, 0, 0, 0]
    wrong = cells("magic-errors", Model="distracted", Among="wrong answers", Type="all")
    assert wrong["Wrong box"] == 1
    by_type = cells("magic-types", Model="exhaustive", Type="logical")
    assert (by_type["P"], by_type["F1 of all boxes"], by_type["Heals"]) == (0.5, pytest.approx(2 / 3), 1)
    assert [row[3] for row in tables()["magic-sizes"].rows] == ["perfect", "exhaustive"]
    kappa = cells("magic-agreement", Model="perfect", Rubric="short")
    assert (kappa["Judge"], kappa["With"], kappa["Kappa"]) == ("rule", "reader", 1)


def test_figures_show_the_values_of_the_tables():
    perfect, exhaustive = results()[:2]
    names = {each.name for each in PRESENTATION.figures(results())}
    assert names == {"magic-focus", "magic-by-focus", "magic-views", "magic-healing", "magic-scaling"}
    assert effects(perfect)["relevant-masked"].value == pytest.approx(-100)
    assert {name: each.value for name, each in bars(perfect).items()} == {
        **dict.fromkeys(("region", "relation", "description", "listing"), 1),
        "true": 0,
    }
    assert [place for place, _ in points(exhaustive)] == [1, 2]
    assert "magic-scaling" not in {each.name for each in PRESENTATION.figures(results()[2:])}


def test_the_papers_tables_stand_beside_runs_that_were_shown_all_boxes():
    names = [each.model for each in results()]
    shown, lacking = PRESENTATION.published(results(), names)
    assert [each.runs.name for each in shown] == ["published-2", "published-3", "published-4"]
    assert not lacking
    for each in shown:
        assert len(each.runs.rows) == len(names)
        assert all(len(row) == len(each.runs.columns) for row in (*each.runs.rows, *each.rows))
    stored = printed("magic", "4")
    assert [row[:2] for row in shown[2].rows] == [
        (row, f"{value} %") for row, value in stored.select("row", "value").iter_rows()
    ]
    table = reasoned(asked(2, ("relevant-boxes",)), lambda own, _: (True, relevant_of(own), {}))
    blind = result("few", evidence(reason=table))
    assert PRESENTATION.published([blind], ["few"]) == ([], {"few": "was not asked with view=all-boxes"})


def test_a_run_without_judges_or_with_nothing_asked_has_a_report():
    table = reasoned(asked(4), lambda own, _: (True, relevant_of(own), dict.fromkeys(ERRORS, 0.0)))
    alone = result("alone", evidence(reason=table))
    unjudged = result("unjudged", evidence(reason=table, heal=continued(prefixed(4))))
    empty = result("empty", evidence(reason=reasoned(asked(4), lambda *_: None)))
    shown = {each.name: each for each in PRESENTATION.tables([alone, unjudged, empty])}
    (row,) = shown["magic-heal"].rows
    assert (row[0], row[1], row[5]) == ("unjudged", "not judged", 4 * 5 * 3)
    assert "magic-agreement" not in shown
    assert [each.model for each in PRESENTATION.opening([alone, empty]).findings] == ["alone", "empty"]
    assert PRESENTATION.opening([]) is None
    PRESENTATION.figures([alone, unjudged, empty])
    PRESENTATION.published([alone, unjudged, empty], ["a", "b", "c"])


def test_boxes_are_drawn_by_relevance_and_those_a_reply_mentions_are_lit_under_their_own_numbers():
    stimulus = make_stimulus("logical", 1)
    drawn = PRESENTATION.regions(stimulus)
    assert [each.name for each in drawn] == ["R1", "R2", "R3", "R4"]
    assert [each.box for each in drawn] == [Box(*box) for box in stimulus.truth["boxes"]]
    assert {each.name for each in drawn if each.shade == "good"} == {f"R{k}" for k in stimulus.truth["relevant"]}
    row = {"stage": "reason", "text": "R1 and R9 are red. Answer: no", "settings": json.dumps({"view": "all-boxes"})}
    assert PRESENTATION.mentioned(stimulus, row) == ["R1"]
    stored = stored_numbers(stimulus, "renumbered")
    assert PRESENTATION.mentioned(stimulus, row | {"settings": json.dumps({"view": "renumbered"})}) == [f"R{stored[0]}"]
    assert PRESENTATION.mentioned(stimulus, row | {"settings": json.dumps({"view": "blind"})}) == []
    assert PRESENTATION.mentioned(stimulus, row | {"stage": "grade"}) == []


def test_steps_are_colored_by_what_they_state_of_the_scene():
    stimulus = make_stimulus("query", 0)
    (own,) = trials([stimulus], AskingOptions({"view": ("all-boxes",)}, None, PlannedMedia()), None)
    number = stimulus.truth["relevant"][0]
    steps = ["I see a room.", f"R{number} shows the mug.", f"The mug in R{number} is green."]
    text = " ".join(steps) + "\n\nAnswer: green"
    row = {"stage": "reason", "text": text, "answer": answer_of(steps, "green"), "expects": json.dumps(own.expects)}
    marked = PRESENTATION.passages(row)
    assert [(text[each.start : each.end], each.shade) for each in marked] == [(steps[1], "good"), (steps[2], "bad")]
    assert marked[1].title == "mug: red, not green"
    assert all(isinstance(each, Passage) for each in marked)
    assert PRESENTATION.answer(row) == "green"
    assert PRESENTATION.passages(row | {"expects": json.dumps(own.expects | {"graph": None})}) == []
    assert PRESENTATION.passages(row | {"answer": None}) == []


def test_facts_name_the_answers_and_the_boxes_by_relevance():
    rows = {name: value for name, value, _ in PRESENTATION.facts(make_stimulus("compare", 0))}
    assert rows["short answer"] == "mug"
    assert rows["relevant"].count("R") == rows["adversarial"].count("R") == 2
    assert "listing" in rows["chains"]
    photo = {name: value for name, value, _ in PRESENTATION.facts(released())}
    assert photo["chains"] == "annotated"


def test_names_of_models_are_text_in_figures_and_not_markup():
    hostile = [replace(each, model=f"{HOSTILE} {k}") for k, each in enumerate(results())]
    for figure in PRESENTATION.figures(hostile):
        assert "<script" not in figure.svg
        assert "onerror=" not in figure.svg.replace("onerror=alert(1)&gt;", "")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report on two scenes, with the replies of an observer and with hostile ones."""
    folder = tmp_path_factory.mktemp("presented")
    made = veridical.make("magic", out=folder / "set", units=1)
    own = {"settings": {"view": ["all-boxes", "renumbered"]}, "judge": "rule", "show": "quiet", "analyze": False}
    first = veridical.run(made, "veridical/simulated", out=folder / "first", **own)
    lines = [{"id": each.id, "text": f"R1 {HOSTILE}\n\nAnswer: red"} for each in Run.open(first.folder).trials()]
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    answers = {"answers": str(folder / "answers.jsonl")}
    second = veridical.run(made, "veridical/replay", out=folder / "second", model_args=answers, **own)
    return write_report([first, second], folder / "report.html", stimuli=made, published=True)


def items_of(page):
    return [item for unit in Page(page.read_text(encoding="utf-8")).items["units"] for item in unit["items"]]


def test_a_picture_stands_with_its_boxes_beside_short_answers_and_colored_steps(page):
    items = items_of(page)
    assert len(items) == 10
    assert {item["category"] for item in items} == {"verify", "query", "choose", "logical", "compare"}
    for item in items:
        regions = item["media"][0]["regions"]
        assert {each[5] for each in regions} == {"relevant", "adversarial"}
        names = {each[0] for each in regions}
        outcomes = [outcome for question in item["questions"] for outcome in question["outcomes"]]
        assert any("lit" in each for each in outcomes)
        assert all(set(each.get("lit", [])) <= names for each in outcomes)
        answers = [each["answer"] for each in outcomes if each["run"] == 0 and "answer" in each]
        assert all("\n" not in answer for answer in answers)
        shades = {
            part[2] for each in outcomes for part in each.get("text", []) if isinstance(part, list) and len(part) > 2
        }
        assert "good" in shades


def test_hostile_replies_are_text(page):
    html = page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "\u202e" not in html


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_the_page_does_not_scroll_sideways_on_a_phone(page, tmp_path):
    copy = tmp_path / "report.html"
    copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    assert sideways(copy, tmp_path, 390) == 0


def test_the_demonstration_writes_a_report_and_says_what_each_observer_comes_to(tmp_path):
    demonstration = replace(PRESENTATION.demonstration, drawn={"units": 1})
    steps = []
    lines, facts = demonstration(tmp_path / "demo", lambda *step: steps.append(step))
    perfect, every, stubborn = (facts[name] for name in demonstration.observers)
    assert [perfect[each] for each in ("precision", "recall", "answers", "itself", "asked", "denies")] == [
        1,
        1,
        1,
        1,
        1,
        0,
    ]
    assert every["recall"] == 1
    assert every["precision"] < 0.7
    assert stubborn["itself"] == stubborn["asked"] == 0
    assert (tmp_path / "demo" / "report.html").is_file()
    assert re.search(r"Report: .*report\.html", lines[-1])
    assert steps[-1] == (3, 3)
