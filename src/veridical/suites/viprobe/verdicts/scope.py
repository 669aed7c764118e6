"""All that a verdict is made from, for one case or for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from veridical.records import Estimate, Json
from veridical.suites.viprobe.verdicts.explain import Fit
from veridical.suites.viprobe.verdicts.fit import Problem
from veridical.suites.viprobe.verdicts.model import Habits, Hypothesis
from veridical.suites.viprobe.verdicts.rates import Rates
from veridical.suites.viprobe.verdicts.weigh import Range, best_of, sigma

ALIKE = 10.0
"""Points within which figures are seen as controls are."""
RECITED = 0.5
SURER = 1.7
"""Intervals of what inducers alone are called are stretched by that, to 99.9 %: a coin recites in half of them."""


@dataclass(frozen=True)
class Scope:
    """All that a verdict is made from, for one case or for all: fits and their weights, rates, and what
    else the run asked.

    `fails` says that no model fits. `amid_clutter` are the rates of controls and clutter, None where there is none, and
    `figure_there` those of the same cases' figures; `recited` is the share of the answers about inducers alone that
    recite the figure. `by_unit` says that whole base items are recalled, which fits better than all other forms.
    """

    where: Mapping[str, Json]
    problem: Problem
    fits: Mapping[Hypothesis, Fit]
    weights: Mapping[str, float]
    rates: Rates
    fails: bool = False
    amid_clutter: Rates | None = None
    figure_there: Rates | None = None
    recited: Estimate | None = None
    by_unit: bool = False

    @cached_property
    def noise(self) -> Range:
        """σ in controls with its interval, after lapses and biases, by the best explanation."""
        return sigma(self.problem, best_of(self.fits))

    @property
    def habits(self) -> Habits:
        """What happens to any reply, by the best explanation."""
        return best_of(self.fits).habits

    @property
    def lost_share(self) -> float | None:
        """The share of what strong changes do to answers about controls that is lost on figures."""
        control, figure = self.rates.follow_control.value, self.rates.follow_figure.value
        return None if not control or figure is None or control < ALIKE else 1 - figure / control

    @property
    def recites(self) -> bool:
        """Whether inducers alone are called the unchanged figure in surely more than half of the answers."""
        rate = self.recited
        if rate is None or rate.value is None or rate.low is None:
            return False
        return rate.value - SURER * (rate.value - rate.low) > RECITED

    @property
    def bound_to_figures(self) -> bool | None:
        """Whether clutter is seen where figures are not: true, false, or None where it is open or was not asked."""
        clutter, figure = self.amid_clutter, self.figure_there
        if clutter is None or figure is None or figure.lost.value is None or clutter.lost.low is None:
            return None
        half = figure.lost.value / 2
        if clutter.lost.high is not None and clutter.lost.high < half:
            return True
        return False if clutter.lost.low > half else None

    @property
    def follows(self) -> str:
        """What strong changes do to answers, in words."""
        control, figure = self.rates.follow_control, self.rates.follow_figure
        return f"strong changes move answers by {control} points on controls, {figure} on figures"
