"""Animals from the side with three to six legs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Scene, rasterise
from veridical.media.draw.scene import Colour
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.further_species import FURTHER_SPECIES
from veridical.suites.viabench.puzzles.anomalies.outline import (
    Points,
    closed_curve,
    layer,
    parts_on_ground,
    polygon,
    smooth_line,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.species import SPECIES, Species, Tones
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

PLACES: tuple[tuple[Colour, Colour], ...] = (
    ((214, 232, 242), (168, 200, 140)),
    ((246, 232, 208), (222, 196, 132)),
    ((226, 236, 232), (184, 196, 160)),
    ((238, 228, 236), (198, 178, 176)),
    ((190, 214, 232), (238, 242, 246)),
    ((206, 224, 226), (118, 142, 104)),
    ((236, 240, 240), (150, 128, 104)),
)
ALL_SPECIES = (*SPECIES, *FURTHER_SPECIES)
_DOWN = np.array([1.0, 0.78, 0.52, 0.3, 0.12, 0.0])


class Animal(BaseItem):
    """The nuisances of an animal; `step` is the distance between neighboring feet of a pair.

    Of each picture, `horizons` has how far above the feet the ground ends, and `swings` how far hind feet stand back.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.kind = nuisances.one_of(range(len(ALL_SPECIES)))
        species, self.size = ALL_SPECIES[self.kind], nuisances.size
        self.mirrored = nuisances.one_of((False, True))
        xs = [x for x, _ in species.body + species.tail]
        self.wide, middle = max(xs) - min(xs), (max(xs) + min(xs)) / 2
        self.unit = nuisances.px(*((400, 440), (350, 395), (305, 355))[grade - 1]) / max(self.wide, species.top)
        self.species = species.name
        self.step = nuisances.between(*((1.75, 1.95), (1.6, 1.8), (1.58, 1.7))[grade - 1])
        self.fore = nuisances.one_of((False, True))
        self.coat = nuisances.one_of(range(3))
        self.place = nuisances.one_of(range(len(PLACES)))
        self.middle = middle if self.mirrored else -middle
        self.views = views(nuisances, 4, 0.8, 0.06)
        self.horizons = tuple(nuisances.between(0.02, 0.4) for _ in range(4))
        self.swings = tuple(nuisances.between(-0.04, 0.04) for _ in range(4))
        self.grade = grade


def _leg(animal: Animal, k: int, place: float, *, hind: bool) -> Points:
    """The outline of a leg in the k-th picture; `place` counts steps from the middle of its pair."""
    species = ALL_SPECIES[animal.kind]
    middle = species.hind if hind else species.fore
    foot = middle + place * animal.step * species.stride + animal.swings[k] * (1 if hind else -1)
    top = middle + 0.35 * place * species.stride
    bend = np.array(species.bend) * (1.0 if hind else -0.25)
    spine = foot + (top - foot) * _DOWN + bend
    half = 0.9 * animal.views[k].thick * np.array(species.widths) * species.leg / 2
    heights = _DOWN * species.height
    front = np.stack([spine + half, heights], 1)
    back = np.stack([spine - half, heights], 1)
    front[-1, 0] += 0.16 * species.leg
    return smooth_line(np.concatenate([front, back[::-1]]), 0.01, 0.012)


def _legs(animal: Animal, count: int) -> tuple[list[Points], list[Points]]:
    """The far legs and the near legs; each of them is seen for itself."""
    more, fewer = {3: (2, 1), 4: (2, 2), 5: (3, 2), 6: (3, 3)}[count]
    far: list[Points] = []
    near: list[Points] = []
    for hind in (False, True):
        legs = more if hind != animal.fore else fewer
        for k in range(legs):
            leg = _leg(animal, count - 3, k - (legs - 1) / 2, hind=hind)
            (far if k % 2 else near).append(leg)
    return far, near


def _draw(animal: Animal, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    species, size = ALL_SPECIES[animal.kind], animal.size
    count, (sky, grass) = int(answer), PLACES[animal.place]
    view = animal.views[count - 3]
    lit, shaded, ink = species.coats[animal.coat]
    edge = mix_colors(ink, shaded, view.faint)
    unit = view.near * animal.unit
    x = 0.5 * size + animal.middle * unit + view.x * max(0.0, 0.47 * size - 0.5 * unit * animal.wide)
    y = 0.5 * size + 0.5 * unit * species.top + view.y * max(0.0, 0.45 * size - 0.5 * unit * species.top)

    def put(points: Points) -> Points:
        return to_pixels(points, unit, 0, (x, y), mirrored=animal.mirrored)

    far, near = _legs(animal, count)
    line, shift = max(1.2, 0.009 * unit), (0.026 * unit, 0.022 * unit)
    picture = np.empty((size, size, 3), np.uint8)
    picture[...] = sky
    picture[max(0, round(y - animal.horizons[count - 3] * unit)) :] = grass
    shadow = mix_colors(grass, (60, 60, 50), 0.22)
    ground_shadow(picture, x, y, unit, shadow)
    coat, dim = (lit, shaded, edge), (shaded, mix_colors(shaded, edge, 0.3), edge)
    layer(picture, [put(leg) for leg in far], dim, line, shift)
    body = closed_curve(species.body, 0.012)
    tail = put(closed_curve(species.tail, 0.012))
    layer(picture, [tail], dim, line, shift)
    layer(picture, [put(body), *(put(leg) for leg in near)], coat, line, shift)
    items = [Patch(0, 0, picture), *_details(species, coat, [*far, *near], line, put)]
    return (view.streaked(rasterise(Scene(size, size, sky, tuple(items))), sky, grass, shadow),)


def ground_shadow(picture: Pixels, x: float, y: float, unit: float, color: Colour) -> None:
    """Draws a flat shadow on the ground under the feet of an animal that is so long in px."""
    reach, depth = 0.62 * unit, 0.035 * unit
    for row in range(round(y - depth), min(round(y + depth), len(picture))):
        half = reach * max(0.0, 1 - ((row - y) / depth) ** 2) ** 0.5
        picture[row, max(0, round(x - half)) : round(x + half)] = color


def _details(
    species: Species, coat: Tones, legs: list[Points], line: float, put: Callable[[Points], Points]
) -> list[Item]:
    lit, shaded, edge = coat
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
    (x, y), (rim, _) = put(np.array([species.eye, (species.eye[0] + 0.017, species.eye[1])])).tolist()
    pupil = abs(rim - x)
    items.append(Disc((x, y), pupil, (32, 26, 24)))
    items.append(Disc((x - 0.3 * pupil, y - 0.35 * pupil), 0.35 * pupil, (255, 255, 255)))
    return items


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of parts into which the animal falls between its feet and its belly."""
    return possible_answer(parts_on_ground(pictures[0], 0.25, 0.06), answers)


ANIMALS = Puzzle(
    name="animals",
    title="Animal",
    sees="an animal, which has four legs",
    truth="the number of legs that are drawn: 3, 4 or 5, or from 3 to 6",
    graded="a smaller animal, legs closer together, more possible numbers",
    question="How many legs does the {species} in the image have?",
    sample=Animal,
    subject=lambda animal: animal.species,
    draw=_draw,
    prior="an ordinary {species}",
    **counting_puzzle(lambda animal: 4, lambda animal: ("3", "4", "5") if animal.grade < 3 else ("3", "4", "5", "6")),  # noqa: ARG005
    read=_read,
)
