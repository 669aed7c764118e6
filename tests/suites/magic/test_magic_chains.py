"""Chains of reasoning of MagiC: true ones are true, false steps are false, corrections true, boxes the right ones."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.suites.magic.checker import number_of, things_named, truth_of
from veridical.answers import region_mentions
from veridical.suites.magic.scenes.compose import compose
from veridical.suites.magic.scenes.graph import Graph
from veridical.suites.magic.scenes.make import marked_question, words
from veridical.suites.magic.scenes.make import truth_of as stored_truth
from veridical.suites.magic.scenes.rationale import FEWEST, MOST
from veridical.suites.magic.stimuli import QUESTION_TYPES

SCENES = 300
KINDS = ("region", "relation", "description", "listing", "true")


@pytest.fixture(scope="module", params=["room", "table"])
def truths(request):
    """The truths of all questions of so many scenes, without any picture."""
    made = []
    for index in range(SCENES):
        scene = compose(request.param, 640, 480, 23, index)
        unit = f"{request.param}/{index:04}"
        graph, nuisances = Graph(scene.setting), words(unit, 23)
        for name in QUESTION_TYPES:
            marked = marked_question(scene, graph, name, 23, unit)
            made.append({**stored_truth(marked, nuisances), "family": request.param, "template": scene.forms[name]})
    return made


def each_chain(truths, *kinds):
    return [(truth, chain) for truth in truths for chain in truth["chains"] if not kinds or chain["kind"] in kinds]


def test_every_question_has_a_chain_of_each_kind(truths):
    assert all([chain["kind"] for chain in truth["chains"]] == list(KINDS) for truth in truths)


def test_every_claim_says_what_an_independent_reading_of_boxes_and_things_says(truths):
    for truth, chain in each_chain(truths):
        for step in chain["steps"]:
            for claim in step["claims"]:
                assert claim["true"] == truth_of(claim, truth), (claim, step["text"])


def test_a_step_is_correct_just_where_all_its_claims_are_true(truths):
    for _, chain in each_chain(truths):
        for step in chain["steps"]:
            assert step["correct"] == all(claim["value"] == claim["true"] for claim in step["claims"])


def test_claims_are_in_the_words_of_their_step(truths):
    for _, chain in each_chain(truths):
        for step in chain["steps"]:
            for claim in step["claims"]:
                assert not claim["thing"] or claim["thing"] in step["text"]
                if claim["kind"] == "relation":
                    assert claim["other"] in step["text"]
                    assert claim["value"] in step["text"]
                elif claim["kind"] in ("color", "size", "place"):
                    assert claim["value"] in step["text"]


def test_a_bad_chain_ends_with_its_one_false_step(truths):
    for _, chain in each_chain(truths, "region", "relation", "description"):
        assert [step["correct"] for step in chain["steps"]] == [True] * (len(chain["steps"]) - 1) + [False]
        assert all((step["correction"] is None) == step["correct"] for step in chain["steps"])


def test_the_false_step_is_of_the_kind_of_its_chain(truths):
    kinds = {"region": {"place"}, "relation": {"relation"}, "description": {"color", "material", "size"}}
    for _, chain in each_chain(truths, *kinds):
        assert {claim["kind"] for claim in chain["steps"][-1]["claims"]} <= kinds[chain["kind"]]


def test_a_correction_states_what_is_so_and_takes_back_what_was_false(truths):
    shapes = {"wooden": "wood", "woven": "wicker"}
    for _, chain in each_chain(truths, "region", "relation", "description"):
        step = chain["steps"][-1]
        for claim in step["claims"]:
            true, false = (shapes.get(claim[key], claim[key]) for key in ("true", "value"))
            stated, _, taken_back = step["correction"].partition(", not ")
            assert true in stated
            assert false not in stated.replace(true, "")
            assert false.replace(" of", "") in taken_back


def test_true_chains_have_four_to_nine_steps_in_the_first_person_and_reach_the_answer(truths):
    for truth, chain in each_chain(truths, "true"):
        assert FEWEST <= len(chain["steps"]) <= MOST
        assert all(step["correct"] and step["correction"] is None for step in chain["steps"])
        assert truth["short"] in " ".join(step["text"] for step in chain["steps"][-2:])


def test_true_chains_mention_all_relevant_boxes_and_no_others(truths):
    for truth, chain in each_chain(truths, "true"):
        text = " ".join(step["text"] for step in chain["steps"])
        assert list(region_mentions(text)) == truth["relevant"]


def test_listings_mention_every_box_and_dismiss_those_that_do_not_matter(truths):
    for truth, chain in each_chain(truths, "listing"):
        text = " ".join(step["text"] for step in chain["steps"])
        assert list(region_mentions(text)) == list(range(1, len(truth["boxes"]) + 1))
        claims = [claim for step in chain["steps"] for claim in step["claims"] if claim["kind"] == "dismissed"]
        assert [claim["box"] for claim in claims] == truth["adversarial"]
        corrected = [step for step in chain["steps"] if step["correction"]]
        assert [f"R{number} does not matter for the question." for number in truth["adversarial"]] == [
            step["correction"] for step in corrected
        ]


def test_a_listing_names_each_thing_in_its_own_box(truths):
    for truth, chain in each_chain(truths, "listing"):
        for step in chain["steps"]:
            for number in region_mentions(step["text"]):
                assert things_named(step["text"], truth) == number_of(number, truth)


def test_boxes_are_relevant_or_adversarial_and_do_not_overlap(truths):
    for truth in truths:
        assert sorted(truth["relevant"] + truth["adversarial"]) == list(range(1, len(truth["boxes"]) + 1))
        assert truth["relevant"]
        assert 2 <= len(truth["adversarial"]) <= 4
        for k, one in enumerate(truth["boxes"]):
            for two in truth["boxes"][:k]:
                assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def test_questions_have_three_adversarial_boxes_and_those_about_a_related_pair_have_pairs(truths):
    """A third box beside a pair that misleads would be none that matters, by its being alone."""
    counts = Counter((truth["template"], len(truth["adversarial"])) for truth in truths)
    for (template, count), number in counts.items():
        if template == "verify-on":
            assert count == 2
        elif template in ("query-on", "query-color-on", "query-material-on", "choose-thing"):
            assert count == 4
        elif template.endswith(("-side", "-depth", "-front")):
            assert count == 4 or (count == 2 and number < counts[template, 4])
        else:
            assert count == 3, template
    assert sum(count * number for (_, count), number in counts.items()) / len(truths) == pytest.approx(3.2, abs=0.15)


def test_numbers_are_random(truths):
    """The relevant boxes are the first ones no more often than others."""
    first = sum(1 in truth["relevant"] for truth in truths)
    expected = sum(len(truth["relevant"]) / len(truth["boxes"]) for truth in truths)
    assert abs(first - expected) < 4 * (expected / 2) ** 0.5
