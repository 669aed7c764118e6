"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.contrasts import rows_of_both, run_difference
from veridical.suite.evidence import Evidence
from veridical.suite.rows import Keys, groups
from veridical.suites.magic.analysis.accuracy import replies_by_marker
from veridical.suites.magic.analysis.healing import KEYS, OUTCOMES, verdicts
from veridical.suites.magic.analysis.magiscore import PARTS
from veridical.suites.magic.analysis.rows import plain_replies, replies
from veridical.suites.magic.asking.healing import HEAL_GRADE
from veridical.suites.magic.stimuli import NAME


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`accuracy difference` by who marks, `focus difference` by part, `healing difference` by outcome: second − first.

    Accuracy and F1 also stand by question type.
    """
    return [*_focus(first, second), *_answers(first, second), *_healing(first, second)]


def _focus(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    rows = [plain_replies(replies(evidence.outcomes()))[0] for evidence in (first, second)]
    for part in PARTS:
        both = rows_of_both(rows, part, ("category",))
        yield from _by_type(both, "focus difference", {"part": part}, fractions=True, types=part == "f1")


def _answers(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    by_marker = [{str(by["by"]): rows for by, rows in replies_by_marker(evidence)} for evidence in (first, second)]
    for name in by_marker[0]:
        if name in by_marker[1]:
            both = rows_of_both([plain_replies(own[name])[0] for own in by_marker], "right", ("category",))
            yield from _by_type(both, "accuracy difference", {"by": name}, fractions=False, types=True)


def _healing(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    if not all({HEAL_GRADE.about, HEAL_GRADE.name} <= set(each.stages) for each in (first, second)):
        return
    for score in (*OUTCOMES, "denies"):
        by_judge = [dict(verdicts(evidence, HEAL_GRADE, score)) for evidence in (first, second)]
        for judge in by_judge[0]:
            if judge in by_judge[1]:
                both = rows_of_both([own[judge] for own in by_judge], "value", KEYS)
                for where, own in groups(both, KEYS, {"of": score, "judge": judge}):
                    yield run_difference(NAME, own, "healing difference", where, fractions=False)


def _by_type(
    both: pl.DataFrame, metric: str, where: dict[str, Json], *, fractions: bool, types: bool
) -> Iterator[Estimate]:
    every: list[Keys] = [(), ("category",)] if types else [()]
    for keys in every if len(both) else ():
        for inside, own in groups(both, keys, where):
            yield run_difference(NAME, own, metric, inside, fractions=fractions)
