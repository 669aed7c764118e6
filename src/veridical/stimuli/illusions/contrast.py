"""Figures in which equal shades look unequal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from veridical.draw import Rectangle
from veridical.draw.colour import grey, hsv, lightness, mean_light
from veridical.records import Box
from veridical.stimuli.illusions.case import (
    Case,
    Comparison,
    Factor,
    Figure,
    Frame,
    Measurement,
    Pixels,
    box_around,
)
from veridical.stimuli.illusions.reading import chroma

_REACH = 22.0


@dataclass(frozen=True, slots=True)
class SimultaneousContrast:
    """Two grey squares, one on a dark and one on a light ground of the same hue; `shade` is their L*."""

    width: int
    height: int
    changed: str
    dark: str
    hue: float
    shade: float
    side: float
    left: float
    right: float
    y: float


def _sample(frame: Frame) -> SimultaneousContrast:
    changed, dark = frame.in_turn(("left", "right"), ("left", "right"))
    return SimultaneousContrast(
        width=frame.size,
        height=round(frame.size / 2),
        changed=changed,
        dark=dark,
        hue=frame.base_scale(0, 1),
        shade=frame.between(52, 58),
        side=frame.px(72, 98),
        left=frame.px(116, 140),
        right=frame.px(372, 396),
        y=frame.px(118, 138),
    )


def _shade(base: SimultaneousContrast, place: str, alpha: float) -> float:
    """The L* of a square; congruent change lightens the one on the dark ground or darkens the other."""
    if place != base.changed:
        return base.shade
    return base.shade + _REACH * alpha * (1 if base.dark == base.changed else -1)


def _geometry(base: SimultaneousContrast, alpha: float) -> Figure:
    dark, light = hsv(base.hue, 0.43, 0.26), hsv(base.hue, 0.43, 1.0)
    left, right = (dark, light) if base.dark == "left" else (light, dark)
    half = base.side / 2
    squares = tuple(
        Rectangle(x - half, base.y - half, x + half, base.y + half, grey(_shade(base, place, alpha)))
        for place, x in (("left", base.left), ("right", base.right))
    )
    ground = Rectangle(base.width / 2, 0, base.width, base.height, right)
    thick, gap = 0.08 * base.side, 0.12 * base.side
    ruler = Rectangle(base.left + half + gap, base.y - thick, base.right - half - gap, base.y + thick, grey(base.shade))
    return Figure(
        width=base.width,
        height=base.height,
        ground=left,
        control_ground=mean_light(dark, light),
        inducers=(ground,),
        targets=squares,
        hint=(ruler,),
    )


def _value(base: SimultaneousContrast, alpha: float) -> float:
    return _shade(base, "left", alpha) - _shade(base, "right", alpha)


def _regions(base: SimultaneousContrast) -> tuple[Box, ...]:
    x, half = (base.left if base.changed == "left" else base.right), base.side / 2
    return (box_around((x - half, x + half), (base.y - half, base.y + half), base.width, base.height),)


def _measure(pixels: Pixels) -> Measurement | None:
    """The L* of two neutral squares that lie side by side on coloured ground."""
    neutral = chroma(pixels) < 4
    if not 0.01 < neutral.mean() < 0.4:
        return None
    labels, count = ndimage.label(neutral)
    sizes = ndimage.sum_labels(neutral, labels, np.arange(1, count + 1))
    large = np.flatnonzero(sizes > 0.5 * sizes.max())
    if len(large) != 2:
        return None
    boxes = sorted((ndimage.find_objects(labels)[index] for index in large), key=lambda box: box[1].start)
    if boxes[0][1].stop > boxes[1][1].start or any(neutral[box].mean() < 0.95 for box in boxes):
        return None
    left, right = (float(lightness(np.median(pixels[box][neutral[box]], axis=0))) for box in boxes)
    return Measurement(left - right)


CASES = (
    Case(
        name="simultaneous_contrast",
        number=13,
        title="Simultaneous contrast",
        category="color",
        sees="The square on the dark ground looks lighter than the one on the light ground.",
        truth="Both squares have the same shade of grey.",
        source="Chevreul 1839; VI-Probe, Table 4, case 13",
        factor=Factor("difference in lightness, left minus right", "L*", visible=3.0, tolerance=1.5, grows=False),
        question="Do both grey squares have the same shade?",
        question_reversed="Do the two grey squares have different shades?",
        comparison=Comparison("Which of the two grey squares is lighter, the left or the right one?", "left", "right"),
        state="of the same shade",
        measurand="the shade of each grey square",
        departs="Published: the control stands on flat black instead of the mean of the two grounds.",
        sample=_sample,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        measure=_measure,
    ),
)
