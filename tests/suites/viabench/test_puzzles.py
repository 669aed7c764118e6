"""Every puzzle: sound at several sizes and seeds, balanced, read back from pixels, and drawn the same again."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from veridical.media.decode import decode
from veridical.records import Chunk
from veridical.stimulus_set import NotMeasurable
from veridical.suites.viabench.options import CATEGORIES, VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES, chosen
from veridical.suites.viabench.puzzles.make import make, verify
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE

UNITS = 12


def unit(name, index, **options):
    return list(make(VIABenchOptions(units=UNITS, **options), Chunk(name, index)))


@pytest.fixture(scope="module")
def drawn():
    """The first units of each puzzle, by name."""
    return {name: [unit(name, index) for index in range(UNITS)] for name in PUZZLES}


@pytest.mark.parametrize("name", PUZZLES)
def test_each_answer_is_right_once_in_each_unit(drawn, name):
    for made in drawn[name]:
        answers = made[0][0].truth["answers"]
        labels = Counter(stimulus.label for stimulus, _ in made)
        assert len({stimulus.question for stimulus, _ in made}) == 1
        assert len({tuple(stimulus.truth["options"]) for stimulus, _ in made}) == 1
        assert {*answers, NOT_SURE} == set(made[0][0].truth["options"])
        assert len(answers) >= 2
        if PUZZLES[name].tells_by_text:
            assert set(labels) < set(answers)
        else:
            assert set(labels) == set(answers)
            assert len(set(labels.values())) == 1


@pytest.mark.parametrize("name", PUZZLES)
def test_pictures_show_what_they_were_drawn_for(drawn, name):
    for made in drawn[name]:
        for stimulus, files in made:
            problem = verify(stimulus, [decode(file, stimulus.id) for file in files])
            assert problem is None or (isinstance(problem, NotMeasurable) and PUZZLES[name].counted)


@pytest.mark.parametrize("name", [name for name, puzzle in PUZZLES.items() if puzzle.read])
def test_a_picture_of_another_answer_is_noticed(drawn, name):
    stimulus, _ = drawn[name][0][0]
    other = next(files for each, files in drawn[name][0] if each.truth["answer"] != stimulus.truth["answer"])
    assert verify(stimulus, [decode(file, "other") for file in other]) is not None


@pytest.mark.parametrize("name", [name for name, puzzle in PUZZLES.items() if puzzle.read])
def test_foreign_pictures_show_no_answer(drawn, name):
    stimulus, files = drawn[name][0][0]
    for level in (0, 127, 255):
        blank = [np.full_like(decode(file, "blank").pixels, level) for file in files]
        assert PUZZLES[name].read(blank, stimulus.truth["answers"]) is None


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize(("size", "seed"), [(256, 5), (384, 6), (1024, 7)])
def test_other_sizes_and_seeds_are_sound(name, size, seed):
    assert unit(name, 0, size=size, seed=seed)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_same_unit_is_drawn_alike_and_files_tell_nothing_by_length(drawn, name):
    again = unit(name, 3)
    assert [files for _, files in again] == [files for _, files in drawn[name][3]]
    for variant in {stimulus.variant for stimulus, _ in again}:
        assert len({len(file) for stimulus, files in again if stimulus.variant == variant for file in files}) == 1


def test_all_grades_and_both_polarities_occur(drawn):
    for name, units in drawn.items():
        first = [made[0][0].factors for made in units]
        assert {factors["difficulty"] for factors in first} == {1, 2, 3}
        expected = {"forward", "reversed"} if PUZZLES[name].question_reversed else {"none"}
        assert {factors["polarity"] for factors in first} == expected


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_has_four_puzzles_that_a_blind_model_cannot_solve(category):
    assert len([puzzle for puzzle in chosen([category]) if not puzzle.tells_by_text]) >= 4
