"""The picture types of a set, and the pictures of one base item: what several share is made, painted and read once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from veridical.errors import unknown
from veridical.media.draw import Item, PaintedBase, Scene, rasterise
from veridical.suites.viprobe.illusions.case import Case, Context, Measurement
from veridical.suites.viprobe.illusions.view import Pixels, View
from veridical.suites.viprobe.options import VIProbeOptions

VARIANTS: dict[str, Context] = {
    "O": "figure",
    "P": "figure",
    "OC": "control",
    "PC": "control",
    "OS": "clutter",
    "PS": "clutter",
    "OH": "hint",
    "PH": "hint",
    "I": "inducers",
}
"""Original and perturbed; the controls of both, with the same targets and no inducers; both amid clutter, with the
inducers scattered; both with a hint; inducers."""

CHANGED = ("P", "PC", "PS", "PH")


def variants(options: VIProbeOptions) -> tuple[str, ...]:
    """The variants asked for, in the fixed order."""
    for name in options.variants or ():
        if name not in VARIANTS:
            raise unknown("variant", name, VARIANTS)
    return tuple(name for name in VARIANTS if name in (options.variants or VARIANTS))


def strength_text(alpha: float) -> str:
    """A strength as it stands in an id: signed, two decimals, more only where they are needed.

    >>> strength_text(0.4), strength_text(-0.3333)
    ('+0.40', '-0.3333')
    """
    return f"{alpha:+.2f}" if round(alpha, 2) == alpha else f"{alpha:+.4f}".rstrip("0")


_KEPT, _READ = 2, 3
"""Scenes that stay painted (the inducers, and the clutter), and pictures whose readings may hold for another."""


class Drawing:
    """Draws the pictures of a base item, those of one strength after each other.

    Figures are made once for all contexts, what stands around targets is painted once, and the clutter of one strength
    is that of all.
    """

    def __init__(self, case: Case, base: Any) -> None:  # noqa: ANN401 (each case has its own record of nuisances)
        self._case, self._base = case, base
        first = case.geometry(base, 0.0)
        self._first = replace(first, clutter=first.clutter and cache(first.clutter))
        self._latest = 0.0, self._first
        self._around: list[PaintedBase] = []
        self._read: tuple[float, list[Readings]] = 0.0, []

    def layers(self, context: Context, alpha: float) -> tuple[Scene, tuple[Item, ...]]:
        """What stands around the targets of a context, and what is painted over it at a strength."""
        if self._latest[0] != alpha:
            figure, first = self._case.geometry(self._base, alpha), self._first
            # Comparing two tuples is quick where their items are the same objects.
            inducers = first.inducers if figure.inducers == first.inducers else figure.inducers
            self._latest = alpha, replace(figure, inducers=inducers, clutter=first.clutter)
        return self._latest[1].layers(context)

    def pixels(self, context: Context, alpha: float) -> Pixels:
        """The picture of a context at a strength, shape (height, width, 3)."""
        return self.painted(*self.layers(context, alpha))

    def painted(self, below: Scene, above: tuple[Item, ...]) -> Pixels:
        """The picture of two layers, shape (height, width, 3)."""
        if not below.items:
            return rasterise(replace(below, items=above))
        kept = next((start for start in self._around if start.scene == below), None)
        if kept is None:
            kept = PaintedBase.of(below)
            self._around = [kept, *self._around][:_KEPT]
        return kept.with_items(above)

    def readings(self, view: View, alpha: float) -> Readings:
        """What is read from a picture: anew, unless another one at this strength must read the same."""
        if self._read[0] != alpha:
            self._read = alpha, []
        kept = next((each for each in self._read[1] if each.hold_for(view)), None)
        if kept is None:
            kept = Readings(self._case, view)
            self._read = alpha, [kept, *self._read[1]][:_READ]
        return kept


class Readings:
    """What a case reads from a picture, at its own size and reduced: each is read when it is called for, and once."""

    def __init__(self, case: Case, view: View) -> None:
        self.case, self.view = case, view
        self._read: dict[int, Measurement | None] = {}

    @property
    def side(self) -> int:
        """The longer side of the picture in px."""
        longer: int = max(self.view.height, self.view.width)
        return longer

    def at(self, longer: int) -> Measurement | None:
        """What is read with the longer side reduced to so many px; `None` where there is no figure of the case."""
        if longer not in self._read:
            self._read[longer] = self.case.read(self.view if longer == self.side else self.view.reduced(longer))
        return self._read[longer]

    def hold_for(self, other: View) -> bool:
        """Whether another picture of the same size must read the same: its targets are, and nothing else is read."""
        return self.case.reads_chroma and np.array_equal(self.view.chroma, other.chroma)
