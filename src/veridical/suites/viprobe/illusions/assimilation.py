"""Figures in which equal grays look unequal against the contrast with what they border on."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Line, Rectangle, chroma
from veridical.media.draw.colour import grey, hsv, lightness, mean_light
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    Case,
    CaseFigure,
    CaseNuisances,
    Measurement,
    TargetComparison,
    difference,
)
from veridical.suites.viprobe.illusions.contrast import LIGHTNESS, Greys, shade_at, value
from veridical.suites.viprobe.illusions.scatter import borders, random_cells
from veridical.suites.viprobe.illusions.view import Pixels, View, label_areas, share


class MunkerWhite(Greys):
    """Level stripes, dark and light in turn, with `rows` gray patches in each kind, one column on either side.

    The patches of the `dark` side replace parts of dark stripes; those of the `upper` side begin one stripe higher.
    Stripes and patches are `stripe` high, patches `patch` wide. All lie on whole pixels, so that no stripe shines
    through at the edge of a patch. `pairs` of whole stripes stand in the middle of the canvas, so that dark and light
    have the same area; the patches begin at stripe `first` of them.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.stripe, self.rows = math.floor(frame.px(13, 17.9)), frame.one_of((4, 5, 6))
        self.pairs = self.height // (2 * self.stripe)
        self.draw_shades(frame)
        self.left, self.right = round(frame.px(120, 136)), round(frame.px(376, 392))
        self.y = self.height / 2
        self.upper = frame.one_of(("left", "right"))
        self.first = self.pairs - self.rows + frame.one_of((0, 1))
        self.patch = 2 * round(frame.px(44, 62))
        self.scatter = frame.scatter()


def _top(base: MunkerWhite, stripe: int) -> int:
    """The top of a stripe; those above 0 and below the last pair reach over the canvas."""
    return base.height // 2 + (stripe - base.pairs) * base.stripe


def _tops(base: MunkerWhite, place: str | None) -> list[int]:
    """The tops of a side's patches: every other stripe, the two sides in turn."""
    first = base.first + (place != base.upper)
    return [_top(base, first + 2 * row) for row in range(base.rows)]


def _geometry(base: MunkerWhite, alpha: float) -> CaseFigure:
    dark, light = hsv(base.hue, 0.43, 0.26), hsv(base.hue, 0.43, 1.0)
    first = (base.first + (base.dark != base.upper)) % 2 - 2
    tops = (_top(base, stripe) for stripe in range(first, 2 * base.pairs + 2, 2))
    stripes = [_bar(0, base.width, top, base.stripe, dark) for top in tops]
    patches = [
        _bar(x - base.patch / 2, x + base.patch / 2, top, base.stripe, grey(shade_at(base, place, alpha)))
        for place, x in (("left", base.left), ("right", base.right))
        for top in _tops(base, place)
    ]
    clear, thick = base.patch / 2 + 0.1 * base.patch, 1.25 * base.stripe
    ruler = Rectangle(base.left + clear, base.y - thick, base.right - clear, base.y + thick, grey(base.shade))
    return base.figure(
        ground=light,
        control_ground=mean_light(dark, light),
        inducers=stripes,
        targets=patches,
        hint=(ruler,),
        clutter=lambda: _strewn(base),
    )


@lru_cache(maxsize=64)
def _strewn(base: MunkerWhite) -> tuple[Item, ...]:
    """The stripes cut into pieces about as long as high, of which two of any four are dark."""
    dark = hsv(base.hue, 0.43, 0.26)
    pairs = round(base.width / base.stripe / 2)
    xs = borders(base.width, 2 * pairs)
    present = random_cells(np.random.default_rng(base.scatter), 2 * base.pairs + 4, 2 * pairs)
    return tuple(
        Rectangle(xs[column], _top(base, row - 2), xs[column + 1], _top(base, row - 1), dark)
        for row, column in np.argwhere(present).tolist()
    )


def _bar(left: float, right: float, top: float, height: float, colour: tuple[int, int, int]) -> Line:
    return Line((left, top + height / 2), (right, top + height / 2), height, colour)


def _regions(base: MunkerWhite) -> tuple[Box, ...]:
    x = base.left if base.changed == "left" else base.right
    xs = x - base.patch / 2, x + base.patch / 2
    return tuple(base.box(xs, (top, top + base.stripe)) for top in _tops(base, base.changed))


def measure_patches(view: View) -> Measurement | None:
    """The L* of the neutral patches in two columns of equally many on colored ground: left minus right."""
    pixels, step = view.pixels, max(1, view.width // 128)
    neutral = chroma(pixels[:, ::step]) < 4
    if not 0.02 < share(neutral) < 0.5:
        return None
    _, regions = label_areas(neutral)
    if not 6 <= len(regions) <= 40:
        return None
    boxes = np.array([(r.start, r.stop, c.start, c.stop) for r, c in regions])
    heights, widths = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]
    alike = (abs(heights - np.median(heights)) < 2) & (abs(widths - np.median(widths)) <= 2)
    alike &= widths > 1.2 * np.median(heights) / step
    left = boxes[:, 3] * step <= view.width / 2
    if (alike & left).sum() != (alike & ~left).sum() or alike.sum() < 6:
        return None
    shades = [_shade(pixels, boxes[alike & side], step) for side in (left, ~left)]
    return difference(*shades)


def _shade(pixels: Pixels, boxes: NDArray[np.intp], step: int) -> float | None:
    """The L* of patches one above the other, from their middle rows; `None` where they differ."""
    if np.ptp(boxes[:, 2]) > 1:
        return None
    inner = slice(int(boxes[:, 2].max() + 1) * step, int(boxes[:, 3].min() - 1) * step)
    middle = pixels[boxes[:, :2].sum(1) // 2, inner].reshape(-1, 3)
    if not len(middle) or np.ptp(middle, axis=0).max() > 2:
        return None
    return float(lightness(middle.mean(0)))


CASES = (
    Case(
        name="munker_white",
        number=14,
        title="Munker-White",
        category="color",
        sees="The gray patches in the dark stripes look lighter than those in the light stripes.",
        truth="All patches have the same shade of gray.",
        source="Munker 1970, White 1979; VI-Probe, Table 4, case 14",
        factor=LIGHTNESS,
        question="Do the grey patches on the left have the same shade as the grey patches on the right?",
        question_reversed="Do the grey patches on the left differ in shade from the grey patches on the right?",
        comparison=TargetComparison(
            "Which grey patches are lighter, those on the left or those on the right?", "left", "right"
        ),
        state="of the same shade",
        measurand="the shade of the grey patches on the left and of those on the right",
        departs="Published: olive patches, taller on one side; the control on flat black; the hint covers the patches.",
        sample=MunkerWhite,
        geometry=_geometry,
        value=value,
        regions=_regions,
        read=measure_patches,
        reads_chroma=False,
    ),
)
