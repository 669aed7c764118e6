"""The page of the study: questions to a verdict, wrong and open runs, and which promises are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from studies.viprobe.sequential.observers import NEW
from studies.viprobe.sequential.study import (
    CLEAREST,
    PERCEIVERS,
    TENTH,
    TO_THE_END,
    Summary,
    observers,
    share,
    summaries,
)
from veridical.base.markdown import table
from veridical.records import Json
from veridical.stats import Interval
from veridical.suites.viprobe.sequential.part import SEQUENTIAL
from veridical.suites.viprobe.verdicts import names

COMMAND = "python -m studies.viprobe sequential"
_GROSS = tuple(CLEAREST[name] for name in (names.LOSS, names.BLIND))
_HIDDEN = tuple(name for name, late in NEW.items() if late.observer.group == "hidden answers")

_TEXT = """\
# Validation: verdicts that stop

How many questions VI-Probe takes to a verdict if it chooses them and stops when that is safe, and how often it is then
wrong. Simulated observers answer, whose mechanism is known; the same command makes the same table, and adds runs to
those that it has:

    {command}

There are {observers} observers: the {catalogue} of [the other validation](validation.md), drawn with the same
parameters, and {new} beside it. Most of these the model does not contain or only just; those whose pictures of a base
item look alike it does contain. What is right of each was written before any run. A run asks at most {most:,}
questions, four about each base item, in rounds of 48; no picture is asked about in the same way twice. Shares have 95 %
intervals over runs (mid-P), and "kept" refers to the share itself. The rules were made with other seeds.

## What was promised

{promises}

## The clearest observer of each verdict

{clearest}

"Questions" is the median over runs, then the 90th percentile. "Open" has no verdict when all questions are asked. A
verdict counts as acceptable if it makes no false claim, such as "loss on figures" of memory override, which takes other
pictures to show.

## Which rule stops

{rules}

By the model: one verdict has a posterior probability of at least .99, by the likelihood of
[the verdicts](verdicts.md). Without a model: bets on base items, which are wrong in at most 1 % of runs whatever the
observer is. Both wait for 96 questions over 12 cases, and neither speaks while answers are missing in more than 5 % of
a kind of picture. If the model misses the replies to the fifth of questions that come in a fixed random order, it
decides nothing, and all questions come in that order.

## Cases unlike the others

{cases}

## All observers

{everyone}
"""


def page(results: Sequence[Json], runs: int, clearest: int) -> str:
    """The page, as Markdown."""
    rows = summaries(results)
    by_name = {row.observer: row for row in rows}
    return _TEXT.format(
        command=f"{COMMAND} --runs {runs} --clearest {clearest}",
        observers=len(observers()),
        catalogue=len(observers()) - len(NEW),
        new=len(NEW),
        most=SEQUENTIAL.most,
        promises=table(("promise", "reached", "n", ""), list(_promises(results, by_name))),
        clearest=table(_HEAD, [_row(by_name[name], verdict) for verdict, name in CLEAREST.items() if name in by_name]),
        rules=table(("rule", "runs", "wrong"), list(_rules(results))),
        cases=_cases(results),
        everyone=table(_HEAD, [_row(row, _right(row)) for row in rows if row.observer != TO_THE_END]),
    )


_HEAD = ("observer", "right", "questions", "right, %", "acceptable", "wrong, %", "open", "n")


def _row(row: Summary, right: str) -> list[str]:
    questions = f"{row.median:.0f} / {row.most:.0f}"
    acceptable = str(round(row.runs * (1 - row.right[0] - row.wrong[0])))
    shares = _percent(row.right), acceptable, _percent(row.wrong)
    return [row.observer, right, questions, *shares, str(row.open), str(row.runs)]


def _right(row: Summary) -> str:
    return " or ".join(sorted(observers()[row.observer].overall.right))


def _percent(value: tuple[float, Interval]) -> str:
    estimate, (low, high) = value
    return f"{100 * estimate:.1f} [{100 * (low or 0.0):.1f}, {100 * (high or 0.0):.1f}]"


def _promises(results: Sequence[Json], rows: Mapping[str, Summary]) -> Iterator[list[str]]:
    once = [each for each in results if each["observer"] != TO_THE_END]
    wrong = share([each["mark"] == "wrong" for each in once])
    yield ["wrong in at most 1 % of all runs", f"{_percent(wrong)} %", str(len(once)), _kept(wrong[0] <= 0.01)]
    worst = max((row for row in rows.values() if row.observer != TO_THE_END), key=lambda row: row.wrong[0])
    words = f"{_percent(worst.wrong)} % ({worst.observer})"
    yield ["wrong in at most 1 % for every observer, the worst", words, str(worst.runs), _kept(worst.wrong[0] <= 0.01)]
    for what, chosen, most in (("gross loss and blindness", _GROSS, 130), ("clear perceivers", PERCEIVERS, 300)):
        medians = {name: rows[name].median for name in chosen if name in rows}
        if medians:
            words = "; ".join(f"{name} {median:.0f}" for name, median in medians.items())
            runs = sum(rows[name].runs for name in medians)
            yield [f"{what}: median of {most} questions", words, str(runs), _kept(max(medians.values()) <= most)]
    clear = [row for row in rows.values() if row.observer in CLEAREST.values()]
    if clear:
        slowest = max(clear, key=lambda row: row.most)
        words = f"{slowest.most:.0f} ({slowest.observer})"
        runs = sum(row.runs for row in clear)
        yield ["clearest of each: 90th percentile of 800", words, str(runs), _kept(slowest.most <= 800)]
    hidden = [each["mark"] == "wrong" for each in results if each["observer"] in _HIDDEN]
    if hidden:
        reached = share(hidden)
        yield [
            "refusals of what was seen: never wrong",
            f"{_percent(reached)} %",
            str(len(hidden)),
            _kept(not any(hidden)),
        ]
    ended = [each["found"] for each in results if each["observer"] == TO_THE_END]
    if ended:
        found = share(ended)
        yield ["a tenth of recalled cases found", f"{_percent(found)} %", str(len(ended)), _kept(found[0] >= 0.8)]


def _kept(kept: bool) -> str:
    return "kept" if kept else "**missed**"


def _rules(results: Sequence[Json]) -> Iterator[list[str]]:
    names_ = dict.fromkeys((each["rule"] or "none: all questions asked").split(":")[0] for each in results)
    for name in names_:
        runs = [each for each in results if (each["rule"] or "none").split(":")[0] == name]
        yield [name, str(len(runs)), str(sum(each["mark"] == "wrong" for each in runs))]


def _cases(results: Sequence[Json]) -> str:
    early = [each for each in results if each["observer"] == TENTH]
    ended = [each for each in results if each["observer"] == TO_THE_END]
    lines = []
    for words, runs in (("stopped by a rule", early), (f"asked all {SEQUENTIAL.most:,} questions", ended)):
        if runs:
            found = share([each["found"] for each in runs])
            cases = sum(each["open cases"] for each in runs) / len(runs)
            lines.append(
                f"Three of 27 cases are recalled, the run {words}: found in {_percent(found)} % of {len(runs)} runs;\n"
                f"{cases:.1f} cases on average are named as open, each with the questions that it would still take."
            )
    return "\n\n".join(lines)
