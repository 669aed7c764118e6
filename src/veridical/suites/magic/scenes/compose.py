"""From a seed to a scene with one question of each type: the questions first, then a scene in which they are so."""

from __future__ import annotations

from typing import NamedTuple

from veridical.errors import InputError
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.options import SceneKind
from veridical.suites.magic.scenes.backdrops import BACKDROPS
from veridical.suites.magic.scenes.decoys import with_decoys
from veridical.suites.magic.scenes.draft import Draft
from veridical.suites.magic.scenes.layout import FEWEST, MOST, CrowdedError, LayoutNeeds, SceneLayout
from veridical.suites.magic.scenes.questions import FORMS, Form, SceneQuestion
from veridical.suites.magic.scenes.rooms import room
from veridical.suites.magic.scenes.tables import table
from veridical.suites.magic.scenes.turns import QuestionTurn, turn
from veridical.suites.magic.stimuli import QUESTION_TYPES, QuestionType

_TRIES = 200
_TWINS = 0.25
"""How often there are two things of one noun though no question needs them."""


class Composition(NamedTuple):
    """A scene with its questions and the name of the form of each, by type."""

    setting: SceneLayout
    questions: dict[QuestionType, SceneQuestion]
    forms: dict[QuestionType, str]


def compose(kind: SceneKind, width: int, height: int, seed: int, index: int) -> Composition:
    """Scene `index` of a kind, in a picture of this size.

    Which forms are used, and which answers are right, is settled before anything else. A layout in which the questions
    do not fit is dropped, with no regard to the answers. Raises `InputError` where none fits.
    """
    nuisances = Nuisances(f"magic/{kind}", width, seed, index)
    chosen = _chosen(kind, seed, index)
    wanted = LayoutNeeds(twins=nuisances.between(0, 1) < _TWINS)
    for form, own in chosen.values():
        form.want(own, nuisances, wanted)
    count = FEWEST + int(nuisances.between(0, MOST - FEWEST + 1))
    for tried in range(_TRIES):
        try:
            layout = (room if kind == "room" else table)(nuisances, width, height, min(count, MOST), wanted)
            draft = Draft(layout, nuisances)
            asked = {name: form.ask(draft, own) for name, (form, own) in _eager(chosen)}
            questions = with_decoys(draft, {name: asked[name] for name in QUESTION_TYPES})
        except CrowdedError:
            # Scenes that are too small for the questions grow, and those that are too full shrink.
            count = FEWEST + 2 + int(nuisances.between(0, MOST - FEWEST - 3)) if tried % 4 == 3 else count
            continue
        setting = draft.setting(int(nuisances.between(0, BACKDROPS)))
        return Composition(setting, questions, {name: form.name for name, (form, _) in chosen.items()})
    raise InputError(f"{kind}/{index:04}: no layout fits its questions; another seed or width may do")


def forms_of(kind: SceneKind, name: QuestionType) -> list[Form]:
    """The forms of a type of question that fit a kind of scene."""
    return [form for form in FORMS[name] if kind in form.scenes]


def _chosen(kind: SceneKind, seed: int, index: int) -> dict[QuestionType, tuple[Form, QuestionTurn]]:
    chosen = {}
    for name in QUESTION_TYPES:
        forms = forms_of(kind, name)
        own = turn(seed, kind, name, index, len(forms))
        chosen[name] = (forms[own.form], own)
    return chosen


def _eager(
    chosen: dict[QuestionType, tuple[Form, QuestionTurn]],
) -> list[tuple[QuestionType, tuple[Form, QuestionTurn]]]:
    """Questions about a certain place first: the others can be about any thing."""
    return sorted(chosen.items(), key=lambda item: not item[1][0].certain)
