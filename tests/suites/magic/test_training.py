"""Training prompts of MagiC: right replies are grounded and heal, wrong ones follow a mistake, words tell nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from tests.suites.magic.oracle import answer_of
from veridical.records import Box, Chunk, Response, Text
from veridical.rewards.parts import RecipeSource, units_in_turn
from veridical.suites.magic.asking.readers import RATIONALE, READERS
from veridical.suites.magic.asking.trials import expectations
from veridical.suites.magic.claims import claims_of_steps
from veridical.suites.magic.healing.consequences import twin_steps
from veridical.suites.magic.healing.rules import denies, heals
from veridical.suites.magic.scenes.layout import PlacedThing, SceneLayout

UNITS = 14


def drawn(recipe):
    source = RecipeSource("magic", recipe, 3)
    return [
        each
        for family, index in units_in_turn(source, UNITS, (), None)
        for each in source.outlined(UNITS, Chunk(family, index))
    ]


@pytest.fixture(scope="module")
def rationales():
    return drawn("rationales")


@pytest.fixture(scope="module")
def corrections():
    return drawn("corrections")


@pytest.fixture(scope="module")
def twins(rationales):
    """Each question with its twin steps."""
    return [(each.stimuli[0], twin) for each in rationales for twin in twin_steps(each.stimuli[0])]


def read(example, reply):
    """The reading of a reply to a question by MagiC's own reader, with all that it can know."""
    [trial], [stimulus] = example.item.trials, example.stimuli
    whole = replace(trial, expects=expectations(stimulus, "all-boxes"))
    return READERS[RATIONALE][0].read(Response(trial=trial.id, text=reply), whole)


def test_a_right_rationale_is_right_in_every_step_and_names_the_boxes_that_matter_and_no_others(rationales):
    for example in rationales:
        reading = read(example, example.chosen)
        assert reading.correct is True
        scores = reading.scores
        assert scores["precision"] == scores["recall"] == 1.0, example.chosen
        assert scores["right_steps"] == scores["checkable"] > 0, example.chosen
        assert not any(value for name, value in scores.items() if name.startswith("error_")), example.chosen


def test_a_rationale_of_one_who_does_not_look_has_a_wrong_step_and_the_answer_that_follows(rationales):
    wrong = [example for example in rationales if example.rejected is not None]
    assert len(wrong) > 0.6 * len(rationales)
    for example in wrong:
        reading = read(example, example.rejected)
        assert reading.correct is False
        assert any(value for name, value in reading.scores.items() if name.startswith("error_")), example.rejected


def test_a_twin_step_is_right_or_mistaken_as_its_words_are_read(twins):
    for stimulus, twin in twins:
        graph = stimulus.truth["graph"]
        for step, wrong in ((twin.right, 0), (twin.mistaken, 1)):
            claims = claims_of_steps([*twin.before, step], graph)[-1]
            assert claims
            assert len(mistakes(claims)) == wrong, (step, claims)


def mistakes(claims):
    return [claim for claim in claims if claim["value"] != claim["true"]]


def setting(stimulus):
    """The scene of a stimulus as its truth has it."""
    things, relations = stimulus.truth["graph"]["things"], stimulus.truth["graph"]["relations"]
    under = {first: second for first, name, second in relations if name == "on"}
    placed = [
        PlacedThing(t["name"], t["color"], t["material"], t["size"], Box(*t["box"]), under.get(place))
        for place, t in enumerate(things)
    ]
    return SceneLayout(stimulus.family, 640, 480, tuple(placed), 0)


def test_what_follows_from_a_mistake_is_what_an_oracle_answers_in_a_scene_where_it_is_so(twins):
    checked = Counter()
    for stimulus, twin in twins:
        either_of_both = stimulus.factors["template"].startswith("logical-either") and twin.follows == stimulus.label
        if twin.follows is None or either_of_both:  # the oracle does not answer whether either is so where both are
            continue
        scene, graph = setting(stimulus), stimulus.truth["graph"]
        [claim] = mistakes(claims_of_steps([*twin.before, twin.mistaken], graph)[-1])
        checked[claim["kind"]] += 1
        if claim["kind"] in ("color", "material"):
            things = [
                replaced(thing, claim) if own["number"] == claim["box"] else thing
                for thing, own in zip(scene.things, graph["things"], strict=True)
            ]
            assert twin.follows == answer_of(stimulus.question, scene._replace(things=tuple(things)))
        else:
            assert stimulus.factors["offered"] == 2
            assert twin.follows != stimulus.label
    assert min(checked[kind] for kind in ("color", "material", "relation", "size")) > 5


def replaced(thing, claim):
    return thing._replace(**{claim["kind"]: claim["value"]})


def shown(example, reply):
    """What a rule judge of Self-Heal sees of a reply to given steps."""
    [trial], [stimulus] = example.item.trials, example.stimuli
    [twin] = [twin for twin in twin_steps(stimulus) if twin.kind == trial.expects["kind"]]
    step = twin.mistaken if trial.expects["mistaken"] else twin.right
    begun, truth = [*twin.before, step], stimulus.truth
    claims = claims_of_steps(begun, truth["graph"])[-1]
    facts = {"kind": twin.kind, "claims": claims, "prefix": begun, "graph": truth["graph"]}
    assert " ".join(begun) in words(example)
    return {
        "facts": json.dumps({**facts, "relevant": truth["relevant"], "boxes": len(truth["boxes"])}),
        "reply": reply,
    }


def words(example):
    return "\n".join(part.text for message in example.messages for part in message.parts if isinstance(part, Text))


def test_a_mistake_is_healed_by_one_who_looks_and_by_no_one_else_and_what_is_so_is_left_alone(corrections):
    healed = Counter()
    for example in corrections:
        [trial] = example.item.trials
        if not trial.expects["mistaken"]:
            verdict = denies(shown(example, example.chosen))
            assert verdict["denies"] is False, example.chosen
            assert example.rejected is None
            continue
        verdict = heals(shown(example, example.chosen))
        assert not isinstance(verdict, str), example.chosen
        assert verdict["states"], example.chosen
        healed[verdict["heals"]] += 1
        if example.rejected is not None:
            assert heals(shown(example, example.rejected))["heals"] is False
    # The rule takes the value of the mistake, said of another thing afterwards, for a relapse.
    assert healed[False] <= 0.02 * healed.total()


def test_half_of_the_beginnings_are_mistaken_whatever_the_answer(corrections):
    states = Counter(
        (trial.gold in ("yes", "no") and trial.gold, trial.expects["mistaken"])
        for [trial] in (each.item.trials for each in corrections)
    )
    for answer in (False, "yes", "no"):
        mistaken, right = states[answer, True], states[answer, False]
        # Four standard deviations of a fair coin.
        assert abs(mistaken - right) <= 4 * (mistaken + right) ** 0.5
