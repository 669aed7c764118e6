"""No policy without sight earns more than chance, by any recipe of any suite; one who looks earns everything."""

import pytest

from studies.rewards.attacks import ALLOWED, attack, recipes
from studies.rewards.policies import policies
from veridical.records import Chunk
from veridical.rewards.parts import units_in_turn
from veridical.rewards.scores import accuracy
from veridical.rewards.trainers import reward

UNITS = {"viprobe": 10}


@pytest.mark.parametrize("source", recipes(), ids=lambda source: f"{source.suite}/{source.recipe}")
def test_no_policy_without_sight_earns_more_than_chance_and_one_who_looks_earns_all(source):
    attacked = attack(source, UNITS[source.suite])
    above = {name: earned for name, earned in attacked.earned.items() if earned > attacked.chance + ALLOWED}
    assert not above
    assert attacked.seeing == 1.0


@pytest.mark.parametrize("source", recipes(), ids=lambda source: f"{source.suite}/{source.recipe}")
def test_the_reply_of_one_who_looks_is_right_and_that_of_one_who_recalls_is_not(source):
    family, index = next(iter(units_in_turn(source, 1, (), None)))
    examples = source.outlined(1, Chunk(family, index))
    assert examples
    for example in examples:
        assert accuracy(example.chosen, example.solution) == reward(example.chosen, example.solution) == 1.0
        if example.rejected is not None:
            assert reward(example.rejected, example.solution) == 0.0


def test_saying_the_same_of_a_figure_and_its_control_earns_nothing():
    source = next(source for source in recipes() if (source.suite, source.recipe) == ("viprobe", "controls"))
    examples = [
        each
        for family, index in units_in_turn(source, 1, (), None)
        for each in source.outlined(1, Chunk(family, index))
    ]
    same = {
        name: policy
        for name, policy in policies(examples).items()
        if name in ("always 1, 1", "always 0, 0", "always yes, yes")
    }
    assert {accuracy(policy(each), each.solution) for policy in same.values() for each in examples} == {0.0}
