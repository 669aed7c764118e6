"""The catalogue as a table: what may be said of each observer, and why."""

from __future__ import annotations

from collections.abc import Iterable

from veridical.base.markdown import table
from veridical.suites.viprobe.validation.observers.known import Expected, Known

HEADER = ("observer", "right", "acceptable", "right of a case", "clear", "parameters", "why")


def catalogue(observers: Iterable[Known]) -> str:
    """A row per observer; of a case only what differs from all cases, and how many cases have a right of their own."""
    return table(HEADER, [_row(known) for known in observers])


def _row(known: Known) -> list[str]:
    right, acceptable = _names(known.overall)
    if known.in_comparisons is not None:
        right += f"; in comparisons {_names(known.in_comparisons)[0]}"
    of_case = "" if known.by_case.right == known.overall.right else _names(known.by_case)[0]
    others: dict[str, int] = {}
    for each in known.cases.values():
        if each.right != known.by_case.right:
            others[_names(each)[0]] = others.get(_names(each)[0], 0) + 1
    of_case = "; ".join(
        [*([of_case] if of_case else []), *(f"{name} ({n} case{'s' * (n > 1)})" for name, n in others.items())]
    )
    clear = "overall, by case" if known.clear and known.clear_by_case else "overall" * known.clear
    box = ", ".join(_range(name, *known.box[name]) for name in known.box)
    return [known.name, right, acceptable, of_case, clear, box, known.why]


def _names(may: Expected) -> tuple[str, str]:
    return " or ".join(sorted(may.right)), ", ".join(sorted(may.acceptable))


def _range(name: str, low: float, high: float) -> str:
    return f"{name} {low:g}" if low == high else f"{name} {low:g} to {high:g}"
