"""The catalogue as a table: the right verdicts on each observer, and why."""

from __future__ import annotations

from collections.abc import Iterable

from studies.viprobe.validation.observers.observer import Expected, Observer
from veridical.base.markdown import table

HEADER = ("observer", "right", "acceptable", "right of a case", "clear", "parameters", "why")


def catalogue(observers: Iterable[Observer]) -> str:
    """One row per observer. Verdicts by case are shown only if they differ from those overall."""
    return table(HEADER, [_row(observer) for observer in observers])


def _row(observer: Observer) -> list[str]:
    right, acceptable = _names(observer.overall)
    if observer.in_comparisons is not None:
        right += f"; in comparisons {_names(observer.in_comparisons)[0]}"
    of_case = "" if observer.by_case.right == observer.overall.right else _names(observer.by_case)[0]
    others: dict[str, int] = {}
    for each in observer.cases.values():
        if each.right != observer.by_case.right:
            others[_names(each)[0]] = others.get(_names(each)[0], 0) + 1
    of_case = "; ".join(
        [*([of_case] if of_case else []), *(f"{name} ({n} case{'s' * (n > 1)})" for name, n in others.items())]
    )
    clear = "overall, by case" if observer.clear and observer.clear_by_case else "overall" * observer.clear
    box = ", ".join(_range(name, *observer.box[name]) for name in observer.box)
    return [observer.name, right, acceptable, of_case, clear, box, observer.why]


def _names(may: Expected) -> tuple[str, str]:
    return " or ".join(sorted(may.right)), ", ".join(sorted(may.acceptable))


def _range(name: str, low: float, high: float) -> str:
    return f"{name} {low:g}" if low == high else f"{name} {low:g} to {high:g}"
