"""Every hand-read reply is read as a careful person reads it; what such a person leaves open is left open."""

import json
import re

import pytest

from tests.answers.corpora import NAMES, cases, expected, reading

LINES = [(name, number, case) for name in NAMES for number, case in enumerate(cases(name), 1)]
KINDS = {
    "a tag": r"<answer>",
    "Markdown": r"\*\*|```|^#",
    "a LaTeX box": r"\\boxed",
    "thinking": r"<think>",
    "thinking that never ends": r"<think>(?!.*</think>)",
    "a choice left open": r"\bor\b|\|",
    "a denial": r"\b(?:not|neither|nor)\b|n't\b",
    "no difference": r"Yes\. There is no difference",
    "4 legs, not 5": r"4 legs, not 5",
    "a refusal": r"(?:sorry|I can't|I cannot|unable)",
    "another script": r"[\u3040-\u9fff]",
    "cut JSON": r"\{[^}]*\Z",
    "a list of all options": r"A[.)].*B[.)]|[Oo]ptions|[Aa]ll regions|\[Yes or No\]|\}, \{",
    "changed midway": r"[Ww]ait|Correction",
}


@pytest.mark.parametrize(("name", "number", "case"), LINES, ids=[f"{name}-{number}" for name, number, _ in LINES])
def test_a_reply_is_read_as_a_careful_person_reads_it(name, number, case):
    answer, reason = reading(name, case)
    assert answer == expected(name, case), (case["note"], reason)
    assert (answer is None) == bool(reason)


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_has_many_lines_and_none_twice(name):
    lines = cases(name) + cases(name, "held_out")
    assert len(cases(name)) >= 80
    assert len(cases(name, "held_out")) >= 30
    assert len({json.dumps([case["text"], case.get("options"), case.get("model")]) for case in lines}) == len(lines)
    assert all(case["note"] for case in lines)
    assert any(case["answer"] is None for case in lines)


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_has_every_kind_of_reply(name):
    texts = [case["text"] for case in cases(name) + cases(name, "held_out")]
    found = {kind for kind, sign in KINDS.items() if any(re.search(sign, text, re.DOTALL | re.M) for text in texts)}
    assert set(KINDS) - found == set()


@pytest.mark.parametrize("name", NAMES)
def test_replies_written_before_their_reading_was_looked_at_are_never_read_falsely(name):
    lines = cases(name, "held_out")
    answers = [(reading(name, case).answer, expected(name, case)) for case in lines]
    assert [pair for pair in answers if pair[0] not in (None, pair[1])] == []
    assert sum(read == wanted for read, wanted in answers) >= 0.9 * len(lines)
