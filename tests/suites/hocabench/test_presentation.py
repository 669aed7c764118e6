"""What a report shows of replies whose marks are known: tables, figures, the first lines, and clips beside answers."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import replace
from functools import cache

import pytest

import veridical
from tests.report.pages import Page
from tests.report.test_browser import dom, sideways
from tests.suites.hocabench.outcomes import CORE, planned, run
from tests.suites.hocabench.stimuli import make_stimulus
from veridical.ask import Run
from veridical.published import table as printed
from veridical.suite.results import ModelFacts, Result
from veridical.suite.stages import AskingOptions, PlannedMedia
from veridical.suites.hocabench.analysis import estimates
from veridical.suites.hocabench.asking.cut import UNTIL
from veridical.suites.hocabench.asking.trials import trials
from veridical.suites.hocabench.presentation import PRESENTATION
from veridical.suites.hocabench.presentation.figures.taxonomy import domain_values, wedges
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES
from veridical.verbs import write_report

ONTOLOGICAL = {name for name, each in SUB_TYPES.items() if each.layer == "ontological"}
HOSTILE = '</script><script>alert("x")</script><img src=x onerror=alert(1)> \u202e'
CHROMIUM = shutil.which("chromium")
PARTS = "Scene: a ball.\nAnomaly: it rises.\nAttribution: Causal\nReasoning: gravity."
LEVELS = (("task", CORE),)


def replying(sees, alarm=()):
    """Right answers to anomalies of the layers it sees; the others are plausible to it. It calls some controls odd."""

    def reply(trial, repeat=1):
        task, noticed = trial.settings["task"], trial.factors["layer"] in sees
        if task == "plausibility":
            odd = noticed and trial.gold == "No" if trial.variant == "violating" else trial.variant in alarm
            return "No" if odd else "Yes"
        if task == "explanation":
            return PARTS
        if not noticed:
            return "I cannot tell."
        place = trial.expects["names"].index(trial.gold) if task == "domain" else ord(trial.gold) - ord("A")
        return f"Answer: {chr(ord('A') + place)}"

    return reply


def marked(sees):
    """Full marks for explanations of the layers that are seen, else a quarter."""
    return lambda trial: 1.0 if trial.factors["layer"] in sees else 0.25


def result(model, sees, alarm=(), levels=LEVELS, about=None, judge=True):
    asked = planned(2, levels)
    evidence = run(asked, replying(sees, alarm), marked(sees) if judge else None)
    return Result(model, evidence.outcomes(), estimates(evidence), about, evidence)


BOTH = ("ontological", "causal")


@cache
def results():
    lag = result("lag", ("ontological",), about=ModelFacts(family="Lag", size=8.0, thinking=False))
    oddness = result("oddness", BOTH, ("explained",), about=ModelFacts(family="Lag", size=8.0, thinking=True))
    return lag, oddness


@cache
def tables():
    return {each.name: each for each in PRESENTATION.tables(results())}


def cells(name, **where):
    """The cells of the one row with these values, by head; of estimates, their value."""
    shown = tables()[name]
    rows = [dict(zip(shown.columns, row, strict=True)) for row in shown.rows]
    (row,) = [row for row in rows if all(row[head] == value for head, value in where.items())]
    return {head: getattr(cell, "value", cell) for head, cell in row.items()}


def test_the_main_table_has_what_follows_from_the_replies():
    hits, clips = 2 * len(ONTOLOGICAL), 2 * len(SUB_TYPES)
    lag, oddness = (cells("hocabench-main", Model=name) for name in ("lag", "oddness"))
    f1 = 2 * hits / (2 * hits + clips - hits)
    assert lag["I F1"] == pytest.approx(f1)
    split = ("II ont.", "II caus.", "III ont.", "III caus.", "IV ont.", "IV caus.")
    assert [lag[head] for head in split] == pytest.approx([1, 0, 1, 0, 1, 0.25])
    four = (254 * 1 + 376 * 0.25) / 630
    assert lag["H-Index"] == pytest.approx((f1 + 0.5 + 0.5 + four) / 4)
    assert [oddness[head] for head in ("I F1", *split, "H-Index")] == pytest.approx([1] * 8)
    assert (lag["Mode"], oddness["Mode"]) == ("instruct", "thinking")
    assert (lag["Best"], oddness["Best"]) == (
        "II ont., III ont., IV ont.",
        "all",
    )


def test_people_and_chance_stand_below_the_runs_as_the_paper_has_them():
    people = cells("hocabench-main", Model="people, as published")
    stored = {
        column: value
        for row, column, value in printed("hocabench", "2").select("row", "column", "value").iter_rows()
        if row == "Human"
    }
    assert people["III ont."] == people["III caus."] == float(stored["Task III"]) / 100
    assert people["IV ont."] == people["IV caus."] == float(stored["Task IV"]) / 100
    assert people["H-Index"] is None
    assert cells("hocabench-main", Model="always 'implausible'")["I F1"] == pytest.approx(2 / 3)
    chance = cells("hocabench-main", Model="a random choice")
    assert (chance["II ont."], chance["III caus."]) == (pytest.approx(1 / 9), 0.25)


def test_alarms_on_explained_controls_are_told_from_hits():
    lag, oddness = (cells("hocabench-alarms", Model=name, Clips="all") for name in ("lag", "oddness"))
    assert [oddness[head] for head in ("Violating", "Plausible", "Explained")] == [1, 0, 1]
    assert oddness["Alarm at the explained"] == pytest.approx(100)
    assert lag["Explained"] == 0
    assert lag["Violating"] == pytest.approx(len(ONTOLOGICAL) / len(SUB_TYPES))
    pair = {"Model": "oddness", "Clips": "all"}
    assert cells("hocabench-pairs", Control="plausible", **pair)["Both right"] == 1
    assert cells("hocabench-pairs", Control="explained", **pair)["Both implausible"] == 1


def test_every_domain_and_sub_type_has_its_row():
    for name, each in SUB_TYPES.items():
        row = cells("hocabench-sub-types", **{"Model": "lag", "Sub-type": each.title})
        assert row["III"] == (name in ONTOLOGICAL)
        assert row["Layer"] == each.layer
    for domain in DOMAINS.values():
        row = cells("hocabench-domains", Model="lag", Domain=domain.title)
        assert row["IV"] == (1 if domain.layer == "ontological" else 0.25)


def test_marks_stand_part_by_part():
    row = cells("hocabench-marks", Model="lag", Anomalies="causal")
    assert [row[head] for head in ("Scene", "Anomaly", "Attribution", "Reasoning", "Total")] == [0.25] * 5
    assert row["Judge"] == "judge"


def test_without_a_judge_there_is_no_index_and_the_table_says_so():
    shown = {each.name: each for each in PRESENTATION.tables([result("lag", BOTH, judge=False)])}["hocabench-main"]
    row = dict(zip(shown.columns, shown.rows[0], strict=True))
    assert row["III ont."].value == 1
    assert row["H-Index"].value is None
    assert row["H-Index"].reason
    assert all(figure.name != "hocabench-index" for figure in PRESENTATION.figures([result("x", BOTH, judge=False)]))


def test_cuts_give_a_curve_and_a_change_of_mind():
    levels = (("task", ("plausibility",)), ("until", tuple(UNTIL)))

    def reply(trial, repeat):
        return trial.gold or "Yes"

    evidence = run(planned(1, levels), reply)
    seen = Result("sees", evidence.outcomes(), estimates(evidence), None, evidence)
    (table,) = [each for each in PRESENTATION.tables([seen]) if each.name == "hocabench-prefixes"]
    row = dict(zip(table.columns, next(row for row in table.rows if row[1] == "violating"), strict=True))
    values = [getattr(cell, "value", None) for cell in row.values()][2:8]
    assert values == [0, 0, 1, 1, 1, pytest.approx(100)]
    assert "hocabench-prefixes" in {figure.name for figure in PRESENTATION.figures([seen])}
    assert PRESENTATION.opening([seen]).findings[0].chart.ends == ("before", "whole")


def test_clips_of_a_release_are_sliced_by_what_it_says_of_them():
    made = [
        make_stimulus(id=f"gravity/{k}/violating", unit=f"clip/{k}", source_model=source, theme="kitchen")
        for k, source in enumerate(("Sora", "Sora", "Wan 2.1"))
    ]
    asked = tuple(trials(made, AskingOptions(dict(LEVELS), None, PlannedMedia()), None))
    evidence = run(asked, lambda trial, _: replying(BOTH if trial.unit != "clip/1" else ())(trial), marked(BOTH))
    own = Result("m", evidence.outcomes(), estimates(evidence), None, evidence)
    (table,) = [each for each in PRESENTATION.tables([own]) if each.name == "hocabench-sources"]
    rows = {(row[2], row[3]): [getattr(cell, "value", cell) for cell in row[4:]] for row in table.rows}
    assert set(rows) == {("source model", "Sora"), ("source model", "Wan 2.1")}
    assert [rows["source model", name][0] for name in ("Sora", "Wan 2.1")] == [0.5, 1]
    assert [rows["source model", name][4] for name in ("Sora", "Wan 2.1")] == [0.5, 1]


def test_figures_show_the_values_of_the_tables():
    lag = results()[0]
    layers = [each.layer == "ontological" for each in DOMAINS.values()]
    assert domain_values(lag, "III") == layers
    assert domain_values(lag, "IV") == [1 if own else 0.25 for own in layers]
    drawn = list(wedges(lag))
    by_title = {(each.first, each.title): each.value for each in drawn}
    assert by_title[0, "Ontological"] == 1
    assert by_title[0, "Causal"] == 0
    assert by_title[2, "Gravity"] == 0
    for ring in range(3):
        of_ring = sorted((each.start, each.end) for each in drawn if each.first <= ring <= each.last)
        assert of_ring[0][0] == 0
        assert of_ring[-1][1] == 1
        assert all(before[1] == after[0] for before, after in itertools.pairwise(of_ring))


def test_the_first_lines_have_the_verdict_and_the_layers():
    opening = PRESENTATION.opening(results())
    assert [each.model for each in opening.findings] == ["oddness", "lag"]
    assert [each.verdict for each in opening.findings] == ["odd, not impossible", "existence without mechanism"]
    assert len(opening.rates) == len(opening.findings[0].rates)
    lines = opening.findings[1].reasons[0].evidence
    assert any(line.startswith("Picks the right description of 100 %") and " 0 % [" in line for line in lines)


def test_published_tables_stand_beside_runs_that_were_asked_alike():
    names = [each.model for each in results()]
    shown, lacking = PRESENTATION.published(results(), names)
    assert [each.runs.name for each in shown] == ["published-2"]
    assert not lacking
    assert len(shown[0].runs.rows) == 2
    width = len(shown[0].runs.columns)
    assert all(len(row) == width for row in (*shown[0].runs.rows, *shown[0].rows))
    few = result("few", BOTH, levels=(*LEVELS, ("frames", ("uniform-4",))))
    assert PRESENTATION.published([few], ["few"]) == ([], {"few": "was not shown 16 frames"})


def test_more_frames_stand_beside_the_papers_table_of_them():
    levels = (("task", CORE), ("frames", ("uniform-16", "uniform-64")))
    both = result("m", BOTH, levels=levels)
    (table,) = [each for each in PRESENTATION.tables([both]) if each.name == "hocabench-frames"]
    assert [row[2] for row in table.rows] == ["uniform-16", "uniform-64"]
    assert all(row[-1].value == pytest.approx(1) for row in table.rows)
    shown, _ = PRESENTATION.published([both], ["m"])
    (five,) = [each for each in shown if each.runs.name == "published-5"]
    assert ("Qwen3-VL-32B", "", "64f", "79.4", "51.0", "81.1", "67.2", "69.7") in five.rows
    assert all(len(row) == len(five.runs.columns) for row in five.rows)


def test_items_whose_label_depends_on_the_rule_of_attribution_are_flagged():
    flag = "the rules of attribution differ"
    shown = {
        (kind, interaction): {name: value for name, value, _ in PRESENTATION.facts(item)}.get(flag)
        for kind in ("bio_behavior", "gravity")
        for interaction in (True, False)
        for item in [make_stimulus(sub_type=kind, interaction=interaction)]
    }
    assert shown.pop(("bio_behavior", True)) == "Causal by interaction-first, Ontological by definition-first"
    assert set(shown.values()) == {None}


def test_facts_say_what_is_wrong_when_and_which_description_is_true():
    rows = {name: value for name, value, _ in PRESENTATION.facts(make_stimulus())}
    assert rows["anomaly"] == "gravity"
    assert rows["seconds"] == "2.00 to 4.00"
    assert rows["A. The ball rises."] == "true, gravity"
    assert rows["B. The ball is gone."] == "object permanence"
    control = {name: value for name, value, _ in PRESENTATION.facts(make_stimulus("plausible"))}
    assert control["anomaly"] == "none"
    assert "seconds" not in control


def test_names_of_models_are_text_in_figures_and_not_markup():
    hostile = Result(HOSTILE, *(getattr(results()[0], name) for name in ("outcomes", "estimates", "about", "evidence")))
    for figure in PRESENTATION.figures([hostile]):
        assert "<script" not in figure.svg
        assert "onerror=" not in figure.svg.replace("onerror=alert(1)&gt;", "")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report on a clip with its controls, with one set of hostile replies and one of an observer."""
    folder = tmp_path_factory.mktemp("presented")
    small = {"units": 1, "panels": 0, "sequences": 0, "height": 180, "rate": 10, "sub_types": ("gravity",)}
    made = veridical.make("hocabench", out=folder / "set", **small)
    own = {"settings": {"frames": ["uniform-4"]}, "judge": "rule", "show": "quiet", "analyze": False}
    lag = veridical.run(made, "veridical/simulated", out=folder / "lag", **own)
    lines = [
        {"id": trial.id, "text": HOSTILE + (PARTS if trial.reader == "explanation" else "")}
        for trial in Run.open(lag.folder).trials()
    ]
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    answers = {"answers": str(folder / "answers.jsonl")}
    replayed = veridical.run(made, "veridical/replay", out=folder / "replay", model_args=answers, **own)
    return write_report([lag, replayed], folder / "report.html", stimuli=made)


