"""The small chart of a model: how accuracy rises with the strength of a change, on figures and on controls."""

from __future__ import annotations

from veridical.suite.opening import Chart, Curve
from veridical.suite.results import Result, find
from veridical.suites.viprobe.presentation.dose_figures import CHANGES, accuracies

_NAMES = {"figure": "figures", "control": "controls"}


def small_chart(result: Result, people: Result | None) -> Chart | None:
    """The dose-response curves of figures and controls, with that of people on figures where they were asked.

    Nothing where no accuracy at any strength is there.
    """
    curves = [_curve(result, context, name) for context, name in _NAMES.items()]
    if people is not None and people is not result:
        curves.append(_curve(people, "figure", "people, on figures"))
    shown = tuple(curve for curve in curves if curve.pieces)
    if not shown:
        return None
    title = "Accuracy by strength of the change"
    return Chart(title=title, curves=shown, ends=("opposing α", "congruent α"))


def _curve(result: Result, context: str, name: str) -> Curve:
    """Both sides of 0, and at 0 the unchanged picture; between them nothing was asked."""
    changed, unchanged = CHANGES[context]
    points = [(alpha, each) for alpha, each in accuracies(result, changed) if alpha]
    sides = [tuple(point for point in points if (point[0] > 0) == positive) for positive in (False, True)]
    at_zero = find(result, "PFA", {"variant": unchanged})
    middle = ((0.0, at_zero),) if at_zero is not None and at_zero.value is not None and points else ()
    return Curve(name, tuple(piece for piece in (sides[0], middle, sides[1]) if piece))
