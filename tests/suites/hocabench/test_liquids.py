"""Levels follow from volumes and back, whatever lies in the vessel and however it is tilted."""

import math

import numpy as np
import pytest

from veridical.media.figures.brush import rotate_points
from veridical.media.figures.grain import clip_polygon
from veridical.suites.hocabench.physics.liquids import (
    UprightBody,
    area,
    level_in,
    level_of,
    sink_distance,
    surface,
    volume,
    wavy,
)
from veridical.suites.hocabench.physics.scenes import pouring_laws as pouring


def test_a_level_holds_the_volume_that_it_was_computed_from():
    rng = np.random.default_rng(1)
    for _ in range(50):
        bodies = [UprightBody(rng.uniform(80, 240), rng.uniform(5, 90), rng.uniform(1, 60)) for _ in range(3)]
        amount = rng.uniform(0, 30000)
        level = level_of(200.0, 300.0, amount, bodies)
        assert volume(200.0, 300.0, level, bodies) == pytest.approx(amount, abs=1e-6)


def test_a_body_under_water_raises_the_level_by_its_volume():
    before, after = (level_of(200.0, 100.0, 8000.0, bodies) for bodies in ([], [UprightBody(200.0, 30.0, 20.0)]))
    assert before - after == pytest.approx(30 * 20 / 100)


def test_the_level_in_a_tilted_vessel_leaves_the_amount_below_it():
    for tilt in np.linspace(-1.2, 1.2, 9):
        vessel = rotate_points([(0, 0), (90, 0), (90, 120), (0, 120)], float(tilt))
        for amount in (500.0, 4000.0, 9000.0):
            assert area(clip_polygon(vessel, (0.0, 1.0), level_in(vessel, amount))) == pytest.approx(amount, abs=0.01)


def test_a_jug_tilted_to_the_brim_holds_its_content_up_to_the_lip():
    width, height = pouring.JUG
    for content in (2000.0, 6000.0, 9000.0, 14000.0):
        tilted = rotate_points([(-width, 0), (0, 0), (0, height), (-width, height)], pouring.brim_tilt(content), (0, 0))
        assert level_in(tilted, content) == pytest.approx(0, abs=0.01)


def test_a_standing_wave_neither_adds_nor_takes_water():
    top = surface(0.0, 240.0, wavy(100.0, 9.0))
    below = area([*top, (240.0, 200.0), (0.0, 200.0)])
    assert below == pytest.approx(240 * 100, rel=1e-6)


def test_denser_bodies_sink_faster_and_never_faster_than_in_free_fall():
    for time in (0.1, 0.4, 1.0):
        depths = [sink_distance(time, density) for density in (1.5, 2.6, 7.8, 11.3)]
        assert depths == sorted(depths)
        assert depths[-1] < 800 * time**2
    assert math.isclose(sink_distance(0.0, 2.0), 0.0)
