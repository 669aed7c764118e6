"""The functions of the language of claims: means, ranks, correlations, counts behind rates, and intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from studies.published.expressions import Comparison, fact_of, ranged
from studies.published.granularity import counts, sizes
from studies.published.printed import Cell, Sheet
from studies.published.ranges import Range, count, exact, highest, mean, shown
from studies.published.relations import f1, fisher, fisher_mean, pearson, pooled, rank, spread, tau
from veridical.stats import linear, ratio, wilson


def largest(values: Sequence[Any]) -> Range:
    """The greatest of some quantities."""
    return highest(map(ranged, values))


def least(values: Sequence[Any]) -> Range:
    """The least of some quantities."""
    return -highest(-ranged(value) for value in values)


def inside(value: Range, low: Range, high: Range) -> Comparison:
    """Whether a quantity may lie between two bounds, both included."""
    fits = value.meets(Range(low.low, high.high))
    gap = value - (high if value.low > high.high else low)
    return Comparison(fits, f"{shown(value)}, bounds {shown(low)} and {shown(high)}", None if fits else gap)


def span(first: Any, last: Any) -> Cell:  # noqa: ANN401 (numbers)
    """Every value between two numbers, shown as both."""
    low, high = ranged(first), ranged(last)
    return Cell(min(low.low, high.low), max(low.high, high.high), f"{shown(low)} to {shown(high)}")


def part(parts: Sequence[tuple[Cell, int, int]], whole: tuple[Cell, int, int]) -> Comparison:
    """Whether parts of a whole can have their rates: neither right nor wrong answers of the parts exceed the whole's.

    Each is a rate, its number of items, and its scale (100 for percent, 1 for a proportion).
    """
    right = [_numbers(*each) for each in parts]
    items, whole_items, whole_right = sum(int(n) for _, n, _ in parts), int(whole[1]), _numbers(*whole)
    low, high = sum(ends[0] for ends in right), sum(ends[1] for ends in right)
    over = max(low - whole_right[1], (items - high) - (whole_items - whole_right[0]))
    if low - whole_right[1] >= over:
        text = f"at least {low} of {items} right; whole: at most {whole_right[1]} of {whole_items}"
    else:
        text = f"at least {items - high} of {items} wrong; whole: at most {whole_items - whole_right[0]}"
    return Comparison(over <= 0, text, exact(over))


def _numbers(rate: Cell, n: int, scale: int) -> tuple[int, int]:
    """The least and the greatest whole count that a rate over n items may be; of no whole count, those around it."""
    possible = counts(rate.text, int(n), int(scale))
    middle = (rate.low + rate.high) / 2 * int(n) / int(scale)
    return (possible[0], possible[-1]) if possible else (int(middle), int(middle) + 1)


def allowed(rates: Sequence[Cell], most: int, scale: int = 100) -> list[int]:
    """Every number of items up to `most` for which each printed rate is a whole count."""
    return list(_allowed(tuple(rate.text for rate in rates), int(most), int(scale)))


@cache
def _allowed(texts: tuple[str, ...], most: int, scale: int) -> tuple[int, ...]:
    return tuple(sizes(texts, most, scale))


def _bounds(low: float, high: float) -> Cell:
    """An interval of ours, shown in brackets."""
    return Cell(Fraction(low), Fraction(high), f"[{low:.2f}, {high:.2f}]")


def _share(rate: Range) -> float:
    """The middle of a rate in percent, as a share; rounding may put it a little outside 0 to 1."""
    return min(max(float(rate.low + rate.high) / 200, 0.0), 1.0)


def mover(weights: Sequence[Any], rates: Sequence[Range], items: Sequence[int]) -> Range:
    """The 95 % interval, in points, of a weighted sum of rates in percent over independent items (by Wilson's)."""
    shares = [_share(rate) for rate in rates]
    bounds = [wilson(share, int(n)) for share, n in zip(shares, items, strict=True)]
    low, high = linear([float(weight) for weight in weights], shares, bounds)
    return _bounds(100 * (low or 0.0), 100 * (high or 0.0))


def ratio_of_drops(above: Sequence[Range], below: Sequence[Range], items: Sequence[int]) -> Range:
    """The 95 % interval of |O − P| / |OC − PC| from four rates in percent, over independent pictures.

    `items` are the pictures behind O and P, the same for controls. Without an upper bound, that is 1,000.

    >>> from studies.published.ranges import printed
    >>> o, p, oc, pc = map(printed, ("91.72", "4.45", "96.55", "52.24"))
    >>> ratio_of_drops([o, p], [oc, pc], [290, 2900]).show(2)
    '1.83 to 2.15'
    """
    ends = []
    for one, other in (above, below):
        sign = 1 if one.low + one.high >= other.low + other.high else -1
        share = [_share(rate) for rate in (one, other)]
        bounds = [wilson(rate, int(n)) for rate, n in zip(share, items, strict=True)]
        ends.append((abs(share[0] - share[1]), linear([sign, -sign], share, bounds)))
    low, high = ratio(ends[0][0], ends[1][0], ends[0][1], ends[1][1])
    return _bounds(low or 0.0, 1000.0 if high is None else high)


def wilson_of(captured: Any, items: Any, end: str) -> Range:  # noqa: ANN401 (counts)
    """The `low` or `high` end of Wilson's 95 % interval of a rate, in percent."""
    bounds = wilson(float(ranged(captured).low / ranged(items).low), float(ranged(items).low))
    bound = bounds.low if end == "low" else bounds.high
    return exact(100 * Fraction(bound or 0.0))


def quantile(level: Fraction) -> Fraction:
    """The normal quantile of a two-sided test at a level such as 0.01."""
    return Fraction(NormalDist().inv_cdf(1 - float(level) / 2))


def _rows(table: Sheet, group: str | None = None) -> list[str]:
    return table.rows(group)


def _has(table: Sheet, *key: str) -> bool:
    *group, row, column = key
    return table.has(row, column, group[0] if group else None)


def marked(table: Sheet) -> list[list[str]]:
    """The marked cells of a table: group, row, column and level of each, the column without the name of the mark."""
    cells = table.frame.filter(unit="level").select("group", "row", "column", "value").iter_rows()
    return [[group, row, column.rpartition(" / ")[0], level] for group, row, column, level in cells]


def ordered(table: Sheet, group: str, column: str) -> list[str]:
    """The rows of a group by a column, the least first."""
    return sorted(table.rows(group), key=lambda row: table.value(row, column, group).low)


def repeats(rate: Cell, items: Any, most: Any) -> int:  # noqa: ANN401 (counts)
    """The least number of people, up to `most`, over whose answers to all items a rate is a whole count; else 1."""
    return next((k for k in range(1, int(most) + 1) if counts(rate.text, int(items) * k)), 1)


def _average(values: Sequence[Any], weights: Sequence[Any] | None = None) -> Range:
    return mean(map(ranged, values), None if weights is None else [Fraction(each) for each in weights])


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda value: abs(ranged(value)),
    "sum": lambda values: sum(map(ranged, values), exact(0)),
    "mean": _average,
    "max": largest,
    "min": least,
    "span": span,
    "inside": inside,
    "exact": lambda cell: exact(cell.text if isinstance(cell, Cell) else cell),
    "digits": lambda cell: cell.text,
    "count": lambda facts: count(map(fact_of, facts)),
    "len": len,
    "number": lambda value: int(ranged(value).low),
    "rank": rank,
    "tau": tau,
    "pearson": pearson,
    "fisher": lambda first, second: _bounds(*map(float, (fisher(first, second).low, fisher(first, second).high))),
    "fisher_mean": fisher_mean,
    "f1": f1,
    "pooled": pooled,
    "spread": spread,
    "part": part,
    "allowed": allowed,
    "mover": mover,
    "ratio_of_drops": ratio_of_drops,
    "wilson": wilson_of,
    "quantile": quantile,
    "rows": _rows,
    "groups": lambda table: table.groups(),
    "has": _has,
    "pairs": lambda values: [list(pair) for pair in pairwise(values)],
    "join": lambda values: ", ".join(map(str, values)),
    "thinking": lambda label: label.endswith("(T)"),
    "plain": lambda text: text.lower().replace(" ", "-"),
    "marked": marked,
    "repeats": repeats,
    "differs": lambda one, other: Comparison(one.text != other.text, f"{other.text}, digit by digit"),
    "likely": lambda fact: fact_of(fact) is not False,
    "surely": lambda facts: sum(fact_of(fact) is True for fact in facts),
    "ordered": lambda table, group, column: sorted(
        table.rows(group), key=lambda row: table.cell(row, column, group).low
    ),
    "lowest": lambda values, number: sorted(values, key=lambda value: value.low)[:number],
}
"""The functions by the name that expressions use."""
