"""Chains that go wrong: a wrong box, relation or description, and one that lists every box.

A bad chain ends with the step that is wrong: it is a prefix, which someone else has to go on from. A listing says
nothing false.
"""

from __future__ import annotations

from typing import NamedTuple

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import FRAMED
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.numbered_question import NumberedQuestion, opposite, relation_words
from veridical.suites.magic.scenes.questions import StepFact
from veridical.suites.magic.scenes.rationale import (
    location_step,
    observation,
    opening_steps,
    rationale,
    relation_step,
    step,
)
from veridical.suites.magic.scenes.words import article, predicate
from veridical.suites.magic.stimuli import Chain, ChainKind, Step

_BY = "generator"
_ATTRIBUTES = ("color", "material", "size")
_WRONG_BOX = (
    "I look through the boxes and find the {0} in {1}.",
    "Of the boxes, {1} shows the {0}.",
    "The {0} is in {1}.",
)
_SHOWS = ("{0} shows {1}.", "In {0} I see {1}.", "I look at {0}, which shows {1}.")
_EMPTY = ("{0} shows no thing, only an empty part of the picture.",)


class _Pair(NamedTuple):
    """Two things with a relation that has an opposite."""

    first: int
    second: int
    opposite: str


def chains(marked: NumberedQuestion, nuisances: Nuisances) -> list[Chain]:
    """The chains of a question: one of each bad kind that its scene allows, and the true one, last."""
    made: list[tuple[ChainKind, list[Step] | None]] = [
        ("region", _wrong_region(marked, nuisances)),
        ("relation", _wrong_relation(marked, nuisances)),
        ("description", _wrong_description(marked, nuisances)),
        ("listing", _listing(marked, nuisances)),
        ("true", rationale(marked, nuisances)),
    ]
    return [{"kind": kind, "by": _BY, "steps": steps} for kind, steps in made if steps]


def _wrong_region(marked: NumberedQuestion, nuisances: Nuisances) -> list[Step] | None:
    """A thing that matters is seen in a box that does not show it, nor another thing of its noun."""
    places = marked.question.places
    target = nuisances.one_of(places)
    noun = marked.graph.things[target].kind
    shown = {number: marked.shown(number) for number in range(1, len(marked.boxes) + 1)}
    others = [number for number, place in shown.items() if place is None or marked.graph.things[place].kind != noun]
    things = [number for number in others if shown[number] is not None and shown[number] not in places]
    if not others:
        return None
    number, name, true = nuisances.one_of(things or others), marked.name(target), f"R{marked.numbers[target]}"
    steps = opening_steps(marked, nuisances)
    steps += [location_step(marked, nuisances, place) for place in places[: places.index(target)]]
    text = nuisances.one_of(_WRONG_BOX).format(name, f"R{number}")
    correction = f"The {name} is in {true}, not in R{number}."
    claim = marked.place_claim(target, number)
    return [*steps, step(text, claim, correct=False, correction=correction)]


def _wrong_relation(marked: NumberedQuestion, nuisances: Nuisances) -> list[Step] | None:
    """A thing that matters is seen on the wrong side of another: one that matters as well, if there is one."""
    places = marked.question.places
    pairs = [
        _Pair(first, second, false)
        for (first, second), name in marked.graph.by_pair.items()
        if first in places and (false := opposite(name)) and (second in places or marked.graph.unique(second))
    ]
    inner = [pair for pair in pairs if pair.second in places]
    if not pairs:
        return None
    pair = nuisances.one_of(inner or pairs)
    steps = opening_steps(marked, nuisances)
    steps += [location_step(marked, nuisances, place) for place in places if place in pair[:2]]
    wrong = relation_step(marked, nuisances, pair.first, pair.second, pair.opposite)
    true, false = (relation_words(each) for each in (marked.graph.by_pair[pair.first, pair.second], pair.opposite))
    correction = f"The {marked.at(pair.first)} is {true} the {marked.at(pair.second)}, not {false} it."
    return [*steps, {**wrong, "correct": False, "correction": correction}]


def _wrong_description(marked: NumberedQuestion, nuisances: Nuisances) -> list[Step]:
    """A thing that matters is seen in a wrong color, material or size: what the question asks for, if it does."""
    facts = [fact for fact in marked.question.facts if fact.kind in _ATTRIBUTES]
    last = marked.question.places[-1]
    fact = nuisances.one_of(facts or [StepFact(kind, last) for kind in ("color", "material")])
    place, kind = fact.place, KINDS[marked.graph.things[fact.place].kind]
    framed, unique = marked.graph.things[place].kind in FRAMED, marked.graph.unique(place)
    if fact.kind == "color" and not unique:
        fact = StepFact("size" if framed else "material", place)
    elif fact.kind == "material" and framed:
        fact = StepFact("color" if unique else "size", place)
    true = str(getattr(marked.graph.things[place], fact.kind))
    options = {"color": kind.colors, "material": kind.materials, "size": ("small", "large")}[fact.kind]
    false = nuisances.one_of([option for option in options if option != true])
    at = marked.at(place)
    steps = opening_steps(marked, nuisances)
    steps += [
        location_step(marked, nuisances, each)
        for each in marked.question.places[: marked.question.places.index(place) + 1]
    ]
    before = marked.question.facts.index(fact) if fact in marked.question.facts else 0
    steps += [observation(marked, nuisances, each) for each in marked.question.facts[:before] if each.place == place]
    text = f"The {at} is {predicate(fact.kind, false)}."
    rather = predicate(fact.kind, false).removeprefix("made ")
    correction = f"The {at} is {predicate(fact.kind, true)}, not {rather}."
    claim = marked.claim(fact.kind, place, false)
    return [*steps, step(text, claim, correct=False, correction=correction)]


def _listing(marked: NumberedQuestion, nuisances: Nuisances) -> list[Step]:
    """Every box is described in turn, and truly; the corrections say which of them do not matter."""
    steps = opening_steps(marked, nuisances)
    for number in range(1, len(marked.boxes) + 1):
        place, label = marked.shown(number), f"R{number}"
        if place is None:
            text, claims = nuisances.one_of(_EMPTY).format(label), []
        else:
            thing = marked.graph.things[place]
            text = nuisances.one_of(_SHOWS).format(label, article(f"{thing.color} {thing.kind}"))
            claims = [marked.place_claim(place), marked.claim("color", place)]
        if place in marked.question.places:
            steps.append(step(text, *claims))
        else:
            idle = f"{label} does not matter for the question."
            steps.append(step(text, *claims, marked.dismissal(number), correction=idle))
    return steps