def items_of(page):
    return [item for unit in Page(page.read_text(encoding="utf-8")).items["units"] for item in unit["items"]]


def test_a_clip_stands_beside_all_replies_and_the_marks_of_each(page):
    (violating,) = [item for item in items_of(page) if item["variant"] == "violating"]
    assert violating["media"][0]["kind"] == "video"
    assert "source" in violating["media"][0]
    by_wording = {question["asked"]: question["outcomes"] for question in violating["questions"]}
    asked = [outcomes for wording, outcomes in by_wording.items() if not wording.startswith("You mark")]
    assert all([outcome["run"] for outcome in outcomes] == [0, 1] for outcomes in asked)
    graded = [
        outcome
        for question in violating["questions"]
        if question["asked"].startswith("You mark")
        for outcome in question["outcomes"]
    ]
    assert {outcome["run"] for outcome in graded} == {0, 1}
    assert all(
        {"scene", "anomaly", "process", "reasoning", "total"} <= {name for name, *_ in each["scores"]}
        for each in graded
    )


def test_frames_of_a_clip_are_small_in_the_page(page):
    parsed = Page(page.read_text(encoding="utf-8")).items
    frames = [medium for item in items_of(page) for medium in item["media"][item["own"] :]]
    assert frames
    assert all(len(parsed["sources"][frame["source"]]) < 10_000 for frame in frames)


