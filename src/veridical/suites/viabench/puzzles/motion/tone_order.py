"""Steps of four tones in the order that makes a still picture seem to drift, or in another: drawn, and read again.

In the first order, darkest, dark, brightest, bright, they seem to drift the way that it runs. In the second they get
brighter and darker alike, so that no way differs from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from veridical.media.draw import Item, Ring
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion.wheels import sectored_disk
from veridical.suites.viabench.puzzles.puzzle import Pixels, Variant
from veridical.suites.viabench.puzzles.shapes import color_mask

Way = int
"""1 where tones in the first order run to the right or clockwise, -1 where they run back, 0 in the second order."""
Box = tuple[slice, slice]
IN_COMMON: dict[str, Any] = {
    "category": "motion",
    "capability": "motion",
    "graded": "finer steps",
    "source": "ours, after Fraser & Wilcox 1979, Kitaoka & Ashida 2003 and Conway et al. 2005",
}
"""What records of these puzzles share."""
_PERIODS = ((32.0, 36.0), (28.0, 31.0), (24.0, 27.0))
_COARSE = 2.0
_ENDS: tuple[tuple[Colour, Colour], ...] = (
    ((18, 18, 20), (252, 252, 250)),
    ((14, 24, 78), (252, 248, 226)),
    ((66, 12, 22), (254, 240, 230)),
    ((6, 58, 52), (244, 252, 238)),
    ((54, 20, 84), (250, 242, 254)),
    ((82, 42, 4), (254, 246, 224)),
)
_BLUR = 1.15
_LEAST_SHARE = 0.02
_LEAST_STEPS = 6
_MOST_LINES = 24


class DriftTones(BaseItem):
    """The nuisances of four tones, and the length of a period in px, where the tones are to drift.

    The tones lie on a line between two colors, so that a blurred picture has one color. `step` is how far along it the
    dark tone lies from the darkest, and `thin` the darkest tone's share of a period.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.period = nuisances.px(*_PERIODS[grade - 1])
        self.ends = nuisances.one_of(_ENDS)
        self.step = nuisances.between(0.2, 0.32)
        self.thin = nuisances.between(0.19, 0.25)

    def length(self, variant: Variant) -> float:
        """A period in px: in the plain counterpart it is long, and hardly seems to drift."""
        return self.period if variant == "unusual" else _COARSE * self.period

    @property
    def ground(self) -> Colour:
        """The tone in the middle, which is also the mean of a period."""
        return self._tone(0.5)

    @property
    def rim(self) -> Colour:
        """The tone of thin lines between tracks."""
        return self._tone(0.42)

    def parts(self, way: Way, blur: float = 0.0) -> tuple[tuple[Colour, float], ...]:
        """The tones of one period and their shares, the same in both orders for borders without `blur`.

        Where borders are `blur` of a period wide, contrast is lost in proportion to the square of a step. Steps are
        smaller in the second order, which gets so much less of the darkest and brightest tone.
        """
        darkest, dark, brightest, bright = (self._tone(at) for at in (0, self.step, 1, 1 - self.step))
        lost = 0.0 if way else blur / 3 * (1 - 2 * self.step) / (1 - self.step)
        thin, wide = self.thin - lost, 0.5 - self.thin + lost
        if way:
            return ((darkest, thin), (dark, wide), (brightest, thin), (bright, wide))[::way]
        half = (dark, wide / 2), (bright, wide / 2)
        return (darkest, thin), *half, (brightest, thin), *half[::-1]

    def _tone(self, share: float) -> Colour:
        return mix_colors(*self.ends, share)


def band(width: int, period: float, phase: float, parts: Sequence[tuple[Colour, float]]) -> Pixels:
    """One row of pixels, shape (width, 3): steps of color from left to right, which end between two pixels.

    >>> band(5, 4.0, 0.0, [((0, 0, 0), 0.4), ((200, 200, 200), 0.6)])[:, 0].tolist()
    [0, 0, 200, 200, 0]
    """
    at = (phase + (np.arange(width) + 0.5) / period) % 1
    which = np.searchsorted(np.cumsum([share for _, share in parts])[:-1], at, side="right")
    return np.array([color for color, _ in parts], np.uint8)[which]


