"""Regions that a suite draws over an item, those that a reply is about, and how it shows long answers and scores."""

import shutil
from dataclasses import replace

import pytest

from tests.report import scenes, toy
from tests.report.pages import HOSTILE
from tests.report.test_browser import observed
from tests.report.test_media import items_of, written
from veridical.records import Box
from veridical.report import visible
from veridical.suite.results import Passage, Region, Result

CHROMIUM = shutil.which("chromium")
DRAWN = [Region("R1", Box(1, 2, 30, 40), "matters", "good"), Region(HOSTILE, Box(50, 60, 90, 99), "misleads", "bad")]


def page(folder, **presentation):
    own = replace(scenes.PRESENTATION, **presentation)
    suite = replace(scenes.SUITE)
    vars(suite).update(
        {name: getattr(scenes.SUITE, name) for name in ("design", "asking", "analysis")}, presentation=own
    )
    return written(folder, [replace(scenes.run(), suite=suite)])


def lit(stimulus, row):
    return ["R1"] if row["text"] and stimulus.media else []


def test_regions_of_the_suite_stand_in_place_of_those_of_the_truth(tmp_path):
    items = items_of(page(tmp_path, regions=lambda stimulus: DRAWN if stimulus.variant == "boxed" else []))
    first, second = items["boxed"]["media"][0]["regions"]
    assert first == ["R1", 1, 2, 30, 40, "matters", "good"]
    assert second[0] == visible(HOSTILE)
    assert items["mixed"]["media"][1]["regions"] == [["R1", 0, 0, 9, 9]]


def test_a_reply_names_the_regions_that_it_is_about(tmp_path):
    items = items_of(page(tmp_path, regions=lambda _: DRAWN, mentioned=lit))
    outcomes = {name: item["questions"][0]["outcomes"][0] for name, item in items.items()}
    assert outcomes["boxed"]["lit"] == ["R1"]
    assert "lit" not in outcomes["words"]


def test_a_suite_says_what_stands_for_an_answer_and_which_scores_stand_beside_it(tmp_path):
    shown = items_of(page(tmp_path, answer=lambda row: row["answer"].split()[-1], scores=()))
    outcome = shown["boxed"]["questions"][0]["outcomes"][0]
    assert outcome["answer"] == "hat"
    assert "scores" not in outcome
    assert "scores" in items_of(page(tmp_path, scores=("quality",)))["boxed"]["questions"][0]["outcomes"][0]


def test_only_a_unit_of_several_categories_says_the_category_of_each_item(tmp_path):
    assert not any("category" in item for item in items_of(written(tmp_path)).values())
    changed = {
        name: replace(each, category="even" if each.variant == "boxed" else each.category)
        for name, each in scenes.TRIALS.items()
    }
    table = toy.outcomes("m", changed, scenes.reply, factors=scenes.FACTORS, scores=("score_quality",))
    mixed = written(tmp_path, [replace(scenes.run(), result=Result("m", table, toy.ESTIMATES))])
    assert {name: item["category"] for name, item in items_of(mixed).items()} == {
        "boxed": "even",
        **dict.fromkeys(("series", "moving", "mixed", "words"), "odd"),
    }
    assert mixed.items["units"][0]["mixed"] is True


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
def test_an_open_reply_lights_its_regions_and_colors_its_passages(tmp_path):
    marks = [Passage("text", 0, 2, "right", "good"), Passage("text", 3, 5, "wrong", "bad")]
    page(tmp_path, regions=lambda _: DRAWN, mentioned=lit, passages=lambda _: marks)
    shown = observed(
        tmp_path / "report.html",
        tmp_path / "profile",
        """
        const named = (node) => node.querySelector("b").textContent;
        const card = [...document.querySelectorAll(".card")].find((node) => named(node) === "boxed");
        const boxes = [...card.querySelectorAll(".regions rect")];
        const seen = () => boxes.map((box) => box.checkVisibility() && getComputedStyle(box).display !== "none");
        const before = seen();
        const reply = card.querySelector(".reply");
        reply.open = true;
        reply.dispatchEvent(new Event("toggle"));
        const after = seen();
        reply.open = false;
        reply.dispatchEvent(new Event("toggle"));
        return [before, after, seen(), boxes.map((box) => box.classList[0]),
          [...card.querySelectorAll("mark")].map((node) => node.className),
          [...card.querySelectorAll(".key")].map((node) => node.textContent)];
        """,
    )
    assert shown[:3] == [[False, False], [True, False], [False, False]]
    assert shown[3] == ["good", "bad"]
    assert shown[4] == ["good", "bad"]
    assert shown[5] == ["matters", "misleads"]
