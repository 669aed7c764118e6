"""VI-Probe's tables of verdicts: what each run says of its observer over all cases and for each, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from veridical.records import Counts
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.viprobe.presentation.concluded import Concluded, concluded
from veridical.suites.viprobe.presentation.more_tables import counts_of
from veridical.suites.viprobe.verdicts import NAMES, Verdict

YES_NO, COMPARISONS = "yes-no questions", "comparisons"
DIFFER = "differs by kind of question"
_RULE = (
    "A model of how the two replies to a picture come about (noise, a criterion, lapses and biases) is fitted with "
    "each explanation of what figures do to them; a verdict needs its explanation to beat all others."
)
_COLUMNS = (
    "Model",
    "Questions",
    "Case",
    "Verdict",
    "In the paper's terms",
    "Evidence",
    "Parameters",
    "If missing at random",
    "What would decide it",
    "Trials",
)


def mechanisms(results: Sequence[Result]) -> list[Table]:
    """How many cases have each verdict, and all verdicts with what they rest on; no rows without question pairs."""
    verdicts_of_runs = [(result, verdicts) for result in results if (verdicts := concluded(result.outcomes)).yes_no]
    return [_short(verdicts_of_runs), _whole(verdicts_of_runs)]


def _short(verdicts_of_runs: Sequence[tuple[Result, Concluded]]) -> Table:
    slices = {each.name for _, verdicts in verdicts_of_runs for each in verdicts.yes_no if each.where}
    names, compared = (
        [name for name in NAMES if name in slices],
        any(verdicts.comparison for _, verdicts in verdicts_of_runs),
    )
    rows: list[tuple[Cell, ...]] = []
    for result, verdicts in verdicts_of_runs:
        overall, *cases = verdicts.yes_no
        times = Counter(each.name for each in cases)
        beside = (verdicts.comparison[0].name if verdicts.comparison else None,) if compared else ()
        counts = (times[name] for name in names)
        rows.append((result.model, overall.name, *beside, *counts, len(cases), counts_of(result, {})))
    note = f"{_RULE} The first verdict is over all cases; numbers are of cases, by their yes-no questions."
    heads = (YES_NO.capitalize(), *((COMPARISONS.capitalize(),) if compared else ()))
    columns = ("Model", *heads, *(name.capitalize() for name in names), "Cases", "Trials")
    return Table("mechanisms", "Verdicts in short", note, columns, tuple(rows))


def _whole(verdicts_of_runs: Sequence[tuple[Result, Concluded]]) -> Table:
    note = (
        f"{_RULE} Parameters are those of the explanation that the verdict names, in units of α where it says so; "
        "intervals in brackets. Where too many answers are missing, a verdict stands only if no filling of the gaps "
        "changes it; if they are missing evenly, the verdict of the answered ones stands beside it."
    )
    rows = tuple(row for result, verdicts in verdicts_of_runs for row in _rows(result, verdicts))
    return Table("mechanism", "Verdicts, with what they rest on", note, _COLUMNS, rows)


def _rows(result: Result, verdicts: Concluded) -> Iterator[tuple[Cell, ...]]:
    if verdicts.differ:
        evidence = (None, both(verdicts), None, None, None)
        yield result.model, "both", "overall", DIFFER, *evidence, counts_of(result, {})
    for each in verdicts.yes_no:
        yield _row(result, YES_NO, each, counts_of(result, each.where))
    for each in verdicts.comparison:
        rate = find(result, "choice_accuracy", each.where)
        yield _row(result, COMPARISONS, each, rate.counts if rate else None)


def _row(result: Result, questions: str, verdict: Verdict, counts: Counts | None) -> tuple[Cell, ...]:
    return (
        result.model,
        questions,
        verdict.where.get("case", "overall"),
        verdict.name,
        verdict.in_the_paper or None,
        "; ".join(verdict.evidence) or None,
        "; ".join(f"{name} {value}" for name, value in verdict.parameters.items()) or None,
        verdict.at_random,
        "; ".join(verdict.needs) or None,
        counts,
    )


def both(verdicts: Concluded) -> str:
    """The verdicts on the two kinds of questions, in words."""
    return f"{verdicts.yes_no[0].name} on {YES_NO}, {verdicts.comparison[0].name} on {COMPARISONS}"
