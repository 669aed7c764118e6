"""The true chain of reasoning of a question: the scene, the boxes that matter, what they show, and the answer."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.numbered_question import NumberedQuestion, relation_words
from veridical.suites.magic.scenes.questions import StepFact
from veridical.suites.magic.scenes.questions.query import TOWARD
from veridical.suites.magic.scenes.words import stuff
from veridical.suites.magic.stimuli import Step, StepClaim

FEWEST, MOST = 4, 9
"""How many steps a true chain may have."""

_SCENE = {
    "room": (
        "I see a room with furniture and a few other things in it.",
        "The picture shows a room, with things standing on the furniture.",
        "I am looking into a room in which several things stand about.",
    ),
    "table": (
        "I see a table top with several things on it.",
        "The picture shows a number of things on a table.",
        "I am looking at a table on which several things stand.",
    ),
}
_SEEK = (
    "To answer the question, I have to find {0}.",
    "I first need to find {0}.",
    "For this question I look for {0}.",
)
_PLACE = (
    "I look through the boxes and find the {0} in {1}.",
    "Of the boxes, {1} shows the {0}.",
    "I can tell by its shape that {1} shows the {0}.",
    "The {0} is in {1}.",
)
_FOUND = ("In {1} I find the {0}.", "It is the {0}, which I see in {1}.")
_FOCUS = (
    "I leave the other boxes aside, because the question does not depend on them.",
    "None of the other boxes matters here.",
)
_COLOR = ("The {0} is {1}.", "I look at the {0} closely and see that it is {1}.", "As to its color, the {0} is {1}.")
_CUES = {
    "wooden": ("The {0} is made of {1}, as I can tell by its grain.",),
    "metal": ("The {0} is made of {1}, as I can tell by its bright shine.",),
    "glass": ("The {0} is made of {1}, as I can see through it.",),
    "woven": ("The {0} is made of {1}, as I can tell by its weave.",),
}
_MATERIAL = ("The {0} is made of {1}.", "As to its material, the {0} is made of {1}.")
_SIZE = ("Of the two, the {0} is the {1} one.", "By its size, the {0} is the {1} one.")
_RELATION = (
    "The {0} is {1} the {2}.",
    "I see that the {0} is {1} the {2}.",
    "As to where they are, the {0} is {1} the {2}.",
)
_EXTREME = ("No other thing is {1}: it is the {0}.", "I compare the things and see that the {0} is {1}.")
_END = ("My answer is therefore {0}.", "I conclude that the answer is {0}.", "So I answer {0}.")


def rationale(marked: NumberedQuestion, nuisances: Nuisances) -> list[Step]:
    """The steps of the true chain, `FEWEST` to `MOST`; it mentions all boxes that matter, and no others."""
    body = list(observations(marked, nuisances))
    link = step(marked.question.link)
    steps = [*opening_steps(marked, nuisances, len(body)), *body]
    if len(steps) + 2 < MOST and nuisances.between(0, 1) < 0.4:
        steps.append(step(nuisances.one_of(_FOCUS)))
    steps.append(link)
    if len(steps) < MOST and (len(steps) < FEWEST or nuisances.between(0, 1) < 0.5):
        short = marked.question.short
        article = "the " if any(thing.kind == short.split()[-1] for thing in marked.graph.things) else ""
        steps.append(step(nuisances.one_of(_END).format(article + short)))
    return steps


def opening_steps(marked: NumberedQuestion, nuisances: Nuisances, more: int = 0) -> list[Step]:
    """What the scene is and, unless many steps follow, what to look for."""
    steps = [step(nuisances.one_of(_SCENE[marked.graph.setting.kind]))]
    if more + len(steps) + 1 < MOST and nuisances.between(0, 1) < 0.7:
        steps.append(step(nuisances.one_of(_SEEK).format(marked.question.seek)))
    return steps


def observations(marked: NumberedQuestion, nuisances: Nuisances) -> Iterator[Step]:
    """Where the things are that matter, and what is to be seen of them."""
    for place in marked.question.places:
        yield location_step(marked, nuisances, place)
    for fact in marked.question.facts:
        yield observation(marked, nuisances, fact)


def location_step(marked: NumberedQuestion, nuisances: Nuisances, place: int) -> Step:
    """Which box shows a thing; of a thing that the question does not name, that it is the one."""
    name = marked.name(place)
    wordings = _PLACE if name in marked.question.seek else _FOUND
    return step(nuisances.one_of(wordings).format(name, f"R{marked.numbers[place]}"), marked.place_claim(place))


def observation(marked: NumberedQuestion, nuisances: Nuisances, fact: StepFact) -> Step:
    """A fact in words, with its claim."""
    place, thing = fact.place, marked.graph.things[fact.place]
    at = marked.at(place)
    if fact.kind == "relation":
        return relation_step(marked, nuisances, place, _second(fact))
    if fact.kind == "extreme":
        return step(nuisances.one_of(_EXTREME).format(at, TOWARD[fact.toward or ""]))
    claim = marked.claim(fact.kind, place)
    if fact.kind == "color":
        return step(nuisances.one_of(_COLOR).format(at, thing.color), claim)
    if fact.kind == "size":
        return step(nuisances.one_of(_SIZE).format(at, thing.size), claim)
    wordings = (*_MATERIAL, *_CUES.get(thing.material, ()))
    return step(nuisances.one_of(wordings).format(at, stuff(thing.material)), claim)


def relation_step(
    marked: NumberedQuestion, nuisances: Nuisances, first: int, second: int, value: str | None = None
) -> Step:
    """What a thing is to another, or another `value` than that."""
    claim = marked.relation_claim(first, second, value)
    text = nuisances.one_of(_RELATION).format(marked.at(first), relation_words(claim["value"]), marked.at(second))
    return step(text, claim)


def step(text: str, *claims: StepClaim, correct: bool = True, correction: str | None = None) -> Step:
    """A step with what it claims."""
    return {"text": text, "correct": correct, "correction": correction, "claims": list(claims)}


def _second(fact: StepFact) -> int:
    if fact.other is None:
        raise ValueError("a relation is between two things")
    return fact.other
