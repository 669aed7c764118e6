"""No policy without sight earns more than chance, by any recipe of any suite; one who looks earns everything."""

import pytest

from studies.rewards.attacks import ALLOWED, attack, recipes
from studies.rewards.policies import in_form
from veridical.records import Chunk
from veridical.rewards.parts import units_in_turn
from veridical.rewards.scores import accuracy
from veridical.rewards.trainers import reward

UNITS = dict(
    [
        *[("viprobe/controls", 6), ("viprobe/figures", 6), ("viabench/counterparts", 6), ("viabench/pictures", 2)],
        *[("magic/rationales", 14), ("magic/questions", 14), ("magic/corrections", 8)],
        *[("magicbench/patter", 8), ("magicbench/silent", 4), ("magicbench/mismatched", 4), ("magicbench/probes", 3)],
        *[("hocabench/laws", 30), ("hocabench/clips", 6)],
    ]
)
"""Units of each family: fewer where the same words are asked of pictures with different answers, one by one."""
REPLIES = 12
"""How many replies of the readers' corpora are tried on each; the study tries more."""


@pytest.mark.parametrize("source", list(recipes()), ids=lambda source: f"{source.suite}/{source.recipe}")
def test_no_policy_without_sight_earns_more_than_chance_and_one_who_looks_earns_all(source):
    attacked = attack(source, UNITS[f"{source.suite}/{source.recipe}"], REPLIES, classified=0)
    above = {name: earned for name, earned in attacked.earned.items() if earned > attacked.chance + ALLOWED}
    assert not above
    assert attacked.seeing == 1.0


@pytest.mark.parametrize("source", list(recipes()), ids=lambda source: f"{source.suite}/{source.recipe}")
def test_the_reply_of_one_who_looks_is_right_and_that_of_one_who_recalls_is_not(source):
    family, index = next(iter(units_in_turn(source, 1, (), None)))
    examples = source.outlined(1, Chunk(family, index))
    assert examples
    for example in examples:
        assert accuracy(example.chosen, example.solution) == reward(example.chosen, example.solution) == 1.0
        if example.rejected is not None:
            assert reward(example.rejected, example.solution) == 0.0


def test_saying_the_same_of_a_figure_and_its_control_earns_nothing():
    source = next(each for each in recipes() if (each.suite, each.recipe) == ("viprobe", "controls"))
    units = [Chunk(family, index) for family, index in units_in_turn(source, 1, (), None)]
    for example in (each for unit in units for each in source.outlined(1, unit)):
        same = [in_form(example, (answer, answer)) for answer in ("1", "0", "yes", "no")]
        assert not any(accuracy(reply, example.solution) for reply in same)
