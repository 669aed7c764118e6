"""Shards share out the base items, whatever else a set holds, and a scheduler's variables name one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verbs.schedulers import array
from veridical.base.shards import Shard
from veridical.errors import InputError

UNITS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=60, unique=True)


@given(UNITS, st.integers(1, 9), st.randoms())
def test_each_base_item_falls_to_one_shard_whatever_else_a_set_holds(units, of, random):
    shards = [Shard(number, of) for number in range(1, of + 1)]
    owner = {unit: [shard for shard in shards if shard.holds(unit)] for unit in units}
    assert all(len(every) == 1 for every in owner.values())
    fewer = random.sample(units, len(units) // 2)
    assert {unit: [shard for shard in shards if shard.holds(unit)] for unit in fewer}.items() <= owner.items()


def test_shards_of_many_items_are_about_alike():
    sizes = [sum(Shard(number, 4).holds(f"case/{k:05d}") for k in range(4000)) for number in range(1, 5)]
    assert sum(sizes) == 4000
    assert max(abs(size - 1000) for size in sizes) < 150


@pytest.mark.parametrize(("least", "most", "step", "of"), [(0, 7, 1, 8), (1, 8, 1, 8), (5, 20, 5, 4), (0, 15, 4, 4)])
def test_the_tasks_of_a_slurm_array_are_the_shards_in_turn(environment, least, most, step, of):
    shards = []
    for task in range(least, most + 1, step):
        environment(**array(least, most, step, task, of), RANK="0", WORLD_SIZE="3")
        shards.append(Shard.parse("auto"))
    assert shards == [Shard(number, of) for number in range(1, of + 1)]


def test_ranks_are_shards_where_there_is_no_array(environment):
    environment(RANK="2", WORLD_SIZE="4")
    assert Shard.parse("auto") == Shard(3, 4)


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, "neither SLURM_ARRAY_TASK_ID nor RANK and WORLD_SIZE is set"),
        ({"RANK": "1"}, "neither SLURM_ARRAY_TASK_ID nor RANK and WORLD_SIZE is set"),
        ({"RANK": "4", "WORLD_SIZE": "4"}, "RANK=4 is none of WORLD_SIZE=4"),
        ({"RANK": "one", "WORLD_SIZE": "4"}, "RANK is 'one', and a number is needed"),
        (array(1, 7, 1, 3, 3), "the array has gaps"),
        (array(0, 8, 2, 3, 5), "the array has gaps"),
        (array(0, 8, 0, 4), "the array has gaps"),
        ({"SLURM_ARRAY_TASK_ID": "3"}, "SLURM_ARRAY_TASK_MIN is '', and a number is needed"),
    ],
)
def test_variables_that_name_no_shard_are_told_in_a_line(environment, variables, told):
    environment(**variables)
    with pytest.raises(InputError, match=told):
        Shard.parse("auto")


@pytest.mark.parametrize("text", ["0/4", "5/4", "4", "1/0", "a/b", "1/4/2", "-1/4", " 1/4", "\u0661/\u0664", ""])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(InputError, match="K/N, with K from 1 to N, or auto is allowed"):
        Shard.parse(text)
