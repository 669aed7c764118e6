"""The blind floor: what the best fixed reply is worth to a rule, against every subset of its pieces."""

import itertools
import json
from dataclasses import replace
from statistics import fmean

import polars as pl
import pytest
from pydantic import Field

from veridical.judges import JudgeVerdict, Rubric, blind, marking
from veridical.judges.rubric import FixedReply
from veridical.records import PROPORTION
from veridical.suite.evidence import Evidence

WORDS = ("red", "round", "tall", "old", "wet")


class Graded(JudgeVerdict):
    reason: str
    grade: int = Field(ge=0, le=10)


def rule(shown):
    """Ten for the word of the item; nothing for a reply of more than three words; no verdict on what is unknown."""
    if shown["gold"] == "unknown":
        return "it is not known"
    words = shown["reply"].split()
    return {"reason": "", "grade": 10 * (shown["gold"] in words and len(words) <= 3)}


def fixed(shown):
    return FixedReply(tuple(dict.fromkeys(each["gold"] for each in shown)), " ".join)


@pytest.fixture
def rubric(tmp_path):
    front = '+++\nid = "t/graded"\nversion = "1"\nconstraints = []\n+++\n'
    (tmp_path / "graded.md").write_text(f"{front}$gold $reply\n")
    return Rubric(name="graded", folder=tmp_path, verdict=Graded, sees=("gold", "reply"), rule=rule, fixed=fixed)


def items(*counts):
    return [{"gold": word, "reply": ""} for word, count in zip(WORDS, counts, strict=False) for _ in range(count)]


def best(rubric, shown):
    """The best mean of any set of pieces, by trying all."""
    subsets = (each for size in range(6) for each in itertools.combinations(WORDS, size))
    return max(fmean(blind.rule_score(rubric, item, " ".join(subset), "grade") for item in shown) for subset in subsets)


@pytest.mark.parametrize("counts", [(4, 3, 2, 1), (1, 1, 1, 1, 1), (5,), (3, 0, 3)])
def test_the_fixed_reply_is_the_best_of_all_subsets(rubric, counts):
    shown = items(*counts)
    reply, _ = blind.best_reply(rubric, shown, "grade")
    found = fmean(blind.rule_score(rubric, item, reply, "grade") for item in shown)
    assert found == pytest.approx(best(rubric, shown))


def test_what_the_rule_cannot_tell_counts_as_nothing(rubric):
    shown = [*items(2), {"gold": "unknown", "reply": ""}, {"gold": "unknown", "reply": ""}]
    reply, _ = blind.best_reply(rubric, shown, "grade")
    assert fmean(blind.rule_score(rubric, item, reply, "grade") for item in shown) == 0.5


def floors(rubric, shown, model="veridical/rule"):
    rows = [
        {"stimulus": f"s{k}", "unit": f"u{k}", "family": "f", "reader": "graded", "model": model, "status": "answered",
         "attempt": 1, "expects": json.dumps({"shown": {**item, "reply": "red"}})}
        for k, item in enumerate(shown)
    ]  # fmt: skip
    stage = marking("grade", "ask", (rubric,))
    evidence = Evidence.of({"ask": pl.DataFrame(rows), "grade": pl.DataFrame(rows)})
    return list(blind.blind_floors("t", evidence, stage, ("grade",), PROPORTION))


def test_a_floor_has_an_interval_and_makes_a_smoke_test_above_a_third(rubric):
    (high,) = floors(rubric, items(4, 2, 2, 1, 1))
    assert (high.value, high.n_units) == (0.8, 10)
    assert high.low < 0.8 < high.high
    assert blind.is_smoke([high], "veridical/rule")
    assert not blind.is_smoke([high], "a model")
    assert not blind.is_smoke([replace(high, value=0.3)], "veridical/rule")


def test_judges_that_are_no_rule_have_no_floor(rubric):
    assert floors(rubric, items(2, 2), model="openai/m") == []
    assert floors(replace(rubric, fixed=None), items(2, 2)) == []
