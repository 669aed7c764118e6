"""Questions to be answered by yes or no, about one thing or the relation of two."""

from __future__ import annotations

from veridical.suites.magic.scenes.draft import COLOR, MATERIAL, Draft
from veridical.suites.magic.scenes.graph import OPPOSITE
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
    polar,
    unique_on,
)
from veridical.suites.magic.scenes.turns import QuestionTurn
from veridical.suites.magic.scenes.words import stuff

_TEXTS = {
    COLOR: ("Is the {0} {1}?", "Is the color of the {0} {1}?", "Does the {0} have a {1} color?"),
    MATERIAL: ("Is the {0} made of {1}?", "Is {1} what the {0} is made of?"),
}


def _look(slot: str) -> Ask:
    """Whether a thing is of a color, or a material."""

    def ask(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
        (place,) = draft.take(1, slot)
        true, options, name = turn.of(BOTH_WAYS), draft.options(slot, place), draft.name(place)
        named = draft.nuisances.one_of(options)
        value = named if true else draft.other(options, named)
        draft.set(slot, place, value)
        return polar(
            true=true,
            text=draft.nuisances.one_of(_TEXTS[slot]).format(name, stuff(named)).replace("a orange", "an orange"),
            fact=clause(slot, name, value),
            places=[place],
            facts=[StepFact(slot, place)],
            seek=f"the {name}",
        )

    return ask


def _side(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    first, second = draft.pair("left of", "right of")
    is_so, true = draft.relations[first, second], turn.of(BOTH_WAYS)
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
        facts=[StepFact("relation", first, second)],
        seek=f"the {names[0]} and the {names[1]}",
    )


def _on(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    true, (holder, other) = turn.of(BOTH_WAYS), draft.take(2, among=busy_holders(draft))
    (place,) = draft.take(1, among=unique_on(draft, holder))
    named, name = holder if true else other, draft.name(place)
    # Whatever the answer, a thing and what is under it are marked, and a thing and furniture that is not under it.
    ((third, thing),) = draft.laden(holder, other, count=1)
    text = draft.nuisances.one_of(
        (f"Is the {name} on the {draft.name(named)}?", f"Does the {name} stand on the {draft.name(named)}?")
    )
    return polar(
        true=true,
        text=text,
        fact=f"the {name} is on the {draft.name(holder)}",
        places=[place, named],
        facts=[StepFact("relation", place, holder)],
        seek=f"the {name} and the {draft.name(named)}",
        decoys=(other if true else third, thing),
    )


def _front(draft: Draft, turn: QuestionTurn) -> SceneQuestion:
    first, second = draft.pair("in front of", "behind")
    is_so, true = draft.relations[first, second], turn.of(BOTH_WAYS)
    named, names = is_so if true else OPPOSITE[is_so], (draft.name(first), draft.name(second))
    return polar(
        true=true,
        text=f"Is the {names[0]} {named} the {names[1]}?",
        fact=f"the {names[0]} is {is_so} the {names[1]}",
        places=[first, second],
        facts=[StepFact("relation", first, second)],
        seek=f"the {names[0]} and the {names[1]}",
    )


VERIFY = (
    Form("verify-color", ANYWHERE, _look(COLOR)),
    Form("verify-material", ANYWHERE, _look(MATERIAL)),
    Form("verify-side", ANYWHERE, _side),
    Form("verify-on", ROOMS, _on),
    Form("verify-front", TABLES, _front),
)
