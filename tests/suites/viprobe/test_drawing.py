"""What the pictures of a base item share: each is the one that is drawn and read by itself."""

import numpy as np
import pytest

from veridical.media.draw import rasterise
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.drawing import VARIANTS, Drawing, Readings
from veridical.suites.viprobe.illusions.view import View

SIZE = 192
every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
ALPHAS = (0.5, 0.0, -1.0)


def contexts(case):
    return [context for context in dict.fromkeys(VARIANTS.values()) if case.shows(context)]


@every_case
def test_a_picture_is_the_same_whatever_was_drawn_before_it(case):
    base = case.base(SIZE, 3, 0)
    drawing = Drawing(case, base)
    for alpha in ALPHAS:
        for context in contexts(case):
            alone = rasterise(case.geometry(base, alpha).scene(context))
            assert np.array_equal(drawing.pixels(context, alpha), alone)


@every_case
def test_readings_are_those_of_the_picture_by_itself(case):
    base = case.base(SIZE, 5, 1)
    drawing = Drawing(case, base)
    for alpha in ALPHAS:
        for context in contexts(case):
            view = View(drawing.pixels(context, alpha))
            readings = drawing.readings(view, alpha)
            for side in (readings.side, 150):
                assert readings.at(side) == Readings(case, View(view.pixels)).at(side)


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.reads_chroma], ids=lambda case: case.name)
def test_who_reads_chroma_reads_nothing_else(case):
    base = case.base(SIZE, 7, 2)
    for context in contexts(case):
        view = View(rasterise(case.geometry(base, 0.5).scene(context)))
        other = View(np.stack([np.zeros_like(view.chroma), view.chroma, view.chroma // 2], 2))
        assert np.array_equal(view.chroma, other.chroma)
        for side in (SIZE, 150):
            assert Readings(case, view).at(side) == Readings(case, other).at(side)
