"""Relative spatial density: how much denser a saliency map is in a box than in the rest of what is seen.

`veridical magicbench density` reads maps as arrays from one NPZ file for each clip and holds them against the critical
and the placebo boxes of its frames.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from veridical.errors import InputError
from veridical.media.pictures import pixel_shares
from veridical.records import Json, Stimulus
from veridical.suites.magicbench.asking.aids import box_at

Floats = NDArray[np.float64]
Rectangle = tuple[float, float, float, float]
SEEN = 0.5
"""The part of a box that must be seen, at least."""
_LARGEST = 2**30
"""The most bytes of the arrays of one file."""


def clip_density(
    maps: Sequence[ArrayLike], boxes: Sequence[Sequence[float]], seen: ArrayLike | None = None
) -> float | None:
    """The density of several frames together: masses and areas are summed before they are divided.

    Neither mass nor area counts where nothing is `seen`: how much of each pixel of a map is, 0 to 1 (default: all).
    `None` without any mass.

    >>> clip_density([np.ones((2, 2)), np.zeros((2, 2))], [(0, 0, 1, 1), (0, 0, 1, 1)])
    1.0
    >>> clip_density([[[1, 0, 5]]], [(0, 0, 1, 1)], [[1, 1, 0]])
    inf
    """
    shown = [_map(each) for each in maps]
    part = [np.ones(each.shape) if seen is None else np.asarray(seen, np.float64) for each in shown]
    return _ratio([_masses(*each) for each in zip(shown, boxes, part, strict=True)])


def seen_share(box: Sequence[float], seen: ArrayLike) -> float:
    """How much of a box on a map is seen, 0 to 1; what of it lies outside of the map is not.

    >>> seen_share((1, 0, 3, 1), [[0, 1, 0, 0]])
    0.5
    """
    across, down = _covered(box, np.shape(seen))
    area = (box[2] - box[0]) * (box[3] - box[1])
    return float(down @ np.asarray(seen, np.float64) @ across) / area if area > 0 else 0.0


def _map(saliency: ArrayLike) -> Floats:
    values = np.asarray(saliency)
    if values.ndim != 2 or not values.size or values.dtype.kind not in "uif":
        raise InputError(f"a saliency map has shape (height, width) and numbers, not {values.shape} {values.dtype}")
    made = values.astype(np.float64)
    if not np.isfinite(made).all() or made.min() < 0:
        raise InputError("a saliency map has finite numbers from 0 on: this one has others")
    return made


def _masses(saliency: Floats, box: Sequence[float], seen: Floats) -> tuple[float, float, float, float]:
    """Mass and area in the box, mass and area outside, of what is seen."""
    across, down = _covered(box, saliency.shape)
    saliency = np.where(seen > 0, saliency, 0.0)
    area, mass, whole = float(down @ seen @ across), float(down @ saliency @ across), float(seen.sum())
    if not 0 < area < whole * (1 - 1e-9):
        where, (height, width) = ", ".join(f"{each:g}" for each in box), saliency.shape
        raise InputError(f"box {where} has no area on a map of {width}x{height}, or covers all of it")
    return mass, area, max(0.0, float(saliency.sum()) - mass), whole - area


def _covered(box: Sequence[float], shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """How much of each column and of each row of a map a box covers."""
    return pixel_shares(shape[1], box[0], box[2]), pixel_shares(shape[0], box[1], box[3])


def _ratio(rows: Sequence[tuple[float, float, float, float]]) -> float | None:
    mass, area, other_mass, other_area = (math.fsum(column) for column in zip(*rows, strict=True))
    if not mass + other_mass > 0:
        return None
    return math.inf if other_mass <= 0 else (mass / area) / (other_mass / other_area)


@dataclass(frozen=True)
class Density:
    """The densities of a clip's maps in its critical and in its placebo boxes, over so many frames that have both.

    A box of which less than half is seen counts in no density: `unseen` and `unseen_placebo` count its frames.
    """

    stimulus: str
    frames: int
    critical: float | None
    placebo: float | None
    unseen: int = 0
    unseen_placebo: int = 0

    @property
    def not_seen(self) -> bool:
        """Whether the critical region is not seen in any frame."""
        return 0 < self.frames == self.unseen

    def stated(self) -> dict[str, Json]:
        """The density as JSON, which has no infinity."""
        return {name: "infinite" if value == math.inf else value for name, value in asdict(self).items()}


def densities(stimuli: Sequence[Stimulus], folder: Path) -> Iterator[Density]:
    """The densities of all clips whose maps stand in a folder as `STIMULUS.npz`, in the order of the set.

    A file has the arrays `times`, in seconds, shape (n,), and `saliency`, shape (n, height, width), in the shape of the
    clip at any scale. It may have `seen`, shape (height, width): how much of each pixel the model sees, 0 to 1, or
    whether it does. Frames without boxes do not count. Raises `InputError`, which names the file, for other files,
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
    seen = _seen(arrays.get("seen"), maps.shape[1:])
    critical, unseen = _over_frames([(shown, box) for shown, box, _ in both], seen)
    placebo, unseen_placebo = _over_frames([(shown, box) for shown, _, box in both], seen)
    return Density(stimulus.id, len(both), critical, placebo, unseen, unseen_placebo)


def _over_frames(boxed: Sequence[tuple[Floats, Rectangle]], seen: Floats | None) -> tuple[float | None, int]:
    """The density over the frames whose box is seen, and the number of the others."""
    shown = [each for each in boxed if seen is None or seen_share(each[1], seen) >= SEEN]
    density = clip_density([each for each, _ in shown], [box for _, box in shown], seen) if shown else None
    return density, len(boxed) - len(shown)


def _seen(stored: NDArray[np.generic] | None, shape: tuple[int, ...]) -> Floats | None:
    if stored is None:
        return None
    if stored.shape != shape or stored.dtype.kind not in "buif":
        raise InputError(f"seen of shape {shape} is needed, 0 to 1, not {stored.shape} {stored.dtype}")
    seen = stored.astype(np.float64)
    if not (seen >= 0).all() or not (seen <= 1).all():
        raise InputError("seen has numbers from 0 to 1: this one has others")
    return seen


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
            own = ("times", "saliency", *(name for name in ("seen",) if name in stored.files))
            return {name: stored[name] for name in own}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError("an NPZ file with the arrays 'times' and 'saliency' is needed") from error
