"""Conditions on a run's estimates, as `metrics --fail-if` takes them: `PFA<0.8`, `PFA,PFC[variant=P]<=0.5`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, NamedTuple

from veridical.errors import InputError, unknown

if TYPE_CHECKING:
    from veridical.records import Estimate, Json

_NAMED = re.compile(r"([^\[\]<>=,]+)(?:\[([^\[\]<>]*)\])?\s*(?:,|$)")
_PARTS = re.compile(r"([^<>]+)(<=|>=|<|>)([^<>=]+)")
_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_ALLOWED = "NAME<NUMBER is allowed, with <, <=, > or >=, and a slice, such as 'PFA[variant=P]<0.8'"


class Condition(NamedTuple):
    """A bound on the estimates of a metric in a slice, whose values are given as text."""

    metric: str
    where: Mapping[str, str]
    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{_label(self.metric, self.where)}{self.sign}{self.bound:g}"


def conditions(text: str) -> list[Condition]:
    """The conditions in a text, one per name; raises `InputError` for what is none.

    >>> [str(each) for each in conditions("PFA, PFC [variant=P] <= .5")]
    ['PFA<=0.5', 'PFC[variant=P]<=0.5']
    """
    parts = _PARTS.fullmatch(text)
    named = _read(parts[1]) if parts else []
    try:
        bound = float(parts[3]) if parts else float("nan")
    except ValueError:
        bound = float("nan")
    if parts is None or not named or not isfinite(bound):
        raise InputError(f"--fail-if '{text}': {_ALLOWED}")
    return [Condition(metric, where, parts[2], bound) for metric, where in named]


def holds(condition: Condition, estimates: Sequence[Estimate]) -> str | None:
    """What makes a condition hold, in a line, or `None` where it does not; it holds for a value that is not there."""
    named = [each for each in estimates if each.metric == condition.metric]
    if not named:
        return f"{condition}: {unknown('metric', condition.metric, {each.metric for each in estimates})}"
    where = condition.where
    estimates_of_slice = [
        each
        for each in named
        if each.slice.keys() == where.keys() and all(_is_value(each.slice[key], text) for key, text in where.items())
    ]
    if not estimates_of_slice:
        near = [_label(each.metric, each.slice) for each in named if set(each.slice) == set(condition.where)]
        by = {f"[{','.join(each.slice)}]": None for each in named if each.slice}
        offered = f"there are {', '.join(near)}" if near else f"there are slices by {', '.join(by) or 'nothing'}"
        return f"{condition}: there is no such slice; {offered}"
    for each in estimates_of_slice:
        if each.value is None or isnan(each.value):
            return f"{condition}: {each.metric} is {each.between or 'undefined'}: {each.reason or 'no number'}"
        if _SIGNS[condition.sign](each.value, condition.bound):
            return f"{condition}: {each.metric} is {each.value:.10g}"
    return None


def _read(text: str) -> list[tuple[str, dict[str, str]]]:
    """The names in a text, each with its slice; none where any of it is something else."""
    parts, end = [], 0
    while end < len(text):
        part = _NAMED.match(text, end)
        if part is None:
            return []
        pairs = [pair.partition("=") for pair in part[2].split(",")] if part[2] is not None else []
        where = {key.strip(): value.strip() for key, _, value in pairs}
        if len(where) < len(pairs) or not all((part[1].strip(), *where, *where.values())):
            return []
        parts.append((part[1].strip(), where))
        end = part.end()
    return [] if text.endswith(",") else parts


def _is_value(value: Json, text: str) -> bool:
    """Whether a text names a value of a slice; a number by what it is, not by how it is written."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).lower() == text.lower()
    try:
        return float(text) == value
    except ValueError:
        return False


def _label(metric: str, where: Mapping[str, Json]) -> str:
    inside = ",".join(f"{key}={value}" for key, value in where.items())
    return f"{metric}[{inside}]" if where else metric
