"""Training: what is drawn, what an arm is shown, and that a run taken up ends as one that was never stopped."""

from dataclasses import asdict

import numpy as np
import pytest

from studies.viprobe.training import study
from studies.viprobe.training.arms import ARMS, FIRST, HELD_OUT, dosed_arms
from studies.viprobe.training.batches import Drawer
from studies.viprobe.training.plan import Plan
from studies.viprobe.training.taught_pictures import (
    CHANGED,
    CHANGED_CONTROL,
    CLASSIC,
    CONTROL,
    FIRST_SEED,
    OTHER,
    _case_pictures,
    pool,
)
from studies.viprobe.training.teach import teach
from tests.studies.viprobe import torch_work
from veridical.base.processes import map_processes
from veridical.errors import InputError
from veridical.suites.viprobe.illusions import CASES, Case
from veridical.suites.viprobe.observers.learned_observers.network import HEIGHT, WIDTH, Network
from veridical.suites.viprobe.observers.learned_observers.questions import KINDS, TOPICS, number_texts
from veridical.suites.viprobe.observers.learned_observers.weights import read_weights
from veridical.verbs import sets

UNITS = 2
ODD = {case.question for case in CASES.values() if not case.yes_if_unchanged}
PLAN = Plan(first=3, then=3, batch=8, warm_up=2)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("pool")


@pytest.fixture(scope="module")
def drawn(place):
    return pool(place, 0, units=UNITS, others=12)


@pytest.fixture(scope="module")
def in_torch(drawn, place):
    """What is found with torch, in a process of its own: it takes half a gigabyte."""
    tasks = ("stopped", "computed")
    job = {"pool": str(place), "work": str(place.parent), "plan": asdict(PLAN)}
    return dict(map_processes(torch_work.found, job, tasks, 1))


def test_each_base_item_has_a_picture_of_each_sort_with_the_suites_own_answers(drawn):
    facts = drawn.facts
    for case in CASES.values():
        rows = facts[facts["case"] == case.number]
        assert np.bincount(rows["sort"]).tolist() == [UNITS] * 4
        for row in rows:
            changed = row["sort"] in (CHANGED_CONTROL, CHANGED)
            assert row["yes"] == int(case.answer(same=not changed))
            assert (row["first"] >= 0) == bool(changed and case.comparison)
            assert TOPICS[row["topic"]] == case.question
    assert (facts["sort"] == OTHER).sum() == 12
    assert set(facts["kind"][facts["sort"] == OTHER]) == {KINDS}


def test_the_same_seed_draws_the_same_pictures_and_another_seed_others(drawn, tmp_path):
    again = pool(tmp_path / "again", 0, units=UNITS, others=12, workers=1)
    other = pool(tmp_path / "other", 1, units=UNITS, others=12, workers=1)
    assert np.array_equal(again.pictures, drawn.pictures)
    assert np.array_equal(again.facts, drawn.facts)
    alike = (other.pictures == drawn.pictures).all(axis=(1, 2, 3))
    assert not alike.any()


DIETS = FIRST | {f"{name}, then": arm.then for name, arm in (ARMS | dosed_arms()).items()}


@pytest.mark.parametrize("name", DIETS)
def test_a_network_is_shown_what_its_record_says_and_nothing_else(name, drawn):
    diet = DIETS[name]
    drawer = Drawer(drawn, diet, 0)
    shown = {(int(drawn.facts["case"][row]), int(drawn.facts["sort"][row])) for row in drawer.rows(0, 20_000)}
    for case in CASES.values():
        sorts = {sort for number, sort in shown if number == case.number}
        held = diet.held is not None and case.name in HELD_OUT
        figures, changed = (diet.held if held else (diet.figures, diet.changed)) if not case.novel else (0, 0)
        wanted = {CONTROL, CHANGED_CONTROL} | ({CLASSIC} if figures else set())
        assert sorts == wanted | ({CHANGED} if figures * changed else set())


