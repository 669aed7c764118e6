"""Conditions on a run's estimates, as `--fail-if` takes them: `PFA<0.8`, `low(PFA[variant=P])<0.7`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite, isnan
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, NamedTuple

from veridical.errors import InputError, unknown

if TYPE_CHECKING:
    from veridical.records import Estimate, Json

VALUE, LOW, HIGH, EVERY = ASPECTS = ("value", "low", "high", "every")
"""What a condition asks: the value, a bound of its interval, or the value in each repeat alone."""

_FIGURE = r"([^\[\]<>=,()]+)(?:\[([^\[\]<>]*)\])?\s*"
_NAMED = re.compile(rf"\s*(?:({LOW}|{HIGH}|{EVERY})\({_FIGURE}\)|{_FIGURE})\s*(?:,|$)")
_PARTS = re.compile(r"([^<>]+)(<=|>=|<|>)([^<>=]+)")
_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_ALLOWED = (
    "NAME<NUMBER is allowed, with <, <=, > or >=, and a slice, such as 'PFA[variant=P]<0.8'; "
    "low(NAME), high(NAME) and every(NAME) ask the bounds of the interval and each repeat"
)
_NEAREST = 3

ByRepeat = Callable[[], Mapping[int, "Sequence[Estimate]"]]


class Condition(NamedTuple):
    """A bound on the estimates of a metric in a slice, whose values are given as text; `aspect` is one of `ASPECTS`."""

    metric: str
    where: Mapping[str, str]
    sign: str
    bound: float
    aspect: str = VALUE

    def __str__(self) -> str:
        figure = _label(self.metric, self.where)
        return f"{figure if self.aspect == VALUE else f'{self.aspect}({figure})'}{self.sign}{self.bound:g}"


def conditions(texts: Iterable[str], aspects: Sequence[str] = ASPECTS) -> list[Condition]:
    """The conditions in some texts, one per name; raises `InputError` for what is none, or asks another aspect.

    >>> [str(each) for each in conditions(["PFA, PFC [variant=P] <= .5", "low(PFA[variant=P])<.7"])]
    ['PFA<=0.5', 'PFC[variant=P]<=0.5', 'low(PFA[variant=P])<0.7']
    """
    found = [condition for text in texts for condition in _conditions(text)]
    for each in found:
        if each.aspect not in aspects:
            raise InputError(f"--fail-if '{each}': {each.aspect}(NAME) asks the repeats of one run, not a difference")
    return found


def _conditions(text: str) -> Iterator[Condition]:
    parts = _PARTS.fullmatch(text)
    named = _read(parts[1]) if parts else []
    try:
        bound = float(parts[3]) if parts else float("nan")
    except ValueError:
        bound = float("nan")
    if parts is None or not named or not isfinite(bound):
        raise InputError(f"--fail-if '{text}': {_ALLOWED}")
    yield from (Condition(metric, where, parts[2], bound, aspect) for aspect, metric, where in named)


def require_known(wanted: Iterable[Condition], estimates: Sequence[Estimate], metrics: Iterable[str] = ()) -> None:
    """Raises `InputError`, with the nearest names, for a condition on a metric or a slice that does not exist.

    `metrics` are names that are right though no estimate has them, such as those of a stage that was not asked.
    """
    accepted = {*metrics, *(each.metric for each in estimates)}
    for condition in wanted:
        if condition.metric not in accepted:
            raise InputError(f"--fail-if '{condition}': {unknown('metric', condition.metric, accepted)}")
        named = [each for each in estimates if each.metric == condition.metric]
        if named and not _of_slice(condition, named):
            raise InputError(f"--fail-if '{condition}': {_no_slice(condition, named)}")


def failures(wanted: Sequence[Condition], estimates: Sequence[Estimate], by_repeat: ByRepeat) -> list[str]:
    """What makes each condition hold that does, in a line each.

    `by_repeat` gives the estimates of each repeat alone; a condition on `every` repeat holds if it holds in one.
    """
    repeats = by_repeat() if any(each.aspect == EVERY for each in wanted) else {}
    lines = []
    for condition in wanted:
        found = {"": _problem(condition, estimates)}
        if condition.aspect == EVERY:
            plain = condition._replace(aspect=VALUE)
            found = {f"in repeat {k}, ": _problem(plain, own) for k, own in repeats.items()}
        lines += [f"{condition}: {where}{problem}" for where, problem in found.items() if problem][:1]
    return lines


def _problem(condition: Condition, estimates: Sequence[Estimate]) -> str | None:
    """What makes a condition hold, or `None` where it does not; it holds for a number that is not there."""
    named = [each for each in estimates if each.metric == condition.metric]
    if not named:
        return f"there is no figure {condition.metric}"
    chosen = _of_slice(condition, named)
    if not chosen:
        return _no_slice(condition, named)
    for each in chosen:
        if each.value is None or isnan(each.value):
            return f"{each.metric} is {each.between or 'undefined'}: {each.reason or 'no number'}"
        bound = condition.aspect in (LOW, HIGH)
        number = getattr(each, condition.aspect) if bound else each.value
        what = f"the {condition.aspect} bound of " if bound else ""
        if number is None:
            return f"{what}{each.metric} is undefined: {each.reason or 'unbounded'}"
        if _SIGNS[condition.sign](number, condition.bound):
            return f"{what}{each.metric} is {number:.10g}"
    return None


def _of_slice(condition: Condition, named: Sequence[Estimate]) -> list[Estimate]:
    where = condition.where
    return [
        each
        for each in named
        if each.slice.keys() == where.keys() and all(_is_value(each.slice[key], text) for key, text in where.items())
    ]


def _no_slice(condition: Condition, named: Sequence[Estimate]) -> str:
    """That a metric has no such slice, and which it has: the nearest, else those of the same kind, else the kinds."""
    labels = {_label(each.metric, each.slice): each for each in named}
    near = get_close_matches(_label(condition.metric, condition.where), labels, n=_NEAREST)
    near += [label for label, each in labels.items() if set(each.slice) == set(condition.where) and label not in near]
    by = {f"[{','.join(each.slice)}]": None for each in named if each.slice}
    offered = f"there are {', '.join(near)}" if near else f"there are slices by {', '.join(by) or 'nothing'}"
    return f"there is no such slice; {offered}"


def _read(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """The names in a text, each with its aspect and slice; none where any of it is something else."""
    parts, end = [], 0
    while end < len(text):
        part = _NAMED.match(text, end)
        if part is None:
            return []
        aspect, metric, inside = (part[1], part[2], part[3]) if part[1] else (VALUE, part[4], part[5])
        pairs = [pair.partition("=") for pair in inside.split(",")] if inside is not None else []
        where = {key.strip(): value.strip() for key, _, value in pairs}
        if len(where) < len(pairs) or not all((metric.strip(), *where, *where.values())):
            return []
        parts.append((aspect, metric.strip(), where))
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
