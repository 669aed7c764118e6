"""Every design is sound or refused in one line: `make` writes nothing that `check` refuses."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest

import veridical
from tests.calling import call
from veridical.errors import InputError
from veridical.records import Chunk
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.legible import alphas_of
from veridical.suites.viprobe.illusions.make import chunks, make
from veridical.suites.viprobe.options import GRID

DISCS = ("ebbinghaus", "ebbinghaus_rectangular", "delboeuf", "circle_ponzo")


def sizes(drawn):
    """Any size, sizes a little above those to which pictures are reduced, and those that people use."""
    near = drawn.choice((224, 336, 448)) + drawn.randint(1, 40)
    return drawn.choice((drawn.randint(64, 1100), near, drawn.choice((64, 128, 256, 512))))


def strengths(drawn):
    """None named, so many, or some by hand, half of them close to 0."""
    if (which := drawn.random()) < 0.3:
        return {}
    if which < 0.6:
        return {"levels": drawn.choice((2, 4, 6))}
    reach = drawn.choice((0.2, 1))
    return {"alphas": tuple(round(drawn.choice((-1, 1)) * drawn.uniform(0.0001, reach), 4) for _ in range(3))}


@pytest.mark.parametrize("seed", range(24))
def test_a_design_is_sound_or_refused_in_one_line(seed):
    drawn = random.Random(seed)
    asked = {"size": sizes(drawn), "seed": drawn.randint(0, 10**6), "units": 1, **strengths(drawn)}
    cases = tuple(drawn.sample(sorted(CASES), 2))
    with suppress(InputError):  # one line, as the test of refusals below shows
        options = veridical.design("viprobe", cases=cases, **asked).options
        for chunk in chunks(options):
            assert makes_all(options, chunk)


def makes_all(options, chunk):
    """Whether all pictures of a unit are made, none of them refused as unsound."""
    try:
        return bool(list(make(options, chunk)))
    except InputError:
        return False


@pytest.mark.parametrize("size", [225, 234, 246, 256])
def test_small_discs_can_be_read_once_they_are_reduced(size):
    options = veridical.design("viprobe", cases=DISCS, size=size, units=3, levels=2, seed=size).options
    assert all(list(make(options, chunk)) for chunk in chunks(options))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--alphas 0.00004", "strength 4e-05: allowed is -1 to 1 without 0 (0 is the original), in steps of 0.0001"),
        ("--alphas 0.0001", "changes by 0.00 px, and at least 1 is drawn: use strengths of at least 0.02"),
        ("--cases ,", "--cases ',': a name is missing before or after a comma"),
        ("--cases ponzo,", "--cases 'ponzo,': a name is missing before or after a comma"),
        ("--alphas 0.5,,1", "--alphas '0.5,,1': a name is missing before or after a comma"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(words, said, tmp_path, monkeypatch, capsys):
    asked = ("make", "viprobe", "--cases", "muller_lyer", *words.split(), "--out", tmp_path / "set")
    code, _, told = call(monkeypatch, capsys, *asked)
    assert code == 2
    assert told.count("\n") == 1
    assert said in told


def test_a_change_just_below_the_least_is_not_rounded_up_to_it():
    least = CASES["ponzo"].factor.least
    weakest = next(a / 10000 for a in range(1, 10000) if least_change(a / 10000) >= least)
    with pytest.raises(InputError, match=r"changes by 0\.9\d px, and at least 1 is drawn"):
        chunks(veridical.design("viprobe", cases=("ponzo",), units=1, alphas=(weakest - 0.0001,)).options)


def least_change(alpha):
    case = CASES["ponzo"]
    base = case.base(512, 0, 0)
    return min(abs(case.value(base, alpha)), abs(case.value(base, -alpha)))


@pytest.mark.parametrize("size", [96, 128, 256, 512, 1024])
def test_a_design_that_names_no_strengths_has_those_that_its_pictures_carry(size):
    for case in CASES.values():
        if size >= case.smallest_size:
            found = alphas_of(case, veridical.design("viprobe", size=size).options)
            assert found == tuple(-alpha for alpha in reversed(found))
            assert set(found) <= set(GRID)
            left_out = set(GRID) - set(found)
            assert all(abs(alpha) < max(found) for alpha in left_out)
            assert {-1.0, 1.0} <= set(found)
            assert change(case, size, min(map(abs, found))) >= case.factor.least
            assert all(change(case, size, alpha) < case.factor.least for alpha in map(abs, left_out))


def change(case, size, strength):
    """The smallest change that a strength makes in the first base items."""
    bases = [case.base(size, 0, index) for index in range(50)]
    return min(abs(case.value(base, sign * strength)) for base in bases for sign in (-1, 1))


def test_a_set_is_checked_as_it_was_made(tmp_path):
    made = veridical.make("viprobe", cases=DISCS, size=246, units=2, levels=4, out=tmp_path / "set")
    assert veridical.check(made).failed == []


def test_a_picture_that_cannot_be_read_once_it_is_reduced_is_refused_and_not_written(tmp_path, monkeypatch):
    case = CASES["ponzo"]
    monkeypatch.setitem(CASES, "ponzo", replace(case, read=lambda view: case.read(view) if view.width > 300 else None))
    options = veridical.design("viprobe", cases=("ponzo",), units=1, levels=2).options
    with pytest.raises(InputError, match="is not written: reduced to 224 px, no Ponzo figure can be read"):
        list(make(options, Chunk("ponzo", 0)))
    with pytest.raises(InputError, match="is not written"):
        veridical.make("viprobe", cases=("ponzo",), units=1, levels=2, out=tmp_path / "set")
    assert not list(tmp_path.rglob("*.png"))