def test_a_dose_is_the_share_of_changed_figures_among_figures(drawn):
    drawer = Drawer(drawn, dosed_arms()["dose-25"].then, 0)
    sorts = drawn.facts["sort"][drawer.rows(0, 20_000)]
    figures = np.isin(sorts, (CLASSIC, CHANGED))
    assert (sorts[figures] == CHANGED).mean() == pytest.approx(0.25, abs=0.02)


def test_a_case_can_be_drawn_more_often(drawn):
    cases = drawn.facts["case"][Drawer(drawn, FIRST["textbook"], 0, {"ponzo": 3}).rows(0, 20_000)]
    shares = {case.name: (cases == case.number).mean() for case in CASES.values()}
    usual = np.median(list(shares.values()))
    assert shares["ponzo"] == pytest.approx(3 * usual, rel=0.1)
    assert usual == pytest.approx(0.96 / (len(CASES) + 2), rel=0.1)


def test_a_batch_depends_on_its_step_alone(drawn):
    first, second = Drawer(drawn, ARMS["counterfactual"].then, 3), Drawer(drawn, ARMS["counterfactual"].then, 3)
    first.batch(0, 8)
    left, right = first.batch(5, 8), second.batch(5, 8)
    assert all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))
    assert left.pictures.shape == (8, 2, HEIGHT, WIDTH)
    assert 0 <= left.pictures.min() <= left.pictures.max() <= 1


def test_which_is_lighter_is_not_asked_of_a_picture_whose_lightness_is_inverted(drawn):
    lighter = {case.question for case in CASES.values() if case.comparison and "lighter" in case.comparison.question}
    compared = {case.question for case in CASES.values() if case.comparison}
    drawer = Drawer(drawn, FIRST["controls"], 0)
    asked, unasked = set(), set()
    for step in range(8):
        batch = drawer.batch(step, 400)
        for topic, yes, first in zip(batch.topic, batch.yes, batch.first, strict=True):
            if topic >= 0 and yes == 0 and TOPICS[topic] in compared - ODD:
                (asked if first >= 0 else unasked).add(TOPICS[topic])
    assert unasked == lighter
    assert lighter < asked


@pytest.mark.torch
def test_a_run_that_was_stopped_ends_with_the_weights_of_one_that_was_not(in_torch):
    """Of as many names as a network has parts, none differs."""
    assert in_torch["stopped"] == []


@pytest.mark.torch
def test_what_is_taught_can_be_asked_has_a_card_and_is_left_when_it_is_there(tmp_path, monkeypatch):
    for name, value in (("EXAMINED", ("muller_lyer", "zollner", "ladder_zigzags")), ("UNITS", 1), ("LEVELS", 2)):
        monkeypatch.setattr(study, name, value)
    told = []
    small = {"plan": PLAN, "units": UNITS, "others": 12, "workers": 1}
    paths = teach(tmp_path, [("textbook", ARMS["textbook"])], [0], tell=told.append, **small)
    written = paths[0].read_bytes()
    weights = read_weights(paths[0])
    assert "3 on its initial diet (textbook), then 3" in paths[0].with_suffix(".md").read_text()
    assert weights.about["questions"].keys() == set(number_texts())
    assert Network(weights).features(np.zeros((1, 2, HEIGHT, WIDTH), np.uint8)).shape == (1, 256)
    assert teach(tmp_path, [("textbook", ARMS["textbook"])], [0], tell=told.append, **small) == paths
    assert paths[0].read_bytes() == written
    assert told == ["seed 0: initial steps on textbook, done", "seed 0: textbook, done"]


@pytest.mark.torch
def test_numpy_computes_what_torch_does(in_torch):
    assert in_torch["computed"]["features"]
    assert in_torch["computed"]["outputs"]
    assert in_torch["computed"]["rounded"] < in_torch["computed"]["spread"]


def test_training_draws_from_seeds_that_no_set_can_have(monkeypatch):
    used = set()
    monkeypatch.setattr(
        Case, "base", lambda case, size, seed, unit, of=Case.base: used.add(seed) or of(case, size, seed, unit)
    )
    _case_pictures(("muller_lyer", 0, 2))
    assert min(used) >= FIRST_SEED
    with pytest.raises(InputError, match="seed"):
        sets.make("viprobe", out="nowhere", units=1, seed=min(used))
