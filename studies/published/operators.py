"""The operators of the language of claims: whether what is stated fits what the cells give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from studies.published.claims import Operator, Relation
from studies.published.expressions import Comparison, fact_of, ranged
from studies.published.granularity import counts, nearest
from studies.published.printed import Cell
from studies.published.ranges import Range, count, decimals, exact, shown

Verdict = Literal["holds", "impossible", "contradicts", "only if", "not shown by n"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the cells give under one reading: whether it fits, in words, and how far from what is stated."""

    fits: bool
    computed: str
    gap: str = ""
    size: float = 0.0
    failed: Verdict = "contradicts"


def _equals(relation: Relation, stated: Any, computed: Any) -> Outcome:  # noqa: ANN401 (quantities)
    value, number = ranged(computed), ranged(stated)
    rounded = isinstance(stated, Cell) and number.low < number.high and " " not in stated.text
    digits = decimals(stated.text) + 1 if rounded else 0
    if relation.tolerance:
        more = exact(relation.tolerance)
        number = Range(number.low - more.high, number.high + more.high)
    if number.meets(value):
        return Outcome(True, value.show(digits) if digits else shown(value))
    off = (number.low + number.high - value.low - value.high) / 2
    gap = f"{float(off):+.{digits or (0 if off.denominator == 1 else 2)}f}"
    return Outcome(False, value.show(digits) if digits else shown(value), gap, abs(float(off)))


def _copy(relation: Relation, stated: Any, computed: Any) -> Outcome:  # noqa: ANN401 (cells)
    """A number that is printed twice, perhaps with different digits; a shared bound alone is no agreement."""
    if stated.low == stated.high or computed.low == computed.high:
        return _equals(relation, stated, computed)
    same = stated.low < computed.high and computed.low < stated.high
    off = (stated.low + stated.high - computed.low - computed.high) / 2
    digits = max(decimals(stated.text), decimals(computed.text))
    gap, size = ("", 0.0) if same else (f"{float(off):+.{digits}f}", abs(float(off)))
    return Outcome(same, computed.text, gap, size)


def _whole(relation: Relation, stated: Any, computed: Any) -> Outcome | None:  # noqa: ANN401 (a rate, its items)
    """Whether a rate is a whole count over a number of items; `None` where every printed number would be one.

    The items may come with the number of roundings of the rate, 1 or 2.
    """
    items, roundings = (int(ranged(each).low) for each in (computed if isinstance(computed, list) else [computed, 1]))
    if relation.scale * 10 ** decimals(stated.text) <= items * roundings:
        return None
    possible = counts(stated.text, items, relation.scale, roundings)
    near = sorted({possible[0], possible[-1]} if possible else set(nearest(stated.text, items, relation.scale)))
    digits = decimals(stated.text) + 1
    text = " or ".join(f"{k}/{items} = {relation.scale * k / items:.{digits}f}" for k in near)
    if possible:
        return Outcome(True, text)
    middle = float(stated.low + stated.high) / 2
    off = min((middle - relation.scale * k / items for k in near), key=abs)
    return Outcome(False, text, f"{off:+.{digits}f}", abs(off), "impossible")


def _fact(_: Relation, __: Any, computed: Any) -> Outcome:  # noqa: ANN401 (a comparison)
    words = "yes" if computed is True else "no"
    comparison = computed if isinstance(computed, Comparison) else Comparison(fact_of(computed), words)
    fits = comparison.fact is not False
    gap = comparison.gap
    if fits or gap is None:
        return Outcome(fits, comparison.text)
    middle = float(gap.low + gap.high) / 2
    return Outcome(False, comparison.text, f"{middle:+.{0 if middle == int(middle) else 2}f}", abs(middle))


def _counted(_: Relation, stated: Any, computed: Any) -> Outcome:  # noqa: ANN401 (words or a number, facts)
    """How many facts hold, against a stated number, `all`, or `most` (more than half)."""
    facts = [fact_of(fact) for fact in computed.values()]
    number, size = count(facts), len(facts)
    want = exact(size) if stated in (None, "all") else ranged(stated) if stated != "most" else None
    fits = number.high * 2 > size if want is None else want.meets(number)
    others = [label for label, fact in zip(computed, facts, strict=True) if fact is False]
    beside = f" (not {'; '.join(others)})" if 0 < len(others) <= 4 and not fits else ""
    if fits:
        return Outcome(True, f"{number.show(0)} of {size}")
    off = (number.low + number.high) / 2 - (Range(want.low, want.high).low if want else exact(size).low / 2)
    return Outcome(False, f"{number.show(0)} of {size}{beside}", f"{float(off):+g} of {size}", abs(float(off)) / size)


def shown_by_n(relation: Relation, stated: Any, computed: Any) -> Outcome:  # noqa: ANN401 (a comparison)
    """A comparison with an interval, or several: shown only if the whole interval satisfies it."""
    if isinstance(computed, dict):
        parts = {label: fact_of(fact) is True for label, fact in computed.items()}
        counted = _counted(relation, "most" if relation.stated == '"most"' else "all", parts)
        return Outcome(counted.fits, f"{counted.computed} shown", counted.gap, counted.size, "not shown by n")
    outcome = _fact(relation, stated, computed)
    fits = computed.fact is True if isinstance(computed, Comparison) else bool(computed)
    return Outcome(fits, outcome.computed, outcome.gap, outcome.size, "not shown by n")


EVALUATORS: Mapping[Operator, Callable[[Relation, Any, Any], Outcome | None]] = {
    "equals": _equals,
    "mean": _equals,
    "difference": _equals,
    "ratio": _equals,
    "rank": _equals,
    "part": _fact,
    "order": _fact,
    "correlation": _fact,
    "count": _counted,
    "all": _counted,
    "copy": _copy,
    "whole": _whole,
    "interval": shown_by_n,
}
"""By operator, what makes an outcome of a relation, the stated value and what a reading gives."""