def test_hostile_replies_are_text(page):
    html = page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    assert "\u202e" not in html


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_the_page_has_a_video_for_each_clip_and_none_scrolls_sideways(page, tmp_path):
    built = Page(dom(page.as_uri(), tmp_path / "profile"))
    clips = [attributes for tag, attributes in built.elements if tag == "video"]
    assert len(clips) == len(items_of(page))
    assert all("controls" in clip and clip["src"].startswith("data:video/mp4") for clip in clips)
    copy = tmp_path / "report.html"
    copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    assert sideways(copy, tmp_path, 390) == 0


def test_the_demonstration_writes_a_report_and_says_what_each_observer_comes_to(tmp_path):
    small = {"panels": 0, "sequences": 0, "height": 180, "sub_types": ("gravity", "permanence")}
    whole = PRESENTATION.demonstration
    asked = {**whole.asked, "settings": {"frames": ["uniform-4"]}}
    steps = []
    lines, facts = replace(whole, drawn={**whole.drawn, **small}, asked=asked)(
        tmp_path / "demo", lambda *step: steps.append(step)
    )
    assert [facts["existence only"][each] for each in ("violating", "plausible", "explained", "ont.")] == [0.5, 0, 0, 1]
    assert [facts["oddness"][each] for each in ("violating", "explained", "ont.", "caus.")] == [1, 1, 1, 1]
    assert (tmp_path / "demo" / "report.html").is_file()
    assert lines[-1] == f"Report: {facts['report']}"
    assert steps[-1] == (3, 3)
