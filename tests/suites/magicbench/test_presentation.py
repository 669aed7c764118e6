"""What a report shows of observers that are known: tables, figures, the first lines, and clips with their secrets."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from functools import cache

import polars as pl
import pytest

import veridical
from tests.report.pages import Page
from tests.report.test_browser import dom, sideways
from tests.suites.magicbench.outcomes import LED, TYPES, Mind, run, unasked
from tests.suites.magicbench.stimuli import make_stimulus
from veridical.ask import Run
from veridical.published import table as printed
from veridical.records import POINTS, Counts, Estimate
from veridical.suite.results import Result
from veridical.suites.magicbench.analysis import ANALYSIS
from veridical.suites.magicbench.analysis.marks import SCORE
from veridical.suites.magicbench.analysis.verdict import BELIEVES, SEES, verdict
from veridical.suites.magicbench.analysis.verdict import LED as LED_BY_WORDS
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation import PRESENTATION
from veridical.verbs import write_report

HOSTILE = '</script><script>alert("x")</script><img src=x onerror=alert(1)> \u202e'
CHROMIUM = shutil.which("chromium")
SOME = (("stance", ("vision-only", "forensic")), ("patter", TYPES))
FULL = (
    ("stance", ("vision-only", "neutral", "forensic", "image-of-thought", "text-only")),
    ("patter", (*TYPES, "cue", "nouns", "truth")),
)
BOTH = (("judge", "pcs"), ("judge", "no-pcs"), ("second", "pcs"))
CERTAIN = Mind(usual=1.0, believes=1.0, hit=1.0, alarm=0.0, marks={"lie": 0.0, "silence": 5.0}, mean=10.0)


def result(model, mind, levels=SOME, units=4, judges=(("judge", "pcs"),), noise=0.0, **made):
    evidence = run(*unasked(units, levels=levels, **made), mind, seed=5, judges=judges, noise=noise)
    return Result(model, evidence.outcomes(), ANALYSIS.estimates(evidence), None, evidence)


@cache
def results():
    return result("believer", CERTAIN), result("led", LED, levels=FULL, judges=BOTH, noise=2.0)


@cache
def tables():
    return {each.name: each for each in PRESENTATION.tables(results())}


def rows_of(table, **where):
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return [row for row in rows if all(row[head] == value for head, value in where.items())]


def cells(name, **where):
    """The cells of the one row with these values, by head; of estimates, their value."""
    (row,) = rows_of(tables()[name], **where)
    return {head: getattr(cell, "value", cell) for head, cell in row.items()}


def test_a_sure_believer_is_wrong_where_the_lie_is_false_and_right_elsewhere():
    place = {"Model": "believer", "Lie against": "vision-only"}
    effects = {row["Probes"]: row["Effect"].value for row in rows_of(tables()["magicbench-lie"], **place)}
    assert effects["of which the lie is false"] == -100
    assert effects["before the secret"] == effects["of which the lie says nothing"] == 0
    assert -100 < effects["all"] < 0
    lied, plain = (cells("magicbench-probes", Model="believer", Words=words) for words in ("lie", "vision-only"))
    assert (lied["Takes the lie"], plain["Takes the lie"]) == (1, 0)
    assert (lied["Before"], lied["After"] < 1, plain["All"], plain["Told apart"]) == (1, True, 1, 1)


def test_chance_stands_below_the_probes_and_the_best_answer_is_no_worse_than_a_random_one():
    random, best = (
        cells("magicbench-probes", Model=f"chance: {name}")["All"] for name in ("a random option", "one answer")
    )
    assert 0 < random <= best < 1


def test_marks_stand_by_type_with_both_averages():
    stated = cells("magicbench-cpa", Model="led", Judge="judge", Stance="forensic")
    shown = [stated[head] for head in ("A lie", "B misdirection", "C filler", "D silence")]
    assert stated["Average of types"] == pytest.approx(sum(shown) / 4)
    assert stated["A lie"] > max(stated["C filler"], stated["D silence"])
    alone = cells("magicbench-cpa", Model="led", Judge="judge", Stance="vision-only")
    assert alone["A lie"] == alone["D silence"]
    assert {row["Judge"] for row in rows_of(tables()["magicbench-cpa"], Model="led")} == {
        "judge",
        "judge, no-pcs",
        "second",
    }


def test_the_two_averages_differ_where_types_are_not_equally_frequent():
    own = result(
        "release",
        Mind(marks={"own": 5.0}),
        levels=(("stance", ("vision-only", "forensic")), ("task", ("explain",))),
        units=0,
        released=6,
        noise=3.0,
    )
    (table,) = [each for each in PRESENTATION.tables([own]) if each.name == "magicbench-cpa"]
    (row,) = rows_of(table, Stance="forensic")
    values = [row[head].value for head in ("A lie", "B misdirection", "C filler", "D silence")]
    assert row["Average of types"].value == pytest.approx(sum(values) / 4)
    assert row["Average by item"].value == pytest.approx((2 * values[0] + 2 * values[1] + values[2] + values[3]) / 6)
    (gaps,) = [each for each in PRESENTATION.tables([own]) if each.name == "magicbench-gaps"]
    assert {row["Clips"] for row in rows_of(gaps)} == {"different"}


def test_the_impossible_is_what_the_first_grounded_judge_vetoes_as_the_others_mark_it():
    led = results()[1]
    grades = led.evidence.outcomes("grade")
    vetoed = grades.filter(model="judge", reader="pcs", score_hard_failure_triggered=1.0).select("about_trial")
    clips = led.outcomes.filter(pl.col("settings").str.json_path_match("$.task") == "explain")
    keys = vetoed.join(clips, left_on="about_trial", right_on="trial", how="semi")
    for judge, model, rubric in (("judge, no-pcs", "judge", "no-pcs"), ("second", "second", "pcs")):
        own = grades.filter(model=model, reader=rubric).join(keys, on="about_trial", how="semi")
        row = cells("magicbench-impossible", Model="led", Judge=judge)
        assert row["CPA"] == pytest.approx(own["score_cpa"].mean() / 10)
        assert row["Accepted"] == pytest.approx((own["score_cpa"] > 0).mean())


def test_spotlight_crutch_and_parts_have_their_signs():
    led = cells("magicbench-paradox", Model="led", Judge="judge", Stance="forensic", Mark="CPA")
    assert led["Gain on A"] > 0 < led["Loss on D"]
    sure = cells("magicbench-paradox", Model="believer", Stance="forensic", Mark="CPA")
    assert sure["Gain on A"] < 0
    parts = rows_of(tables()["magicbench-components"], Judge="judge", Stance="forensic", Against="vision-only")
    assert {row["Words"]: row["Function"] for row in parts} == {
        "cue": "alerting",
        "filler": "interference",
        "nouns": "anchoring",
        "lie": "conflict",
    }


def test_every_table_of_a_run_that_was_asked_all_is_there_with_its_own_name():
    names = {f"magicbench-{each}" for each in ("lie", "probes", "words", "kinds", "cpa", "marks", "errors", "readable")}
    names |= {f"magicbench-{each}" for each in ("paradox", "components", "thought", "ceiling", "gaps", "controls")}
    names |= {f"magicbench-{each}" for each in ("chance", "noticing", "alarms", "confidence", "judges", "vetoes")}
    assert names <= set(tables())
    for table in tables().values():
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert table.note
        assert table.title


def test_without_marks_the_page_says_what_is_missing_and_how_to_get_it():
    own = result("unmarked", CERTAIN, judges=())
    opening = PRESENTATION.opening([own])
    assert any("`veridical judge RUN --judge rule`" in line and "unmarked" in line for line in opening.lines)
    assert "a judge's marks for the explanations" in opening.findings[0].needs
    (table,) = [each for each in PRESENTATION.tables([own]) if each.name == "magicbench-cpa"]
    (row,) = rows_of(table)
    assert row["Judge"] == "not judged"
    assert row["Average of types"].value is None
    assert "veridical judge RUN" in table.note
    assert {"magicbench-lie", "magicbench-probes"} <= {each.name for each in PRESENTATION.figures([own])}
    assert PRESENTATION.published([own], ["u"]) == ([], {"u": "has no marks of a judge: `veridical judge`"})
    marked = PRESENTATION.opening([results()[0]])
    assert not any("veridical judge" in line for line in marked.lines)


def test_the_first_lines_have_the_effect_of_a_lie_first_and_the_believer_last():
    opening = PRESENTATION.opening(results())
    assert [each.model for each in opening.findings] == ["led", "believer"]
    assert next(iter(opening.rates)) == "Effect of a lie"
    for finding in opening.findings:
        assert len(finding.rates) == len(opening.rates)
        assert finding.chart.ends == ("before", "after")
    effect, basis = opening.findings[1].rates[0]
    assert effect.unit == POINTS
    assert basis.endswith("where the lie is false −100")


def estimate(metric, value, **where):
    counts = Counts(planned=9, asked=9, answered=9, unparsed=0, refused=0, truncated=0, error=0)
    unit = SCORE if metric == "aided marks" else POINTS
    own = {"score": "cpa", CHOSEN: "failed", "judge": "judge", "rubric": "pcs", **where}
    return Estimate(
        suite="magicbench",
        metric=metric,
        slice=own,
        value=value,
        low=value,
        high=value,
        unit=unit,
        n_units=9,
        counts=counts,
        method="made",
    )


def test_an_aid_stands_beside_asking_again_and_beside_where_items_began():
    made = [
        estimate("cpa", 0.5),
        *(
            estimate("aided marks", value, **{AID: aid})
            for aid, value in (("none", 0.3), ("ring", 0.6), ("placebo", 0.35))
        ),
    ]
    made[0] = Estimate(
        **{
            **{name: getattr(made[0], name) for name in made[0].__slots__},
            "slice": {"judge": "judge", "rubric": "pcs", "stance": "forensic"},
        }
    )
    made += [
        estimate("regression to the mean", 20.0),
        estimate("effect of an aid", 30.0, **{AID: "ring", "against": "none"}),
    ]
    made += [
        estimate("recovery with regression", 50.0, **{AID: "ring"}),
        estimate("effect of an aid", 25.0, **{AID: "ring", "against": "placebo"}),
    ]
    base = results()[0]
    own = Result("m", base.outcomes, made, None, base.evidence)
    (table,) = [each for each in PRESENTATION.tables([own]) if each.name == "magicbench-aids"]
    values = {
        row["Frames"]: [
            getattr(row[head], "value", None)
            for head in ("CPA", "Since chosen", "Beyond asking again", "Beyond the placebo")
        ]
        for row in rows_of(table)
    }
    assert values["asked again, no aid"] == [0.3, 20.0, None, None]
    assert values["ring"] == [0.6, 50.0, 30.0, 25.0]
    assert "magicbench-triplet" in {each.name for each in PRESENTATION.figures([own])}


def test_published_tables_stand_beside_marked_runs_with_the_average_that_each_model_has():
    shown, lacking = PRESENTATION.published(results(), ["believer", "led"])
    assert [each.runs.name for each in shown] == ["published-3", "published-4", "published-5", "published-7"]
    assert not lacking
    for each in shown:
        assert all(len(row) == len(each.runs.columns) for row in (*each.runs.rows, *each.rows))
    three = {row[:2]: row for row in shown[0].rows}
    silent = "Multi-Forensic (SIA)"
    assert three["GPT-4o", silent][2:] == ("43.4 ± 1.3", "43.3 ± 1.6", "33.6 ± 1.1", "15.8 ± 0.9 †", "38.1", "–")
    assert three["Gemini-2.5-Pro", silent][-2:] == ("–", "41.0")
    assert len(shown[-1].rows) == printed("magicbench", "7").select("group", "row").unique().height


def test_figures_are_there_and_names_of_models_are_text_in_them():
    names = {each.name for each in PRESENTATION.figures(results())}
    assert names == {f"magicbench-{each}" for each in ("lie", "probes", "paradox", "marks", "readiness", "calibration")}
    first = results()[1]
    hostile = Result(HOSTILE, first.outcomes, first.estimates, None, first.evidence)
    for figure in PRESENTATION.figures([hostile]):
        assert "<script" not in figure.svg
        assert "onerror=" not in figure.svg.replace("onerror=alert(1)&gt;", "")


def test_facts_have_the_secret_the_constraints_and_all_words_with_the_truth_of_their_claims():
    trick, honest = (
        {name: rest for name, *rest in PRESENTATION.facts(make_stimulus(each))} for each in ("trick", "honest")
    )
    assert trick["secret move"] == ["2.00 to 3.00 s", None]
    assert trick["constraints"][0].startswith("1. The coin lies in the open right hand. 2. ")
    assert trick["words: lie (false here)"] == honest["words: lie (true here)"]
    assert trick["words: silence"] == ["nothing is said", None]


def test_a_verdict_has_its_reason_marked_and_stands_as_its_marks():
    stated = {
        "reasoning": "no",
        "hard_failure_triggered": True,
        "failure_reason": "state: put",
        "vtg": 1,
        "cpa": 4,
        "cfr": 2,
    }
    text = json.dumps(stated)
    (passage,) = PRESENTATION.passages({"stage": "grade", "text": text, "answer": text})
    assert text[passage.start : passage.end] == "state: put"
    assert (passage.title, passage.shade) == ("veto", "bad")
    assert PRESENTATION.answer({"answer": text}) == "VTG 1, CPA 4, CFR 2, veto"
    assert PRESENTATION.answer({"answer": "B"}) == "B"
    assert PRESENTATION.passages({"stage": "grade", "text": HOSTILE, "answer": None}) == []


SMALL = {"units": 1, "tricks": ("coin",), "height": 180, "rate": 12}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A report on a trick and its control, with the replies of a believer and hostile ones."""
    folder = tmp_path_factory.mktemp("presented")
    made = veridical.make("magicbench", out=folder / "set", **SMALL)
    own = {"settings": {"stance": ["vision-only", "forensic"]}, "judge": "rule", "show": "quiet", "analyze": False}
    args = {"mechanism": "believer", "sees": 1.0}
    believer = veridical.run(made, "veridical/simulated", out=folder / "believer", model_args=args, **own)
    lines = [{"id": trial.id, "text": HOSTILE} for trial in Run.open(believer.folder).trials()]
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    answers = {"answers": str(folder / "answers.jsonl")}
    replayed = veridical.run(made, "veridical/replay", out=folder / "replay", model_args=answers, **own)
    return write_report([believer, replayed], folder / "report.html", stimuli=made)


