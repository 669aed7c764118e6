"""The order of tones that makes still pictures seem to drift: it is read as drawn, and nothing but a look tells it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veridical.media.draw import area_resize, rasterise
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.options import VIABenchOptions
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viabench.puzzles.make import sample_unit
from veridical.suites.viabench.puzzles.motion.tone_order import DriftTones, fabric, net_order, way_of
from veridical.suites.viabench.puzzles.puzzle import VARIANTS

FAMILIES = ("drift_patches", "drift_order", "drift_rings", "still_row")
UNITS = 24


@pytest.fixture(params=range(6))
def tones(request):
    return DriftTones(Nuisances("tones", 512, request.param, 0), request.param % 3 + 1)


def cloth(tones, way, variant="unusual"):
    return fabric(120, 40 * round(tones.length(variant)), 10.0, tones, way, variant, np.random.default_rng(3))


def skew(lines):
    """How far the third harmonic leads or trails the first: 0 in a wave that rises as it falls; even ones have none."""
    waves = np.fft.rfft(lines.sum(-1) - lines.sum(-1).mean(), axis=1)
    first = int(np.abs(waves).mean(0).argmax())
    relative = waves[:, first] ** 3 * waves[:, 3 * first].conj() / np.abs(waves[:, first]) ** 4
    return float(relative.mean().imag)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_order_that_is_read_is_the_one_that_is_drawn_and_turns_with_the_picture(tones, variant):
    ground = np.array(tones.ground, np.uint8)
    for way in (1, 0, -1):
        drawn = cloth(tones, way, variant)
        assert way_of(net_order(drawn, ground)) == way
        assert way_of(net_order(drawn[:, ::-1], ground)) == -way


def test_a_spectrum_tells_the_same_ways(tones):
    forward, neither, backward = (skew(cloth(tones, way)) for way in (1, 0, -1))
    assert forward * backward < 0
    assert abs(neither) < 0.2 * min(abs(forward), abs(backward))


def test_both_orders_have_as_much_of_each_tone_and_change_as_much(tones):
    totals = []
    for way in (1, 0, -1):
        areas = {}
        for color, share in tones.parts(way):
            areas[color] = areas.get(color, 0) + share
        course = np.array([color for color, _ in tones.parts(way)], int).sum(-1)
        areas = {color: round(share, 6) for color, share in areas.items()}
        totals.append((areas, int(np.abs(np.diff(course, append=course[0])).sum())))
    assert totals[0] == totals[1] == totals[2]
    assert sum(totals[0][0].values()) == pytest.approx(1)


def thumbnails(name, variant):
    """Pictures of 16 by 16 pixels, the places of their answers, and their units."""
    puzzle, options = PUZZLES[name], VIABenchOptions(size=256, seed=21)
    rows = []
    for unit in range(UNITS):
        base, _, _ = sample_unit(puzzle, options, unit)
        for place, answer in enumerate(puzzle.answers(base)):
            picture = rasterise(puzzle.draw(base, answer, variant)[0])
            rows.append((area_resize(picture, 16).ravel(), place, unit))
    return (np.array(column) for column in zip(*rows, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_blurred_picture_is_no_more_than_chance(name, variant):
    pixels, answers, units = thumbnails(name, variant)
    chance = 1 / (answers.max() + 1)
    allowed = chance + 3 * np.sqrt(chance * (1 - chance) / len(answers))
    linear = make_pipeline(StandardScaler(), LogisticRegression(C=0.01))
    for model in (linear, RandomForestClassifier(40, random_state=0)):
        predicted = cross_val_predict(model, pixels, answers, groups=units, cv=GroupKFold(3))
        assert (predicted == answers).mean() < allowed
