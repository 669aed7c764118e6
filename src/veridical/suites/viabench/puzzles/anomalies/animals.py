"""Animals from the side with three to six legs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Scene
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.outline import (
    Points,
    closed_curve,
    layer,
    polygon,
    smooth_line,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.species import SPECIES, Species
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_PLACES: tuple[tuple[Colour, Colour], ...] = (
    ((214, 232, 242), (168, 200, 140)),
    ((246, 232, 208), (214, 188, 138)),
    ((226, 236, 232), (184, 196, 160)),
    ((238, 228, 236), (198, 178, 176)),
    ((190, 214, 232), (238, 242, 246)),
    ((206, 224, 226), (118, 142, 104)),
    ((236, 240, 240), (150, 128, 104)),
)
_DOWN = np.array([1.0, 0.78, 0.52, 0.3, 0.12, 0.0])
_SEEN = 12


class Animal(BaseItem):
    """The nuisances of an animal; `step` is the distance between neighboring feet of a pair."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.kind = nuisances.one_of(range(len(SPECIES)))
        species, self.size = SPECIES[self.kind], nuisances.size
        self.mirrored = nuisances.one_of((False, True))
        xs = [x for x, _ in species.body + species.tail]
        wide, middle = max(xs) - min(xs), (max(xs) + min(xs)) / 2
        self.unit = nuisances.px(*((400, 440), (350, 395), (305, 355))[grade - 1]) / max(wide, species.top)
        free = min(0.07 * self.size, max(0.0, 0.46 * self.size - 0.5 * self.unit * species.top))
        self.species = species.name
        self.step = nuisances.between(*((1.75, 1.95), (1.6, 1.8), (1.58, 1.7))[grade - 1])
        self.fore = nuisances.one_of((False, True))
        self.swing = nuisances.between(-0.03, 0.03)
        self.coat = nuisances.one_of(range(3))
        self.place = nuisances.one_of(range(len(_PLACES)))
        self.x = nuisances.between(0.48, 0.52) * self.size + (middle if self.mirrored else -middle) * self.unit
        self.y = 0.5 * self.size + 0.5 * self.unit * species.top + nuisances.between(-1, 1) * free
        self.grade = grade


def _leg(species: Species, animal: Animal, middle: float, place: float, *, hind: bool) -> Points:
    """The outline of a leg; `place` counts steps from the middle of its pair."""
    foot = middle + place * animal.step * species.stride + animal.swing * (1 if hind else -1)
    top = middle + 0.35 * place * species.stride
    bend = np.array(species.bend) * (1.0 if hind else -0.25)
    spine = foot + (top - foot) * _DOWN + bend
    half = np.array(species.widths) * species.leg / 2
    heights = _DOWN * species.height
    front = np.stack([spine + half, heights], 1)
    back = np.stack([spine - half, heights], 1)
    front[-1, 0] += 0.16 * species.leg
    return smooth_line(np.concatenate([front, back[::-1]]), 0.01, 0.012)


def _legs(animal: Animal, count: int) -> tuple[list[Points], list[Points]]:
    """The far legs and the near legs; each of them is seen for itself."""
    species = SPECIES[animal.kind]
    more, fewer = {3: (2, 1), 4: (2, 2), 5: (3, 2), 6: (3, 3)}[count]
    far: list[Points] = []
    near: list[Points] = []
    for hind in (False, True):
        legs = more if hind != animal.fore else fewer
        for k in range(legs):
            leg = _leg(species, animal, species.hind if hind else species.fore, k - (legs - 1) / 2, hind=hind)
            (far if k % 2 else near).append(leg)
    return far, near


