"""What the rules of a verdict take, for one case or for all: fits, rates, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from veridical.records import Estimate, Json
from veridical.suites.viprobe.verdicts.counts import PairRates, Points
from veridical.suites.viprobe.verdicts.explain import HypothesisFit
from veridical.suites.viprobe.verdicts.fit import PairProblem
from veridical.suites.viprobe.verdicts.model import Habits, Hypothesis
from veridical.suites.viprobe.verdicts.weigh import Range, best_of, sigma

MOST_NEGLECTED = 0.25
"""Above this share of pictures of which one side is not looked at, controls are not seen on both sides."""
ALIKE = 10.0
"""Points within which figures are seen as well as controls."""
TOTAL, NEARLY_TOTAL = 0.9, 0.75
"""Share of strong changes lost, overall and for a case of a run whose loss is total."""
RECITED = 0.5
SURER = 1.7
"""Factor that widens the interval of the template rate to 99.9 %: random answers recite the figure half the time.
A case is held against the 95 % interval if the run as a whole shows memory override."""


@dataclass(frozen=True)
class Scope:
    """The input of the verdict rules, for one case or for all: fits and their weights, rates, and further conditions.

    `fails`: no model fits. `amid_clutter`: the rates of controls and clutter, None without clutter; `matched_figures`:
    the rates of controls and figures of the same cases. `recited`: the share of answers on inducers alone that recite
    the figure. `whole`: the scope of the whole run, None if this is it. `by_unit`: recall of whole base items fits
    better than every other form of loss.
    """

    where: Mapping[str, Json]
    problem: PairProblem
    fits: Mapping[Hypothesis, HypothesisFit]
    weights: Mapping[str, float]
    rates: PairRates
    fails: bool = False
    amid_clutter: PairRates | None = None
    matched_figures: PairRates | None = None
    recited: Estimate | None = None
    whole: Scope | None = None
    by_unit: bool = False

    @cached_property
    def noise(self) -> Range:
        """σ in controls with its interval, by the best hypothesis, with lapses and biases accounted for."""
        return sigma(self.problem, best_of(self.fits))

    @property
    def habits(self) -> Habits:
        """The response habits, by the best hypothesis."""
        return best_of(self.fits).habits

    @property
    def controls_seen(self) -> bool:
        """Whether strong changes move the answers to controls toward what is there."""
        return (self.rates.follow_control.low or 0.0) > 0

    @property
    def one_sided(self) -> bool:
        """Whether a side is neglected: changes there are not seen in controls either."""
        return max(self.habits.neglect, self.habits.neglect_other) >= MOST_NEGLECTED

    @property
    def lost_share(self) -> float | None:
        """The share of the effect of strong changes on controls that is lost on figures; None if it is small."""
        control, figure = self.rates.follow_control.value, self.rates.follow_figure.value
        return None if not control or figure is None or control < ALIKE else 1 - figure / control

    @property
    def loses_all(self) -> bool:
        """Whether strong changes are lost totally; of a case, nearly totally if the whole run loses them totally."""
        most = TOTAL if self.whole is None or not self.whole.loses_all else NEARLY_TOTAL
        return self.lost_share is not None and self.lost_share >= most

    @property
    def recalls(self) -> bool:
        """Whether memory override is shown: a total loss, inducers recited, and clutter seen, if it was asked about.

        A case whose clutter is inconclusive takes the answer of the whole run.
        """
        bound = self.bound_to_figures
        if bound is None and self.whole is not None and self.amid_clutter is not None:
            bound = self.whole.bound_to_figures
        return self.loses_all and self.recites and (bound is True or self.amid_clutter is None)

    @property
    def recites(self) -> bool:
        """Whether significantly more than half of the answers on inducers alone call them the unchanged figure."""
        rate = self.recited
        if rate is None or rate.value is None or rate.low is None:
            return False
        stretch = 1.0 if self.whole is not None and self.whole.recalls else SURER
        return rate.value - stretch * (rate.value - rate.low) > RECITED

    @property
    def bound_to_figures(self) -> bool | None:
        """Whether the loss is specific to figures: clutter loses less than half as much. None if open or not asked.

        Measured by strong changes if figures lose some of these, else by changes of any strength.
        """
        clutter, figure = self.lost_amid_clutter, self.lost_on_figures
        if clutter is None or figure is None or figure.value is None or clutter.low is None:
            return None
        half = figure.value / 2
        if clutter.high is not None and clutter.high < half:
            return True
        return False if clutter.low > half else None

    @property
    def lost_on_figures(self) -> Points | None:
        """The loss on figures, over the cases that have clutter, in points."""
        return self._measured(self.matched_figures)

    @property
    def lost_amid_clutter(self) -> Points | None:
        """The loss amid clutter, in the same measure."""
        return self._measured(self.amid_clutter)

    def _measured(self, rates: PairRates | None) -> Points | None:
        if rates is None:
            return None
        strong = self.matched_figures and self.matched_figures.lost.low
        return rates.lost if strong is not None and strong > 0 else rates.gap

    @property
    def follows(self) -> str:
        """The effect of strong changes on answers, in words."""
        control, figure = self.rates.follow_control, self.rates.follow_figure
        return f"strong changes move answers by {control} points on controls, {figure} on figures"