def items_of(page):
    return [item for unit in Page(page.read_text(encoding="utf-8")).items["units"] for item in unit["items"]]


def test_a_clip_stands_beside_its_words_replies_verdicts_and_vetoes(page):
    trick, honest = items_of(page)
    assert (trick["variant"], honest["variant"]) == ("trick", "honest")
    assert trick["media"][0]["kind"] == "video"
    assert "source" in trick["media"][0]
    named = {name for name, *_ in trick["facts"]}
    assert {"principle", "critical window", "constraints", "words: lie (false here)", "words: misdirection"} <= named
    outcomes = [each for question in trick["questions"] for each in question["outcomes"]]
    verdicts = [each for each in outcomes if each.get("answer", "").startswith("VTG")]
    assert any(each["answer"].endswith(", veto") for each in verdicts)
    assert any("bad" in part for each in verdicts for part in each["text"] if isinstance(part, list))
    assert all({"VTG", "CPA", "CFR", "veto"} <= {name for name, *_ in each["scores"]} for each in verdicts)
    assert {each["answer"] for each in outcomes if "answer" in each} >= {"trick: yes", "trick: no"}


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
    copy = tmp_path / "report.html"
    copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
    assert sideways(copy, tmp_path, 390) == 0


def test_the_verdict_names_each_observer_of_the_demonstration(tmp_path):
    whole = PRESENTATION.demonstration
    made = veridical.make("magicbench", out=tmp_path / "set", **whole.drawn)
    settings = {**whole.asked["settings"], "task": ["probe"]}
    names = {}
    for called, (name, arguments) in whole.observers.items():
        own = {"model_args": arguments, "settings": settings, "analyze": False, "show": "quiet"}
        result = veridical.run(made, f"veridical/{name}", out=tmp_path / called, **own)
        names[called] = verdict(result.evidence(), result.estimates()).name
    assert names == {"autonomous": SEES, "language-led": LED_BY_WORDS, "believer": BELIEVES}


def test_the_demonstration_writes_a_report_and_says_what_each_observer_comes_to(tmp_path):
    whole = PRESENTATION.demonstration
    steps = []
    lines, facts = replace(whole, drawn={**whole.drawn, **SMALL})(tmp_path / "demo", lambda *step: steps.append(step))
    assert facts["autonomous"]["effect"] == facts["autonomous"]["loss D"] == 0
    assert facts["believer"]["takes it"] == 1
    assert facts["believer"]["if false"] < 0 < facts["language-led"]["lie"] - facts["language-led"]["silence"]
    assert (tmp_path / "demo" / "report.html").is_file()
    assert lines[-1] == f"Report: {facts['report']}"
    assert steps[-1] == (3, 3)
