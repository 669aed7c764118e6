"""VI-Probe's figures of verdicts: the weights of the explanations as stacked bars, over all cases and for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from veridical.base.charts import WIDTH, document, shortened
from veridical.suite.results import Figure, Result
from veridical.suites.viprobe.presentation.concluded import concluded
from veridical.suites.viprobe.presentation.mechanism_tables import COMPARISONS, YES_NO
from veridical.suites.viprobe.verdicts import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

EXPLANATIONS = {
    "nothing": ("figures are seen as controls are", "#1f4e79"),
    "loss": ("figures cost sensitivity", "#c4593f"),
    "shift": ("shift, as in an illusion", "#e3a63c"),
    "inverted": ("inverted replies", "#7d5ba6"),
    "flat": ("no dependence on the change", "#c3c7cb"),
}
"""What each kind of explanation is called and its color; no two of these are alike in grey, but for two rare ones."""

_DARK = {"nothing", "loss", "inverted"}
_ROOM = 49
"""Characters of small print that fit beside a bar."""
_FIRST = ("shift", "strong changes lost")
_NOTE = (
    "Weights of what figures may do to replies (BIC; of a case, given all others), in percent. Beside them the "
    "verdict, which needs more than a weight, and the parameters of its explanation, with 95 % intervals; the table of "
    "verdicts has the rest."
)


class _Row(NamedTuple):
    label: str
    verdict: Verdict
    apart: bool = False


def verdict_figures(results: Sequence[Result]) -> list[Figure]:
    """The verdicts of several models side by side, then a figure for each model and kind of question, case by case.

    Nothing for runs without answers to pairs of questions about figures and controls.
    """
    pages: list[tuple[str, list[_Row]]] = []
    both: list[_Row] = []
    for result in results:
        told = concluded(result.outcomes)
        kinds = {YES_NO: told.yes_no, COMPARISONS: told.comparison}
        asked = {words: found for words, found in kinds.items() if any(each.weights for each in found)}
        for words, verdicts in asked.items():
            about = f", {words}" if len(asked) > 1 else ""
            pages.append((f"Verdicts case by case: {result.model}{about}", _of_cases(verdicts)))
            both.append(_Row(f"{shortened(result.model, 26 - len(about))}{about}", verdicts[0]))
    if len(both) > 1:
        pages.insert(0, ("Verdicts over all cases", both))
    return [
        Figure("verdicts" if number == 1 else f"verdicts_{number}", title, _NOTE, _bars(rows))
        for number, (title, rows) in enumerate(pages, 1)
    ]


def _of_cases(verdicts: Sequence[Verdict]) -> list[_Row]:
    overall, *cases = verdicts
    return [_Row("all cases", overall, apart=True), *(_Row(str(each.where["case"]), each) for each in cases)]


def _bars(rows: Sequence[_Row]) -> str:
    places = [-1.08 * k - (0.5 if k and rows[0].apart else 0.0) for k in range(len(rows))]

    def draw(canvas: Canvas) -> None:
        axes, words = canvas.subplots(1, 2, sharey=True, width_ratios=[1.0, 2.15])
        for place, row in zip(places, rows, strict=True):
            _bar(axes, place, row.verdict.weights)
            weight, small = "bold" if row.apart else "normal", parameters(row.verdict)
            words.text(0.0, place, row.verdict.name, fontsize=7.5, fontweight=weight, va="center", parse_math=False)
            words.text(0.485, place, small, fontsize=5.7, color="#444444", va="center", parse_math=False)
        axes.set(xlim=(0, 100), ylim=(places[-1] - 0.6, 0.6), yticks=places, xticks=[0, 50, 100], xlabel="weight, %")
        axes.set_yticklabels([row.label for row in rows], parse_math=False, fontsize=7.5)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        words.set(xlim=(0, 1))
        words.set_axis_off()
        shown = [name for name in EXPLANATIONS if any(row.verdict.weights.get(name, 0.0) >= 0.005 for row in rows)]
        handles = [axes.barh([0], [0], color=EXPLANATIONS[name][1]) for name in shown]
        canvas.legend(
            handles,
            [EXPLANATIONS[name][0] for name in shown],
            loc="outside upper left",
            ncols=3,
            frameon=False,
            fontsize=8,
        )

    return document(WIDTH, round(1.0 + 0.2 * (1 - places[-1]), 2), draw)


def _bar(axes: Axes, place: float, weights: Mapping[str, float]) -> None:
    left = 0.0
    for name, (_, colour) in EXPLANATIONS.items():
        width = 100 * weights.get(name, 0.0)
        axes.barh([place], [width], 0.8, [left], color=colour)
        if width >= 18:
            shade = "white" if name in _DARK else "black"
            axes.text(left + width / 2, place, f"{width:.0f}", ha="center", va="center", fontsize=6.5, color=shade)
        left += width


def parameters(verdict: Verdict) -> str:
    """The main parameters of a verdict's explanation in a line, as many as there is room for.

    Where answers are missing, the verdict of those that are there, if it may be told.

    >>> told = {"lapses": "5 %", "strong changes lost": "76 %"}
    >>> parameters(Verdict(where={}, name="loss on figures", evidence=(), parameters=told))
    'strong changes lost 76 %; lapses 5 %'
    """
    if verdict.at_random is not None:
        return f"if at random: {verdict.at_random}"
    said = verdict.parameters
    order = [*(name for name in _FIRST if name in said), *(name for name in said if name not in _FIRST)]
    line = ""
    for name in order:
        longer = f"{line}; {name} {said[name]}" if line else f"{name} {said[name]}"
        line = longer if len(longer) <= _ROOM else line
    return line
