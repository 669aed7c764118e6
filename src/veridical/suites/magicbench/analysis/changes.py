"""What each kind of words changes in what is seen and in what is explained, and which changes count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from veridical.records import Json
from veridical.stats import holm
from veridical.suite.conclusions import BoundedFigure, Figures
from veridical.suite.missing_replies import MOST_MISSING
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.stimuli import COMPONENTS, TYPES

KINDS: tuple[str, ...] = (*TYPES, *COMPONENTS)
"""The kinds of words that a verdict knows, silence among them."""
CLEAR = 0.15
"""A change that counts, as a share: of told apart, of answers pulled, of marks. Less counts as none."""
_LEVEL = 0.01
"""The one-sided level of a family of tests, one for each kind of words."""
_LIE, _MISDIRECTION, _SILENCE = (TYPES[place] for place in (0, 1, 3))
_Contrast = tuple[str, dict[str, Json]]
"""A contrast of marks and its slice."""


@dataclass(frozen=True)
class Moves:
    """The change under each kind of words, with those that clearly fall and clearly rise, by Holm over the kinds.

    `from_something` and `to_something` say of which kinds something is seen without words, and under them: elsewhere a
    fall, or a rise, is one of the way of guessing.
    """

    changes: Mapping[str, BoundedFigure | None]
    from_something: bool = True
    to_something: Mapping[str, bool] = field(default_factory=dict)

    @cached_property
    def falls(self) -> frozenset[str]:
        return self._lower if self.from_something else frozenset()

    @cached_property
    def rises(self) -> frozenset[str]:
        return frozenset(kind for kind in self._higher if self.to_something.get(kind, True))

    def stays(self, kind: str) -> bool:
        """Whether nothing of it is known, or its whole interval is of less than what counts."""
        change = self.changes[kind]
        return change is None or change.inside(CLEAR)

    @property
    def guessed(self) -> frozenset[str]:
        """The kinds with a change that counts, but is one of the way of guessing."""
        return (self._lower | self._higher) - self.falls - self.rises

    @cached_property
    def _lower(self) -> frozenset[str]:
        return self._beyond(lambda figure: figure.p_below(-CLEAR))

    @cached_property
    def _higher(self) -> frozenset[str]:
        return self._beyond(lambda figure: figure.p_above(CLEAR))

    def _beyond(self, p: Callable[[BoundedFigure], float]) -> frozenset[str]:
        adjusted = holm([None if figure is None else p(figure) for figure in self.changes.values()])
        pairs = zip(self.changes, adjusted, strict=True)
        return frozenset(kind for kind, each in pairs if each is not None and each < _LEVEL)


@dataclass(frozen=True)
class Basis:
    """What the rules take: the figures, the judge whose marks count (none: no marks do), and whether probes do."""

    figures: Figures
    judge: Mapping[str, Json] | None
    probes: bool

    def apart(self, under: str) -> BoundedFigure | None:
        """How well tricks are told from their controls under some words."""
        return self.figures.get("told apart", under=under) if self.probes else None

    @cached_property
    def seen(self) -> Moves:
        """What each kind of words changes in told apart: against vision-only, or silence if more is seen there."""
        plain = self._seen(VISION_ONLY)
        if _SILENCE not in plain.rises:
            return plain
        changes = {**self._seen(_SILENCE).changes, _SILENCE: plain.changes[_SILENCE]}
        return Moves(changes, to_something=plain.to_something)

    def _seen(self, against: str) -> Moves:
        changes = {
            kind: self.figures.get("change of told apart", words=kind, against=against) if self.probes else None
            for kind in KINDS
        }
        return Moves(changes, self._looks(against), {kind: self._looks(kind) for kind in KINDS})

    def _looks(self, under: str) -> bool:
        """Whether anything is told apart: below 0, told apart changes with the way of guessing."""
        apart = self.apart(under)
        return apart is not None and apart.above(0)

    @cached_property
    def pull(self) -> BoundedFigure | None:
        """How much more often answers are the lie's under it."""
        return self.figures.get("pull of the lie", against=self._base)

    @property
    def pulled(self) -> bool:
        """Whether the lie's word is taken clearly more often, and more than guesses in the place of sight would."""
        beyond = self.belief
        return self.pull is not None and self.pull.above(CLEAR) and beyond is not None and beyond.above(0)

    @cached_property
    def belief(self) -> BoundedFigure | None:
        """The part of that pull which guessing does not explain."""
        return self.figures.get("pull beyond guessing", against=self._base)

    @cached_property
    def _base(self) -> str:
        return _SILENCE if _SILENCE in self.seen.rises else VISION_ONLY

    @cached_property
    def explained(self) -> Moves:
        """What each kind of words changes in CPA, in the forensic stance, against the same as in `seen`."""
        plain = Moves({kind: self._mark(_contrast(kind), "cpa") for kind in KINDS})
        if _SILENCE not in plain.rises:
            return plain
        others = {kind: self._mark(_against_silence(kind), "cpa") for kind in KINDS if kind != _SILENCE}
        return Moves({**plain.changes, **{kind: each for kind, each in others.items() if each is not None}})

    @cached_property
    def resistance(self) -> BoundedFigure | None:
        """What a lie changes in CFR, in the forensic stance."""
        return self._mark(_contrast(_LIE), "cfr")

    def _mark(self, contrast: _Contrast, score: str) -> BoundedFigure | None:
        """A change of marks, if there is one and verdicts are not missing."""
        if self.judge is None:
            return None
        metric, where = contrast
        figure = self.figures.get(metric, score=score, stance=FORENSIC, **where, **self.judge)
        if figure is None or figure.missing > MOST_MISSING:
            return None
        return figure.reversed() if metric == "agency loss" else figure


def _contrast(kind: str) -> _Contrast:
    """The contrast of marks under a kind of words with those of vision-only, and its slice."""
    if kind == _SILENCE:
        return "agency loss", {}
    if kind in (_LIE, _MISDIRECTION):
        return "spotlight gain", {"type": kind}
    return "component effect", {"words": kind, "against": VISION_ONLY}


def _against_silence(kind: str) -> _Contrast:
    """The same against silence, on the same clips."""
    if kind in TYPES:
        return "type gap", {"type": kind, "clips": "same"}
    return "component effect", {"words": kind, "against": _SILENCE}
