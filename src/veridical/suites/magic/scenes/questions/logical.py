"""Questions to be answered by yes or no, that join two statements: both, either, neither, and."""

from __future__ import annotations

from typing import NamedTuple

from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    BOTH_WAYS,
    Ask,
    Form,
    SceneQuestion,
    StepFact,
    clause,
    polar,
)
from veridical.suites.magic.scenes.turns import QuestionTurn
from veridical.suites.magic.scenes.words import name_list, predicate, stuff

_BOTH, _ONE, _NONE = ((True, True),), ((True, False), (False, True)), ((False, False),)


class _Join(NamedTuple):
    """How two statements are joined: the question, and which of the two are so where the answer is yes, and no."""

    texts: tuple[str, ...]
    yes: tuple[tuple[bool, bool], ...]
    no: tuple[tuple[bool, bool], ...]


_BOTH_OF = _Join(
    ("Are both the {0} and the {1} {2}?", "Are the {0} and the {1} both {2}?"), yes=_BOTH, no=(*_ONE, *_NONE)
)
_EITHER_OF = _Join(
    ("Is either the {0} or the {1} {2}?", "Is at least one of the {0} and the {1} {2}?"), yes=_ONE, no=_NONE
)
_NEITHER_OF = _Join(
    ("Is it true that neither the {0} nor the {1} is {2}?", "Is it the case that neither the {0} nor the {1} is {2}?"),
    yes=_NONE,
    no=_ONE,
)


def _two(slot: str, join: _Join) -> Ask:
    """What is so of two things: that they have a color, or are of a material."""

    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        places = draft.take(2, slot)
        named = draft.nuisances.one_of(draft.options(slot, *places))
        true = turn.of(BOTH_WAYS)
        for place, so in zip(places, draft.nuisances.one_of(join.yes if true else join.no), strict=True):
            draft.set(slot, place, named if so else draft.other(draft.options(slot, place), named))
        names = [draft.name(place) for place in places]
        clauses = [clause(slot, name, draft.look(slot, place)) for place, name in zip(places, names, strict=True)]
        return polar(
            true=true,
            text=draft.nuisances.one_of(join.texts).format(*names, predicate(slot, named)),
            fact=" and ".join(clauses),
            places=places,
            facts=[StepFact(slot, place) for place in places],
            seek=name_list(names),
        )

    return ask


def _and(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    """Color and material of one thing."""
    (place,) = draft.take(1, COLOR, MATERIAL)
    true, name, spot = turn.of(BOTH_WAYS), draft.name(place), draft.spots[place]
    colors, materials = draft.options(COLOR, place), draft.options(MATERIAL, place)
    color, material = draft.nuisances.one_of(colors), draft.nuisances.one_of(materials)
    so = draft.nuisances.one_of(_BOTH if true else (*_ONE, *_NONE))
    spot.color = color if so[0] else draft.other(colors, color)
    spot.material = material if so[1] else draft.other(materials, material)
    text = draft.nuisances.one_of(
        (
            f"Is the {name} both {color} and made of {stuff(material)}?",
            f"Is it true that the {name} is {color} and made of {stuff(material)}?",
        )
    )
    fact = f"the {name} is {spot.color} and made of {stuff(spot.material)}"
    facts = [StepFact("color", place), StepFact("material", place)]
    return polar(true=true, text=text, fact=fact, places=[place], facts=facts, seek=f"the {name}")


LOGICAL = (
    Form("logical-both-color", ANYWHERE, _two(COLOR, _BOTH_OF)),
    Form("logical-either-color", ANYWHERE, _two(COLOR, _EITHER_OF)),
    Form("logical-neither-color", ANYWHERE, _two(COLOR, _NEITHER_OF)),
    Form("logical-both-material", ANYWHERE, _two(MATERIAL, _BOTH_OF)),
    Form("logical-either-material", ANYWHERE, _two(MATERIAL, _EITHER_OF)),
    Form("logical-and", ANYWHERE, _and),
)
