"""The tables of the page on intervals, tests and plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from studies.viprobe.validation.coverage import CASES, LEVELS, OBSERVERS, UNITS
from studies.viprobe.validation.fit_coverage import OBSERVERS as FITTED
from studies.viprobe.validation.interval_grid import CORRELATIONS, MEAN, TRUTHS, Near, means
from studies.viprobe.validation.interval_grid import UNITS as GRID_UNITS
from studies.viprobe.validation.promises import COVERAGE, EXACT, Share, binomial
from studies.viprobe.validation.words import percent, promise
from veridical.base.markdown import table
from veridical.suites.viprobe.observers.simulation import ViprobeMechanism

_FIGURES: Mapping[str, str] = {
    "delta_original": "O − OC",
    "delta_perturbed": "P − PC",
    "delta_average": "controls − illusions",
    "I": "interaction I",
    "R": "multiplier R",
    "rise": "rise of P with strength",
    "asymmetry": "P, congruent − opposing",
    "gap": "PC − P",
    "PFA difference": "PFA, difference of two runs",
    "mu": "mu, the PSE",
}


def coverage(shares: Sequence[Share]) -> str:
    """Coverage per figure: over all observers with its interval, then each observer's own."""
    observers = list(shares[0].parts) if shares else []
    rows = [
        [
            figure(each.name),
            percent(each.value, each.interval),
            f"{each.n:,}",
            f"{each.open:,}" if each.open else "",
            *(f"{100 * hits / n:.1f}" if n else "" for hits, n in (each.parts.get(name, (0, 0)) for name in observers)),
            _verdict(each),
        ]
        for each in shares
    ]
    return table(["figure", "coverage, %", "n", "open", *observers, "promise"], rows)


def rejections(shares: Sequence[Share]) -> str:
    """Type-I errors: the share of rejections with its interval, and the allowed range."""
    rows = [
        [
            figure(each.name[:1]),
            each.name[1],
            percent(each.value, each.interval),
            f"{each.n:,}",
            "at most 5.0" if each.name[1] in EXACT else "{:.1f} to {:.1f}".format(*(100 * b for b in binomial(each.n))),
            promise(each.kept),
        ]
        for each in shares
    ]
    return table(["test of", "over", "rejected, %", "n", "allowed, %", "promise"], rows)


def grid(figures: Sequence[Near]) -> dict[str, str]:
    """The page's text on the grid of rates near 0 and 1, by the names of its blanks."""
    rows = [
        [
            each.figure,
            "unlike" if each.unlike else "alike",
            f"{100 * each.worst:.1f}",
            each.where,
            f"{100 * each.mean:.1f}",
            ", ".join("" if width is None else f"{width:.2f}" for width in each.widths),
            f"{100 * each.open:.0f} %" if each.open else "",
            promise(each.kept),
        ]
        for each in figures
    ]
    averages = [
        [name, f"{100 * mean:.1f}", promise(MEAN[0] <= mean <= MEAN[1])] for name, mean in means(figures).items()
    ]
    heads = ["figure", "cases", "worst cell, %", "which", "mean, %", "mean widths", "open", "promise"]
    return {
        "near": table(heads, rows),
        "means": table(["figure", "mean, cases alike, %", "promise"], averages),
        "grid_runs": f"{figures[0].runs:,}",
        "allowed": f"{100 * figures[0].allowed:.1f}",
        "grid_units": ", ".join(map(str, GRID_UNITS)),
        "truths": ", ".join(map(str, TRUTHS)),
        "correlations": " and ".join(map(str, CORRELATIONS)),
    }


def of_grid(near: Near) -> str:
    """A figure of the grid with its cases."""
    return f"{near.figure}; cases {'unlike' if near.unlike else 'alike'}"


def powers(shares: Sequence[Share]) -> str:
    """Power: the share of simulated runs in which a plan's minimum detectable effect is found."""
    rows = [[*each.name, percent(each.value, each.interval), f"{each.n:,}", promise(each.kept)] for each in shares]
    return table(["design", "correlation", "found, %", "n", "promise"], rows)


def observers() -> str:
    """The observers of the coverage and their parameters that differ from the default."""
    default = ViprobeMechanism()
    rows = [
        [
            name,
            ", ".join(
                f"{field.name} {getattr(each, field.name):g}"
                for field in fields(each)
                if getattr(each, field.name) != getattr(default, field.name)
            ),
        ]
        for name, each in OBSERVERS.items()
    ]
    return table(["observer", "parameters that differ from the default"], rows)


def fitted_observers() -> str:
    """The observers of the fits, by the number of their column."""
    names = ("units", "mu", "sigma", "criterion", "lapse", "shared", "repeated")
    rows = [[str(k + 1), *(f"{getattr(each, name):g}" for name in names)] for k, each in enumerate(FITTED)]
    return table(["observer", *names], rows)


def figure(name: Sequence[str]) -> str:
    """The figure in words, with its picture type if it has one.

    >>> figure(("delta_original",)), figure(("PFA", "P"))
    ('O − OC', 'PFA, P')
    """
    return ", ".join([_FIGURES.get(name[0], name[0]), *name[1:]])


def setting() -> str:
    """The design of the runs on which coverage and errors are counted."""
    return f"{len(CASES)} cases ({', '.join(CASES)}), {UNITS} units each, {LEVELS} strengths"


def _verdict(share: Share) -> str:
    if share.kept:
        return "kept"
    return "**missed**: too narrow" if share.value < COVERAGE[0] else "**missed**: too wide"
