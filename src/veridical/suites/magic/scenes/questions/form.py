"""What a question is, and how a form of question makes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import Draft
from veridical.suites.magic.scenes.layout import CrowdedError, LayoutNeeds
from veridical.suites.magic.scenes.turns import QuestionTurn
from veridical.suites.magic.scenes.words import NO, YES, names_of, predicate

SIDE = {"left of": "to the left of", "right of": "to the right of"}
"""The relations to either side, as they stand in a sentence."""
BOTH_WAYS = (True, False)
"""Whether the answer is yes, or whether the right one of two answers comes first: each as often."""
ANYWHERE, ROOMS, TABLES = ("room", "table"), ("room",), ("table",)


class StepFact(NamedTuple):
    """What a step may state: the `kind` of claim, the place of the thing, and that of the second one of a relation.

    A fact of kind "extreme" says that a thing is farthest out in the direction `toward`.
    """

    kind: str
    place: int
    other: int | None = None
    toward: str | None = None


class SceneQuestion(NamedTuple):
    """A question with its answers.

    `offered` is the number of answers that the words leave open, each equally likely; `places` the things that matter,
    as the reasoning meets them; `facts` what has to be seen of them; `seek` what one has to find, and `link` how the
    answer follows. `rivals` contradict the answer; of each of the `essentials` one word stands in a full answer.
    `decoys` are the things whose boxes mislead: they lie to each other as those that matter do.
    """

    text: str
    short: str
    full: str
    offered: int
    places: tuple[int, ...]
    facts: tuple[StepFact, ...]
    seek: str
    link: str
    rivals: tuple[str, ...]
    essentials: tuple[tuple[str, ...], ...] = ()
    decoys: tuple[int, ...] = ()

    def rule(self) -> dict[str, list[str] | list[list[str]]]:
        """What an answer may say, as it is stored."""
        words = names_of(self.short, self.rivals)
        own = set(words)
        rivals = [word for rival in self.rivals for word in names_of(rival, (self.short,)) if word not in own]
        return {
            "accepted": words,
            "rivals": list(dict.fromkeys(rivals)),
            "essentials": [words, *map(list, self.essentials)],
        }


def _nothing(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:
    """Most questions fit any layout."""


Ask = Callable[[Draft, QuestionTurn], SceneQuestion]
Want = Callable[[QuestionTurn, Nuisances, LayoutNeeds], None]


class Form(NamedTuple):
    """A form of question: its name, the scenes that it fits, how it is asked, and what it wants of a layout.

    One that is `certain` is about what is at a certain place; others can be about any thing.
    """

    name: str
    scenes: tuple[str, ...]
    ask: Ask
    want: Want = _nothing
    certain: bool = False


def polar(
    *,
    true: bool,
    text: str,
    fact: str,
    places: Sequence[int],
    facts: Sequence[StepFact],
    seek: str,
    decoys: tuple[int, ...] = (),
) -> SceneQuestion:
    """A question to be answered by yes or no; `fact` is what is so, as a clause."""
    short, other = (YES, NO) if true else (NO, YES)
    link = f"Since {fact}, the answer to the question is {short}."
    return SceneQuestion(
        text=text,
        short=short,
        full=f"{short.capitalize()}, {fact}.",
        offered=2,
        places=tuple(places),
        facts=tuple(facts),
        seek=seek,
        link=link,
        rivals=(other,),
        decoys=decoys,
    )


def clause(slot: str, name: str, value: str) -> str:
    """A clause about a color or a material."""
    return f"the {name} is {predicate(slot, value)}"


def busy_holders(draft: Draft) -> list[int]:
    """The furniture that a thing with a noun of its own stands on."""
    return [place for place in range(len(draft.spots)) if unique_on(draft, place)]


def unique_on(draft: Draft, holder: int) -> list[int]:
    """The things on a piece of furniture that have a noun of their own, from left to right."""
    return [place for place in draft.layout.things_on(holder) if place not in draft.twins]


def other_pairs(draft: Draft, holder: int) -> tuple[int, ...]:
    """Two other pieces of furniture, each with a thing on it: beside a pair that matters, they are as good a guess."""
    return tuple(place for pair in draft.laden(holder, count=2) for place in pair)


def single_thing(draft: Draft) -> tuple[int, int]:
    """A piece of furniture with a single thing on it, and that thing."""
    holder, (thing,) = _laden(draft, 1)
    return holder, thing


def two_together(draft: Draft) -> tuple[int, int, int]:
    """A piece of furniture with two things on it, the left one, and the right one."""
    holder, (left, right) = _laden(draft, 2)
    return holder, left, right


def _laden(draft: Draft, count: int) -> tuple[int, list[int]]:
    # The first two pieces of furniture are laid for one thing and for two; the third may hold any number.
    place = count - 1
    held = draft.layout.things_on(place)
    if len(held) != count:
        raise CrowdedError
    return place, held
