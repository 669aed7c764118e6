"""Published results scored again: marks over readable verdicts and over all items, with vetoes that code enforces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np

from veridical.errors import InputError
from veridical.stats.resample import Cells
from veridical.suites.magicbench.releases.results import ABSENT, READ, Result, letters_of, results_of

MARKS = ("vtg", "cpa", "cfr")
POOLED, MEAN = "all items", "mean of types"
"""The two averages that the paper's tables mix: over all items, and over the types, each counted once."""
UNSTATED = "no type"
_DRAWS, _PERCENT = 1000, 10


class Scored(NamedTuple):
    """Marks in percent of their maximum, 0 to 100: of readable verdicts, with bootstrap errors, and of all items.

    `of_all` adds nothing for an item without a readable verdict. Values are `None` where no verdict can be read, errors
    also for a single one.
    """

    of_read: Mapping[str, float | None]
    errors: Mapping[str, float | None]
    of_all: Mapping[str, float | None]


class Line(NamedTuple):
    """A line of a table: a type of words or an average, its numbers of items and of readable verdicts, and the marks.

    `vetoes` are verdicts whose veto is triggered, `disagree` those of them whose judge wrote a CPA above 0;
    `cpa_written` is the CPA of readable verdicts as it was written.
    """

    kind: str
    items: int
    read: int
    marks: Scored
    cpa_written: float | None
    vetoes: int
    disagree: int


class Table(NamedTuple):
    """The lines of a model in a setting, and what became of its replies and verdicts, with the reasons."""

    model: str
    setting: str
    lines: Sequence[Line]
    replies: Mapping[str, int]
    verdicts: Mapping[str, int]
    reasons: Mapping[str, int]


def rescored(paths: Sequence[Path], items: Path | None = None) -> list[Table]:
    """The tables of result files, one for each model and setting, in the order in which they first occur.

    With `items`, a file of the release's items, its types hold, and an item without a result counts as one without a
    verdict. Raises `InputError` for files that cannot be read, for a result of an item that `items` does not have, and
    for two results of one item in one setting.
    """
    known = None if items is None else dict(letters_of(items))
    groups: dict[tuple[str, str], dict[str, Result]] = {}
    for path in paths:
        for result in results_of(path):
            group = groups.setdefault((result.model, result.setting), {})
            if result.name in group:
                raise InputError(f"{path}: there is a result of '{result.name[:60]}' in this setting already")
            if known is not None and result.name not in known:
                raise InputError(f"{path}: '{result.name[:60]}' is no item of {items}")
            group[result.name] = result if known is None else result._replace(letter=known[result.name])
    if known is not None:
        for (model, setting), group in groups.items():
            for name in known.keys() - group.keys():
                group[name] = Result(name, model, setting, known[name], ABSENT, ABSENT)
    return [_table(model, setting, list(group.values())) for (model, setting), group in groups.items()]


def _table(model: str, setting: str, results: Sequence[Result]) -> Table:
    return Table(
        model=model,
        setting=setting,
        lines=list(_lines(results)),
        replies=Counter(result.reply for result in results),
        verdicts=Counter(result.verdict for result in results),
        reasons=Counter(result.reason for result in results if result.reason),
    )


def _lines(results: Sequence[Result]) -> Iterator[Line]:
    letters = sorted({result.letter for result in results if result.letter})
    by_type = [_line(letter, [each for each in results if each.letter == letter]) for letter in letters]
    unstated = [each for each in results if each.letter is None]
    yield from by_type
    if unstated:
        yield _line(UNSTATED, unstated)
    whole = _line(POOLED, results)
    yield whole
    if by_type and not unstated:
        yield whole._replace(kind=MEAN, marks=_mean(by_type), cpa_written=_of([each.cpa_written for each in by_type]))


def _line(kind: str, results: Sequence[Result]) -> Line:
    read = [result.scores for result in results if result.verdict == READ and result.scores is not None]
    values = np.array([[scores[name] for name in MARKS] for scores in read]).reshape(len(read), len(MARKS))
    means, totals = values.mean(0) if read else values.sum(0), values.sum(0)
    return Line(
        kind=kind,
        items=len(results),
        read=len(read),
        marks=Scored(
            of_read={name: _PERCENT * float(means[k]) if read else None for k, name in enumerate(MARKS)},
            errors=_errors(values),
            of_all={name: _PERCENT * float(totals[k]) / len(results) if read else None for k, name in enumerate(MARKS)},
        ),
        cpa_written=_PERCENT * fmean(scores["cpa_written"] for scores in read) if read else None,
        vetoes=sum(scores["hard_failure_triggered"] > 0 for scores in read),
        disagree=sum(scores["veto_disagrees"] > 0 for scores in read),
    )


def _errors(values: np.ndarray) -> dict[str, float | None]:
    """Standard errors of the means, from 1,000 resamples of items."""
    if len(values) < 2:
        return dict.fromkeys(MARKS)
    count = len(values)
    cells = Cells(values[:, None, :], np.ones((count, 1)), np.zeros(count, np.int64), draws=_DRAWS)
    spread = cells.replicates[:, 0].std(0, ddof=1)
    return {name: _PERCENT * float(spread[k]) for k, name in enumerate(MARKS)}


def _mean(lines: Sequence[Line]) -> Scored:
    """The plain mean of types, of which each has a value, or none; errors of types are independent."""
    errors = {name: [line.marks.errors[name] for line in lines] for name in MARKS}
    joined = {
        name: None if None in own else sum(each**2 for each in own if each is not None) ** 0.5 / len(own)
        for name, own in errors.items()
    }
    return Scored(
        of_read={name: _of([line.marks.of_read[name] for line in lines]) for name in MARKS},
        errors=joined,
        of_all={name: _of([line.marks.of_all[name] for line in lines]) for name in MARKS},
    )


def _of(values: Sequence[float | None]) -> float | None:
    return None if None in values else fmean(value for value in values if value is not None)
