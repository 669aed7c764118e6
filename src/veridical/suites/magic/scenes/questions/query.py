"""Open questions: of what color or material a thing is, and which thing is somewhere."""

from __future__ import annotations

from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.draft import COLOR, FRAMED, MATERIAL, Draft
from veridical.suites.magic.scenes.kinds import KINDS, MATERIALS
from veridical.suites.magic.scenes.layout import FLAT, HELD, CrowdedError, Direction, LayoutNeeds
from veridical.suites.magic.scenes.questions.form import (
    ANYWHERE,
    ROOMS,
    SIDE,
    TABLES,
    Ask,
    Form,
    SceneQuestion,
    StepFact,
    Want,
    clause,
    other_pairs,
    single_thing,
    two_together,
)
from veridical.suites.magic.scenes.turns import QuestionTurn, shuffle
from veridical.suites.magic.scenes.words import stuff, synonyms

DIRECTIONS: tuple[Direction, ...] = ("left", "right", "front", "back")
TOWARD = {
    "left": "farthest to the left",
    "right": "farthest to the right",
    "front": "closest to the front edge of the table",
    "back": "farthest from the front edge of the table",
}
"""What is said of a thing that is farthest out on a table, by direction."""
_IT = ("it", "its", "thing", "one")


_OPEN = {
    COLOR: ("What color is the {0}?", "Which color does the {0} have?"),
    MATERIAL: ("What is the {0} made of{1}?", "What material is the {0} made of{1}?"),
}
_PLAIN = {COLOR: "What color is the thing {0}?", MATERIAL: "What is the thing {0} made of{1}?"}
"""Questions about the look of a thing, and of one that is named by its place alone; {1} names the materials."""


def _look(slot: str) -> Ask:
    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        (place,) = draft.take(1, slot, among=[k for k, spot in enumerate(draft.spots) if _of_any(spot.kind, slot)])
        text = draft.nuisances.one_of(_OPEN[slot]).format(draft.name(place), _materials(draft))
        return _of(slot, draft, turn, text, (place,), ())

    return ask


def _of_any(noun: str, slot: str) -> bool:
    """Whether a thing of this noun may be of any material, where the question names them all."""
    return noun not in FRAMED and (slot != MATERIAL or KINDS[noun].materials == MATERIALS)


def _materials(draft: Draft) -> str:
    """The four materials in a random order, as they end a question."""
    *first, last = map(stuff, shuffle(draft.nuisances, MATERIALS))
    return f": {', '.join(first)} or {last}"


def _on(draft: Draft, turn: QuestionTurn) -> SceneQuestion:  # noqa: ARG001 (the layout has the thing whose turn it is)
    holder, place = single_thing(draft)
    under, name = draft.name(holder), draft.name(place)
    text = draft.nuisances.one_of((f"What is on the {under}?", f"Which thing stands on the {under}?"))
    return SceneQuestion(
        text=text,
        short=name,
        full=f"The {name} is on the {under}.",
        offered=len(HELD),
        places=(holder, place),
        facts=(StepFact("relation", place, holder),),
        seek=f"the {under} and whatever stands on it",
        link=f"Nothing else is on the {under}, so the answer is the {name}.",
        rivals=_nouns(draft, place),
        decoys=other_pairs(draft, holder),
    )


