"""Findings on runs of the toy suite: a verdict on each, its rates, a small chart, and what it rests on."""

from dataclasses import replace

from tests.report import toy
from veridical.records import Counts, Estimate
from veridical.suite.opening import Chart, ChartCurve, Finding, FoldedRuns, Opening, Reasons

TITLE = "Does it see?"
RATES = {"O": "unchanged", "P": "changed"}
WEIGHTS = {"same": "both are seen alike", "lost": "changes are lost"}
ALL = Counts(planned=72, asked=72, answered=72, unparsed=0, refused=0, truncated=0, error=0)
SOME = Counts(planned=72, asked=70, answered=10, unparsed=57, refused=3, truncated=0, error=0)


def rate(value: float | None, low: float | None = None, high: float | None = None, **changes: object) -> Estimate:
    return toy.estimate("PFA", value, low, high, **changes)


def chart(*curves: str) -> Chart:
    """Curves that rise with the strength on either side of 0, each lower than the one before."""
    return Chart(
        title="Accuracy by strength",
        curves=tuple(ChartCurve(name, pieces(0.9 - 0.3 * number)) for number, name in enumerate(curves)),
        ends=("against", "along"),
    )


def pieces(most: float) -> tuple[tuple[tuple[float, Estimate], ...], ...]:
    def point(x: float) -> tuple[float, Estimate]:
        value = most * abs(x) if x else most
        return x, rate(value, value - 0.05, value + 0.05)

    return ((point(-1.0), point(-0.5)), (point(0.0),), (point(0.5), point(1.0)))


SEES = Finding(
    model="model-a",
    verdict="sees",
    sentence="Sees every change.",
    sure="Nothing else explains PFA.",
    tone="good",
    basis="72 pictures of 9 base items",
    counts=ALL,
    rates=((rate(0.9, 0.85, 0.95), "9 pictures"), (rate(0.8, 0.7, 0.9), "27 pictures")),
    chart=chart("figures", "controls"),
    reasons=(
        Reasons(
            about="questions",
            verdict="sees",
            tone="good",
            weights={"same": 0.97, "lost": 0.03},
            evidence=("no change is lost",),
            parameters={"noise": "0.1"},
            parts=(Reasons(about="Ponzo", verdict="sees", tone="good", weights={"same": 1.0}, evidence=("alike",)),),
            folded=(
                FoldedRuns("open", "2 of 3 cases are undetermined with 2 base items: about 10 are needed", ("A", "B")),
            ),
        ),
    ),
)
OPEN = Finding(
    model="model-b",
    verdict="open",
    sentence="No verdict yet.",
    sure="Likeliest: changes are lost (60 %).",
    tone="open",
    basis="70 pictures of 9 base items",
    counts=SOME,
    rates=((rate(None, reason="no pair was answered"), "9 pictures"), (rate(0.95, 0.9, 1.0), "27 pictures")),
    needs=("more base items", "pictures amid clutter"),
)


def opening(results: object, *findings: Finding, **changes: object) -> Opening:
    """These findings, else the two of this module."""
    whole = Opening(TITLE, ("O, P: the share read right (PFA).",), RATES, findings or (SEES, OPEN), WEIGHTS)
    return replace(whole, **changes)


def suite(*findings: Finding, **changes: object) -> object:
    terms = {"sees": "It sees.", "σ": "Noise."}
    measures = {"PFA": replace(toy.ANALYSIS.measures["gap"], title="PFA", spelled="polarity-flip accuracy")}
    shown = replace(toy.PRESENTATION, opening=lambda results: opening(results, *findings, **changes), terms=terms)
    return toy.suite(analysis=replace(toy.ANALYSIS, measures=measures), presentation=shown)
