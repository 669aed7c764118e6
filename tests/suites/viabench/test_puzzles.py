"""Every puzzle: sound at several sizes and seeds, balanced, read back from pixels, and drawn the same again."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from veridical.media.decode import decode
from veridical.records import Chunk
from veridical.stimulus_set import NotMeasurable
from veridical.suites.viabench.options import CATEGORIES, VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES, selection
from veridical.suites.viabench.puzzles import make as making
from veridical.suites.viabench.puzzles.make import make, verify
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE

UNITS, SIZE = 12, 320


def unit(name, index, size=SIZE, **options):
    return list(make(VIABenchOptions(units=UNITS, size=size, **options), Chunk(name, index)))


class Drawn(NamedTuple):
    name: str
    units: list


@pytest.fixture(scope="module")
def drawn(request):
    """The first units of a puzzle; one puzzle is looked at after the other, and only its pictures are held.

    Its pictures are read once, from their files, by a test.
    """
    sound = making._require_sound
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "_require_sound", lambda puzzle, *made: sound(puzzle, *made) if puzzle.counted else None)
        return Drawn(request.param, [unit(request.param, index) for index in range(UNITS)])


each_puzzle = pytest.mark.parametrize("drawn", PUZZLES, indirect=True)
each_that_is_read = pytest.mark.parametrize(
    "drawn", [name for name, puzzle in PUZZLES.items() if puzzle.read], indirect=True
)


@each_puzzle
def test_each_answer_is_right_once_in_each_unit(drawn):
    for made in drawn.units:
        answers = made[0][0].truth["answers"]
        labels = Counter(stimulus.label for stimulus, _ in made)
        assert len({stimulus.question for stimulus, _ in made}) == 1
        assert len({tuple(stimulus.truth["options"]) for stimulus, _ in made}) == 1
        assert {*answers, NOT_SURE} == set(made[0][0].truth["options"])
        assert len(answers) >= 2
        if PUZZLES[drawn.name].tells_by_text:
            assert set(labels) < set(answers)
        else:
            assert set(labels) == set(answers)
            assert len(set(labels.values())) == 1


@each_puzzle
def test_pictures_show_what_they_were_drawn_for(drawn):
    for made in drawn.units:
        for stimulus, files in made:
            problem = verify(stimulus, [decode(file, stimulus.id) for file in files])
            assert problem is None or (isinstance(problem, NotMeasurable) and PUZZLES[drawn.name].counted)


@each_that_is_read
def test_a_picture_of_another_answer_is_noticed(drawn):
    stimulus, _ = drawn.units[0][0]
    other = next(files for each, files in drawn.units[0] if each.truth["answer"] != stimulus.truth["answer"])
    assert verify(stimulus, [decode(file, "other") for file in other]) is not None


@each_that_is_read
def test_foreign_pictures_show_no_answer(drawn):
    stimulus, files = drawn.units[0][0]
    for level in (0, 127, 255):
        blank = [np.full_like(decode(file, "blank").pixels, level) for file in files]
        assert PUZZLES[drawn.name].read(blank, stimulus.truth["answers"]) is None


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize(("size", "seed"), [(256, 5), (512, 6), (1024, 7)])
def test_other_sizes_and_seeds_are_sound(name, size, seed):
    assert unit(name, 0, size=size, seed=seed)


@each_puzzle
def test_the_same_unit_is_drawn_alike_and_files_tell_nothing_by_length(drawn):
    again = unit(drawn.name, 3)
    assert [files for _, files in again] == [files for _, files in drawn.units[3]]
    for variant in {stimulus.variant for stimulus, _ in again}:
        assert len({len(file) for stimulus, files in again if stimulus.variant == variant for file in files}) == 1


@each_puzzle
def test_all_grades_and_both_polarities_occur(drawn):
    first = [made[0][0].factors for made in drawn.units]
    assert {factors["difficulty"] for factors in first} == {1, 2, 3}
    expected = {"forward", "reversed"} if PUZZLES[drawn.name].question_reversed else {"none"}
    assert {factors["polarity"] for factors in first} == expected


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_has_four_puzzles_that_a_blind_model_cannot_solve(category):
    assert len([puzzle for puzzle in selection([category]) if not puzzle.tells_by_text]) >= 4
