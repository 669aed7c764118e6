"""Figures in which two equal grays look unequal because of the grounds that they lie on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from veridical.media.draw import Disc, Gradient, Item, Rectangle, chroma
from veridical.media.draw.colour import grey, hsv, lightness, mean_light
from veridical.media.draw.scene import Colour
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import (
    Case,
    CaseFigure,
    CaseItem,
    CaseNuisances,
    Factor,
    Measurement,
    TargetComparison,
)
from veridical.suites.viprobe.illusions.scatter import borders, random_cells
from veridical.suites.viprobe.illusions.view import View, label_areas, share

REACH = 22.0
LIGHTNESS = Factor("difference in lightness, left minus right", "L*", least=2.0, tolerance=1.5, grows=False)


class Greys(CaseItem):
    """Two grays side by side, of lightness `shade` (L*); the one on the `dark` side looks lighter."""

    hue: float
    shade: float
    left: float
    right: float
    y: float
    scatter: int

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame, wide=True)
        self.changed, self.dark = frame.in_turn(("left", "right"), ("left", "right"))

    def draw_shades(self, frame: CaseNuisances) -> None:
        """Draws the hue of the grounds and the shade of both; both ends of the hue circle would be one hue."""
        self.hue, self.shade = frame.base_scale(0.0, 0.9), frame.between(52, 58)


class SimultaneousContrast(Greys):
    """Two gray squares, one on a dark and one on a light ground of the same hue."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.draw_shades(frame)
        self.side = frame.px(72, 98)
        self.left, self.right, self.y = frame.px(116, 140), frame.px(372, 396), frame.px(118, 138)
        self.scatter = frame.scatter()


