"""Change detection in two pictures: fixed marks, steps of luminance, and the shift of a profile between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.media.draw import Polygon
from veridical.media.draw.scene import Colour, Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Base, Pixels, Variant, illusion
from veridical.suites.viabench.puzzles.shapes import color_mask

MARK: Colour = (224, 36, 68)
"""The color of the fixed marks, which no pattern has."""
GROUNDS: tuple[Colour, ...] = ((236, 232, 222), (226, 230, 234), (214, 214, 210), (240, 238, 236))
Inks = tuple[Colour, Colour, Colour, Colour]
INKS: tuple[Inks, ...] = (
    ((18, 18, 24), (38, 66, 176), (252, 252, 250), (224, 198, 52)),
    ((20, 16, 26), (104, 44, 148), (252, 252, 250), (146, 208, 92)),
    ((14, 22, 22), (16, 92, 96), (252, 252, 250), (242, 176, 120)),
    ((24, 18, 16), (116, 60, 34), (252, 252, 250), (136, 200, 226)),
)
"""Darkest, dark, brightest, and bright: in this order they seem to drift."""
_WAVES, _DEPTH = 1.6, 0.24
_SLOW = 5
"""What is drawn repeats more often along a profile, and light does not."""
_TEXTURE = 12.0
_ALIKE = 0.6
_APART = 0.5


def steps(inks: Inks, variant: Variant) -> tuple[tuple[Colour, float], ...]:
    """The colors of one period and their shares: rising, falling steps that differ, or steps alike both ways.

    Both have as much of each color.
    """
    darkest, dark, brightest, bright = inks
    if variant == "unusual":
        return (darkest, 0.18), (dark, 0.32), (brightest, 0.18), (bright, 0.32)
    return (darkest, 0.18), (dark, 0.16), (bright, 0.16), (brightest, 0.18), (bright, 0.16), (dark, 0.16)


def layers(parts: Sequence[tuple[Colour, float]]) -> list[tuple[Colour, float, float]]:
    """Colors to paint one after the other over the first, each with its start and end as shares of a period.

    Each reaches half under the next, so that no border shows what lies beneath.
    """
    ends = np.cumsum([share for _, share in parts]).tolist()
    over = [end + share / 2 for end, (_, share) in zip(ends, parts[1:], strict=False)]
    return [
        (color, end - share, reach)
        for (color, share), end, reach in zip(parts[1:], ends[1:], [*over[1:], ends[-1]], strict=True)
    ]


def pointers(center: Point, radius: float, length: float) -> tuple[Polygon, ...]:
    """Four marks round a disk that point at it; their tips lie at the radius."""
    marks = []
    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        tip = (center[0] + radius * dx, center[1] + radius * dy)
        back = (tip[0] + length * dx, tip[1] + length * dy)
        side = (-dy * length * 0.5, dx * length * 0.5)
        corners = (tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1]))
        marks.append(Polygon(corners, MARK))
    return tuple(marks)


def mark_boxes(picture: Pixels) -> list[tuple[slice, slice]]:
    """The boxes of the marks in a picture, from left to right."""
    labels, _ = ndimage.label(color_mask(picture, MARK))
    return sorted(ndimage.find_objects(labels), key=lambda box: (box[1].start, box[0].start))


def dial(picture: Pixels) -> tuple[Point, float] | None:
    """The center and outer radius of four marks round a disk, `None` where there are none."""
    boxes = mark_boxes(picture)
    if len(boxes) != 4:
        return None
    tops, bottoms = [box[0].start for box in boxes], [box[0].stop for box in boxes]
    lefts, rights = [box[1].start for box in boxes], [box[1].stop for box in boxes]
    center = (min(lefts) + max(rights)) / 2, (min(tops) + max(bottoms)) / 2
    width, height = max(rights) - min(lefts), max(bottoms) - min(tops)
    return (center, width / 2) if abs(width - height) <= 3 else None


def profile_at(picture: Pixels, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the channels at points of a picture; points outside it get the nearest pixel's."""
    rows = np.clip(ys.astype(int), 0, picture.shape[0] - 1)
    columns = np.clip(xs.astype(int), 0, picture.shape[1] - 1)
    return np.asarray(picture[rows, columns].mean(-1), float)


def round_circle(picture: Pixels, share: float) -> NDArray[np.float64] | None:
    """The profile along a circle with a share of the radius of the marks, at 1440 points."""
    place = dial(picture)
    if place is None:
        return None
    (x, y), radius = place
    angles = np.arange(1440) * (2 * math.pi / 1440)
    return profile_at(picture, x + share * radius * np.cos(angles), y + share * radius * np.sin(angles))


