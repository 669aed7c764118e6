"""Figures in which equal contrasts look unequal."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Item, Patch, chroma
from veridical.media.draw.colour import from_linear, tinted_colors, to_linear
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
from veridical.suites.viprobe.illusions.scatter import random_cells
from veridical.suites.viprobe.illusions.view import Map, Pixels, View, label_areas, share

_REACH = 2.3
_GROUND = 0.97
_TINT = 0.3
_TILE = 4
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_LINEAR = to_linear(np.arange(256))
Cells = NDArray[np.bool_]


class Chubb(CaseItem):
    """Two discs of colored noise, one on even gray and one (`noisy`) on noise of high contrast.

    `light` is the mean luminance of everything, `contrast` the Michelson contrast of both discs. Cells of noise, `cell`
    px wide, and the middle of the discs (`x`, `y`, and half a canvas further right) lie on whole pixels, so that both
    discs show the same pixels; `noise` is the seed of all noise.
    """

    def __init__(self, frame: CaseNuisances) -> None:
        """Cells stay two pixels wide or more when 512 px become 224, so that their own shade remains to be seen."""
        super().__init__(frame, wide=True)
        self.changed, self.noisy = frame.in_turn(("left", "right"), ("left", "right"))
        self.hue = frame.base_scale(0, 0.9)
        self.light = frame.between(0.26, 0.32)
        self.contrast = frame.between(0.34, 0.4)
        self.noise = int(frame.between(0, 2**31))
        self.cell = max(3, math.ceil(frame.px(4.6, 6)))
        self.radius = frame.px(46, 58)
        self.x = round(frame.px(118, 138))
        self.y = round(frame.px(118, 138))
        self.scatter = frame.scatter()


def _contrast(base: Chubb, side: str, alpha: float) -> float:
    """The contrast of a disc; congruent change lowers it on noise, where it looks lower, or raises it on gray."""
    return base.contrast * math.pow(_REACH, -base.change(side, base.noisy, alpha))


def _across(base: Chubb) -> int:
    """The cells from the middle of a disc to its side."""
    return math.ceil((base.radius + 1) / base.cell)


def _cells(base: Chubb) -> tuple[Cells, Cells, Cells]:
    """The light cells of the discs, of the noisy half, and of the hint.

    A point and its mirror image through the middle of a disc are never both light, so that the mean of a disc is the
    same, exactly, at any contrast.
    """
    rng = np.random.default_rng(base.noise)
    side = 2 * _across(base)
    half = rng.integers(0, 2, (side // 2, side)).astype(bool)
    disc = np.concatenate([half, ~half[::-1, ::-1]])
    rows, columns = (math.ceil(length / base.cell) for length in (base.height, base.width - base.width // 2))
    ground = rng.integers(0, 2, (rows, columns)).astype(bool)
    length = 2 * math.floor((base.width // 2 - 2 * base.radius) * 0.4 / base.cell)
    bar = rng.integers(0, 2, (3, length)).astype(bool)
    return disc, ground, np.concatenate([bar, ~bar[::-1, ::-1]])


def _pair(base: Chubb, contrast: float, tint: float) -> Pixels:
    """The dark and the light color of a texture; linear light is the mean times one minus or plus the contrast."""
    return tinted_colors(base.light * np.array([1 - contrast, 1 + contrast]), base.hue, tint)


def _painted(base: Chubb, cells: Cells, contrast: float, tint: float = 0.0) -> Pixels:
    """Cells as pixels."""
    dark, light = _pair(base, contrast, tint)
    pixels: Pixels = np.where(cells[..., None], light, dark).repeat(base.cell, 1).repeat(base.cell, 0)
    return pixels


def _disc(base: Chubb, side: str, alpha: float, cells: Cells, cover: Map, ground: Pixels) -> Patch:
    """A disc with its ground in the corners: `ground` is the whole half of the picture on which it lies."""
    reach = _across(base) * base.cell
    below = ground[base.y - reach : base.y + reach, base.x - reach : base.x + reach]
    texture = _painted(base, cells, _contrast(base, side, alpha), _TINT)
    left = base.x - reach + (base.width // 2 if side == "right" else 0)
    return Patch(left, base.y - reach, np.rint(below + cover * (texture - below.astype(float))).astype(np.uint8))


def _cover(base: Chubb) -> Map:
    """The coverage of pixels by a disc, within the square of its cells."""
    reach = _across(base) * base.cell
    at = np.arange(-reach, reach) + 0.5
    cover: Map = np.clip(base.radius + 0.5 - np.hypot(at[:, None], at), 0, 1)[..., None]
    return cover


def _grey(base: Chubb) -> Colour:
    level = round(float(from_linear(base.light)))
    return level, level, level


@lru_cache(maxsize=4)
def _unchanging(base: Chubb) -> tuple[Cells, Map, Patch, Patch]:
    """What no change touches, made once for all pictures of a unit: the discs' cells and coverage, the noise, the hint.

    The hint is a neutral bar of noise between the discs with the contrast that both have while unchanged.
    """
    disc, coarse, bar = _cells(base)
    middle = base.width // 2
    start, stop = (middle, base.width) if base.noisy == "right" else (0, middle)
    noise = _painted(base, coarse, _GROUND)[: base.height, : stop - start]
    ruler = _painted(base, bar, base.contrast)
    left, top = base.x + (middle - ruler.shape[1]) // 2, base.y - ruler.shape[0] // 2
    return disc, _cover(base), Patch(start, 0, noise), Patch(left, top, ruler)


def _geometry(base: Chubb, alpha: float) -> CaseFigure:
    disc, cover, noise, ruler = _unchanging(base)
    level = _grey(base)
    even = np.broadcast_to(np.array(level, np.uint8), (base.height, base.width, 3))
    grounds = {"left": even, "right": even, base.noisy: noise.array}
    return base.figure(
        ground=level,
        control_ground=level,
        inducers=(noise,),
        targets=tuple(_disc(base, side, alpha, disc, cover, grounds[side]) for side in ("left", "right")),
        hint=(ruler,),
        control_targets=tuple(_disc(base, side, alpha, disc, cover, even) for side in ("left", "right")),
        clutter=lambda: (Patch(0, 0, _mixed(base)),),
        clutter_targets=lambda: _amid_mixed(base, alpha),
    )


def _amid_mixed(base: Chubb, alpha: float) -> tuple[Item, ...]:
    disc, cover, *_ = _unchanging(base)
    halves = {"left": _mixed(base)[:, : base.width // 2], "right": _mixed(base)[:, base.width // 2 :]}
    return tuple(_disc(base, side, alpha, disc, cover, half) for side, half in halves.items())


@lru_cache(maxsize=4)
def _mixed(base: Chubb) -> Pixels:
    """The noise cut into tiles, half of which, two of any four, go to the same place on the other half."""
    noise, middle = _unchanging(base)[2], base.width // 2
    height, width = noise.array.shape[:2]
    tile = _TILE * base.cell
    away = random_cells(np.random.default_rng(base.scatter), math.ceil(height / tile), math.ceil(width / tile))
    moved = away.repeat(tile, 0).repeat(tile, 1)[:height, :width]
    pixels = np.empty((base.height, base.width, 3), np.uint8)
    pixels[:] = _grey(base)
    for start, stop, noisy in ((0, middle, (base.noisy == "right")), (middle, base.width, (base.noisy == "left"))):
        part = (moved if noisy else ~moved)[:, : stop - start]
        pixels[:, start : start + part.shape[1]][part] = noise.array[:, : stop - start][part]
    return pixels


def _value(base: Chubb, alpha: float) -> float:
    """From the colors as they are painted: in whole levels, they differ a little from those that are meant."""
    left, right = (_LINEAR[_pair(base, _contrast(base, side, alpha), _TINT)] @ _LUMINANCE for side in ("left", "right"))
    return _relative(_michelson(*left), _michelson(*right))


def _michelson(dark: float, light: float) -> float:
    return float((light - dark) / (light + dark))


def _relative(left: float, right: float) -> float:
    return 100 * (left - right) / (left + right)


def _regions(base: Chubb) -> tuple[Box, ...]:
    x = base.x + (base.width // 2 if base.changed == "right" else 0)
    reach = base.radius
    return (base.box((x - reach, x + reach), (base.y - reach, base.y + reach)),)


def _measure(view: View) -> Measurement | None:
    """The Michelson contrasts of two colored textured discs side by side, from the light and dark end of each."""
    pixels, coloured = view.pixels, chroma(view.pixels) > 5
    if not 0.03 < share(coloured) < 0.4:
        return None
    rows = np.flatnonzero(coloured.any(1))
    pixels, coloured = pixels[rows[0] : rows[-1] + 1], coloured[rows[0] : rows[-1] + 1]
    labels, boxes = label_areas(coloured)
    sizes = np.bincount(labels.ravel(), minlength=len(boxes) + 1)[1:]
    large = sorted((boxes[index] for index in np.flatnonzero(sizes > 0.5 * sizes.max())), key=lambda box: box[1].start)
    if len(large) != 2 or large[0][1].stop > large[1][1].start:
        return None
    left, right = (_read(pixels[box], coloured[box]) for box in large)
    if left is None or right is None:
        return None
    return Measurement(_relative(left, right))


def _read(crop: Pixels, coloured: Cells) -> float | None:
    """The contrast of a textured disc in its bounding box; `None` for another shape, and where it is even."""
    height, width = coloured.shape
    if abs(height - width) > 0.1 * width or not 0.7 < share(coloured) < 0.87 or width < 12:
        return None
    y, x = (np.abs(np.arange(length) + 0.5 - length / 2) / (length / 2 - 2) for length in (height, width))
    light = _LINEAR[crop[np.hypot(y[:, None], x) < 1]] @ _LUMINANCE
    dark, bright = np.percentile(light, (4, 96))
    if bright - dark < 0.02:
        return None
    return _michelson(dark, bright)


CASES = (
    Case(
        name="chubb",
        number=17,
        title="Chubb",
        category="color",
        sees="The disc on the noise of high contrast looks lower in contrast than the one on even gray.",
        truth="Both discs show the same texture with the same contrast.",
        source="Chubb, Sperling and Solomon 1989; VI-Probe, Table 4, case 17",
        factor=Factor(
            "relative difference in contrast of the discs, (left − right) / (left + right)",
            "percent",
            least=3.0,
            tolerance=2.0,
            grows=False,
        ),
        question="Does the speckled texture have the same contrast in both coloured discs?",
        question_reversed="Does the speckled texture differ in contrast between the two coloured discs?",
        comparison=TargetComparison(
            "In which of the two coloured discs does the texture have the higher contrast, the left or the right one?",
            "left",
            "right",
        ),
        state="of the same contrast",
        measurand="the lightest and the darkest shade within each coloured disc",
        sample=Chubb,
        geometry=_geometry,
        value=_value,
        regions=_regions,
        read=_measure,
        reads_chroma=False,
        departs=(
            "Published: asked as color; each picture has fresh noise; the mean changes along with the contrast; "
            "cells of one pixel."
        ),
    ),
)
