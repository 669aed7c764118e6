"""Marked passages of replies: nothing is lost or moved, and hostile text stays text."""

import re
import shutil
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report import toy
from tests.report.pages import HOSTILE, TRIALS, Page, report
from tests.report.test_browser import dom
from veridical.report import visible
from veridical.report.passages import MOST, mark_passages
from veridical.suite.results import Passage

ends = st.integers(-5, 40)
titles, shades = st.sampled_from(["a", "b", HOSTILE]), st.sampled_from(["", "good", "bad"])
passages = st.lists(st.builds(Passage, st.just("text"), ends, ends, titles, shades), max_size=8)


@given(st.text(max_size=30), passages)
def test_the_parts_joined_are_the_text_and_each_character_has_the_titles_of_what_covers_it(text, chosen):
    shown = mark_passages(text, chosen)
    parts = [shown] if isinstance(shown, str) else shown
    split = [(part, "") if isinstance(part, str) else tuple(part[:2]) for part in parts]
    assert "".join(part for part, _ in split) == text
    assert all(part for part, _ in split) or not text
    titles = [title for part, title in split for _ in part]
    for place, title in enumerate(titles):
        assert set(title.split(", ")) - {""} == {each.title for each in chosen if each.start <= place < each.end}


@given(st.text(max_size=30), passages)
def test_a_part_is_of_the_shade_of_what_covers_it_and_bad_counts_before_good(text, chosen):
    shown = mark_passages(text, chosen)
    parts = [shown] if isinstance(shown, str) else shown
    shades = [
        shade
        for part in parts
        for shade in [part[2] if len(part) > 2 and isinstance(part, list) else ""] * length(part)
    ]
    for place, shade in enumerate(shades):
        own = {each.shade for each in chosen if each.start <= place < each.end}
        assert shade == ("bad" if "bad" in own else "good" if "good" in own else "")


def length(part):
    return len(part) if isinstance(part, str) else len(part[0])


def test_a_reply_with_no_passage_is_a_text_and_thousands_of_passages_are_cut():
    assert mark_passages("six", []) == "six"
    assert mark_passages("six", [Passage("text", 3, 9, "after"), Passage("text", 2, 1, "turned")]) == "six"
    many = [Passage("text", 2 * k, 2 * k + 1, "each") for k in range(100_000)]
    shown = mark_passages("ab" * 100_000, many)
    assert sum(isinstance(part, list) for part in shown) == MOST


def marking(row):
    """Marks all of a reply but its first and last character, with a hostile title."""
    return [Passage("text", 1, len(row["text"]) - 1, HOSTILE)] if row["text"] else []


def hostile_page(folder):
    run = toy.run("m", TRIALS, lambda _: {"status": "answered", "answer": "no", "text": HOSTILE})
    suite = toy.suite(presentation=replace(toy.PRESENTATION, passages=marking))
    return report(folder, [run], suite=suite)


def test_hostile_replies_and_titles_stand_in_the_data_as_text(tmp_path):
    page = hostile_page(tmp_path)
    outcome = page.items["units"][0]["items"][0]["questions"][0]["outcomes"][0]
    first, (inside, title), last = outcome["text"]
    assert first + inside + last == visible(HOSTILE)
    assert title == visible(HOSTILE)
    assert len(page.scripts) == 2


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on PATH")
def test_a_browser_marks_them_and_runs_nothing(tmp_path):
    hostile_page(tmp_path)
    built = Page(dom((tmp_path / "report.html").as_uri(), tmp_path / "profile"))
    marks = [attributes for tag, attributes in built.elements if tag == "mark"]
    assert marks
    assert {frozenset(each) for each in marks} == {frozenset({"title"})}
    assert {re.sub(r"\s+", " ", each["title"]) for each in marks} == {re.sub(r"\s+", " ", visible(HOSTILE))}
    assert not [key for _, attributes in built.elements for key in attributes if key.startswith("on")]
    assert [tag for tag, _ in built.elements].count("script") == 2
