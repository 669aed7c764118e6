"""Colors in CIE Lab, held against coloraide's, which takes one color at a time: 140 times slower on 2,000 of them."""

import math

import numpy as np
from coloraide import Color

from veridical.media.draw.colour import lightness
from veridical.suites.viabench.puzzles.color.flats import lch, to_lab

COLORS = np.random.default_rng(0).integers(0, 256, (300, 3))


def other(color):
    return Color("srgb", (np.asarray(color) / 255).tolist()).convert("lab-d65").coords()


def test_lab_is_that_of_another_library_up_to_the_digits_of_its_white():
    np.testing.assert_allclose(to_lab(COLORS), [other(color) for color in COLORS], atol=0.02)


def test_a_lightness_is_that_of_another_library():
    np.testing.assert_allclose(lightness(COLORS), [other(color)[0] for color in COLORS], atol=0.02)


def test_a_color_of_a_lightness_chroma_and_hue_has_them_where_srgb_does():
    for lightness_, chroma, hue in ((50, 0, 0), (50, 30, 40), (70, 25, 200), (35, 20, 300)):
        level, a, b = other(lch(lightness_, chroma, hue))
        assert math.isclose(level, lightness_, abs_tol=0.4)
        assert math.isclose(a, chroma * math.cos(math.radians(hue)), abs_tol=0.8)
        assert math.isclose(b, chroma * math.sin(math.radians(hue)), abs_tol=0.8)
