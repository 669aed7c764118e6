"""Visible reasoning: how often each rule marks it, and accuracy with a mark and without, within items."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import polars as pl

from veridical.records import PROPORTION, Estimate, Unit
from veridical.stats import Interval, student
from veridical.suite.contrasts import difference, holm_corrected
from veridical.suite.rates import NOTHING, Slice, cluster_rows, slices
from veridical.suite.rows import asked_rows
from veridical.suites.viabench.analysis.replies import NAME, letter_replies, pieces
from veridical.suites.viabench.traces.rules import RULES, TraceRule
from veridical.suites.viabench.traces.trace import Trace, trace_of

WORDS = Unit(name="words", digits=0, low=0.0)
LONGER = "longer"
"""The mark of a trace with more words than the median of those of the same item."""
NO_TRACE = "no reply shows reasoning"
_KEYS: tuple[tuple[str, ...], ...] = ((), ("category",))


def reasoning(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`visible reasoning`, `trace words`, `trace rate` and `trace effect` of the replies by letter with pictures shown.

    Nothing where no reply was asked for. Rates and effects are undefined where no reply shows reasoning.
    """
    replies, note = _seen(rows)
    if replies.is_empty():
        return
    marked = with_marks(replies)
    traces = marked.filter("visible")
    for keys in _KEYS:
        for piece in slices(NAME, marked, marked, keys, {}, note):
            yield piece.rate("visible reasoning", "shows", "of the replies that came")
    if traces.is_empty():
        whole = Slice(NAME, {}, traces, next(slices(NAME, marked, marked, (), {})).counts, note)
        yield whole.estimate("trace rate", PROPORTION, "of traces", None, NOTHING, NO_TRACE)
        return
    for keys in _KEYS:
        for piece in slices(NAME, traces, traces, keys, {}, note):
            yield _words(piece)
    yield from _rates(traces, note)
    yield from _effects(traces, note)


def trace_in(reasoning: str | None, text: str | None, expects: str, option: str | None) -> Trace:
    """The trace of a reply to a trial that expects this, in JSON, and whose final answer is that option."""
    facts = json.loads(expects)
    return trace_of(reasoning, text, tuple(facts.get("options", ())), facts.get("label"), option)


def with_marks(rows: pl.DataFrame) -> pl.DataFrame:
    """The replies, as of `replies`, with `visible`, `shows` (the same as 0 or 1), `words`, and 0 or 1 for each rule.

    A mark is null without visible reasoning, and, of a rule that needs one, without a final answer.
    """
    marks = [_marks(trace_in(*row)) for row in rows.select("reasoning", "text", "expects", "option").iter_rows()]
    names = ("visible", "shows", "words", *(rule.name for rule in RULES))
    types: tuple[type[pl.DataType], ...] = (pl.Boolean, *[pl.Float64] * (len(names) - 1))
    columns = zip(names, types, strict=True)
    return rows.with_columns(
        pl.Series(name, [each[k] for each in marks], dtype=dtype) for k, (name, dtype) in enumerate(columns)
    )


def _marks(trace: Trace) -> tuple[bool | float | None, ...]:
    if not trace.visible:
        return (False, 0.0, None, *[None] * len(RULES))
    return True, 1.0, float(trace.words), *(_mark(rule, trace) for rule in RULES)


def _mark(rule: TraceRule, trace: Trace) -> float | None:
    return None if rule.needs_answer and trace.final is None else float(bool(rule.find(trace)))


def _seen(rows: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The replies that came, by letter, under every system turn, with the pictures shown if any were."""
    letters = asked_rows(letter_replies(rows))
    shown = letters.filter(pl.col("sight") == "shown")
    turns = letters["cot"].n_unique()
    notes = ["sight blind"] if shown.is_empty() and len(letters) else []
    notes += [f"{turns} system turns together"] if turns > 1 else []
    return (letters if shown.is_empty() else shown), f"; {', '.join(notes)}" if notes else ""


def _words(piece: Slice) -> Estimate:
    """The mean number of words of a trace."""
    data = cluster_rows(piece.rows, ("words",), np.zeros(len(piece.rows), np.int64), 1)
    value = float(data.rates[0, 0])
    bounds = student(value, data.replicates[:, 0, 0], data.df) if data.df else NOTHING
    method = "mean of traces; Student's interval from a bootstrap of units within families"
    return piece.estimate("trace words", WORDS, method, value, Interval(_at_least_0(bounds.low), bounds.high))


def _at_least_0(bound: float | None) -> float | None:
    return None if bound is None else max(bound, 0.0)


def _rates(traces: pl.DataFrame, note: str) -> Iterator[Estimate]:
    for rule in RULES:
        counted = traces.drop_nulls(rule.name)
        for keys in _KEYS:
            for piece in slices(NAME, counted, counted, keys, {"mark": rule.name}, note):
                method = "of traces with a final answer" if rule.needs_answer else "of traces"
                yield piece.rate("trace rate", rule.name, f"{method}; {rule.name} {rule.version}")


def _effects(traces: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """Accuracy with each mark − without, on items that have replies of both kinds, each item at the same weight.

    An item is a trial, of whose repeats some have the mark; where trials are asked once, a unit under one system turn.
    A reply marked "overturned" is wrong by definition, so it has no effect.
    """
    again = traces["repeat"].n_unique() > 1
    items = ["trial"] if again else ["unit", "cot"]
    where = "trials" if again else "units"
    longer = traces.with_columns(
        (pl.col("words") > pl.col("words").median().over(items)).cast(pl.Float64).alias(LONGER)
    )
    for keys in _KEYS:
        effects = []
        for name in (*(rule.name for rule in RULES if not rule.needs_answer), LONGER):
            within = _by_item(longer, name, items)
            for piece in slices(NAME, longer, within, keys, {"mark": name}, note):
                sides = (pl.col(name) == 1, pl.col(name) == 0, f"with − without, within {where}")
                effects.append(difference(piece, "trace effect", "right", sides))
        yield from holm_corrected(effects)


def _by_item(traces: pl.DataFrame, name: str, items: list[str]) -> pl.DataFrame:
    """The accuracy of each item with the mark and without, of items that have both."""
    keys = dict.fromkeys(("unit", "family", "category", *items, name))
    means = traces.group_by(*keys, maintain_order=True).agg(pl.col("right").mean())
    return means.filter(pl.len().over(items) == 2)


TOKENS = {"up to 64": 64, "65 to 256": 256, "257 to 1,024": 1024, "1,025 to 4,096": 4096, "over 4,096": 2**53}
"""Bins of output tokens, thinking included, with the most that each holds."""


def token_estimates(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`accuracy by tokens` and `recall by tokens`; nothing where the provider counts none, or all lie in one bin."""
    names, (*edges, _) = list(TOKENS), TOKENS.values()
    counted = rows.drop_nulls("output_tokens")
    counted = counted.with_columns(
        tokens=pl.Series(names).gather(pl.Series(edges).search_sorted(counted["output_tokens"], side="left"))
    )
    if counted["tokens"].n_unique() < 2:
        return
    misled = counted.filter((pl.col("variant") == "unusual") & (pl.col("usual") != pl.col("label")))
    for metric, column, chosen in (("accuracy by tokens", "right", counted), ("recall by tokens", "as_usual", misled)):
        for piece in pieces(chosen, [("tokens",), ("tokens", "category")], {}, note):
            yield piece.rate(metric, column, "of replies of that length")
