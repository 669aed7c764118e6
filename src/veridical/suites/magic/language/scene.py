"""What is so in one of our scenes: which thing is meant, how it looks, where it is, and how two things stand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from veridical.records import Box, Json
from veridical.suites.magic.language.words import OPPOSITE, Lexicon, lexicon

_ALIKE = tuple(
    frozenset(names.split(","))
    for names in (
        "vase,jug,bottle,mug,bowl,teapot,kettle,plant pot,bucket,watering can,basket,goblet",
        "table,desk,bench,stool,chair,shelf,cabinet,dresser,chest,sofa,armchair",
        "box,crate,chest,basket,bucket,trunk,cabinet",
        "cap,hat",
        "picture,mirror",
        "ball,globe,apple",
        "lamp,candle",
        "sofa,armchair,bench,chair",
        "teddy,dog,cat,robot",
        "book,box",
    )
)
"""Nouns that a careful reader might use for one another; where the scene has one of two, the other states nothing."""
_IMPLIED = {"on": "above", "above": "above", "below": "below"}


@dataclass(frozen=True)
class NumberedScene:
    """The things of a graph with their numbers, and what holds among them."""

    things: tuple[Mapping[str, Json], ...]
    relations: frozenset[tuple[int, str, int]]

    @cached_property
    def words(self) -> Lexicon:
        """The words known for this scene."""
        looks = {(kind, str(thing[kind])) for thing in self.things for kind in ("color", "material", "size")}
        return lexicon(frozenset(str(thing["name"]) for thing in self.things), frozenset(looks))

    @cached_property
    def numbers(self) -> frozenset[int]:
        """The numbers of the boxes that show a thing."""
        return frozenset(int(thing["number"]) for thing in self.things if thing["number"] is not None)

    def in_box(self, number: int) -> int | None:
        """The place of the thing that a box shows."""
        return next((place for place, thing in enumerate(self.things) if thing["number"] == number), None)

    def called(self, noun: str) -> list[int]:
        """The places of all things with this noun."""
        return [place for place, thing in enumerate(self.things) if thing["name"] == noun]

    def alike(self, noun: str, place: int) -> bool:
        """Whether a thing may well be called by a noun that no thing of the scene has."""
        own = str(self.things[place]["name"])
        return own == noun or (not self.called(noun) and any({own, noun} <= names for names in _ALIKE))

    def boxes_of(self, noun: str) -> str:
        """Which boxes show things with this noun: "R1", "R1 or R4", or "none"."""
        numbers = sorted(int(self.things[k]["number"]) for k in self.called(noun) if self.things[k]["number"])
        return " or ".join(f"R{number}" for number in numbers) or "none"

    def relation(self, first: int, stated: str, second: int) -> str | None:
        """The stated relation if it holds between two things, another one that holds if it does not; `None`: unclear.

        What the graph does not list is read from the boxes, where these are well apart.
        """
        listed = {name for one, name, two in self.relations if (one, two) == (first, second)}
        turned = {name for one, name, two in self.relations if (one, two) == (second, first)}
        listed |= {OPPOSITE[name] for name in turned if name in OPPOSITE}
        listed |= {"below"} if "on" in turned else set()
        listed |= {_IMPLIED[name] for name in listed if name in _IMPLIED}
        return stated if stated in listed else self._against(first, stated, second, listed)

    def _against(self, first: int, stated: str, second: int, listed: set[str]) -> str | None:
        opposite = OPPOSITE.get(stated)
        if opposite is not None and opposite in listed:
            return opposite
        one, two = (Box(*self.things[place]["box"]) for place in (first, second))
        if stated in ("left of", "right of"):
            return "left of" if one.x1 <= two.x0 else "right of" if two.x1 <= one.x0 else None
        if stated in ("above", "below"):
            return "above" if one.y1 <= two.y0 else "below" if two.y1 <= one.y0 else None
        if stated == "on":
            return self._not_on(one, two)
        return None

    def _not_on(self, one: Box, two: Box) -> str | None:
        """How a thing stands to another that it is not on: beside it, above or below it."""
        if not any(name == "on" for _, name, _ in self.relations):
            return None
        if one.x1 <= two.x0 or two.x1 <= one.x0:
            return "left of" if one.x1 <= two.x0 else "right of"
        return "below" if two.y1 <= one.y0 else None


def scene_of(graph: Mapping[str, Json]) -> NumberedScene:
    """The scene of a graph as a truth has it: `things`, and `relations` as [first, relation, second]."""
    return _scene(json.dumps(graph, sort_keys=True))


@lru_cache(maxsize=64)
def _scene(graph: str) -> NumberedScene:
    known = json.loads(graph)
    return NumberedScene(tuple(known["things"]), frozenset((one, name, two) for one, name, two in known["relations"]))