def _draw(animal: Animal, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (the answer has one variant)
    species, size = SPECIES[animal.kind], animal.size
    coat, (sky, grass) = species.coats[animal.coat], _PLACES[animal.place]
    _, shaded, edge = coat

    def put(points: Points) -> Points:
        return to_pixels(points, animal.unit, 0, (animal.x, animal.y), mirrored=animal.mirrored)

    far, near = _legs(animal, int(answer))
    line, shift = max(1.2, 0.009 * animal.unit), (0.026 * animal.unit, 0.022 * animal.unit)
    picture = np.empty((size, size, 3), np.uint8)
    picture[...] = sky
    picture[round(animal.y - 0.09 * animal.unit) :] = grass
    _shadow(picture, animal, grass)
    dim = (shaded, mix_colors(shaded, edge, 0.3), edge)
    layer(picture, [put(leg) for leg in far], dim, line, shift)
    body = closed_curve(species.body, 0.012)
    tail = put(closed_curve(species.tail, 0.012))
    layer(picture, [tail], dim, line, shift)
    layer(picture, [put(body), *(put(leg) for leg in near)], coat, line, shift)
    items = [Patch(0, 0, picture), *_details(animal, species, [*far, *near], line, put)]
    return (Scene(size, size, sky, tuple(items)),)


def _shadow(picture: Pixels, animal: Animal, grass: Colour) -> None:
    """A flat shadow on the ground under the feet."""
    middle, reach, depth = animal.x, 0.62 * animal.unit, 0.035 * animal.unit
    for row in range(round(animal.y - depth), min(round(animal.y + depth), animal.size)):
        half = reach * max(0.0, 1 - ((row - animal.y) / depth) ** 2) ** 0.5
        picture[row, max(0, round(middle - half)) : round(middle + half)] = mix_colors(grass, (60, 60, 50), 0.22)


def _details(
    animal: Animal, species: Species, legs: list[Points], line: float, put: Callable[[Points], Points]
) -> list[Item]:
    lit, shaded, edge = species.coats[animal.coat]
    items: list[Item] = []
    for leg in legs:
        hoof = leg[leg[:, 1] < 0.075 * species.height]
        items.append(polygon(put(hoof), species.hoof))
        items.append(stroke(put(leg[leg[:, 1] < 0.09 * species.height]), line, edge))
    for shapes, color in (
        (species.spots, mix_colors(shaded, edge, 0.75)),
        (species.dark, edge),
        (species.pale, (244, 236, 216)),
    ):
        for shape in shapes:
            points = put(closed_curve(shape, 0.01))
            items += [polygon(points, color)]
            if shapes is species.pale:
                items.append(stroke(points, 0.8 * line, edge, closed=True))
    ear = put(closed_curve(species.ear, 0.01))
    items += [polygon(ear, mix_colors(lit, shaded, 0.6)), stroke(ear, line, edge, closed=True)]
    eye = put(np.array([species.eye]))[0].tolist()
    items.append(Disc((eye[0], eye[1]), 0.017 * animal.unit, (32, 26, 24)))
    items.append(
        Disc((eye[0] - 0.005 * animal.unit, eye[1] - 0.006 * animal.unit), 0.006 * animal.unit, (255, 255, 255))
    )
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of parts into which the animal falls between its feet and its belly, if it does in several rows."""
    picture = pictures[0].astype(np.int16)
    seen = np.abs(picture - picture[:, :1]).sum(2) > _SEEN
    seen[:, 1:-1] |= seen[:, :-2] & seen[:, 2:]  # a soft edge can happen to have the ground's color
    rows = np.flatnonzero(seen.any(1))
    if len(rows) < len(picture) // 4:
        return None
    top, bottom = rows[0], rows[-1]
    low, high = (round(bottom - share * (bottom - top)) for share in (0.25, 0.06))
    starts = np.count_nonzero(np.diff(seen[low:high].astype(np.int8), axis=1) == 1, axis=1)
    rows_of = np.bincount(starts)
    count = np.flatnonzero(rows_of >= max(2, 0.025 * (bottom - top)))[-1]
    return possible_answer(count, answers)


ANIMALS = Puzzle(
    name="animals",
    title="Animal",
    sees="an animal, which has four legs",
    truth="the number of legs that are drawn: 3, 4 or 5, or from 3 to 6",
    graded="a smaller animal, legs closer together, more possible numbers",
    question="How many legs does the {species} in the image have?",
    sample=Animal,
    draw=_draw,
    **counting_puzzle(lambda animal: 4, lambda animal: ("3", "4", "5") if animal.grade < 3 else ("3", "4", "5", "6")),  # noqa: ARG005
    read=_read,
)
