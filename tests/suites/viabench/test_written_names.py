"""The name of a familiar thing below its picture: nothing else differs, it is read back, and its cost is reported."""

from __future__ import annotations

import json
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

import veridical
from veridical.media.decode import decode
from veridical.records import Chunk
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.presentation.recall_tables import names
from veridical.suites.viabench.puzzles import PUZZLES, selection
from veridical.suites.viabench.puzzles.make import make, verify

NAMED = [name for name, puzzle in PUZZLES.items() if puzzle.subject is not None]
SIZE = 256


def unit(name, *, written, index=0):
    options = VIABenchOptions(units=3, size=SIZE, written_names=written)
    return {stimulus.id: (stimulus, files) for stimulus, files in make(options, Chunk(name, index))}


def pixels(files):
    return decode(files[0], "picture").pixels


def test_familiar_things_have_names_and_figures_of_illusions_none():
    assert {"animals", "birds", "insects", "feet", "hands", "flags", "boards", "go_board", "sudoku"} <= set(NAMED)
    assert {PUZZLES[name].category for name in NAMED} == {"anomalies"}
    assert not {"logos", "grids"} & set(NAMED)


@pytest.mark.parametrize("name", NAMED)
def test_a_pair_differs_in_the_letters_alone_and_is_read_as_the_picture_without_a_strip(name):
    plain, both = unit(name, written=False), unit(name, written=True)
    assert len(both) == 2 * len(plain)
    for key, (stimulus, files) in plain.items():
        bare = pixels(files)
        assert stimulus.factors["name_written"] is None
        for suffix, written in (("-unnamed", False), ("-named", True)):
            twin, shown = both[f"{key}{suffix}"]
            picture = pixels(shown)
            assert np.array_equal(picture[: len(bare)], bare)
            assert bool(picture[len(bare) :].min() < 100) is written
            assert twin.factors == {**stimulus.factors, "name_written": written}
            assert (twin.question, twin.label) == (stimulus.question, stimulus.label)
            assert twin.truth["options"] == stimulus.truth["options"]
            assert verify(twin, [decode(shown[0], "picture")]) is None
        assert len(both[f"{key}-named"][1][0]) == len(both[f"{key}-unnamed"][1][0])


def test_a_name_that_does_not_stand_there_is_noticed():
    pairs = unit("animals", written=True)
    stimulus, files = next(each for key, each in pairs.items() if key.endswith("-named"))
    blank, plain = pairs[stimulus.id.replace("-named", "-unnamed")]
    assert "name" in verify(stimulus, [decode(plain[0], "picture")])
    assert "blank" in verify(blank, [decode(files[0], "picture")])
    other = replace(stimulus, truth={**stimulus.truth, "subject": "unicorn"})
    assert "unicorn" in verify(other, [decode(files[0], "picture")])


def test_what_has_no_name_and_what_is_made_without_names_stays_as_it_is():
    for puzzle in selection(["logos", "grids", "hering"]):
        first, second = (unit(puzzle.name, written=written) for written in (False, True))
        assert first.keys() == second.keys()
        assert all(files == second[key][1] for key, (_, files) in first.items())
    assert not any(each.id.endswith("named") for each, _ in unit("flags", written=False).values())


@pytest.fixture(scope="module")
def misled(tmp_path_factory, one_process, no_figures):
    """A set with names, and a run of a model that sees all, but says what is usual of what has its name below it."""
    folder = tmp_path_factory.mktemp("names")
    made = veridical.make(
        *("viabench",), puzzles=["birds", "flags", "logos"], units=4, size=SIZE, written_names=True, out=folder / "set"
    )
    lines = [
        {"id": f"{each.id}?none,shown,choice", "repeat": 1, "text": f"[{letter(each.truth['options'], said(each))}]"}
        for each in made.stimuli
    ]
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    answers = {"answers": str(path)}
    ran = veridical.run(
        made, "veridical/replay", model_args=answers, repeats=1, judge="rule", out=folder / "run", show="quiet"
    )
    return made, ran


def said(stimulus):
    return stimulus.factors["usual"] if stimulus.factors["name_written"] else stimulus.label


def test_the_cost_of_the_name_is_the_fall_on_the_same_pictures(misled):
    made, ran = misled
    found = {(each.metric, frozenset(each.slice.items())): each for each in ran.estimates()}
    named = [each for each in made.stimuli if each.factors["name_written"]]
    fall = 100 * fmean(said(each) != each.label for each in named)
    cost = found["cost of the name", frozenset()]
    assert cost.value == pytest.approx(fall)
    assert cost.low <= fall <= cost.high
    assert cost.p < 0.05
    assert cost.n_units == len({each.unit for each in named})
    assert found["cost of the name", frozenset({("variant", "unusual")})].value == pytest.approx(100)
    assert found["cost of the name", frozenset({("variant", "ordinary")})].value == pytest.approx(0)
    assert {
        key for metric, keys in found if metric == "cost of the name" for name, key in keys if name == "family"
    } == {*("birds", "flags")}
    assert found["accuracy", frozenset({("name_written", True)})].value == pytest.approx(1 - fall / 100)


def test_all_other_figures_are_of_pictures_without_a_name(misled):
    made, ran = misled
    found = {(each.metric, frozenset(each.slice.items())): each for each in ran.estimates()}
    whole = found["accuracy", frozenset()]
    assert whole.value == 1
    assert whole.counts.planned == sum(not each.factors["name_written"] for each in made.stimuli)
    assert "without written names" in whole.method
    assert found["pull of the usual", frozenset()].value == 0


def test_an_observer_that_measures_the_picture_is_right_above_any_name(misled, tmp_path):
    made, _ = misled
    ran = veridical.run(made, "veridical/pixel", repeats=1, judge="rule", out=tmp_path / "run", show="quiet")
    found = {(each.metric, frozenset(each.slice.items())): each.value for each in ran.estimates()}
    assert found["accuracy", frozenset({("name_written", True)})] == 1
    assert found["cost of the name", frozenset()] == 0


def test_what_is_usual_is_asked_of_every_unit_whichever_of_its_pictures_comes_first(misled, tmp_path):
    made, _ = misled
    ran = veridical.run(
        *(made, "veridical/simulated"),
        model_args={"mechanism": "recalls"},
        settings={"sight": ["shown", "prior"]},
        repeats=1,
        judge="rule",
        out=tmp_path / "run",
        show="quiet",
    )
    known = next(each for each in ran.estimates() if each.metric == "knows the usual" and not each.slice)
    assert known.value == 1
    assert known.counts.planned == len({each.unit for each in made.stimuli if each.truth.get("prior") is not None})


def test_the_cost_stands_in_a_table_of_the_report_and_only_where_names_are(misled, tmp_path):
    _, ran = misled
    rows = names([ran.result()]).rows
    assert [row[1] for row in rows] == [
        "all",
        "unusual",
        "ordinary",
        *(PUZZLES[name].title for name in ("birds", "flags")),
    ]
    plain = veridical.make("viabench", puzzles=["birds"], units=3, size=SIZE, out=tmp_path / "set")
    other = veridical.run(plain, "veridical/simulated", repeats=1, judge="rule", out=tmp_path / "run", show="quiet")
    assert not names([other.result()]).rows
    assert not any(each.metric == "cost of the name" for each in other.estimates())
