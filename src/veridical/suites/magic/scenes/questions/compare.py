"""Questions that compare two things."""

from __future__ import annotations

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.layout import LayoutNeeds
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    BOTH_WAYS,
    TABLES,
    Ask,
    Form,
    SceneQuestion,
    StepFact,
    clause,
    polar,
)
from veridical.suites.magic.scenes.turns import QuestionTurn
from veridical.suites.magic.scenes.words import name_list

_SAY = {
    "left of": "farther to the left",
    "right of": "farther to the right",
    "in front of": "closer to the front edge of the table",
    "behind": "farther from the front edge of the table",
}


_SAME = {
    COLOR: ("Are the {0} and the {1} the same color?", "Does the {0} have the same color as the {1}?"),
    MATERIAL: (
        "Are the {0} and the {1} made of the same material?",
        "Is the {0} made of the same material as the {1}?",
    ),
}


def _farther(*relations: str) -> Ask:
    """Which of two things is farther out in a direction."""

    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        first, second = draft.pair(*relations)
        wanted = draft.nuisances.one_of(relations)
        if draft.relations[first, second] != wanted:
            first, second = second, first
        name, other, say = draft.name(first), draft.name(second), _SAY[wanted]
        places, names = _ordered(draft, turn, first, second)
        return SceneQuestion(
            text=f"Which is {say}, the {names[0]} or the {names[1]}?",
            short=name,
            full=f"The {name} is {say} than the {other}.",
            offered=2,
            places=places,
            facts=(StepFact("relation", *places),),
            seek=name_list(names),
            link=f"So of the two it is the {name} that is {say}.",
            rivals=(other,),
        )

    return ask


def _same(slot: str) -> Ask:
    """Whether two things have one color, or are of one material."""

    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        places, true = draft.take(2, slot), turn.of(BOTH_WAYS)
        value = draft.nuisances.one_of(draft.options(slot, *places))
        for place in places:
            draft.set(slot, place, value)
        if not true:
            draft.set(slot, places[1], draft.other(draft.options(slot, places[1]), value))
        names = [draft.name(place) for place in places]
        clauses = [clause(slot, name, draft.look(slot, place)) for name, place in zip(names, places, strict=True)]
        return polar(
            true=true,
            text=draft.nuisances.one_of(_SAME[slot]).format(*names),
            fact=" and ".join(clauses),
            places=places,
            facts=[StepFact(slot, place) for place in places],
            seek=name_list(names),
        )

    return ask


def _size(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    larger, smaller = draft.larger()
    word = draft.nuisances.one_of(("larger", "smaller"))
    first, second = (larger, smaller) if word == "larger" else (smaller, larger)
    name, other = draft.name(first), draft.name(second)
    places, names = _ordered(draft, turn, first, second)
    offer = f"the {names[0]} or the {names[1]}"
    text = draft.nuisances.one_of((f"Which is {word}, {offer}?", f"Which of the two is the {word} one, {offer}?"))
    return SceneQuestion(
        text=text,
        short=name,
        full=f"The {name} is {word} than the {other}.",
        offered=2,
        places=places,
        facts=tuple(StepFact("size", place) for place in places),
        seek=name_list(names),
        link=f"So of the two it is the {name} that is {word}.",
        rivals=(other, str(draft.spots[second].color)),
    )


def _want_twins(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (any two will do)
    wanted.twins = True


def _ordered(draft: Draft, turn: QuestionTurn, right: int, other: int) -> tuple[tuple[int, int], list[str]]:
    """The right thing and the other one in the order whose turn it is, and their names."""
    places = (right, other) if turn.of(BOTH_WAYS) else (other, right)
    return places, [draft.name(place) for place in places]


COMPARE = (
    Form("compare-side", ANYWHERE, _farther("left of", "right of")),
    Form("compare-depth", TABLES, _farther("in front of", "behind")),
    Form("compare-color", ANYWHERE, _same(COLOR)),
    Form("compare-material", ANYWHERE, _same(MATERIAL)),
    Form("compare-size", ANYWHERE, _size, _want_twins),
)
