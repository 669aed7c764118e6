"""Which things mislead: beside those that a question is about, others that lie to each other as those do.

The boxes of the things that matter touch each other, stand in line, side by side or apart; so do those of the others,
and both are drawn from the same things. What tells them apart is what the boxes show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from veridical.suites.magic.regions.choose import ADVERSARIAL
from veridical.suites.magic.scenes.draft import COLOR, FRAMED, MATERIAL, Draft
from veridical.suites.magic.scenes.graph import OPPOSITE
from veridical.suites.magic.scenes.layout import CrowdedError
from veridical.suites.magic.scenes.questions import SceneQuestion
from veridical.suites.magic.scenes.turns import shuffle
from veridical.suites.magic.stimuli import QuestionType

PAIRS = 2
"""How many pairs of things mislead beside a pair; there is one at least."""


def with_decoys(draft: Draft, questions: Mapping[QuestionType, SceneQuestion]) -> dict[QuestionType, SceneQuestion]:
    """The questions, each with its decoys: those that it has, or else first things that other questions are about.

    Raises `CrowdedError` where there are too few.
    """
    made = {}
    for name, question in questions.items():
        about = {place for other, each in questions.items() if other != name for place in each.places}
        made[name] = question if question.decoys else question._replace(decoys=_decoys(draft, question, about))
    return made


def _decoys(draft: Draft, question: SceneQuestion, about: Collection[int]) -> tuple[int, ...]:
    if question.facts[0].kind == "relation":
        return _pairs(draft, question.places, about)
    plain = any(fact.kind in (COLOR, MATERIAL) for fact in question.facts)
    options = [place for place, spot in enumerate(draft.spots) if not (plain and spot.kind in FRAMED)]
    ranked = sorted(shuffle(draft.nuisances, options), key=lambda place: place not in about)
    return tuple(draft.apart(ranked, question.places, ADVERSARIAL))


def _pairs(draft: Draft, places: tuple[int, ...], about: Collection[int]) -> tuple[int, ...]:
    """Other pairs of things with the relation that the two at `places` have, or its opposite."""
    name = draft.relations[places[0], places[1]]
    chosen: tuple[int, ...] = ()
    pairs = [pair for pair, other in draft.relations.items() if other in (name, OPPOSITE[name])]
    for pair in sorted(shuffle(draft.nuisances, pairs), key=lambda pair: -sum(place in about for place in pair)):
        if len(chosen) < 2 * PAIRS and draft.clear_of(pair, (*places, *chosen)):
            chosen += pair
    if not chosen:
        raise CrowdedError
    return chosen
