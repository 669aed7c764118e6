"""Questions that offer two answers."""

from __future__ import annotations

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.graph import OPPOSITE
from veridical.suites.magic.scenes.layout import HELD, CrowdedError, LayoutNeeds
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    BOTH_WAYS,
    ROOMS,
    SIDE,
    TABLES,
    Ask,
    Form,
    SceneQuestion,
    StepFact,
    busy_holders,
    clause,
    other_pairs,
    single_thing,
    unique_on,
)
from veridical.suites.magic.scenes.turns import QuestionTurn
from veridical.suites.magic.scenes.words import article, stuff, synonyms

_TEXTS = {
    COLOR: ("Is the {0} {1} or {2}?", "Which color is the {0}, {1} or {2}?"),
    MATERIAL: ("Is the {0} made of {1} or of {2}?", "Which of the two is the {0} made of, {1} or {2}?"),
}


def _look(slot: str) -> Ask:
    """Of which of two colors, or materials, a thing is."""

    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        (place,) = draft.take(1, slot)
        name, options = draft.name(place), draft.options(slot, place)
        value = draft.nuisances.one_of(options)
        draft.set(slot, place, value)
        short, rival = stuff(value), stuff(draft.other(options, value))
        one, two = (short, rival) if turn.of(BOTH_WAYS) else (rival, short)
        return SceneQuestion(
            text=draft.nuisances.one_of(_TEXTS[slot]).format(name, one, two),
            short=short,
            full=f"{clause(slot, name, value).capitalize()}.",
            offered=2,
            places=(place,),
            facts=(StepFact(slot, place),),
            seek=f"the {name}",
            link=f"Of the two {slot}s in the question it is {short} that fits, so that is the answer.",
            rivals=(rival,),
        )

    return ask


def _side(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    first, second = draft.pair("left of", "right of")
    first, second = _turned(draft, first, second, "left of" if turn.of(BOTH_WAYS) else "right of")
    short = draft.relations[first, second].split()[0]
    one, two = draft.nuisances.one_of((("left", "right"), ("right", "left")))
    text = f"Is the {draft.name(first)} to the {one} or to the {two} of the {draft.name(second)}?"
    return _placed(draft, text, short, first, second)


def _depth(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    first, second = draft.pair("in front of", "behind")
    first, second = _turned(draft, first, second, "in front of" if turn.of(BOTH_WAYS) else "behind")
    short = "in front" if draft.relations[first, second] == "in front of" else "behind"
    name, other = draft.name(first), draft.name(second)
    text = draft.nuisances.one_of(
        (f"Is the {name} in front of the {other} or behind it?", f"Is the {name} behind the {other} or in front of it?")
    )
    return _placed(draft, text, short, first, second)


def _turned(draft: Draft, first: int, second: int, name: str) -> tuple[int, int]:
    return (first, second) if draft.relations[first, second] == name else (second, first)


def _placed(draft: Draft, text: str, short: str, first: int, second: int) -> SceneQuestion:
    relation, name, other = draft.relations[first, second], draft.name(first), draft.name(second)
    rival = {"in front": "behind", "behind": "in front"}.get(short) or OPPOSITE[relation].split()[0]
    return SceneQuestion(
        text=text,
        short=short,
        full=f"The {name} is {SIDE.get(relation, relation)} the {other}.",
        offered=2,
        places=(first, second),
        facts=(StepFact("relation", first, second),),
        seek=f"the {name} and the {other}",
        link=f"This is what the question asks, so the answer is {short}.",
        rivals=(rival,),
    )


def _thing(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    holder, place = single_thing(draft)
    nouns = [spot.kind for spot in draft.spots]
    name, under = draft.name(place), draft.name(holder)
    absent = [noun for noun in HELD if noun not in nouns]
    if not absent:
        raise CrowdedError
    other = draft.nuisances.one_of(absent)
    one, two = (article(each) for each in ((name, other) if turn.of(BOTH_WAYS) else (other, name)))
    text = draft.nuisances.one_of(
        (f"Is the thing on the {under} {one} or {two}?", f"Which of the two is on the {under}, {one} or {two}?")
    )
    return SceneQuestion(
        text=text,
        short=name,
        full=f"The thing on the {under} is {article(name)}.",
        offered=2,
        places=(holder, place),
        facts=(StepFact("relation", place, holder),),
        seek=f"the {under} and the thing on it",
        link=f"The question leaves {article(name)} or {article(other)}, so the answer is the {name}.",
        rivals=(other,),
        decoys=other_pairs(draft, holder),
    )


def _holder(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    holder, other = draft.take(2, among=busy_holders(draft))
    (place,) = draft.take(1, among=unique_on(draft, holder))
    name, under = draft.name(place), draft.name(holder)
    holders = (holder, other) if turn.of(BOTH_WAYS) else (other, holder)
    one, two = (draft.name(each) for each in holders)
    (third, thing), (fourth, _) = draft.laden(*holders, count=2)
    text = draft.nuisances.one_of(
        (f"Is the {name} on the {one} or on the {two}?", f"Which does the {name} stand on, the {one} or the {two}?")
    )
    return SceneQuestion(
        text=text,
        short=under,
        full=f"The {name} is on the {under}.",
        offered=2,
        places=(place, *holders),
        facts=(StepFact("relation", place, holder),),
        seek=f"the {name}, the {one} and the {two}",
        link=f"Of the two it is the {under} that carries the {name}, so the answer is the {under}.",
        rivals=(draft.name(other),),
        essentials=((*synonyms(draft.spots[place].kind), "it", "thing"),),
        decoys=(third, thing, fourth),
    )


def _want_holders(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (any will do)
    wanted.holders = 4


CHOOSE = (
    Form("choose-color", ANYWHERE, _look(COLOR)),
    Form("choose-material", ANYWHERE, _look(MATERIAL)),
    Form("choose-side", ANYWHERE, _side),
    Form("choose-thing", ROOMS, _thing, certain=True),
    Form("choose-holder", ROOMS, _holder, _want_holders),
    Form("choose-depth", TABLES, _depth),
)
