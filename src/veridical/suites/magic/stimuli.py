"""What a stimulus of MagiC is, whatever it comes from: a question about a picture, with numbered boxes and chains."""

from __future__ import annotations

from typing import Literal, TypedDict

from veridical.records import FactorTypes, Json

NAME = "magic"
QuestionType = Literal["verify", "query", "choose", "logical", "compare"]
QUESTION_TYPES: tuple[QuestionType, ...] = ("verify", "query", "choose", "logical", "compare")
"""The five structural types of questions (the paper, section 3)."""

ROOM, TABLE, PHOTO = "room", "table", "photo"
"""The families: our scenes, and pictures of others."""
DRAWN = "drawn"
"""The variant of our scenes; pictures of others are `PHOTO`."""

FACTORS: FactorTypes = {
    "template": str,
    "offered": int,
    "box_count": int,
    "relevant_count": int,
    "chain_by": str,
    "portion": str,
    "taken_from": str,
}
"""The declared factors with their types. The category is the type of the question.

`template` is the form of the question and `offered` how many answers it offers, of our scenes. `chain_by` is whose
chain of steps comes with the question ("generator", or the name of a model), `portion` the part of a release that it
belongs to (dev, test, weak), `taken_from` where it is from ("generator", "gqa", "release", "weak").
"""

ChainKind = Literal["true", "region", "relation", "description", "listing", "annotated"]
CHAIN_KINDS: tuple[ChainKind, ...] = ("region", "relation", "description", "listing", "true", "annotated")
"""Kinds of chains: ours go wrong in a region, a relation or a description, list every box, or are true throughout."""


class StepClaim(TypedDict):
    """What a step of our scenes states of a thing, in a form that a rule can check.

    `kind` is "color", "material", "size", "place" (which box shows the thing), "relation" or "dismissed" (a box that
    does not matter); `thing` the noun, `box` its number or null, `value` what is stated, `true` what is so, and `other`
    the second noun of a relation.
    """

    kind: str
    thing: str
    box: int | None
    value: str
    true: str
    other: str | None


class Step(TypedDict):
    """A step of a chain; a wrong one has its correction. `correct` is null where nobody labeled it."""

    text: str
    correct: bool | None
    correction: str | None
    claims: list[StepClaim]


class Chain(TypedDict):
    """Steps of reasoning, whose they are, and of which kind."""

    kind: ChainKind
    by: str | None
    steps: list[Step]


class Thing(TypedDict):
    """A thing in one of our scenes; `box` is in pixels, half-open, `number` that of its marked box or null."""

    name: str
    color: str
    material: str
    size: str
    box: list[int]
    number: int | None


class MagicTruth(TypedDict):
    """The truth of a stimulus. Boxes are in the order of their numbers: the first is R1.

    `graph` has the things of our scenes, and their relations as [place of the first, relation, place of the second];
    `rule` what an answer may say: `accepted` words of the short answer, `rivals` that contradict it, and `essentials`
    of the full answer, of each of which one word must stand. Both are null for pictures of others.
    """

    short: str
    full: str
    boxes: list[list[int]]
    relevant: list[int]
    adversarial: list[int]
    chains: list[Chain]
    graph: dict[str, Json] | None
    rule: dict[str, Json] | None
