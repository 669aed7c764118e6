"""A scene in its making: a layout whose colors and materials are set question by question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import LARGE, CrowdedError, Layout, PlacedThing, SceneLayout
from veridical.suites.magic.scenes.turns import shuffle

COLOR, MATERIAL = "color", "material"
FRAMED = frozenset({"clock", "mirror", "picture"})
"""Nouns of things with a face or a pane besides what has their color: no question is about their looks."""


class Draft:
    """A layout, and what of it is set.

    Things of one noun have different colors from the start, by which they are named.
    """

    def __init__(self, layout: Layout, nuisances: Nuisances) -> None:
        self.layout, self.nuisances = layout, nuisances
        self.spots = layout.spots
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
        """So many things at random, whose color or material (`slots`) are not set.

        None of them stands on another. Raises `CrowdedError` where there are too few.
        """
        options = range(len(self.spots)) if among is None else among
        plain = [place for place in options if not (slots and self.spots[place].kind in FRAMED)]
        fitting = [place for place in plain if all(getattr(self.spots[place], slot) is None for slot in slots)]
        return self.apart(shuffle(self.nuisances, fitting), (), count)

    def laden(self, *excluded: int, count: int, held: int = 1) -> list[tuple[int, ...]]:
        """So many pieces of furniture, other than the excluded ones, each with as many (`held`) of the things on it.

        Two things on one are clearly side by side. Raises `CrowdedError` where there are too few.
        """
        found = []
        for holder in shuffle(self.nuisances, sorted({spot.on for spot in self.spots if spot.on is not None})):
            things = self.layout.things_on(holder)
            chosen = tuple(shuffle(self.nuisances, things)[:held])
            clear = all(pair in self.relations for pair in combinations(chosen, 2))
            if holder not in excluded and len(chosen) == held and clear:
                found.append((holder, *chosen))
        if len(found) < count:
            raise CrowdedError
        return found[:count]

    def apart(self, ranked: Iterable[int], places: Sequence[int], count: int) -> list[int]:
        """The first so many things that are clear of each other and of these places.

        Raises `CrowdedError` where there are too few.
        """
        chosen: list[int] = []
        for place in ranked:
            if len(chosen) < count and self.clear_of((place,), (*places, *chosen)):
                chosen.append(place)
        if len(chosen) < count:
            raise CrowdedError
        return chosen

    def clear_of(self, places: Sequence[int], others: Sequence[int]) -> bool:
        """Whether none of these things is one of the others, stands on one, or carries one."""
        under = {self.spots[other].on for other in others}
        return not any(place in others or place in under or self.spots[place].on in others for place in places)

    def pair(self, *names: str) -> tuple[int, int]:
        """Two things in one of these relations, in either order. Raises `CrowdedError` where there are none."""
        pairs = [pair for pair, name in self.relations.items() if name in names]
        if not pairs:
            raise CrowdedError
        return self.nuisances.one_of(pairs)

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
        first, second = sorted(self.twins, key=lambda place: self.spots[place].size != LARGE)
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
