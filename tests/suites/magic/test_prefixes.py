"""Which beginnings of chains are given, and what a model adds to them."""

import itertools

import pytest

from tests.suites.magic.read_claims import claims_of
from tests.suites.magic.stimuli import ANNOTATED, make_stimulus, step, stimuli
from veridical.suites.magic.healing.continuation import CONTINUATIONS, continuation_text
from veridical.suites.magic.healing.prefixes import prefixes_of, wrong_stretches

STEPS = ["I see a room.", "R1 shows a mug.", "It is green."]
READER = CONTINUATIONS["continuation"][0]


@pytest.mark.parametrize("correct", list(itertools.product([True, False, None], repeat=5)))
def test_wrong_stretches_cover_the_wrong_steps_once_and_do_not_touch(correct):
    stretches = wrong_stretches(correct)
    covered = [number for first, last in stretches for number in range(first, last + 1)]
    assert covered == [number for number, right in enumerate(correct, start=1) if right is False]
    assert all(one[1] + 1 < two[0] for one, two in itertools.pairwise(stretches))


def test_an_annotated_chain_has_a_prefix_for_each_wrong_stretch():
    one, two = prefixes_of(ANNOTATED, [1], 4)
    assert (one.first, one.last, one.stretches, len(one.steps)) == (2, 3, 2, 3)
    assert one.corrections == ("The mug in R1 is red.", "It stands to the left of the lamp.")
    assert (two.first, two.last, len(two.steps), two.mistaken) == (5, 5, 5, ("So the mug is green.",))


def test_a_true_chain_is_given_to_its_first_claim_at_least_and_never_whole_if_that_is_not_needed():
    for length in range(1, 9):
        for claimed in range(length):
            chain = {"kind": "true", "by": "x", "steps": [step(f"Step {k}.") for k in range(length)]}
            chain["steps"][claimed]["claims"] = [{"kind": "color"}]
            (prefix,) = prefixes_of(chain, [1], 4)
            assert claimed < prefix.last <= max(claimed + 1, length - 1, 1)
            assert prefix.last >= min((length + 1) // 2, max(length - 1, 1))
            assert prefix.stretches == 0


def test_a_listing_is_given_whole_and_its_correction_sets_every_other_box_aside():
    truth = make_stimulus("logical").truth
    (chain,) = (chain for chain in truth["chains"] if chain["kind"] == "listing")
    (prefix,) = prefixes_of(chain, truth["relevant"], 4)
    aside = {claim["box"] for claim in claims_of(prefix.corrections[0], truth["graph"], truth["relevant"])}
    assert aside == set(truth["adversarial"]) == {claim["box"] for claim in prefix.claims}
    assert len(prefix.steps) == len(chain["steps"])


def test_a_chain_without_a_mistake_or_without_steps_has_no_prefix():
    assert list(prefixes_of({"kind": "annotated", "by": None, "steps": [step("Fine.")]}, [1], 4)) == []
    assert list(prefixes_of({"kind": "true", "by": None, "steps": []}, [1], 4)) == []
    assert list(prefixes_of({"kind": "listing", "by": None, "steps": [step("I look at R1.")]}, [1], 4)) == []


def test_each_of_our_chains_has_one_prefix_whose_claims_are_those_of_the_stretch():
    for stimulus in stimuli(3):
        for chain in stimulus.truth["chains"]:
            (prefix,) = prefixes_of(chain, stimulus.truth["relevant"], 4)
            wrong = [claim for claim in prefix.claims if claim["value"] != claim["true"]]
            assert bool(wrong) == (chain["kind"] != "true")


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("dress", ["{}", "**{}**", "{}\n\n", "<think>Hm.</think>{}", "Reasoning\n{}"])
def test_a_repeated_prefix_is_cut_and_nothing_else(first, dress):
    repeated = dress.format(" ".join(STEPS[first:]))
    own = "Wait, it is red."
    expected = own if not dress.startswith("Reasoning") else f"{repeated} {own}".strip()
    assert continuation_text(f"{repeated} {own}", STEPS) == expected


def test_a_repetition_that_leaves_the_prefix_before_its_end_stays():
    assert continuation_text("R1 shows a mug. It is red.", STEPS) == "R1 shows a mug. It is red."


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty"), (" \n ", "empty"), ("It is green.", "repeats"), (" ".join(STEPS), "repeats"), ("...", "repeats")],
)
def test_a_reply_that_adds_nothing_is_no_continuation(text, reason):
    read = READER.parse(text, {"prefix": STEPS})
    assert read.answer is None
    assert reason in read.reason
