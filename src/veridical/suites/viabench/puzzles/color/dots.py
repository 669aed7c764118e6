"""Fields of packed dots, in which text stands by hue alone or by lightness too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from numpy.typing import NDArray

from veridical.media.draw import Disc, Scene
from veridical.media.draw.scene import Colour
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.color.flats import lch, to_lab
from veridical.suites.viabench.puzzles.puzzle import Pixels

_FONT = FontProperties(fname=f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans-Bold.ttf")
_CANDIDATES, _GAP = 4000, 0.005
_LEVELS = (50.0, 55.0, 60.0, 65.0, 70.0)
"""Lightnesses that dots of the text and of its ground have alike."""
_STEP = 13.0
"""How much lighter or darker than these they are in the ordinary picture."""
_JITTER = (-6.0, 6.0)
"""Degrees of hue."""
_PAPERS: tuple[Colour, ...] = ((250, 247, 240), (243, 246, 250), (252, 252, 252))
_PACKINGS = 3
_TURNS = ((150.0, 210.0), (95.0, 125.0), (72.0, 86.0))
"""Degrees of hue between text and ground, by grade."""
_FINE = 1000
_SIDE = 200
_LIKE, _CLEAR = 0.55, 0.04


class DotField(BaseItem):
    """A field of dots: its half width in px, its half height over its half width, its packing and its colors.

    A height of 0 is a round field, `em` the letters' size over the half width. `hue` and `turn` are the hue angle of
    the ground and how far the text's lies from it, in degrees; `scatter` is the seed of the dots' lightness.
    """

    def __init__(self, nuisances: Nuisances, grade: int, height: float, em: float) -> None:
        self.size = nuisances.size
        self.radius = nuisances.between(0.44, 0.475) * self.size
        self.height = height
        self.em = em
        self.packing = nuisances.one_of(range(_PACKINGS))
        self.flipped = nuisances.one_of((False, True))
        self.hue = nuisances.between(0, 360)
        self.turn = nuisances.between(*_TURNS[grade - 1]) * nuisances.one_of((-1, 1))
        self.chroma = nuisances.between(*((36, 40), (33, 37), (31, 34))[grade - 1])
        self.paper = nuisances.one_of(range(len(_PAPERS)))
        self.scatter = nuisances.scatter()


@lru_cache(maxsize=2 * _PACKINGS)
def _packed(packing: int, height: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The centers and radii of dots of four sizes that do not touch, in a field whose half width is 1."""
    rng = np.random.default_rng(packing)
    centers, radii = np.empty((0, 2)), np.empty(0)
    for largest in (0.031, 0.027, 0.023, 0.019, 0.015):
        radius = largest * (0.74 if height else 1.0)
        tries = rng.uniform(-1, 1, (_CANDIDATES, 2)) * (1, height or 1)
        edge = np.hypot(*tries.T) if height == 0 else np.max(np.abs(tries) / (1, height), 1)
        tries = tries[edge < 1 - radius / (height or 1)]
        for chunk in np.array_split(tries, 16):
            apart = np.linalg.norm(chunk[:, None] - centers[None], axis=2) - radii
            free = chunk[(apart > radius + _GAP).all(1)] if len(centers) else chunk
            gaps = np.linalg.norm(free[:, None] - free[None], axis=2) < 2 * radius + _GAP
            kept: list[int] = []
            for k in range(len(free)):
                if not gaps[k, kept].any():
                    kept.append(k)
            centers = np.concatenate([centers, free[kept]])
            radii = np.concatenate([radii, np.full(len(kept), radius)])
    return centers, radii


@lru_cache(maxsize=64)
def _outlines(text: str) -> tuple[Path, ...]:
    """The closed outlines of bold text at 1 px per em, upright if y points down, its box centered on the origin."""
    path = TextPath((0, 0), text, size=1, prop=_FONT)
    box = path.get_extents()
    middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    scaled = Path(np.array(path.vertices) * _FINE, path.codes)
    return tuple(Path((np.asarray(each) / _FINE - middle) * (1, -1)) for each in scaled.to_polygons())


def _inside(text: str, points: NDArray[np.float64], em: float) -> NDArray[np.bool_]:
    """Whether the points lie inside a letter; an outline within another is a hole."""
    inside = np.zeros(len(points), bool)
    for outline in _outlines(text):
        inside ^= outline.contains_points(points / em)
    return inside


def field_scene(field: DotField, text: str, *, by_lightness: bool) -> Scene:
    """The field with its text: every dot that has its center inside a letter has the text's hue.

    With `by_lightness` the text's dots are darker too, by an L* of twice 13.
    """
    centers, radii = _packed(field.packing, field.height)
    places = centers * (-1 if field.flipped else 1, 1)
    rng = np.random.default_rng(field.scatter)
    levels, jitters = rng.integers(len(_LEVELS), size=len(places)), rng.integers(len(_JITTER), size=len(places))
    inside = _inside(text, places, field.em)
    step = _STEP if by_lightness else 0.0
    middle = field.size / 2
    at, sizes = (places * field.radius + middle).tolist(), (radii * field.radius).tolist()
    dots = []
    for drawn in (False, True):
        for level, shade in enumerate(_LEVELS):
            for jitter, angle in enumerate(_JITTER):
                tone = lch(shade + (-step if drawn else step), field.chroma, field.hue + angle + drawn * field.turn)
                chosen = np.flatnonzero((inside == drawn) & (levels == level) & (jitters == jitter))
                dots += [Disc((at[k][0], at[k][1]), sizes[k], tone) for k in chosen.tolist()]
    return Scene(field.size, field.size, _PAPERS[field.paper], tuple(dots))


@lru_cache(maxsize=32)
def _template(text: str, em: float) -> NDArray[np.bool_]:
    grid = (np.arange(_SIDE) + 0.5) / _SIDE * 2 - 1
    points = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    return _inside(text, points, em).reshape(_SIDE, _SIDE)


def read_text(picture: Pixels, answers: Sequence[str], em: float) -> str | None:
    """The answer whose letters cover what has a hue of its own; `em` is the letters' size over the half width."""
    step = max(1, len(picture) // _SIDE)
    small = picture[step // 2 :: step, step // 2 :: step]
    rows, columns = np.nonzero(np.abs(small.astype(int) - small[0, 0]).sum(2) > 40)
    if len(rows) < small.shape[0] * small.shape[1] // 8:
        return None
    chroma = to_lab(small[rows, columns])[:, 1:]
    chroma -= chroma.mean(0)
    along = chroma @ np.linalg.svd(chroma.T @ chroma)[0][0]
    low, high = np.percentile(along, (4, 96))
    drawn = along > (low + high) / 2
    drawn = ~drawn if drawn.mean() > 0.5 else drawn
    half = (columns.max() - columns.min() + 1) / 2
    places = [
        np.clip(((each - (each.max() + each.min()) / 2) / half + 1) / 2 * _SIDE, 0, _SIDE - 1).astype(int)
        for each in (rows, columns)
    ]
    scores = {}
    for answer in answers:
        covered = _template(answer, em)[places[0], places[1]]
        spread = covered.std() * drawn.std()
        scores[answer] = float(((covered - covered.mean()) * (drawn - drawn.mean())).mean() / spread) if spread else 0.0
    best, second, *_ = sorted(scores.values(), reverse=True)
    return max(scores, key=scores.__getitem__) if best > _LIKE and best - second > _CLEAR else None