class RampDiscs(Greys):
    """Two gray discs on a ramp from dark to light of one hue."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.draw_shades(frame)
        self.radius = frame.px(28, 42)
        self.left, self.right, self.y = frame.px(86, 112), frame.px(400, 426), frame.px(112, 144)
        self.scatter = frame.scatter()


def shade_at(base: Greys, place: str, alpha: float) -> float:
    """The L* of a gray; congruent change lightens the one that looks lighter or darkens the other."""
    return base.shade + base.change(place, base.dark, REACH * alpha)


def value(base: Greys, alpha: float) -> float:
    """The left gray minus the right one, in L*."""
    return shade_at(base, "left", alpha) - shade_at(base, "right", alpha)


def _grounds(base: SimultaneousContrast) -> tuple[Colour, Colour]:
    """The colors of the left and the right ground."""
    dark, light = hsv(base.hue, 0.43, 0.26), hsv(base.hue, 0.43, 1.0)
    return (dark, light) if base.dark == "left" else (light, dark)


def _squares(base: SimultaneousContrast, alpha: float) -> CaseFigure:
    left, right = _grounds(base)
    half = base.side / 2
    squares = tuple(
        Rectangle(x - half, base.y - half, x + half, base.y + half, grey(shade_at(base, place, alpha)))
        for place, x in (("left", base.left), ("right", base.right))
    )
    return base.figure(
        ground=left,
        control_ground=mean_light(left, right),
        inducers=(Rectangle(base.width / 2, 0, base.width, base.height, right),),
        targets=squares,
        hint=(_ruler(base, half),),
        clutter=lambda: _checkered(base),
    )


_ROWS, _COLUMNS = 8, 16


@lru_cache(maxsize=64)
def _checkered(base: SimultaneousContrast) -> tuple[Item, ...]:
    """Both grounds cut into tiles and mixed, two of either among any four, in one way on both sides."""
    ground = _grounds(base)[1]
    ys, xs = borders(base.height, _ROWS), borders(base.width, _COLUMNS)
    present = np.tile(random_cells(np.random.default_rng(base.scatter), _ROWS, _COLUMNS // 2), 2)
    return tuple(
        Rectangle(xs[column], ys[row], xs[column + 1], ys[row + 1], ground)
        for row, column in np.argwhere(present).tolist()
    )


def _discs(base: RampDiscs, alpha: float) -> CaseFigure:
    ends = _ends(base)
    discs = tuple(
        Disc((x, base.y), base.radius, grey(shade_at(base, place, alpha)))
        for place, x in (("left", base.left), ("right", base.right))
    )
    return base.figure(
        control_ground=_mean_of_ramp(base.width, *ends),
        inducers=(Gradient(0, 0, base.width, base.height, *ends),),
        targets=discs,
        hint=(_ruler(base, base.radius),),
        clutter=lambda: _mosaic(base),
    )


@lru_cache(maxsize=64)
def _mosaic(base: RampDiscs) -> tuple[Item, ...]:
    """The ramp cut into tiles of one shade each, and mixed: of any four, one is from each quarter of the ramp."""
    rng = np.random.default_rng(base.scatter)
    rows, columns = 2 * _ROWS, 2 * _COLUMNS
    ys, xs = borders(base.height, rows), borders(base.width, columns)
    quarters = np.repeat(np.arange(columns), 2).reshape(4, -1)
    pairs = [rng.permuted(rng.permuted(quarters, axis=1), axis=0) for _ in range(rows // 2)]
    shades = Gradient(0, 0, base.width, 1, *_ends(base)).pixels()[0]
    made = []
    for row in range(rows):
        first = 2 * (row % 2)
        for column, (block, way) in enumerate(np.ndindex(columns // 2, 2)):
            source = pairs[row // 2][first + way, block]
            shade = tuple(shades[(xs[source] + xs[source + 1]) // 2].tolist())
            made.append(Rectangle(xs[column], ys[row], xs[column + 1], ys[row + 1], shade))
    return tuple(made)


def _ends(base: RampDiscs) -> tuple[Colour, Colour]:
    """The colors at the left and the right end of the ramp."""
    dark, light = hsv(base.hue, 0.43, 0.2), hsv(base.hue, 0.43, 0.95)
    return (dark, light) if base.dark == "left" else (light, dark)


def _mean_of_ramp(width: int, start: Colour, end: Colour) -> Colour:
    """The mean light of all columns of a ramp."""
    return mean_light(*Gradient(0, 0, width, 1, start, end).pixels()[0].tolist())


def _ruler(base: Greys, half: float) -> Rectangle:
    """A bar of the unchanged shade from one target nearly to the other."""
    thick, gap = 0.16 * half, 0.24 * half
    return Rectangle(base.left + half + gap, base.y - thick, base.right - half - gap, base.y + thick, grey(base.shade))


def _region(base: Greys, half: float) -> tuple[Box, ...]:
    x = base.left if base.changed == "left" else base.right
    return (base.box((x - half, x + half), (base.y - half, base.y + half)),)


def measure_squares(view: View) -> Measurement | None:
    """The L* of two neutral squares that lie side by side on colored ground: left minus right."""
    return _measure(view, (0.98, 1.01), border=1)


def measure_discs(view: View) -> Measurement | None:
    """The L* of two neutral discs that lie side by side on colored ground: left minus right."""
    return _measure(view, (0.62, 0.92), border=0)


def _measure(view: View, fills: tuple[float, float], border: int) -> Measurement | None:
    """The difference in L* of two even neutral areas, as wide as high, that fill so much of their boxes.

    Left out of a box is a border, so many samples wide, whose soft edge may pass for neutral on a dark ground alone.
    """
    pixels, step = view.pixels, max(1, view.width // 128)
    neutral = chroma(pixels[::step, ::step]) < 4
    if not 0.005 < share(neutral) < 0.4:
        return None
    areas = []
    for rows, columns in label_areas(neutral)[1]:
        height, width = rows.stop - rows.start, columns.stop - columns.start
        box = neutral[rows, columns]
        inner = box[border : height - border, border : width - border]
        large = box.size > 0.003 * neutral.size and inner.size > 0
        if large and 0.7 < height / width < 1.4 and fills[0] < share(inner) < fills[1]:
            y, x = (rows.start + height / 4) * step, (columns.start + width / 4) * step
            middle = pixels[round(y) : round(y + height * step / 2), round(x) : round(x + width * step / 2)]
            areas.append((columns, middle.reshape(-1, 3)))
    if len(areas) != 2 or any(np.ptp(middle, axis=0).max() > 2 for _, middle in areas):
        return None
    (first, left), (second, right) = sorted(areas, key=lambda area: area[0].start)
    if first.stop > second.start:
        return None
    return Measurement(float(lightness(left.mean(0)) - lightness(right.mean(0))))


CASES = (
    Case(
        name="cornsweet",
        number=12,
        title="Contrast on a ramp",
        category="color",
        sees="The disc on the dark end of the ramp looks lighter than the one on the light end.",
        truth="Both discs have the same shade of gray.",
        source="VI-Probe, Table 4, case 12 (simultaneous contrast on a ramp, not Cornsweet's edge, despite its name)",
        factor=LIGHTNESS,
        question="Do both grey discs have the same shade?",
        question_reversed="Do the two grey discs have different shades?",
        comparison=TargetComparison(
            "Which of the two grey discs is lighter, the left or the right one?", "left", "right"
        ),
        state="of the same shade",
        measurand="the shade of each grey disc",
        departs="Published: the control stands on flat black; the dark end is always left; the hint covers the discs.",
        sample=RampDiscs,
        geometry=_discs,
        value=value,
        regions=lambda base: _region(base, base.radius),
        read=measure_discs,
        reads_chroma=False,
    ),
    Case(
        name="simultaneous_contrast",
        number=13,
        title="Simultaneous contrast",
        category="color",
        sees="The square on the dark ground looks lighter than the one on the light ground.",
        truth="Both squares have the same shade of gray.",
        source="Chevreul 1839; VI-Probe, Table 4, case 13",
        factor=LIGHTNESS,
        question="Do both grey squares have the same shade?",
        question_reversed="Do the two grey squares have different shades?",
        comparison=TargetComparison(
            "Which of the two grey squares is lighter, the left or the right one?", "left", "right"
        ),
        state="of the same shade",
        measurand="the shade of each grey square",
        departs="Published: the control stands on flat black instead of the mean of the two grounds.",
        sample=SimultaneousContrast,
        geometry=_squares,
        value=value,
        regions=lambda base: _region(base, base.side / 2),
        read=measure_squares,
        reads_chroma=False,
        smallest_size=64,
    ),
)
