"""A question about a finished scene, with its numbered boxes: what the chains of reasoning speak about."""

from __future__ import annotations

from typing import NamedTuple

from veridical.records import Box
from veridical.suites.magic.scenes.graph import OPPOSITE, Graph
from veridical.suites.magic.scenes.questions import SceneQuestion
from veridical.suites.magic.scenes.questions.form import SIDE
from veridical.suites.magic.stimuli import StepClaim

DISMISSED = "dismissed"


class NumberedQuestion(NamedTuple):
    """A question, the graph of its scene, the boxes in the order of their numbers, and those of the things by place."""

    question: SceneQuestion
    graph: Graph
    boxes: tuple[Box, ...]
    numbers: dict[int, int]

    def name(self, place: int) -> str:
        """The noun of a thing, with its color where another thing has the same noun."""
        thing = self.graph.things[place]
        return thing.kind if self.graph.unique(place) else f"{thing.color} {thing.kind}"

    def at(self, place: int) -> str:
        """A thing and its box, such as "mug in R2", or only the thing where it is not one of those that matter."""
        name = self.name(place)
        return f"{name} in R{self.numbers[place]}" if place in self.question.places else name

    def shown(self, number: int) -> int | None:
        """The place of the thing in a box; `None` where it shows no thing."""
        return next((place for place, own in self.numbers.items() if own == number), None)

    def claim(self, kind: str, place: int, value: str | None = None) -> StepClaim:
        """A claim about the color, material, or size of a thing; true unless it has another `value`."""
        true = str(getattr(self.graph.things[place], kind))
        return _claim(kind, self.graph.things[place].kind, self.numbers.get(place), value or true, true)

    def place_claim(self, place: int, number: int | None = None) -> StepClaim:
        """A claim that a thing is in its own box, or in the one with another `number`."""
        true = f"R{self.numbers[place]}"
        box = number or self.numbers[place]
        return _claim("place", self.graph.things[place].kind, box, f"R{box}", true)

    def relation_claim(self, first: int, second: int, value: str | None = None) -> StepClaim:
        """A claim about what a thing is to another; true unless it has another `value`."""
        things, true = self.graph.things, self.graph.by_pair[first, second]
        return _claim("relation", things[first].kind, self.numbers.get(first), value or true, true, things[second].kind)

    def dismissal(self, number: int) -> StepClaim:
        """A claim that a box does not matter."""
        place = self.shown(number)
        noun = "" if place is None else self.graph.things[place].kind
        return _claim(DISMISSED, noun, number, DISMISSED, DISMISSED)


def relation_words(relation: str) -> str:
    """A relation as it stands in a sentence.

    >>> relation_words("left of"), relation_words("on")
    ('to the left of', 'on')
    """
    return SIDE.get(relation, relation)


def opposite(relation: str) -> str | None:
    """The relation that is false wherever this one holds; `None` of "on"."""
    return OPPOSITE.get(relation)


def _claim(kind: str, thing: str, box: int | None, value: str, true: str, other: str | None = None) -> StepClaim:
    return {"kind": kind, "thing": thing, "box": box, "value": value, "true": true, "other": other}
