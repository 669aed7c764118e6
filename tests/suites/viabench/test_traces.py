"""The rules on reasoning traces: as right as their page says, linear, and passages that stand where they say."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.suites.viabench.presentation.facts import passages
from veridical.suites.viabench.traces.corpus import agreement, corpus, table
from veridical.suites.viabench.traces.rules import RULES
from veridical.suites.viabench.traces.trace import FEWEST_WORDS, LONGEST, Trace, trace_of

PAGE = Path(__file__).parents[3] / "docs" / "reasoning-traces.md"
FLOORS = {
    "measure": {"hedging": (1, 0.9), "self-negation": (0.85, 0.85), "loop": (1, 0.9), "overturned": (1, 0.8)},
    "fresh": {"hedging": (1, 0.6), "self-negation": (1, 0.85), "loop": (1, 1), "overturned": (1, 0.8)},
}
OPTIONS = ("4", "5", "6", "Not Sure")
words = st.sampled_from(
    [
        "six",
        "5",
        "fingers",
        "wait",
        "no",
        "maybe",
        "I",
        "see",
        "count",
        ",",
        ".",
        "?",
        "\n",
        "’",
        "not",
        "sure",
        "的",
        "\0",
    ]
)
written = st.lists(words, max_size=60).map(" ".join) | st.text(max_size=80)


def row(text, reasoning=None, answer="B", label="6"):
    expects = f'{{"options": ["4", "5", "6", "Not Sure"], "label": "{label}"}}'
    return {"stage": "ask", "expects": expects, "answer": answer, "text": text, "reasoning": reasoning}


@pytest.mark.parametrize("part", FLOORS)
def test_rules_agree_with_labels_as_often_as_their_page_says(part):
    assert table(part) in PAGE.read_text(encoding="utf-8")
    for rule in RULES:
        reached = agreement(rule, part)
        precision, recall = FLOORS[part][rule.name]
        assert reached.precision >= precision
        assert reached.recall >= recall


def test_the_corpus_has_each_mark_and_its_absence_in_each_part():
    assert len(corpus()) == len({each.id for each in corpus()}) >= 80
    texts = [each.text for each in corpus()]
    assert len(set(texts)) == len(texts)
    for part in ("tune", "measure", "fresh"):
        for rule in RULES:
            kinds = {rule.name in each.marks for each in corpus(part)}
            assert kinds == {True, False}


@given(written, written)
def test_passages_are_stretches_of_their_field_in_order(reasoning, text):
    found = passages(row(text, reasoning))
    for each in found:
        field = reasoning if each.field == "reasoning" else text
        assert 0 <= each.start < each.end <= len(field)
        assert field[each.start : each.end].strip()
    for rule in RULES:
        spans = rule.find(trace_of(reasoning, text, OPTIONS, "6", "5"))
        assert all(one.end <= two.start for one, two in pairwise(spans))


@given(written)
def test_overturned_is_a_self_negation_and_needs_a_wrong_answer(text):
    find = {rule.name: rule.find for rule in RULES}
    wrong, right, open_ = (Trace(text, 0, OPTIONS, "6", final) for final in ("5", "6", None))
    assert bool(find["overturned"](wrong)) <= bool(find["self-negation"](wrong))
    assert not find["overturned"](right)
    assert not find["overturned"](open_)


def test_the_words_of_a_passage_are_what_the_rule_is_about():
    text = "I count six fingers here. Hmm, hands have five, so maybe one of them is a shadow. Answer: [B]"
    found = {(each.title, text[each.start : each.end]) for each in passages(row(text))}
    assert ("Hedging", "maybe") in found
    assert ("Overturned", "I count six fingers here.") in found
    thought = "A hand with a thumb on the left. I count six fingers in all, thumb included."
    apart = passages(row("Hands have five fingers. Answer: [B]", thought))
    assert ("reasoning", "I count six fingers in all, thumb included.") in {
        (each.field, thought[each.start : each.end]) for each in apart if each.title == "Overturned"
    }


@pytest.mark.parametrize(
    ("reasoning", "text", "seen"),
    [
        (None, "Answer: [B]", ""),
        (None, "Six. Answer: [A]? No. Answer: [B]", "Six. Answer: [A]? No. "),
        ("Six.", "Five. Answer: [B]", "Six.\n\nFive. "),
        (None, "<think>Answer: [B]? Or six.</think> C", "<think>Answer: [B]? Or six.</think> C"),
        (None, None, ""),
    ],
)
def test_a_trace_is_the_thinking_and_what_stands_before_the_final_answer(reasoning, text, seen):
    assert trace_of(reasoning, text).text == seen


def test_a_bare_answer_shows_no_reasoning():
    few, enough = (" ".join(["maybe"] * count) for count in (FEWEST_WORDS - 1, FEWEST_WORDS))
    assert not trace_of(None, few).visible
    assert not passages(row(few))
    assert trace_of(None, enough).visible
    assert passages(row(enough))
    assert not passages(row(enough) | {"stage": "grade"})
    assert not passages(row(enough) | {"expects": '{"label": "six"}'})


@pytest.mark.parametrize(
    "unit", ["a", "no ", "wait, ", "the ", "1, ", "\n", "I ", "but ", "six ", ".", "one, ", "I can't really ", "if; "]
)
def test_what_is_longer_than_the_limit_is_not_looked_at(unit):
    long = unit * (3 * LONGEST // len(unit))
    trace = trace_of(long, long, OPTIONS, "6", "5")
    assert len(trace.text) <= LONGEST + 2
    for rule in RULES:
        assert all(span.end <= len(trace.text) for span in rule.find(trace))
