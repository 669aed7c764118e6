"""Standard sets: the package knows their units by hashes, and says of a set what it is beside them."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from random import Random

import pytest

from tests.calling import call
from veridical.records import Chunk
from veridical.verbs import sets
from veridical.verbs.evaluation.choices import evaluated_suites
from veridical.verbs.standard import SEED, standard_comparison, standard_file, unit_hashes

SUITES = {suite.name: (suite, part) for suite, part in evaluated_suites()}
QUICK = {"recipe": "quick", "units": 2}
DRAWN = {"hocabench": 1, "magic": 1, "magicbench": 1, "viabench": 3, "viprobe": 3}
"""How many units of each suite are drawn again: those of clips take seconds."""


def design_of(name, recipe):
    suite, part = SUITES[name]
    design = part.designs[recipe]
    return sets.design(suite.name, recipe=design.recipe, seed=SEED, **design.values).options


@pytest.mark.parametrize("name", SUITES)
def test_every_unit_of_the_standard_design_has_hashes_and_those_of_quick_are_the_first_of_each_family(name):
    suite, part = SUITES[name]
    chunks = {recipe: suite.design.chunks(design_of(name, recipe)) for recipe in ("quick", "standard")}
    known = standard_file(part).hashes()
    assert len(known) == len(chunks["standard"])
    assert set(chunks["quick"]) < set(chunks["standard"])
    largest = max(chunk.index for chunk in chunks["quick"])
    assert {chunk for chunk in chunks["standard"] if chunk.index <= largest} == set(chunks["quick"])


@pytest.mark.parametrize("name", SUITES)
def test_units_drawn_by_the_quick_design_are_those_of_the_standard_set(name):
    suite, part = SUITES[name]
    options = design_of(name, "quick")
    standard = standard_file(part)
    for chunk in Random(7).sample(suite.design.chunks(options), DRAWN[name]):
        drawn = [stimulus for stimulus, _ in suite.design.make(options, Chunk(chunk.family, chunk.index))]
        ((unit, own),) = unit_hashes(drawn, suite.design.factors).items()
        assert own.rows == standard.hashes()[unit].rows
        if version("matplotlib").startswith(f"{standard.matplotlib}."):
            assert own.pixels == standard.hashes()[unit].pixels


def test_other_pixels_change_the_hash_of_pixels_alone(some):
    factors = some.factors
    changed = [
        replace(each, media=tuple(replace(medium, sha256="0" * 64) for medium in each.media)) for each in some.stimuli
    ]
    before, after = unit_hashes(some.stimuli, factors), unit_hashes(changed, factors)
    assert {unit: each.rows for unit, each in before.items()} == {unit: each.rows for unit, each in after.items()}
    assert not {each.pixels for each in before.values()} & {each.pixels for each in after.values()}


@pytest.fixture(scope="module")
def some(tmp_path_factory):
    """Two figures' units of the standard set."""
    return sets.make("viprobe", out=tmp_path_factory.mktemp("some") / "set", cases=["ponzo", "muller_lyer"], **QUICK)


def test_a_part_of_the_standard_set_is_told_as_such(some):
    compared = standard_comparison(some)
    assert compared.name.startswith("veridical-1, 4 units")
    assert compared.words.startswith("4 of 270 units of the standard set veridical-1")
    assert some.manifest["space"] == "evaluation"


def test_the_first_units_of_all_figures_are_told_as_such(tmp_path):
    first = sets.make("viprobe", out=tmp_path / "set", recipe="quick", units=1)
    assert standard_comparison(first).words.startswith("the first 27 of 270 units of the standard set veridical-1")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--seed", 987654321), "another set than the standard one, veridical-1: other options, seed"),
        (("--size", 256), "size 256"),
        (("--units", 11), "units ponzo/0010 of 11 differ"),
    ],
)
def test_make_says_what_a_set_has_that_the_standard_one_has_not_and_never_a_seed(
    flags, words, tmp_path, monkeypatch, capsys
):
    flags = ("--recipe", "quick", "--cases", "ponzo", *(flags if "--units" in flags else (*flags, "--units", 1)))
    code, out, _ = call(monkeypatch, capsys, "make", "viprobe", *flags, "--out", tmp_path / "set")
    assert code == 0
    assert words in " ".join(out.split())
    assert "987654321" not in out
