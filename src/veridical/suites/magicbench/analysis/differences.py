"""What differs between two runs, on the trials that both have."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.judges.judged_outcomes import NOT_JUDGED
from veridical.judges.marks import split_by_judge
from veridical.records import Estimate
from veridical.suite.contrasts import rows_of_both, run_difference
from veridical.suite.evidence import Evidence
from veridical.suite.rows import WHOLE, groups
from veridical.suites.magicbench.analysis.estimates import Where
from veridical.suites.magicbench.analysis.marks import MARKS, explanations_by_judge
from veridical.suites.magicbench.analysis.probes import probe_replies
from veridical.suites.magicbench.analysis.rows import plain_replies, replies, tricks
from veridical.suites.magicbench.asking.cells import EXPLAIN
from veridical.suites.magicbench.stimuli import NAME


def differences(first: Evidence, second: Evidence) -> list[Estimate]:
    """`probe difference` by what is said, and `mark difference` by mark, judge, stance and words: second − first."""
    return [*_of_probes(first, second), *_of_marks(first, second)]


def _of_probes(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    rows = [tricks(probe_replies(replies(each.outcomes()))[0]) for each in (first, second)]
    both = rows_of_both(rows, "right", ("under",))
    for keys in (*WHOLE, ("under",)) if len(both) else ():
        for where, own in groups(both, keys):
            yield run_difference(NAME, own, "probe difference", where, fractions=False)


def _of_marks(first: Evidence, second: Evidence) -> Iterator[Estimate]:
    runs = [
        {tuple(where.items()): rows for where, rows in split_by_judge(explanations_by_judge(each))}
        for each in (first, second)
    ]
    for judge in runs[0]:
        if judge not in runs[1] or ("judge", NOT_JUDGED) in judge:
            continue
        rows = [tricks(plain_replies(run[judge], EXPLAIN)[0]) for run in runs]
        for mark in MARKS:
            both = rows_of_both(rows, mark, ("stance", "words"))
            for (stance, words), own in both.group_by("stance", "words", maintain_order=True):
                where: Where = {"score": mark, "stance": stance, "words": words or "none", **dict(judge)}
                yield run_difference(NAME, own, "mark difference", where, fractions=True)