def _want_alone(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (a turn decides)
    wanted.alone = turn.of(HELD)


def _beside(draft: Draft, turn: QuestionTurn) -> SceneQuestion:  # noqa: ARG001 (the layout has the thing whose turn it is)
    holder, *pair = two_together(draft)
    place = next(each for each in pair if draft.spots[each].kind == draft.layout.beside)
    (mark,) = (each for each in pair if each != place)
    side = draft.relations.get((place, mark))
    if side is None:
        raise CrowdedError
    under, name, beside = (draft.name(each) for each in (holder, place, mark))
    text = draft.nuisances.one_of(
        (
            f"What is {SIDE[side]} the {beside} on the {under}?",
            f"On the {under}, what stands {SIDE[side]} the {beside}?",
        )
    )
    return SceneQuestion(
        text=text,
        short=name,
        full=f"The {name} is {SIDE[side]} the {beside} on the {under}.",
        offered=len(HELD) - 1,
        places=(holder, mark, place),
        facts=(
            StepFact("relation", mark, holder),
            StepFact("relation", place, holder),
            StepFact("relation", place, mark),
        ),
        seek=f"the {beside} on the {under} and what stands next to it",
        link=f"It is the {name} that stands on this side of the {beside}, so that is the answer.",
        rivals=_nouns(draft, place, mark, holder),
        decoys=draft.laden(holder, count=1, held=2)[0],
    )


def _want_beside(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (a turn decides)
    wanted.beside = turn.of(HELD)


def _outermost(draft: Draft, turn: QuestionTurn) -> SceneQuestion:  # noqa: ARG001 (the layout has the thing whose turn it is)
    place, toward = _far(draft)
    name = draft.name(place)
    text = draft.nuisances.one_of((f"Which thing is {TOWARD[toward]}?", f"Of all things, which is {TOWARD[toward]}?"))
    return SceneQuestion(
        text=text,
        short=name,
        full=f"The {name} is {TOWARD[toward]}.",
        offered=len(FLAT),
        places=(place,),
        facts=(StepFact("extreme", place, toward=toward),),
        seek=f"the thing that is {TOWARD[toward]}",
        link=f"As the {name} is {TOWARD[toward]}, it is the answer.",
        rivals=_nouns(draft, place),
    )


def _want_outermost(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:
    wanted.extreme = (turn.of(FLAT), nuisances.one_of(DIRECTIONS))


def _color_of_far(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    place, toward = _far(draft)
    text = _PLAIN[COLOR].format(f"that is {TOWARD[toward]}")
    facts = (StepFact("extreme", place, toward=toward),)
    return _of(COLOR, draft, turn, text, (place,), facts)


def _want_far(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (any plain thing will do)
    wanted.extreme = (nuisances.one_of([noun for noun in FLAT if noun not in FRAMED]), nuisances.one_of(DIRECTIONS))


def _want_plain(slot: str) -> Want:
    def want(turn: QuestionTurn, nuisances: Nuisances, wanted: LayoutNeeds) -> None:  # noqa: ARG001 (any plain thing will do)
        wanted.alone = nuisances.one_of([noun for noun in HELD if _of_any(noun, slot)])

    return want


def _look_on(slot: str) -> Ask:
    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        holder, place = single_thing(draft)
        text = _PLAIN[slot].format(f"on the {draft.name(holder)}", _materials(draft))
        facts = (StepFact("relation", place, holder),)
        return _of(slot, draft, turn, text, (holder, place), facts, other_pairs(draft, holder))

    return ask


def _of(
    slot: str,
    draft: Draft,
    turn: QuestionTurn,
    text: str,
    places: tuple[int, ...],
    facts: tuple[StepFact, ...],
    decoys: tuple[int, ...] = (),
) -> SceneQuestion:
    """A question about the color or material of the last of the places."""
    place = places[-1]
    options, name, noun = draft.options(slot, place), draft.name(place), draft.spots[place].kind
    value = turn.of(options)
    if getattr(draft.spots[place], slot) is not None:
        raise CrowdedError
    draft.set(slot, place, value)
    return SceneQuestion(
        text=text,
        short=stuff(value),
        full=f"{clause(slot, name, value).capitalize()}.",
        offered=len(options),
        places=places,
        facts=(*facts, StepFact(slot, place)),
        seek=_sought(draft, places, facts, name),
        link=f"The question asks for the {slot}, so the answer is {stuff(value)}.",
        rivals=tuple(stuff(each) for each in options if each != value),
        essentials=((*synonyms(noun), *_IT),),
        decoys=decoys,
    )


def _sought(draft: Draft, places: tuple[int, ...], facts: tuple[StepFact, ...], name: str) -> str:
    """What the question has one look for; a thing that it does not name is not named here either."""
    if facts and facts[0].toward:
        return f"the thing that is {TOWARD[facts[0].toward]}"
    return f"the thing on the {draft.name(places[0])}" if facts else f"the {name}"


def _far(draft: Draft) -> tuple[int, Direction]:
    place = next((k for k, spot in enumerate(draft.spots) if spot.kind == draft.layout.outermost), None)
    if place is None or draft.layout.extreme is None:
        raise CrowdedError
    return place, draft.layout.extreme


def _nouns(draft: Draft, *places: int) -> tuple[str, ...]:
    """The nouns of the scene other than those of these things: whoever names one of them names the wrong thing."""
    own = {draft.spots[place].kind for place in places}
    return tuple(dict.fromkeys(spot.kind for spot in draft.spots if spot.kind not in own))


QUERY = (
    Form("query-color", ANYWHERE, _look(COLOR)),
    Form("query-material", ANYWHERE, _look(MATERIAL)),
    Form("query-on", ROOMS, _on, _want_alone, certain=True),
    Form("query-beside", ROOMS, _beside, _want_beside, certain=True),
    Form("query-color-on", ROOMS, _look_on(COLOR), _want_plain(COLOR), certain=True),
    Form("query-material-on", ROOMS, _look_on(MATERIAL), _want_plain(MATERIAL), certain=True),
    Form("query-outermost", TABLES, _outermost, _want_outermost, certain=True),
    Form("query-color-outermost", TABLES, _color_of_far, _want_far, certain=True),
)
