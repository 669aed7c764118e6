"""Questions to be answered by yes or no, that join two statements: both, either, neither, and."""

from __future__ import annotations

from typing import NamedTuple

from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.layout import CrowdedError
from veridical.suites.magic.scenes.questions.form import ANYWHERE, Fact, Form, Question, looks, made, polar
from veridical.suites.magic.scenes.turns import Turn
from veridical.suites.magic.scenes.words import listed, stuff

_POLAR = (True, False)
_BOTH, _ONE, _NONE = ((True, True),), ((True, False), (False, True)), ((False, False),)


class _Join(NamedTuple):
    """How two statements are joined: the question, and which of the two are so where the answer is yes, and no."""

    texts: tuple[str, ...]
    yes: tuple[tuple[bool, bool], ...]
    no: tuple[tuple[bool, bool], ...]


_BOTH_OF = _Join(
    ("Are both the {0} and the {1} {2}?", "Are the {0} and the {1} both {2}?"),
    yes=_BOTH,
    no=(*_ONE, *_NONE),
)
_EITHER_OF = _Join(
    ("Is either the {0} or the {1} {2}?", "Is at least one of the {0} and the {1} {2}?"),
    yes=_ONE,
    no=_NONE,
)
_NEITHER_OF = _Join(
    ("Is it true that neither the {0} nor the {1} is {2}?", "Is it the case that neither the {0} nor the {1} is {2}?"),
    yes=_NONE,
    no=_ONE,
)


def _of_color(draft: Draft, turn: Turn, join: _Join) -> Question:
    places = draft.take(2, COLOR)
    options = draft.colors(*places)
    named = draft.nuisances.one_of(options)
    true = turn.of(_POLAR)
    for place, so in zip(places, draft.nuisances.one_of(join.yes if true else join.no), strict=True):
        draft.spots[place].color = named if so else draft.other(draft.colors(place), named)
    names = [draft.name(place) for place in places]
    facts = [looks(name, str(draft.spots[place].color)) for place, name in zip(places, names, strict=True)]
    text = draft.nuisances.one_of(join.texts).format(*names, named)
    return _joined(true, text, facts, places, [Fact("color", place) for place in places], listed(names))


def _of_material(draft: Draft, turn: Turn, join: _Join) -> Question:
    places = draft.take(2, MATERIAL)
    options = draft.materials(*places)
    if len(options) < 2:
        raise CrowdedError
    named = draft.nuisances.one_of(options)
    true = turn.of(_POLAR)
    for place, so in zip(places, draft.nuisances.one_of(join.yes if true else join.no), strict=True):
        draft.spots[place].material = named if so else draft.other(draft.materials(place), named)
    names = [draft.name(place) for place in places]
    facts = [made(name, str(draft.spots[place].material)) for place, name in zip(places, names, strict=True)]
    text = draft.nuisances.one_of(join.texts).format(*names, f"made of {stuff(named)}")
    return _joined(true, text, facts, places, [Fact("material", place) for place in places], listed(names))


def _joined(
    true: bool,
    text: str,
    clauses: list[str],
    places: list[int],
    facts: list[Fact],
    seek: str,
) -> Question:
    return polar(true=true, text=text, fact=" and ".join(clauses), places=places, facts=facts, seek=seek)


def _both_colors(draft: Draft, turn: Turn) -> Question:
    return _of_color(draft, turn, _BOTH_OF)


def _either_color(draft: Draft, turn: Turn) -> Question:
    return _of_color(draft, turn, _EITHER_OF)


def _neither_color(draft: Draft, turn: Turn) -> Question:
    return _of_color(draft, turn, _NEITHER_OF)


def _both_materials(draft: Draft, turn: Turn) -> Question:
    return _of_material(draft, turn, _BOTH_OF)


def _either_material(draft: Draft, turn: Turn) -> Question:
    return _of_material(draft, turn, _EITHER_OF)


def _and(draft: Draft, turn: Turn) -> Question:
    """Color and material of one thing."""
    (place,) = draft.take(1, COLOR, MATERIAL)
    true, name, spot = turn.of(_POLAR), draft.name(place), draft.spots[place]
    color, material = draft.nuisances.one_of(draft.colors(place)), draft.nuisances.one_of(draft.materials(place))
    so = draft.nuisances.one_of(_BOTH if true else (*_ONE, *_NONE))
    spot.color = color if so[0] else draft.other(draft.colors(place), color)
    spot.material = material if so[1] else draft.other(draft.materials(place), material)
    text = draft.nuisances.one_of(
        (
            f"Is the {name} both {color} and made of {stuff(material)}?",
            f"Is it true that the {name} is {color} and made of {stuff(material)}?",
        )
    )
    clause = f"the {name} is {spot.color} and made of {stuff(spot.material)}"
    facts = [Fact("color", place), Fact("material", place)]
    return _joined(true, text, [clause], [place], facts, f"the {name}")


LOGICAL = (
    Form("logical-both-color", ANYWHERE, _both_colors),
    Form("logical-either-color", ANYWHERE, _either_color),
    Form("logical-neither-color", ANYWHERE, _neither_color),
    Form("logical-both-material", ANYWHERE, _both_materials),
    Form("logical-either-material", ANYWHERE, _either_material),
    Form("logical-and", ANYWHERE, _and),
)
