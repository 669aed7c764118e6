"""The order of tones that makes still pictures seem to drift: it is read as drawn, and nothing but a look tells it."""

from __future__ import annotations

import numpy as np
import pytest

from veridical.suite.nuisances import Nuisances
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
