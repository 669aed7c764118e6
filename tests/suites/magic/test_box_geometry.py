"""The boxes of a question do not give away by their geometry which of them matter."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from tests.suites.magic.box_geometry import auc_by_geometry, boxes_by_template, contacts
from veridical.suites.magic.options import KINDS
from veridical.suites.magic.scenes.compose import forms_of
from veridical.suites.magic.stimuli import QUESTION_TYPES

SCENES, FEWEST, HIGHEST = 900, 60, 0.6
BY_SHAPE = ("query-outermost", "query-color-outermost", "compare-size")
"""They ask which box lies farthest out, or which of two of one shape is larger: docs/howto/reasoning.md says so."""
TEMPLATES = sorted({form.name for kind in KINDS for name in QUESTION_TYPES for form in forms_of(kind, name)})
ON = ("query-on", "query-beside", "query-color-on", "query-material-on", "choose-thing", "choose-holder")
"""Whose boxes that matter are a thing and the furniture that it stands on, among others."""


@pytest.fixture(scope="module")
def questions():
    """The boxes of all questions about 1,800 scenes, by template."""
    found = defaultdict(list)
    for kind in KINDS:
        for form, each in boxes_by_template(kind, SCENES).items():
            found[form] += each
    return found


def test_every_template_has_enough_questions(questions):
    assert sorted(questions) == TEMPLATES
    assert min(map(len, questions.values())) >= FEWEST


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name not in BY_SHAPE])
def test_no_learner_of_geometry_tells_the_boxes_that_matter(questions, template):
    found = auc_by_geometry(questions[template])
    assert max(found.values()) <= HIGHEST, found


def test_a_learner_finds_what_geometry_tells(questions):
    """Where the question is which thing is farthest out, the learners do find it, so that they are none too weak."""
    assert max(auc_by_geometry(questions["query-outermost"]).values()) > 0.9


def test_beside_things_that_touch_are_others_that_touch(questions):
    """A thing on a piece of furniture is not the only such pair among the boxes, nor does a third box touch it."""
    for template in ON:
        for boxes, relevant in questions[template]:
            touching = contacts(boxes) > 0
            assert touching[np.ix_(relevant, relevant)].any()
            assert touching[np.ix_(~relevant, ~relevant)].any()
    for each in questions.values():
        assert not any((contacts(boxes) > 0)[np.ix_(relevant, ~relevant)].any() for boxes, relevant in each)


def test_whether_a_thing_stands_on_furniture_is_not_told_by_how_many_boxes_touch(questions):
    """Whatever the answer, one pair touches and one does not; each is the one that matters equally often."""
    touch = []
    for boxes, relevant in questions["verify-on"]:
        touching = contacts(boxes) > 0
        assert touching.sum() == 2
        touch.append(touching[np.ix_(relevant, relevant)].any())
    assert abs(np.mean(touch) - 0.5) < 0.01


def test_nothing_else_that_matters_touches(questions):
    for template in {*TEMPLATES} - {*ON, "verify-on"}:
        assert not any(contacts(boxes).any() for boxes, _ in questions[template]), template


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name not in BY_SHAPE])
def test_boxes_that_matter_are_as_large_as_others(questions, template):
    """In the mean over questions, widths, heights and areas differ by less than a fifth."""
    sides = [np.log(boxes[:, 2:] - boxes[:, :2]) for boxes, _ in questions[template]]
    sides = [np.column_stack([each, each.sum(1)]) for each in sides]
    relevant = [each.relevant for each in questions[template]]
    apart = [each[mine].mean(0) - each[~mine].mean(0) for each, mine in zip(sides, relevant, strict=True)]
    assert np.abs(np.mean(apart, 0)).max() < np.log(1.2)
