"""StepSense and error patterns by rule."""

import pytest

from tests.suites.magic.read_claims import claims_of
from tests.suites.magic.sentences import GRAPH, RELEVANT
from tests.suites.magic.stimuli import stimuli
from veridical.suites.magic.steps import PATTERNS, SCORES, check_steps, errors_of, renumber_graph, step_scores

BOXES = 6


def patterns(*steps):
    scores = step_scores(steps, GRAPH, RELEVANT, BOXES)
    return {name for name in PATTERNS if scores[f"error_{name}"]}


@pytest.mark.parametrize(
    ("steps", "pattern"),
    [
        (["I look at R3.", "R3 shows a red mug."], set()),
        (["The boxes R1 to R6 are marked.", "R3 shows a red mug."], {"exhaustive"}),
        (["R1, R2 and R3 are on the left.", "Then I look at R4, R5 and R6."], {"exhaustive"}),
        (["R3 shows a red mug.", "R1, R2, R4, R5 and R6 do not matter."], set()),
        (["The mug is in R4."], {"place"}),
        (["The mug in R3 is to the right of the lamp in R1."], {"relation"}),
        (["R3 shows a green mug."], {"description"}),
        (["R3 shows a clock."], {"description"}),
        (["R4 shows a green mug.", "The lamp is left of the mug."], {"place", "relation"}),
        (["Maybe the mug is in R4.", "Is the mug green?"], set()),
        ([], set()),
    ],
)
def test_each_pattern_is_found_where_it_is_and_nowhere_else(steps, pattern):
    assert patterns(*steps) == pattern


def test_where_every_box_is_relevant_looking_at_all_is_no_error():
    assert errors_of(["R1 and R2 are red."], [], [1, 2], boxes=2) == set()


def test_steps_are_right_wrong_or_not_checkable():
    steps = ["This is a room.", "R3 shows the mug.", "It is green.", "R3 does not matter.", "So the answer is green."]
    assert [each.right for each in check_steps(steps, GRAPH, RELEVANT)] == [None, True, False, False, None]
    scores = step_scores(steps, GRAPH, RELEVANT, BOXES)
    assert (scores["checkable"], scores["right_steps"]) == (3, 1)
    assert set(scores) == set(SCORES)


def test_without_a_graph_there_are_no_scores():
    assert step_scores(["R1 is red."], None, [1], 2) == {}


def test_the_chains_of_our_scenes_have_the_pattern_of_their_kind():
    kinds = {"true": set(), "region": {"place"}, "relation": {"relation"}, "description": {"description"}}
    for stimulus in stimuli(8):
        truth = stimulus.truth
        for chain in truth["chains"]:
            steps = [step["text"] for step in chain["steps"]]
            claims = [claim for step in steps for claim in claims_of(step, truth["graph"])]
            found = errors_of(steps, claims, truth["relevant"], len(truth["boxes"]))
            assert found == kinds.get(chain["kind"], {"exhaustive"})


def test_the_same_picture_with_other_numbers_has_the_same_right_steps():
    stored = [6, 5, 4, 3, 2, 1]
    other = renumber_graph(GRAPH, stored)
    steps = ["R3 shows a red mug.", "The mug in R3 is left of the lamp in R1."]
    moved = [step.replace("R3", "R4").replace("R1", "R6") for step in steps]
    assert (
        [each.right for each in check_steps(moved, other)]
        == [each.right for each in check_steps(steps, GRAPH)]
        == [True, True]
    )
    assert [each.right for each in check_steps(steps, other)] == [False, False]
