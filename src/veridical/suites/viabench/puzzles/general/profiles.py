"""Vases whose sides are faces in profile or plain curves; how many faces there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects, label

from veridical.media.draw import Disc, Item, Polygon, Rectangle, Scene
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_AT = np.linspace(0, 1, 140)
_FACE = (
    (0.0, 0.0), (0.09, 0.042), (0.18, 0.07), (0.26, 0.078), (0.315, 0.052), (0.38, 0.082), (0.45, 0.138),
    (0.49, 0.16), (0.518, 0.146), (0.54, 0.092), (0.57, 0.094), (0.602, 0.118), (0.63, 0.09), (0.657, 0.112),
    (0.695, 0.074), (0.74, 0.108), (0.78, 0.092), (0.815, 0.028), (0.86, -0.026), (0.93, -0.05), (1.0, -0.09),
)  # fmt: skip
"""Heights from the hair to the neck, and how far a face reaches forward there, for a height of 1."""
_PLAIN = ((0.0, 0.0), (0.12, 0.02), (0.3, 0.07), (0.5, 0.13), (0.64, 0.15), (0.76, 0.1), (0.9, -0.03), (1.0, -0.09))
_COLORS: tuple[tuple[Colour, Colour, Colour], ...] = (
    ((250, 246, 234), (34, 42, 66), (206, 212, 220)),
    ((247, 233, 205), (92, 36, 40), (224, 216, 208)),
    ((238, 246, 240), (24, 74, 70), (218, 210, 196)),
    ((252, 240, 226), (64, 44, 92), (208, 204, 214)),
)
"""Of vases, of what lies beside them, and of the wall."""
_SKINS: tuple[tuple[Colour, Colour], ...] = (
    ((236, 188, 156), (92, 58, 40)),
    ((198, 142, 104), (38, 28, 26)),
    ((140, 92, 64), (28, 22, 22)),
    ((244, 208, 182), (184, 122, 54)),
)
_HAIR = ((-0.06, 0.0), (0.0, 0.1), (0.05, 0.17), (0.09, 0.26), (0.11, 0.36), (0.14, 0.46), (0.22, 0.56), (0.4, 0.74))
"""How far the hair reaches forward from a vase's rim, and the heights."""
_WOODS: tuple[Colour, ...] = ((70, 60, 54), (112, 88, 66), (150, 132, 110), (44, 44, 48))
_COUNTS = 4
_PANELS = {1: (2, 1), 2: (3, 1), 3: (2, 2)}


class VaseView(BaseItem):
    """The nuisances of one vase in one picture: its size and proportions, its place, its frame, and a face's skin."""

    def __init__(self, nuisances: Nuisances, height: float) -> None:
        self.height = height * nuisances.between(0.88, 1)
        self.half = nuisances.between(0.19, 0.225)
        self.nose = nuisances.between(0.92, 1.08)
        self.chin = nuisances.between(0.92, 1.1)
        self.panel = nuisances.between(0.84, 1)
        self.frame = nuisances.between(0.012, 0.032)
        self.waist = nuisances.between(0.75, 1.25)
        self.wood = nuisances.one_of(_WOODS)
        self.x, self.y = nuisances.between(-1, 1), nuisances.between(-1, 1)
        self.skin = nuisances.one_of(range(len(_SKINS)))


