"""Which mechanism a run's figures speak for: a decision list on intervals, never on points.

The first rule whose every condition holds for the whole interval decides; where none does, the verdict is
`undetermined`. The names are those of VI-Probe (sections 4.3 to 4.6), with three that its data call for besides: an
observer blind to the picture, a veridical one, and one that is fooled as people are. R is not used: a blind, a perfect
and an inverted observer can share a value of it.

1. language-limited: the two polarities contradict each other in more than 45 % of pairs (TFI).
2. illusory percept: changes that go the way of the impression are seen (above 50 %), controls as well, and those that
   oppose it are missed by 10 points more, or the point of subjective equality lies 0.1 towards the inducers.
3. visual-processing limit: a control is right in less than 85 %, figures are as hard as controls to 20 points, and
   replies follow the controls all the same, by 5 points.
4. veridical: P and PC are each right in more than 70 %, O and OC, of which there are fewer, in more than 55 %, and P
   is not shown to lie 5 points below PC.
5. blind: whether targets differ changes the replies by less than 30 points, on figures and on controls.
6. memory override: P is right in less than 30 %, rises by less than 30 points from weak to strong changes, and lies 40
   points below PC.
7. competition: P lies 10 points below PC, and rises with the strength of the change.

The last two say that the figure is remembered as it usually is, so neither stands where O is shown to be right in less
than 50 %, or where the interaction I is shown to lie below 0, as the figure costs more without a change than with one:
an observer disturbed by inducers that it never met misses changes as well, and has nothing to remember.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from veridical.records import POINTS, PROPORTION, Estimate, Json
from veridical.suites.viprobe.units import ALPHA

NAMES = (
    "language-limited",
    "illusory percept",
    "visual-processing limit",
    "veridical",
    "blind",
    "memory override",
    "competition",
    "undetermined",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mechanism, in the slice that it is about, with the intervals that decided (each as words)."""

    where: Mapping[str, Json]
    name: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Condition:
    """That a figure lies wholly below or above a bound, or that it is not shown to lie above or below one.

    One that was not estimated fulfils nothing.
    """

    label: str
    estimate: Estimate | None
    above: float | None = None
    below: float | None = None
    not_above: float | None = None
    not_below: float | None = None

    @property
    def holds(self) -> bool:
        found = self.estimate
        if found is None or found.value is None:
            return False
        if self.not_above is not None:
            return found.low is None or found.low < self.not_above
        if self.not_below is not None:
            return found.high is None or found.high > self.not_below
        high_enough = self.above is None or (found.low is not None and found.low > self.above)
        return high_enough and (self.below is None or (found.high is not None and found.high < self.below))

    def __str__(self) -> str:
        found = self.estimate
        if found is None or found.value is None:
            return f"{self.label} not estimated"
        percent = 100 if found.unit is PROPORTION else 1
        unit = {PROPORTION: " %", POINTS: " points"}.get(found.unit, "")
        digits = 2 if found.unit is ALPHA else 1
        low, high = ("–" if x is None else f"{percent * x:.{digits}f}" for x in (found.low, found.high))
        return f"{self.label} {percent * found.value:.{digits}f}{unit} [{low}, {high}]".replace("-", "−")


class _Find(Protocol):
    def __call__(self, metric: str, **more: Json) -> Estimate | None: ...


def verdicts(estimates: Iterable[Estimate]) -> list[Verdict]:
    """The verdict overall, and that of each case that has figures of its own, in their order.

    >>> verdicts([])[0].name
    'undetermined'
    """
    known = {(each.metric, frozenset(each.slice.items())): each for each in estimates}
    cases = dict.fromkeys(e.slice["case"] for e in known.values() if set(e.slice) == {"case"})
    return [_verdict(known, {}), *(_verdict(known, {"case": case}) for case in cases)]


def _verdict(known: Mapping[tuple[str, frozenset[tuple[str, Json]]], Estimate], where: dict[str, Json]) -> Verdict:
    def find(metric: str, **more: Json) -> Estimate | None:
        return known.get((metric, frozenset({**where, **more}.items())))

    tried: list[str] = []
    for name, ways in _rules(find):
        for conditions in ways:
            if all(condition.holds for condition in conditions):
                return Verdict(where, name, tuple(map(str, conditions)))
        tried += [str(c) for conditions in ways for c in conditions]
    return Verdict(where, "undetermined", tuple(dict.fromkeys(tried)))


def _rules(find: _Find) -> Iterator[tuple[str, Sequence[Sequence[_Condition]]]]:
    """The rules in their order, each with its alternative sets of conditions."""
    pfa = {name: find("PFA", variant=name) for name in ("O", "P", "OC", "PC")}
    least = {"O": 0.55, "P": 0.7, "OC": 0.55, "PC": 0.7}
    gap, rise = find("gap"), _Condition("rise of P with strength", find("rise"), above=0)
    follows = {context: find("response", context=context) for context in ("figure", "control")}
    yield "language-limited", [[_Condition("TFI", find("TFI"), above=0.45)]]
    seen = [
        _Condition("P, congruent", find("PFA", variant="P", congruent=True), above=0.5),
        _Condition("PC", pfa["PC"], above=0.5),
        _Condition("OC", pfa["OC"], above=0.5),
    ]
    asymmetric = _Condition("congruent less opposing", find("asymmetry"), above=10)
    yield (
        "illusory percept",
        [
            [*seen, asymmetric],
            [*seen, _Condition("PSE on figures", find("PSE", context="figure"), below=-0.1)],
        ],
    )
    alike = _Condition("PC less P", gap, above=-20, below=20)
    sees = _Condition("response to change, controls", follows["control"], above=5)
    yield "visual-processing limit", [[_Condition(name, pfa[name], below=0.85), alike, sees] for name in ("PC", "OC")]
    right = [_Condition(name, found, above=least[name]) for name, found in pfa.items()]
    yield "veridical", [[*right, _Condition("PC less P", gap, not_above=5)]]
    flat = [_Condition(f"response to change, {name}s", found, above=-30, below=30) for name, found in follows.items()]
    yield "blind", [flat]
    known = [_Condition("O", pfa["O"], not_below=0.5), _Condition("interaction I", find("I"), not_below=0)]
    level = _Condition("rise of P with strength", find("rise"), below=30)
    low = _Condition("P", pfa["P"], below=0.3)
    yield "memory override", [[low, level, _Condition("PC less P", gap, above=40), *known]]
    yield "competition", [[_Condition("PC less P", gap, above=10), rise, *known]]
