"""Replies in the styles of many models: few are read wrongly or judged falsely, and the pages say how many."""

from pathlib import Path

import pytest

from tests.answers.contact import CORPORA, JUDGED, JUDGES, READ, READERS, judged, judged_table, lines, read, read_table

DOCS = Path(__file__).parents[2] / "docs"
MOST_WRONG, LEAST_READ, MOST_FALSE = 0.005, 0.85, 0.03
WITHOUT_FORM = ("anomaly_explanation", "method_explanation", "correction")
"""Kinds whose items the rules know by words that were written for them, or not at all: they often cannot tell."""


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_corpus_has_two_hundred_replies_of_each_kind_with_and_without_an_answer(corpus):
    for folder, kinds in ((READ, READERS), (JUDGED, JUDGES)):
        for kind in kinds:
            cases = lines(folder, corpus, kind)
            assert len(cases) >= 200, kind
            assert len({(case["text"], case.get("question"), case.get("duration")) for case in cases}) > 190, kind
            assert {case["answer"] in (None, "undecided") for case in cases} == {True, False}, kind


def test_of_the_first_corpus_one_in_two_hundred_is_read_wrongly_and_nearly_all_are_read():
    found = {kind: read("one", kind) for kind in READERS}
    assert sum(each["wrong"] for each in found.values()) <= MOST_WRONG * sum(each["n"] for each in found.values())
    for kind, each in found.items():
        assert each["right"] >= LEAST_READ * each["labeled"], kind


@pytest.mark.parametrize("kind", JUDGES)
def test_a_rule_judge_that_decides_on_the_first_corpus_is_seldom_false(kind):
    pairs = judged("one", kind)
    for label, ruling in (("right", "wrong"), ("wrong", "right")):
        count = sum(pairs[label, each] for each in ("right", "wrong", "undecided"))
        assert pairs[label, ruling] <= MOST_FALSE * count, (label, ruling)
    undecided = pairs["right", "undecided"] + pairs["wrong", "undecided"]
    assert kind in WITHOUT_FORM or undecided <= 0.25 * pairs.total()


@pytest.mark.parametrize("corpus", CORPORA)
def test_of_each_corpus_one_reply_in_fifty_is_read_wrongly_at_most(corpus):
    found = [read(corpus, kind) for kind in READERS]
    assert sum(each["wrong"] for each in found) <= 0.02 * sum(each["n"] for each in found)
    assert sum(each["right"] for each in found) >= 0.9 * sum(each["labeled"] for each in found)


def test_the_published_tables_are_those_of_the_readers_and_the_judges():
    assert read_table() in (DOCS / "readers.md").read_text(encoding="utf-8")
    assert judged_table() in (DOCS / "howto" / "judges.md").read_text(encoding="utf-8")