class Profiles(BaseItem):
    """The nuisances of a unit: how vases are arranged, the order in which sides become faces, each picture's views."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.columns, self.rows = _PANELS[grade]
        self.colors = tuple(nuisances.one_of(_COLORS) for _ in range(_COUNTS))
        heights = [nuisances.px(*((240, 312), (168, 208), (184, 226))[grade - 1]) for _ in range(_COUNTS)]
        self.views = tuple(
            tuple(VaseView(nuisances, height) for _ in range(self.columns * self.rows)) for height in heights
        )
        self.size = nuisances.size
        self.order = nuisances.scatter()


def _answers(profiles: Profiles) -> tuple[str, ...]:
    most = 2 * profiles.columns * profiles.rows
    return tuple(str(faces) for faces in range(most - _COUNTS + 1, most + 1))


def _reach(view: VaseView, *, face: bool) -> NDArray[np.float64]:
    """How far a side reaches toward the middle of its vase, for a height of 1."""
    heights, values = zip(*(_FACE if face else _PLAIN), strict=True)
    if not face:
        return view.waist * shapes.profile(heights, values, _AT)
    scaled = [
        value * (view.nose if 0.4 < at < 0.53 else view.chin if 0.7 < at < 0.8 else 1)
        for at, value in zip(heights, values, strict=True)
    ]
    return shapes.profile(heights, scaled, _AT)


def _draw(profiles: Profiles, answer: str, variant: Variant) -> tuple[Scene]:
    k, size = _answers(profiles).index(answer), profiles.size
    vase, beside, wall = profiles.colors[k]
    order = np.random.default_rng(profiles.order).permutation(2 * len(profiles.views[k]))
    faces = {int(side) for side in order[: int(answer)]}
    room, rows = size / profiles.columns, size / profiles.rows
    items: list[Item] = []
    for place, view in enumerate(profiles.views[k]):
        height, edge = view.height, view.frame * view.height
        width = max(min(0.92 * room - 0.03 * size, 0.98 * height) * view.panel, 2 * (view.half + 0.11) * height)
        x = room * (place % profiles.columns + 0.5) + view.x * max(0.0, room - width - 4 * edge) / 2
        top = rows * (place // profiles.columns + 0.5) - height / 2 + view.y * max(0.0, rows - height - 4 * edge) / 2
        items.append(Rectangle(x - width / 2 - edge, top - edge, x + width / 2 + edge, top + height + edge, view.wood))
        items.append(Rectangle(x - width / 2, top, x + width / 2, top + height, beside))
        curves = []
        for side in (0, 1):
            face = 2 * place + side in faces
            curve = (view.half - _reach(view, face=face)) * height
            curves.append(curve if side else -curve)
            if face and variant == "ordinary":
                items += _features(view, x, top, 1 if side else -1, width / 2)
        ys = top + _AT * height
        outline = np.concatenate([x + curves[0], (x + curves[1])[::-1]])
        items.append(shapes.polygon(outline, np.concatenate([ys, ys[::-1]]), vase))
    return (Scene(size, size, wall, tuple(items)),)


def _features(view: VaseView, x: float, top: float, way: int, half_width: float) -> list[Item]:
    """Skin, hair, an ear and an eye of a face that lies to one side of a vase."""
    skin, hair = _SKINS[view.skin]
    height = view.height
    side = sorted((x, x + way * half_width))

    def at(right: float, down: float) -> tuple[float, float]:
        return x + way * min((view.half + right) * height, half_width), top + down * height

    ear = (x + way * min((view.half + 0.135) * height, half_width - 0.036 * height), at(0, 0.44)[1])
    shade = mix_colors(skin, (120, 50, 30), 0.25)
    line = np.linspace(0, 1, 24)
    inward = shapes.profile([at_y for _, at_y in _HAIR], [at_x for at_x, _ in _HAIR], line * _HAIR[-1][1])
    hairline = [at(float(right), float(down)) for right, down in zip(inward, line * _HAIR[-1][1], strict=True)]
    return [
        Rectangle(side[0], top, side[1], top + height, skin),
        Polygon((*hairline, at(0.5, 0.74), at(0.5, 0.0)), hair),
        shapes.ellipse(ear, 0.032 * height, 0.052 * height, shade),
        shapes.ellipse(at(0.01, 0.355), 0.034 * height, 0.018 * height, (255, 255, 255)),
        Disc(at(0.0, 0.355), 0.016 * height, (40, 40, 48)),
        Polygon((at(-0.04, 0.29), at(0.06, 0.275), at(0.065, 0.29), at(-0.04, 0.31)), hair),
    ]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of vase sides with brow, nose and chin, from the outlines of all areas in a vase's color."""
    from scipy.signal import find_peaks  # it takes long to import, and plans read nothing

    picture = pictures[0]
    vase = next((vase for vase, _, wall in _COLORS if (picture[0, 0] == wall).all()), None)
    if vase is None:
        return None
    parts, _ = label(shapes.color_mask(picture, vase))
    faces = 0
    for number, box in enumerate(find_objects(parts), 1):
        inside = parts[box] == number
        if inside.shape[0] > len(picture) / 5:
            left, right = inside.argmax(1), inside[:, ::-1].argmax(1)
            faces += sum(len(find_peaks(edge, prominence=1)[0]) >= 3 for edge in (left, right))
    return str(faces) if str(faces) in answers else None


PROFILES = Puzzle(
    name="profiles",
    title="Faces and vases",
    category="general",
    capability="counting",
    sees="vases, each between two faces",
    truth="the number of sides of the vases that are drawn as a face in profile",
    source="ours, after Rubin 1915",
    graded="more vases",
    question="How many faces, seen from the side, are there in this picture?",
    sample=Profiles,
    answers=_answers,
    draw=_draw,
    prior=None,
    usual=lambda base, answer, variant: _answers(base)[-1] if variant == "unusual" else None,  # noqa: ARG005
    read=_read,
)
