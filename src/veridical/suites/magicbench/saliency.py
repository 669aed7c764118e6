"""Relative spatial density: how much denser a saliency map is in a box than outside it.

`veridical magicbench density` reads maps as arrays from one NPZ file for each clip and holds them against the critical
and the placebo boxes of its frames.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.errors import InputError
from veridical.records import Stimulus
from veridical.suites.magicbench.asking.aids import box_at

Floats = NDArray[np.float64]
Rectangle = tuple[float, float, float, float]
_LARGEST = 2**30
"""The most bytes of the arrays of one file."""


def clip_density(maps: Sequence[ArrayLike], boxes: Sequence[Sequence[float]]) -> float | None:
    """The density of several frames together: masses and areas are summed before they are divided.

    >>> clip_density([np.ones((2, 2)), np.zeros((2, 2))], [(0, 0, 1, 1), (0, 0, 1, 1)])
    1.0
    """
    return _ratio([_masses(_map(each), box) for each, box in zip(maps, boxes, strict=True)])


def _map(saliency: ArrayLike) -> Floats:
    values = np.asarray(saliency)
    if values.ndim != 2 or not values.size or values.dtype.kind not in "uif":
        raise InputError(f"a saliency map has shape (height, width) and numbers, not {values.shape} {values.dtype}")
    made = values.astype(np.float64)
    if not np.isfinite(made).all() or made.min() < 0:
        raise InputError("a saliency map has finite numbers from 0 on: this one has others")
    return made


def _masses(saliency: Floats, box: Sequence[float]) -> tuple[float, float, float, float]:
    """Mass and area in the box, mass and area outside."""
    height, width = saliency.shape
    across, down = _covered(width, box[0], box[2]), _covered(height, box[1], box[3])
    area, mass = float(across.sum() * down.sum()), float(down @ saliency @ across)
    if not 0 < area < height * width:
        where = ", ".join(f"{each:g}" for each in box)
        raise InputError(f"box {where} has no area on a map of {width}x{height}, or covers all of it")
    return mass, area, max(0.0, float(saliency.sum()) - mass), height * width - area


def _covered(length: int, start: float, end: float) -> Floats:
    """How much of each pixel of a row lies between two places."""
    edges = np.arange(length + 1, dtype=np.float64)
    covered: Floats = np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], start), 0.0, 1.0)
    return covered


def _ratio(rows: Sequence[tuple[float, float, float, float]]) -> float | None:
    mass, area, other_mass, other_area = (math.fsum(column) for column in zip(*rows, strict=True))
    if not mass + other_mass > 0:
        return None
    return math.inf if other_mass <= 0 else (mass / area) / (other_mass / other_area)


@dataclass(frozen=True)
class Density:
    """The densities of a clip's maps in its critical and in its placebo boxes, over so many frames that have both."""

    stimulus: str
    frames: int
    critical: float | None
    placebo: float | None


def densities(stimuli: Sequence[Stimulus], folder: Path) -> Iterator[Density]:
    """The densities of all clips whose maps stand in a folder as `STIMULUS.npz`, in the order of the set.

    A file has the arrays `times`, in seconds, shape (n,), and `saliency`, shape (n, height, width), in the shape of the
    clip at any scale. Frames without boxes do not count. Raises `InputError`, which names the file, for other files,
    and for a folder without a file of any of these clips.
    """
    held = [(stimulus, folder / f"{stimulus.id}.npz") for stimulus in stimuli]
    held = [(stimulus, path) for stimulus, path in held if path.is_file()]
    if not held:
        raise InputError(f"{folder} has no maps of these clips: STIMULUS.npz is needed, such as {stimuli[0].id}.npz")
    for stimulus, path in held:
        try:
            yield _density(stimulus, path)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None


def _density(stimulus: Stimulus, path: Path) -> Density:
    arrays = _read(path)
    times, maps = arrays["times"], arrays["saliency"]
    if times.ndim != 1 or maps.ndim != 3 or len(times) != len(maps) or times.dtype.kind not in "uif":
        raise InputError(
            "times of shape (n,), in seconds, and saliency of shape (n, height, width) are needed, "
            f"not {times.shape} {times.dtype} and {maps.shape}"
        )
    medium = stimulus.media[0]
    scale = maps.shape[2] / medium.width, maps.shape[1] / medium.height
    if abs(scale[0] / scale[1] - 1) > _SHAPE:
        raise InputError(f"maps of {maps.shape[2]}x{maps.shape[1]} have another shape than the clip")
    both = []
    for time, saliency in zip(times.tolist(), maps, strict=True):
        pair = [_scaled(stimulus, name, time, scale) for name in ("critical", "placebo")]
        if pair[0] is not None and pair[1] is not None:
            both.append((saliency, pair[0], pair[1]))
    if not both:
        return Density(stimulus.id, 0, None, None)
    shown, critical, placebo = zip(*both, strict=True)
    return Density(stimulus.id, len(both), clip_density(shown, critical), clip_density(shown, placebo))


_SHAPE = 0.02
"""How much the aspect ratio of a map may differ from the clip's."""


def _scaled(stimulus: Stimulus, name: str, time: float, scale: tuple[float, float]) -> Rectangle | None:
    if not math.isfinite(time):
        raise InputError(f"time {time}: a finite number of seconds is needed")
    box = box_at(stimulus.truth[name] or (), Fraction(time))
    return None if box is None else (box[0] * scale[0], box[1] * scale[1], box[2] * scale[0], box[3] * scale[1])


def _read(path: Path) -> Mapping[str, NDArray[np.generic]]:
    try:
        with zipfile.ZipFile(path) as file:
            if sum(each.file_size for each in file.infolist()) > _LARGEST:
                raise InputError("more than 1 GB of arrays")
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in ("times", "saliency")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError("an NPZ file with the arrays 'times' and 'saliency' is needed") from error