def read_motion(
    pictures: Sequence[Pixels],
    profile: Callable[[Pixels], NDArray[np.float64] | None],
    least: float,
    shift: Callable[[NDArray[np.float64], NDArray[np.float64]], float | None] | None = None,
) -> str | None:
    """ "Yes" if a profile is shifted between the pictures by at least so many points, "No" if by less than half.

    `None` where marks or texture are missing, or where the difference is no shift.
    """
    if len(pictures) != 2 or pictures[0].shape != pictures[1].shape:
        return None
    first, second = map(profile, pictures)
    if first is None or second is None or min(first.std(), second.std()) < _TEXTURE:
        return None
    if not np.array_equal(color_mask(pictures[0], MARK), color_mask(pictures[1], MARK)):
        return None
    points = (shift or _circular)(first, second)
    if points is None or least / 2 <= points < least:
        return None
    return YES if points >= least else NO


def open_shift(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """The least shift, in points, that makes the rows of two arrays alike where they overlap."""
    most = first.shape[1] // 6
    first, second = ((rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True) for rows in (first, second))
    apart = {
        shift: float(np.abs(_shifted(first, shift) - _shifted(second, -shift)).mean())
        for shift in range(-most, most + 1)
    }
    best = min(apart, key=lambda shift: (apart[shift], abs(shift)))
    return abs(best) if apart[best] < _APART else None


def _shifted(rows: NDArray[np.float64], shift: int) -> NDArray[np.float64]:
    return rows[:, shift:] if shift >= 0 else rows[:, :shift]


def _circular(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """The least circular shift, in points, that makes two profiles alike."""
    spectra = [np.fft.rfft(_unlit(profile)) for profile in (first, second)]
    alike = np.fft.irfft(spectra[0].conj() * spectra[1], len(first)) / len(first)
    if alike.max() < _ALIKE:
        return None
    best = np.flatnonzero(alike > alike.max() - 0.01)
    return float(np.minimum(best, len(first) - best).min())


def _unlit(profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of a profile without the waves of light, which are longer than what is drawn, in standard units."""
    spectrum = np.fft.rfft(np.log(profile + 1))
    spectrum[: _SLOW + 1] = 0
    drawn = np.fft.irfft(spectrum, len(profile))
    return np.asarray(drawn / drawn.std(), float)


class Light(BaseItem):
    """The dappled light in which one picture is taken: its mean, and waves of brightness over the picture."""

    def __init__(self, nuisances: Nuisances) -> None:
        self.level = nuisances.between(0.66, 0.75)
        self.waves = tuple(
            (nuisances.between(-_WAVES, _WAVES), nuisances.between(-_WAVES, _WAVES), nuisances.between(0, 2 * math.pi))
            for _ in range(5)
        )

    def on(self, picture: Pixels) -> Pixels:
        """The picture in this light, all but its marks."""
        rows, columns = (np.linspace(0, 2 * math.pi, side) for side in picture.shape[:2])
        across, down, phase = np.array(self.waves).T
        waves = np.exp(1j * np.outer(rows, down)) @ np.exp(1j * (np.outer(across, columns) + phase[:, None]))
        light = (self.level + _DEPTH / len(self.waves) * waves.real).astype(np.float32)
        lit = np.empty_like(picture)
        for channel in range(3):
            np.multiply(picture[..., channel], light, out=lit[..., channel], casting="unsafe")
        lit[color_mask(picture, MARK)] = MARK
        return lit


def lights(nuisances: Nuisances) -> tuple[tuple[Light, Light], ...]:
    """The light of the first and the second picture, for each of two answers.

    It changes in between whatever moves, so that not just any difference tells of a motion.
    """
    return tuple((Light(nuisances), Light(nuisances)) for _ in (YES, NO))


def two_frames(frame: Callable[..., Pixels], motion: Callable[[Base], Base], still: Base = 0.0) -> dict[str, Any]:
    """What puzzles of change detection share: `frame` draws one of a base item, after a motion, in a variant.

    The first is drawn after `still`, which is none, and the second after that or the motion of the base item. Both are
    taken in a light of their own, one of the base item's `lights`.
    """

    def draw(base: Base, answer: str, variant: Variant) -> tuple[Pixels, Pixels]:
        first, second = base.lights[answer == NO]
        moved = still if answer == NO else motion(base)
        return first.on(frame(base, still, variant)), second.on(frame(base, moved, variant))

    return {"category": "motion", "capability": "motion", "draw": draw, "pictures": 2, "usual": illusion(YES)}
