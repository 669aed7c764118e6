"""Figures in which an edge with ramps changes the shade of what it bounds."""

from __future__ import annotations

import math

import numpy as np

from veridical.media.draw import Patch, Rectangle, chroma
from veridical.media.draw.colour import color_of_hue, grey, lightness, luminance_of, tinted_colors
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
from veridical.suites.viprobe.illusions.view import View

_STEP = 24.0


class Cornsweet(CaseItem):
    """Two even areas of L* `shade` that run out into opposite ramps at `edge`; `light` is the side that ramps up."""

    def __init__(self, frame: CaseNuisances) -> None:
        super().__init__(frame)
        self.changed, self.light = frame.in_turn(("left", "right"), ("left", "right"))
        self.hue = frame.base_scale(0, 0.9)
        self.shade = frame.between(47, 53)
        self.edge = frame.px(252, 260)
        self.ramp = frame.px(84, 108)
        self.peak = frame.between(9, 12)
        self.y = frame.px(236, 276)
        self.thick = frame.px(26, 34)


def _shade(base: Cornsweet, side: str, alpha: float) -> float:
    """The L* of an even area; congruent change lightens the side of the light ramp or darkens the other."""
    return base.shade + base.change(side, base.light, _STEP * alpha)


def _ramps(base: Cornsweet, alpha: float) -> Patch:
    """Both ramps over the full height, each added to the shade of its side; the pixel at the edge is shared."""
    first, last = math.floor(base.edge - base.ramp), math.ceil(base.edge + base.ramp)
    far = np.arange(first, last) + 0.5 - base.edge
    rise = base.peak * np.clip(1 - np.abs(far) / base.ramp, 0, 1) ** 2
    up = 1 if base.light == "right" else -1
    left, right = (
        tinted_colors(luminance_of(_shade(base, side, alpha) + sign * up * rise), base.hue)
        for side, sign in (("left", -1), ("right", 1))
    )
    share = np.clip(far + 0.5, 0, 1)[:, None]
    row = np.rint(left * (1 - share) + right * share).astype(np.uint8)
    return Patch(first, 0, np.broadcast_to(row, (base.height, *row.shape)))


def _cornsweet(base: Cornsweet, alpha: float) -> CaseFigure:
    """The hint is a bar over the ramps in the shade of both areas: where it ends, an unchanged area goes on."""
    start, end = base.edge - base.ramp, base.edge + base.ramp
    half = base.thick / 2
    return base.figure(
        ground=color_of_hue(base.shade, base.hue),
        control_ground=grey(base.shade),
        inducers=(_ramps(base, alpha),),
        hint=(Rectangle(start - 1, base.y - half, end + 1, base.y + half, color_of_hue(base.shade, base.hue)),),
        targets=(
            Rectangle(0, 0, start, base.height, color_of_hue(_shade(base, "left", alpha), base.hue)),
            Rectangle(end, 0, base.width, base.height, color_of_hue(_shade(base, "right", alpha), base.hue)),
        ),
    )


def _side(base: Cornsweet) -> tuple[Box, ...]:
    xs = (0, base.edge) if base.changed == "left" else (base.edge, base.width)
    return (base.box(xs, (0, base.height)),)


def _measure_cornsweet(view: View) -> Measurement | None:
    """The L* at the left and right side of a picture with ramps, or an even neutral area, between two even ones."""
    pixels, height, width = view.pixels, view.height, view.width
    rows = pixels[(np.r_[0.08:0.35:5j, 0.65:0.92:5j] * height).astype(int)]
    ends = rows[0, [0, -1]]
    if width < 16 or np.ptp(rows, axis=0).max() > 3 or chroma(ends[None]).min() < 8:
        return None
    off = np.abs(rows[0].astype(int)[:, None] - ends).max(2) > 1
    start, stop = int(off[:, 0].argmax()), width - int(off[::-1, 1].argmax())
    between = rows[0, start:stop]
    if not off.any(0).all() or min(start, width - stop) < 0.15 * width or len(between) < 0.1 * width:
        return None
    depth = chroma(between[None])[0][2:-2]
    jumps = int((np.abs(np.diff(lightness(between))) > 3).sum())
    if depth.max() > 3 and (depth.min() <= 3 or jumps > 3):
        return None
    left, right = lightness(ends)
    return Measurement(float(left - right))


CASES = (
    Case(
        name="cornsweet_case1",
        number=18,
        title="Craik–O’Brien–Cornsweet",
        category="color",
        sees="The area whose border fades into light looks lighter all over than the one whose border fades into dark.",
        truth="Away from the middle, both areas have the same shade.",
        source="Craik 1940, O’Brien 1958, Cornsweet 1970; VI-Probe, Table 4, case 18",
        factor=Factor("difference in lightness, left minus right", "L*", least=2.0, tolerance=1.5, grows=False),
        question="Well away from the middle, do the left and the right area have the same shade?",
        question_reversed="Well away from the middle, do the left and the right area differ in shade?",
        comparison=TargetComparison(
            "Well away from the middle, which area is lighter, the left or the right one?", "left", "right"
        ),
        state="of the same shade",
        measurand="the shade of the picture close to its left and its right side",
        sample=Cornsweet,
        geometry=_cornsweet,
        value=lambda base, alpha: _shade(base, "left", alpha) - _shade(base, "right", alpha),
        regions=_side,
        read=_measure_cornsweet,
        reads_chroma=False,
        smallest_size=64,
        departs="Published: the control keeps weak ramps; the right area always changes; channels are cut off.",
        inseparable="The ramps end in the shades that are asked about, so that they show these also when alone.",
        no_clutter="Wherever the ramps stand, one runs out into either area, which is what gives that its shade.",
    ),
)
