"""A scene in its making: a layout whose colors and materials are set question by question."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import LARGE, CrowdedError, Layout, PlacedThing, SceneLayout
from veridical.suites.magic.scenes.turns import shuffle

COLOR, MATERIAL = "color", "material"
FRAMED = frozenset({"clock", "mirror", "picture"})
"""Nouns of things with a face or a pane besides what has their color: no question is about their looks."""


class Draft:
    """A layout, what of it is set, and how often each thing is asked about.

    Things of one noun have different colors from the start, by which they are named.
    """

    def __init__(self, layout: Layout, nuisances: Nuisances) -> None:
        self.layout, self.nuisances = layout, nuisances
        self.spots = layout.spots
        self._uses = [0] * len(self.spots)
        placed = [PlacedThing(spot.kind, "", "", spot.size, spot.box, spot.on) for spot in self.spots]
        self._graph = Graph(SceneLayout(layout.kind, layout.width, layout.height, tuple(placed), 0))
        self.relations = self._graph.by_pair
        nouns = [spot.kind for spot in self.spots]
        self.twins = [place for place, noun in enumerate(nouns) if nouns.count(noun) > 1]
        if self.twins:
            options = shuffle(nuisances, KINDS[nouns[self.twins[0]]].colors)
            for place, color in zip(self.twins, options, strict=False):
                self.spots[place].color = color

    def name(self, place: int) -> str:
        """The noun of a thing, with its color where the noun alone fits two things."""
        spot = self.spots[place]
        return f"{spot.color} {spot.kind}" if place in self.twins else spot.kind

    def take(self, count: int, *slots: str, among: Sequence[int] | None = None) -> list[int]:
        """So many things in a random order, whose color or material (`slots`) are not set; those asked least first.

        Raises `CrowdedError` where there are too few.
        """
        options = range(len(self.spots)) if among is None else among
        plain = [place for place in options if not (slots and self.spots[place].kind in FRAMED)]
        fitting = [place for place in plain if all(getattr(self.spots[place], slot) is None for slot in slots)]
        chosen = sorted(shuffle(self.nuisances, fitting), key=self._uses.__getitem__)[:count]
        if len(chosen) < count:
            raise CrowdedError
        return shuffle(self.nuisances, self.count_use(*chosen))

    def count_use(self, *places: int) -> list[int]:
        """The places, after counting that a question is about them."""
        for place in places:
            self._uses[place] += 1
        return list(places)

    def pair(self, *names: str) -> tuple[int, int]:
        """Two things in one of these relations, in either order. Raises `CrowdedError` where there are none."""
        pairs = [pair for pair, name in self.relations.items() if name in names]
        if not pairs:
            raise CrowdedError
        ranked = sorted(shuffle(self.nuisances, pairs), key=lambda pair: self._uses[pair[0]] + self._uses[pair[1]])
        first, second = self.count_use(*ranked[0])
        return first, second

    def other(self, options: Sequence[str], *excluded: str) -> str:
        """One of the options that is none of the excluded ones."""
        return self.nuisances.one_of([option for option in options if option not in excluded])

    def options(self, slot: str, *places: int) -> list[str]:
        """The colors, or materials, that all of these things may have. Raises `CrowdedError` for fewer than two."""
        first, *rest = (getattr(KINDS[self.spots[place].kind], f"{slot}s") for place in places)
        shared = [value for value in first if all(value in each for each in rest)]
        if len(shared) < 2:
            raise CrowdedError
        return shared

    def look(self, slot: str, place: int) -> str:
        """The color or the material of a thing."""
        return str(getattr(self.spots[place], slot))

    def set(self, slot: str, place: int, value: str) -> None:
        """Gives a thing a color or a material."""
        setattr(self.spots[place], slot, value)

    def larger(self) -> tuple[int, int]:
        """The larger and the smaller of the two things of one noun. Raises `CrowdedError` where there are none."""
        if len(self.twins) != 2:
            raise CrowdedError
        first, second = self.count_use(*sorted(self.twins, key=lambda place: self.spots[place].size != LARGE))
        return first, second

    def setting(self, backdrop: int) -> SceneLayout:
        """The scene; whatever no question set is random."""
        things = [
            PlacedThing(
                spot.kind,
                spot.color or self.nuisances.one_of(KINDS[spot.kind].colors),
                spot.material or self.nuisances.one_of(KINDS[spot.kind].materials),
                spot.size,
                spot.box,
                spot.on,
            )
            for spot in self.spots
        ]
        return SceneLayout(self.layout.kind, self.layout.width, self.layout.height, tuple(things), backdrop)
