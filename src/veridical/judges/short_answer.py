"""The rubric for short answers: does a reply say the same as the true answer?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from veridical.judges.rubric import Rubric, Shown
from veridical.judges.verdict import Verdict
from veridical.records import Json


class Equivalence(Verdict):
    """Whether a reply gives the true answer, and the reason in a sentence."""

    reason: str
    correct: bool


def _by_rule(shown: Shown) -> Mapping[str, Json] | str:
    from veridical.judges.rules import short_answer

    ruling = short_answer(shown["question"], shown["gold"], shown["reply"])
    return ruling.reason if ruling.correct is None else {"correct": ruling.correct, "reason": ruling.reason}


SHORT_ANSWER = Rubric(
    name="short-answer",
    folder=Path(__file__).parent / "rubrics",
    verdict=Equivalence,
    rule=_by_rule,
    help="whether a reply gives the true answer, in other words or not",
)
