"""Figures in which steps of luminance make lines appear."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from veridical.media.draw import Rectangle, chroma
from veridical.media.draw.colour import color_of_hue, grey, lightness, luminance_of
from veridical.media.draw.scene import Colour
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import Case, CaseFigure, CaseItem, CaseNuisances, Factor, Measurement
from veridical.suites.viprobe.illusions.view import Pixels, View, groups, share

_LINE = 23.0


class MachBand(CaseItem):
    """A field of stripes in even steps of L* from `dark` to `bright`, which lie along "vertical" or "horizontal" lines.

    Stripes follow each other from `start` on, and reach `near` (the first) to `far` (the last) to both sides of
    `centre`. `light` is the side of the lightest stripe; `strip` is where the hint's strip begins, `thick` across.
    Lines stay wide enough to fill a pixel when 512 px become 224.
    """

    def __init__(self, frame: CaseNuisances, *, stacked: bool) -> None:
        super().__init__(frame, wide=not stacked)
        self.lines = "horizontal" if stacked else "vertical"
        if stacked:
            self.light, narrow = frame.in_turn(("top", "bottom"), ("top", "bottom"))
            self.centre, ends = frame.px(270, 282), (frame.px(80, 100), frame.px(204, 212))
            self.near, self.far = ends if narrow == "top" else ends[::-1]
        else:
            (self.light,) = frame.in_turn(("left", "right"))
            self.centre, self.near = frame.px(106, 112), frame.px(82, 86)
            self.far = self.near
        self.start, extent = frame.px(28, 44), frame.px(428, 444)
        self.stripes = frame.one_of((7, 8, 9))
        self.hue = frame.base_scale(0, 0.9)
        self.dark, self.bright = frame.between(32.5, 35), frame.between(66, 70)
        self.stripe = extent / self.stripes
        self.stroke = 1 + frame.px(4.7, 6.4)
        self.thick = frame.px(15, 17)
        widest = max(self.near, self.far)
        self.strip = self.centre - widest - frame.px(26, 28) if stacked else self.centre + widest + frame.px(9, 11)


def _shades(base: MachBand) -> list[float]:
    """The L* of each stripe, from left to right or top to bottom."""
    ends = (base.bright, base.dark) if base.light in ("left", "top") else (base.dark, base.bright)
    shades: list[float] = np.linspace(*ends, base.stripes).tolist()
    return shades


def _half(base: MachBand, stripe: int) -> float:
    """How far a stripe reaches from the center to either side."""
    return base.near + (base.far - base.near) * stripe / (base.stripes - 1)


def _rectangle(base: MachBand, along: tuple[float, float], across: tuple[float, float], colour: Colour) -> Rectangle:
    if base.lines == "vertical":
        return Rectangle(along[0], across[0], along[1], across[1], colour)
    return Rectangle(across[0], along[0], across[1], along[1], colour)


def _stripes(base: MachBand, shades: Sequence[float]) -> list[Rectangle]:
    """The field, painted from its narrow end; each stripe runs on by a pixel under the next, so that no seam shows."""
    forward = base.near <= base.far
    painted = []
    for stripe in range(base.stripes) if forward else reversed(range(base.stripes)):
        near, far = base.start + stripe * base.stripe, base.start + (stripe + 1) * base.stripe
        if forward and stripe < base.stripes - 1:
            far += 1
        elif not forward and stripe:
            near -= 1
        half = _half(base, stripe)
        across = (base.centre - half, base.centre + half)
        painted.append(_rectangle(base, (near, far), across, color_of_hue(shades[stripe], base.hue)))
    return painted


def _drawn(base: MachBand, shades: Sequence[float], alpha: float) -> list[Rectangle]:
    """A line wherever two stripes meet, lighter (or darker) than both by the same L*; none without a change."""
    lines = []
    for border in range(1, base.stripes) if alpha else ():
        pair = shades[border - 1 : border + 1]
        shade = (max(pair) if alpha > 0 else min(pair)) + _LINE * alpha
        at, half = base.start + border * base.stripe, min(_half(base, border - 1), _half(base, border))
        along, across = (at - base.stroke / 2, at + base.stroke / 2), (base.centre - half, base.centre + half)
        lines.append(_rectangle(base, along, across, color_of_hue(shade, base.hue)))
    return lines


def _mach(base: MachBand, alpha: float) -> CaseFigure:
    """In the control each line stands out from the even field as it does from the nearer stripe of the figure."""
    shades = _shades(base)
    halves = np.array([_half(base, stripe) for stripe in range(base.stripes)])
    even = float(116 * np.cbrt(np.average(luminance_of(shades), weights=halves)) - 16)
    across = (base.strip, base.strip + base.thick)
    ends = [base.start + stripe * base.stripe for stripe in range(base.stripes + 1)]
    ruler = [
        _rectangle(base, (ends[stripe], min(ends[stripe + 1] + 1, ends[-1])), across, grey(shade))
        for stripe, shade in enumerate(shades)
    ]
    level = [even] * base.stripes
    return base.figure(
        inducers=tuple(_stripes(base, shades)),
        targets=tuple(_drawn(base, shades, alpha)),
        hint=ruler,
        control_targets=(*_stripes(base, level), *_drawn(base, level, alpha)),
    )


def _borders(base: MachBand) -> tuple[Box, ...]:
    return tuple(base.box((line.x0, line.x1), (line.y0, line.y1)) for line in _drawn(base, _shades(base), 1.0))


def measure_drawn_lines(view: View) -> Measurement | None:
    """How far what lies between flat areas of a colored field is outside the range of their two L*, by the median."""
    section = _section(view.pixels)
    if section is None:
        return None
    shade = lightness(section)[2:-2]
    long = 0.04 * len(shade)
    flat = [(a, b + 1) for a, b in groups(np.abs(np.diff(shade)) < 0.1) if b + 1 - a >= long]
    if sum(b - a for a, b in flat) < 0.6 * len(shade):
        return None
    heights = [0.0] if len(flat) == 1 else []
    for (start, stop), (onward, _) in pairwise(flat):
        between, pair = shade[stop:onward], (float(shade[start]), float(shade[onward]))
        above = max(float(between.max(initial=0.0)) - max(pair), 0.0)
        below = max(min(pair) - float(between.min(initial=100.0)), 0.0)
        heights.append(above if above > below else -below)
    if not heights or np.ptp(heights) > 2:
        return None
    return Measurement(float(np.median(heights)))


def _section(pixels: Pixels) -> Pixels | None:
    """A cut of one pixel's width across the stripes of a large colored field on neutral ground, shape (length, 3)."""
    skip = max(1, min(pixels.shape[:2]) // 128)
    coloured = chroma(pixels[::skip, ::skip]) > 5
    rows, columns = np.flatnonzero(coloured.any(1)), np.flatnonzero(coloured.any(0))
    if not len(rows) or coloured[[0, -1]].any() or coloured[:, [0, -1]].any():
        return None
    inside = coloured[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if inside.size < 0.35 * coloured.size or share(inside) < 0.5:
        return None
    field = pixels[rows[0] * skip : rows[-1] * skip + 1, columns[0] * skip : columns[-1] * skip + 1]
    for turned in (field, field.transpose(1, 0, 2)):
        middle = turned[int(0.4 * len(turned)) : int(0.6 * len(turned))]
        if len(middle) > 2 and np.ptp(middle[:, 2:-2:skip], axis=0).max(initial=0) <= 2:
            cut: Pixels = middle[0]
            return cut
    return None


LINES = Factor(
    "contrast of drawn lines with the nearer of the two shades beside them, lighter lines positive",
    "L*",
    least=2.0,
    tolerance=1.5,
    grows=False,
)
_MACH: dict[str, Any] = {
    "category": "color",
    "sees": "Lighter and darker lines seem to run along both sides of every step of the Chevreul staircase.",
    "truth": "Each stripe has one even shade up to where the next begins; bars are drawn in changed pictures alone.",
    "factor": LINES,
    "question": "Are any thin {lines} lines drawn in this picture, in a shade of their own?",
    "question_reversed": "Is this picture free of thin {lines} lines that are drawn in a shade of their own?",
    "comparison": None,
    "state": "absent: areas of even shade meet, and no line is drawn there",
    "measurand": "the shade of any thin {lines} line against the shades on both sides of it",
    "geometry": _mach,
    "value": lambda base, alpha: _LINE * alpha,  # noqa: ARG005 (the same in every unit)
    "regions": _borders,
    "read": measure_drawn_lines,
    "reads_chroma": False,
    "inseparable": "The stripes alone are the original figure: the lines seem to be there without any being drawn.",
    "no_clutter": "Stripes of any order still meet in steps, and along each step the lines seem to be there.",
    "directed": False,
    "yes_if_unchanged": False,
}

CASES = (
    Case(
        name="mach_band",
        number=15,
        title="Chevreul staircase",
        source="Chevreul 1839 (steps), Mach 1865; VI-Probe, Table 4, case 15",
        sample=lambda frame: MachBand(frame, stacked=False),
        departs=(
            "A Chevreul staircase, to which change adds drawn bars; a ramp, as Mach's, is not shown. Published: "
            "borders of one contrast in four widths, asked about as boundaries; "
            "the control has white gaps between the stripes."
        ),
        **_MACH,
    ),
    Case(
        name="mach_band_case2",
        number=16,
        title="Chevreul staircase, stacked",
        source="Chevreul 1839 (steps), Mach 1865; VI-Probe, Table 4, case 16",
        sample=lambda frame: MachBand(frame, stacked=True),
        departs=(
            "A Chevreul staircase, to which change adds drawn bars; a ramp, as Mach's, is not shown. Published: "
            "borders of one contrast in four widths, asked about as boundaries; "
            "the dark and narrow end is always on top; the control has white gaps."
        ),
        **_MACH,
    ),
)
