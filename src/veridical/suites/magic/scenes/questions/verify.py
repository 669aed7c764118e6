"""Questions to be answered by yes or no, about one thing or the relation of two."""

from __future__ import annotations

from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.graph import OPPOSITE
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    ROOMS,
    SIDE,
    TABLES,
    Fact,
    Form,
    Question,
    busy_holders,
    looks,
    made,
    polar,
    unique_on,
)
from veridical.suites.magic.scenes.turns import Turn
from veridical.suites.magic.scenes.words import stuff

_POLAR = (True, False)


def _color(draft: Draft, turn: Turn) -> Question:
    (place,) = draft.take(1, COLOR)
    true, colors, name = turn.of(_POLAR), draft.colors(place), draft.name(place)
    named = draft.nuisances.one_of(colors)
    color = named if true else draft.other(colors, named)
    draft.spots[place].color = color
    text = draft.nuisances.one_of(
        (f"Is the {name} {named}?", f"Is the color of the {name} {named}?", f"Does the {name} have a {named} color?")
    )
    return polar(
        true=true,
        text=text.replace("a orange", "an orange"),
        fact=looks(name, color),
        places=[place],
        facts=[Fact("color", place)],
        seek=f"the {name}",
    )


def _material(draft: Draft, turn: Turn) -> Question:
    (place,) = draft.take(1, MATERIAL)
    true, materials, name = turn.of(_POLAR), draft.materials(place), draft.name(place)
    named = draft.nuisances.one_of(materials)
    material = named if true else draft.other(materials, named)
    draft.spots[place].material = material
    text = draft.nuisances.one_of(
        (f"Is the {name} made of {stuff(named)}?", f"Is {stuff(named)} what the {name} is made of?")
    )
    facts, seek = [Fact("material", place)], f"the {name}"
    return polar(true=true, text=text, fact=made(name, material), places=[place], facts=facts, seek=seek)


def _side(draft: Draft, turn: Turn) -> Question:
    first, second = draft.pair("left of", "right of")
    is_so, true = draft.relations[first, second], turn.of(_POLAR)
    named, names = is_so if true else OPPOSITE[is_so], (draft.name(first), draft.name(second))
    text = draft.nuisances.one_of(
        (
            f"Is the {names[0]} {SIDE[named]} the {names[1]}?",
            f"Is the {names[0]} farther to the {named.split()[0]} than the {names[1]}?",
        )
    )
    return polar(
        true=true,
        text=text,
        fact=f"the {names[0]} is {SIDE[is_so]} the {names[1]}",
        places=[first, second],
        facts=[Fact("relation", first, second)],
        seek=f"the {names[0]} and the {names[1]}",
    )


def _on(draft: Draft, turn: Turn) -> Question:
    true, (holder, other) = turn.of(_POLAR), draft.take(2, among=busy_holders(draft))
    (place,) = draft.take(1, among=unique_on(draft, holder))
    named, name = holder if true else other, draft.name(place)
    text = draft.nuisances.one_of(
        (f"Is the {name} on the {draft.name(named)}?", f"Does the {name} stand on the {draft.name(named)}?")
    )
    return polar(
        true=true,
        text=text,
        fact=f"the {name} is on the {draft.name(holder)}",
        places=[place, named],
        facts=[Fact("relation", place, holder)],
        seek=f"the {name} and the {draft.name(named)}",
    )


def _front(draft: Draft, turn: Turn) -> Question:
    first, second = draft.pair("in front of", "behind")
    is_so, true = draft.relations[first, second], turn.of(_POLAR)
    named, names = is_so if true else OPPOSITE[is_so], (draft.name(first), draft.name(second))
    return polar(
        true=true,
        text=f"Is the {names[0]} {named} the {names[1]}?",
        fact=f"the {names[0]} is {is_so} the {names[1]}",
        places=[first, second],
        facts=[Fact("relation", first, second)],
        seek=f"the {names[0]} and the {names[1]}",
    )


VERIFY = (
    Form("verify-color", ANYWHERE, _color),
    Form("verify-material", ANYWHERE, _material),
    Form("verify-side", ANYWHERE, _side),
    Form("verify-on", ROOMS, _on),
    Form("verify-front", TABLES, _front),
)