def fabric(
    rows: int, columns: int, height: float, tones: DriftTones, way: Way, variant: Variant, phases: np.random.Generator
) -> Pixels:
    """Bands of steps, about a height in px each, one below the other, each at a phase of its own."""
    count = max(1, round(rows / height))
    parts, period = tones.parts(way), tones.length(variant)
    bands = np.stack([band(columns, period, phase, parts) for phase in phases.random(count)])
    return np.asarray(bands[np.arange(rows) * count // rows])


def things(picture: Pixels) -> list[Box]:
    """The boxes of what is drawn on the ground, at least a sixteenth of the picture wide."""
    red, green, blue = picture[0, 0].tolist()
    labels, _ = ndimage.label(~color_mask(picture, (red, green, blue)))
    return [box for box in ndimage.find_objects(labels) if box[1].stop - box[1].start > len(picture) / 16]


def net_order(lines: Pixels, ground: Pixels) -> float | None:
    """Steps in the order that seems to drift along lines of pixels − steps against it, as a share of all: −1 to 1.

    Lines have the shape (n, length, 3). The tones are the four commonest colors but the ground's; what lies between
    two of them at a border counts as neither. `None` without four tones, or with fewer than 6 steps in a line.
    """
    codes, own = _codes(lines[:: 1 + len(lines) // _MOST_LINES]), _codes(ground)
    values, counts = np.unique(codes[codes != own], return_counts=True)
    tones = values[np.argsort(counts)[-4:]]
    if len(tones) < 4 or np.sort(counts)[-4] < _LEAST_SHARE * codes.size:
        return None
    by_light = tones[np.argsort([tone // 65536 + tone // 256 % 256 + tone % 256 for tone in tones])]
    drifting = by_light[[0, 1, 3, 2]]
    place = np.where(codes[..., None] == drifting, np.arange(4), 0).sum(-1)
    pure = np.isin(codes, drifting)
    steps = [np.diff(row[kept]) % 4 for row, kept in zip(place, pure, strict=True)]
    turns = np.concatenate([step[step > 0] for step in steps])
    if len(turns) < _LEAST_STEPS * len(codes):
        return None
    return float((turns == 1).mean() - (turns == 3).mean())


def _codes(colors: Pixels) -> NDArray[np.int64]:
    return np.asarray(colors.astype(np.int64) @ (65536, 256, 1))


def way_of(net: float | None) -> Way | None:
    """The way that steps run by their net order, `None` where it is neither clear nor none.

    >>> way_of(0.9), way_of(-1.0), way_of(0.1), way_of(0.6)
    (1, -1, 0, None)
    """
    if net is None or 0.5 < abs(net) < 0.8:
        return None
    return 0 if abs(net) <= 0.5 else 1 if net > 0 else -1


def circles(picture: Pixels, center: Point, inner: float, outer: float) -> Pixels:
    """The pixels clockwise along five circles between two radii, shape (5, 720, 3)."""
    angles, radii = np.arange(720) * (np.pi / 360), np.linspace(inner, outer, 5)[:, None]
    columns, rows = center[0] + radii * np.cos(angles), center[1] + radii * np.sin(angles)
    return np.asarray(picture[rows.astype(int), columns.astype(int)])


def track(
    center: Point, radii: tuple[float, float], periods: int, turn: float, tones: DriftTones, way: Way
) -> list[Item]:
    """A ring of steps within a thin rim, which covers their outer ends and what shines through there.

    What lies within the inner of two radii is to be covered.
    """
    inner, outer = radii
    rim = max(2.5, 0.012 * outer)
    blur = _BLUR * periods / (2 * np.pi * outer)
    steps = sectored_disk(center, (0.97 * inner, outer - rim / 2), periods, turn, tones.parts(way, blur))
    return [*steps, Ring(center, outer - rim / 2, rim, tones.rim)]
