"""A reply that the length limit cut is truncated, whoever reads it, unless its answer was complete before the cut."""

import pytest

from tests.probe.test_gold import READERS, trial
from veridical.answers.truncation import nothing_complete
from veridical.records import Response

RIGHT = (
    "Yes",
    "No. The left line is longer than the right one.",
    "Looking closely at both lines, no end is beyond the other. So yes, they are equal.\n\nAnswer: yes",
    "At first sight B seems right. But look again: the line on the left is longer.\n\nAnswer: [A]",
    "B",
    "Both lines look alike, but the right one is longer, so the answer is B.",
    "<think>No, that is odd.</think>The answer is (C).",
    "I count the legs: 1, 2, 3, 4, 5, 6. So there are 6 legs.",
    "Answer: A, C",
    "- A. shape\n- C. gravity",
    "The anomaly lasts from 1.20 to 3.40 seconds, and again from 3.6 to 3.9 s.",
    "<answer>1.20 to 3.40</answer>",
    "The event happens in 1.2 - 3.4 seconds.",
    "R1 shows a mug. The mug is green, not red. R2 shows a clock to its left. So the answer is yes.\n\nAnswer: Yes",
    "The ball passes through the wall as if there were nothing. Solid things cannot do that.",
    'Here you are:\n{"verdict": true, "trick": "yes", "type": "A", "sub_types": ["gravity"], "score": 4}',
    "All but the second option hold.",
    "Left, I think. Wait, no: right.",
    "Region R1, 2 and 3 hold a red square.",
    "none",
)
FREE = {names: reader for names, (reader, _) in READERS.items() if reader.complete is nothing_complete}


def read(reader, text, stop_reason):
    return reader.read(Response(trial="t", text=text, stop_reason=stop_reason), trial(None))


@pytest.mark.parametrize("names", READERS, ids=map("-".join, READERS))
def test_no_prefix_of_a_reply_is_read_otherwise_than_the_whole(names):
    reader, _ = READERS[names]
    for text in RIGHT:
        whole = read(reader, text, "stop")
        cut = {end: read(reader, text[:end], "max_tokens") for end in range(1, len(text) + 1)}
        wrong = {text[:end]: each.answer for end, each in cut.items() if each.answer not in (None, whole.answer)}
        assert wrong == {}, whole
        if whole.answer is not None and len(text) > 3:
            assert cut[1].status != "answered"


@pytest.mark.parametrize("names", FREE, ids=map("-".join, FREE))
def test_where_the_whole_reply_is_the_answer_a_cut_one_is_truncated(names):
    for text in RIGHT:
        for end in range(1, len(text) + 1):
            assert read(FREE[names], text[:end], "max_tokens").status != "answered"


def test_continuations_explanations_and_free_words_are_such():
    assert {
        ("magic", "continuation-continuation"),
        ("hocabench", "explanation-parts"),
        ("viabench", "open-in-words"),
    } <= set(FREE)
