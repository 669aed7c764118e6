"""Exchanging the gold answer changes no status and no answer, whoever reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.probe_suite import SUITE
from veridical import answers
from veridical.answers import Reader
from veridical.records import Response, Trial
from veridical.suite import registry

SHARED = {name: reader for name, reader in vars(answers).items() if isinstance(reader, Reader)}
OPTIONS = ["left", "right", "both"]
_WORDS = "<answer> </answer> left right A B. R1 R3, none 4 seven yes no 1 0 not Wait, <think> </think> **"
PIECES = st.sampled_from([*_WORDS.split(), "I cannot", "So the answer is", "I'm sorry", "\n"])
TEXTS = st.one_of(st.lists(PIECES, max_size=8).map(" ".join), st.text(max_size=40))
ENDS = st.sampled_from([None, "stop", "max_tokens"])
GOLDS = st.one_of(st.none(), st.sampled_from([*OPTIONS, "A", "B", "R1", "R1,R3", "none", "1", "0", "yes", "no"]))
NUMBERS = st.one_of(st.none(), st.integers(0, 10).map(str))


def readers():
    """Every reader of every suite, and those that suites share; with the golds that its trials may have."""
    found = {("shared", name): (reader, GOLDS) for name, reader in SHARED.items()}
    for suite in {each.name: each for each in [*registry.all_suites(), SUITE]}.values():
        for family, members in suite.asking.readers.items():
            golds = NUMBERS if suite is SUITE and family == "closeness" else GOLDS
            found |= {(suite.name, f"{family}-{reader.name}"): (reader, golds) for reader in members}
    return found


READERS = readers()


def trial(gold, **more):
    general = {
        "suite": "s",
        "stage": "ask",
        "stimulus": "s",
        "unit": "u",
        "family": "f",
        "category": "c",
        "variant": "v",
    }
    names, prefix = ["shape", "size", "gravity"], ["R1 shows a mug."]
    expects = {"options": OPTIONS, "regions": 4, "keys": ["verdict"], "names": names, "duration": 4.0, "prefix": prefix}
    return Trial(id="t", **general, messages=(), gold=gold, reader="any", prompt="", expects=expects | more)


@pytest.mark.parametrize(("reader", "golds"), READERS.values(), ids=map("-".join, READERS))
@given(data=st.data())
def test_exchanging_the_gold_changes_no_status_and_no_answer(reader, golds, data):
    response = Response(
        trial="t",
        text=data.draw(TEXTS),
        stop_reason=data.draw(ENDS),
        refused=data.draw(st.sampled_from([False, False, True])),
        error=data.draw(st.sampled_from([None, None, None, "timeout"])),
    )
    first, second = (reader.read(response, trial(data.draw(golds))) for _ in range(2))
    assert (first.status, first.answer, first.reason) == (second.status, second.answer, second.reason)
    for reading in (first, second):
        assert set(reading.scores) <= set(reader.scores)
        assert all(
            low <= reading.scores[name] <= high for name, (low, high) in reader.scores.items() if name in reading.scores
        )
        assert reading.status == "answered" or not reading.correct


def test_a_reader_marks_by_the_gold_alone():
    reply = Response(trial="t", text="7")
    reader = SUITE.asking.readers["closeness"][0]
    marks = {gold: reader.read(reply, trial(gold)) for gold in ("7", "4", None)}
    assert {gold: (each.answer, each.correct, dict(each.scores)) for gold, each in marks.items()} == {
        "7": ("7", True, {"closeness": 10.0}),
        "4": ("7", False, {"closeness": 7.0}),
        None: ("7", None, {}),
    }
