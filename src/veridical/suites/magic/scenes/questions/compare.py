"""Questions that compare two things."""

from __future__ import annotations

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.layout import CrowdedError, Wanted
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    TABLES,
    Fact,
    Form,
    Question,
    looks,
    made,
    polar,
)
from veridical.suites.magic.scenes.turns import Turn
from veridical.suites.magic.scenes.words import listed

_POLAR = _FIRST = (True, False)
_SAY = {
    "left of": ("farther to the left",),
    "right of": ("farther to the right",),
    "in front of": ("closer to the front edge of the table",),
    "behind": ("farther from the front edge of the table",),
}


def _side(draft: Draft, turn: Turn) -> Question:
    return _farther(draft, turn, ("left of", "right of"))


def _depth(draft: Draft, turn: Turn) -> Question:
    return _farther(draft, turn, ("in front of", "behind"))


def _farther(draft: Draft, turn: Turn, relations: tuple[str, str]) -> Question:
    first, second = draft.pair(*relations)
    wanted = draft.nuisances.one_of(relations)
    if draft.relations[first, second] != wanted:
        first, second = second, first
    name, other = draft.name(first), draft.name(second)
    say = draft.nuisances.one_of(_SAY[wanted])
    places, names = _ordered(draft, turn, first, second)
    text = f"Which is {say}, the {names[0]} or the {names[1]}?"
    return Question(
        text=text,
        short=name,
        full=f"The {name} is {say} than the {other}.",
        offered=2,
        places=places,
        facts=(Fact("relation", *places),),
        seek=listed(names),
        link=f"So of the two it is the {name} that is {say}.",
        rivals=(other,),
    )


def _same_color(draft: Draft, turn: Turn) -> Question:
    places, true = draft.take(2, COLOR), turn.of(_POLAR)
    color = draft.nuisances.one_of(draft.colors(*places))
    for place in places:
        draft.spots[place].color = color
    if not true:
        draft.spots[places[1]].color = draft.other(draft.colors(places[1]), color)
    first, second = (draft.name(place) for place in places)
    clauses = [looks(draft.name(place), str(draft.spots[place].color)) for place in places]
    text = draft.nuisances.one_of(
        (f"Are the {first} and the {second} the same color?", f"Does the {first} have the same color as the {second}?")
    )
    facts = [Fact("color", place) for place in places]
    seek = f"the {first} and the {second}"
    return polar(true=true, text=text, fact=" and ".join(clauses), places=places, facts=facts, seek=seek)


def _same_material(draft: Draft, turn: Turn) -> Question:
    places, true = draft.take(2, MATERIAL), turn.of(_POLAR)
    options = draft.materials(*places)
    if not options:
        raise CrowdedError
    material = draft.nuisances.one_of(options)
    for place in places:
        draft.spots[place].material = material
    if not true:
        draft.spots[places[1]].material = draft.other(draft.materials(places[1]), material)
    first, second = (draft.name(place) for place in places)
    clauses = [made(draft.name(place), str(draft.spots[place].material)) for place in places]
    text = draft.nuisances.one_of(
        (
            f"Are the {first} and the {second} made of the same material?",
            f"Is the {first} made of the same material as the {second}?",
        )
    )
    facts = [Fact("material", place) for place in places]
    seek = f"the {first} and the {second}"
    return polar(true=true, text=text, fact=" and ".join(clauses), places=places, facts=facts, seek=seek)


def _size(draft: Draft, turn: Turn) -> Question:
    larger, smaller = draft.larger()
    word = draft.nuisances.one_of(("larger", "smaller"))
    first, second = (larger, smaller) if word == "larger" else (smaller, larger)
    name, other = draft.name(first), draft.name(second)
    places, names = _ordered(draft, turn, first, second)
    offer = f"the {names[0]} or the {names[1]}"
    text = draft.nuisances.one_of((f"Which is {word}, {offer}?", f"Which of the two is the {word} one, {offer}?"))
    return Question(
        text=text,
        short=name,
        full=f"The {name} is {word} than the {other}.",
        offered=2,
        places=places,
        facts=tuple(Fact("size", place) for place in places),
        seek=listed(names),
        link=f"So of the two it is the {name} that is {word}.",
        rivals=(other, str(draft.spots[second].color)),
    )


def _want_twins(turn: Turn, nuisances: Nuisances, wanted: Wanted) -> None:  # noqa: ARG001 (any two will do)
    wanted.twins = True


def _ordered(draft: Draft, turn: Turn, right: int, other: int) -> tuple[tuple[int, int], list[str]]:
    """The right thing and the other one in the order whose turn it is, and their names."""
    places = (right, other) if turn.of(_FIRST) else (other, right)
    return places, [draft.name(place) for place in places]


COMPARE = (
    Form("compare-side", ANYWHERE, _side),
    Form("compare-depth", TABLES, _depth),
    Form("compare-color", ANYWHERE, _same_color),
    Form("compare-material", ANYWHERE, _same_material),
    Form("compare-size", ANYWHERE, _size, _want_twins),
)
