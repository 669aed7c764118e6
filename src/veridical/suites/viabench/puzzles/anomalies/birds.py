"""Birds from the side on two to four legs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from veridical.media.draw import Disc, Item, Patch, Scene, rasterise
from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.grain import mix_colors
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.anomalies.animals import PLACES, ground_shadow
from veridical.suites.viabench.puzzles.anomalies.outline import (
    Points,
    closed_curve,
    layer,
    parts_on_ground,
    polygon,
    stroke,
    to_pixels,
)
from veridical.suites.viabench.puzzles.anomalies.species import Shape, Tones
from veridical.suites.viabench.puzzles.anomalies.views import views
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant, counting_puzzle, possible_answer

_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BirdSpecies:
    """A bird without its legs, facing right, on the ground y = 0 with y up; `plumes` are shapes with their colors."""

    name: str
    body: Shape
    coats: tuple[Tones, ...]
    beak: Shape
    horn: Colour
    """The color of beak and legs."""
    eye: Point
    wing: Shape
    plumes: tuple[tuple[Shape, Colour], ...] = ()
    hip: float
    """Where the middle of the legs is."""
    belly: float
    top: float


_RED: Colour = (206, 52, 44)
DUCK = BirdSpecies(
    name="duck",
    body=(
        *((-0.53, 0.57), (-0.42, 0.51), (-0.25, 0.54), (-0.05, 0.55), (0.1, 0.55), (0.19, 0.61), (0.2, 0.7)),
        *((0.21, 0.8), (0.28, 0.88), (0.38, 0.88), (0.45, 0.81), (0.445, 0.72), (0.4, 0.65), (0.42, 0.56)),
        *((0.42, 0.45), (0.35, 0.33), (0.2, 0.26), (0.0, 0.24), (-0.2, 0.27), (-0.36, 0.35), (-0.46, 0.45)),
    ),
    coats=(
        ((250, 248, 240), (218, 214, 206), (84, 78, 74)),
        ((250, 220, 112), (226, 190, 80), (122, 90, 30)),
        ((176, 140, 104), (146, 112, 80), (72, 50, 32)),
    ),
    beak=((0.43, 0.795), (0.52, 0.785), (0.605, 0.755), (0.6, 0.725), (0.5, 0.715), (0.435, 0.73)),
    horn=(240, 146, 48),
    eye=(0.365, 0.8),
    wing=(
        (-0.38, 0.47),
        (-0.2, 0.5),
        (0.0, 0.49),
        (0.13, 0.44),
        (0.15, 0.37),
        (0.05, 0.32),
        (-0.1, 0.33),
        (-0.26, 0.38),
    ),
    hip=-0.01,
    belly=0.29,
    top=0.9,
)
CHICKEN = BirdSpecies(
    name="chicken",
    body=(
        *((-0.5, 0.76), (-0.4, 0.71), (-0.29, 0.6), (-0.15, 0.57), (0.05, 0.57), (0.17, 0.64), (0.22, 0.76)),
        *((0.27, 0.86), (0.35, 0.89), (0.42, 0.85), (0.435, 0.77), (0.41, 0.68), (0.44, 0.57), (0.43, 0.46)),
        *((0.35, 0.35), (0.2, 0.29), (0.02, 0.275), (-0.17, 0.31), (-0.33, 0.41), (-0.44, 0.53), (-0.52, 0.65)),
    ),
    coats=(
        ((248, 244, 234), (216, 210, 200), (88, 74, 66)),
        ((192, 112, 62), (160, 86, 44), (84, 42, 22)),
        ((226, 184, 120), (196, 150, 90), (106, 70, 36)),
    ),
    beak=((0.425, 0.835), (0.52, 0.795), (0.425, 0.77)),
    horn=(236, 172, 62),
    eye=(0.36, 0.815),
    wing=(
        (-0.3, 0.5),
        (-0.14, 0.53),
        (0.06, 0.52),
        (0.16, 0.46),
        (0.14, 0.38),
        (0.0, 0.35),
        (-0.14, 0.38),
        (-0.24, 0.44),
    ),
    plumes=(
        (
            (
                *((0.25, 0.86), (0.235, 0.95), (0.29, 0.92), (0.325, 0.99), (0.365, 0.93), (0.42, 0.96), (0.415, 0.87)),
                (0.34, 0.88),
            ),
            _RED,
        ),
        (((0.4, 0.76), (0.455, 0.75), (0.465, 0.67), (0.425, 0.65), (0.395, 0.7)), _RED),
    ),
    hip=0.0,
    belly=0.32,
    top=0.98,
)
FLAMINGO = BirdSpecies(
    name="flamingo",
    body=(
        *((-0.42, 0.72), (-0.32, 0.82), (-0.12, 0.87), (0.05, 0.86), (0.16, 0.86), (0.23, 0.94), (0.21, 1.05)),
        *((0.15, 1.17), (0.15, 1.3), (0.23, 1.39), (0.34, 1.39), (0.4, 1.33), (0.385, 1.265), (0.32, 1.255)),
        *((0.265, 1.3), (0.23, 1.265), (0.24, 1.18), (0.3, 1.07), (0.33, 0.95), (0.3, 0.83), (0.22, 0.72)),
        *((0.08, 0.65), (-0.1, 0.64), (-0.27, 0.67)),
    ),
    coats=(
        ((248, 172, 178), (226, 140, 150), (150, 74, 88)),
        ((250, 150, 138), (226, 120, 110), (146, 62, 58)),
        ((252, 200, 204), (230, 168, 174), (160, 92, 104)),
    ),
    beak=((0.38, 1.35), (0.45, 1.3), (0.475, 1.22), (0.44, 1.165), (0.42, 1.21), (0.405, 1.26), (0.37, 1.275)),
    horn=(226, 116, 122),
    eye=(0.31, 1.335),
    wing=((-0.33, 0.75), (-0.15, 0.81), (0.05, 0.8), (0.17, 0.74), (0.08, 0.69), (-0.1, 0.68), (-0.24, 0.7)),
    plumes=((((0.465, 1.245), (0.473, 1.215), (0.44, 1.165), (0.422, 1.215)), (44, 36, 38)),),
    hip=0.0,
    belly=0.7,
    top=1.4,
)
OSTRICH = BirdSpecies(
    name="ostrich",
    body=(
        *((-0.42, 0.68), (-0.36, 0.83), (-0.2, 0.9), (0.0, 0.89), (0.15, 0.85), (0.24, 0.9), (0.27, 1.03)),
        *((0.275, 1.2), (0.28, 1.34), (0.33, 1.42), (0.41, 1.425), (0.465, 1.385), (0.455, 1.335), (0.39, 1.32)),
        *(
            (0.36, 1.24),
            (0.36, 1.05),
            (0.365, 0.87),
            (0.34, 0.71),
            (0.25, 0.6),
            (0.05, 0.54),
            (-0.2, 0.55),
            (-0.36, 0.59),
        ),
    ),
    coats=(
        ((232, 196, 172), (206, 166, 144), (96, 66, 54)),
        ((214, 198, 186), (186, 168, 156), (84, 70, 64)),
        ((240, 208, 180), (214, 178, 150), (104, 76, 58)),
    ),
    beak=((0.45, 1.4), (0.555, 1.365), (0.545, 1.345), (0.45, 1.335)),
    horn=(216, 170, 142),
    eye=(0.395, 1.385),
    wing=((-0.34, 0.72), (-0.18, 0.8), (0.02, 0.79), (0.16, 0.72), (0.1, 0.63), (-0.08, 0.6), (-0.24, 0.63)),
    plumes=(
        (((-0.38, 0.83), (-0.5, 0.87), (-0.56, 0.77), (-0.51, 0.67), (-0.4, 0.66)), (248, 244, 238)),
        (
            (
                *((-0.44, 0.68), (-0.37, 0.85), (-0.2, 0.92), (0.0, 0.91), (0.15, 0.87), (0.27, 0.86), (0.36, 0.8)),
                *((0.35, 0.7), (0.26, 0.59), (0.06, 0.53), (-0.2, 0.54), (-0.37, 0.58)),
            ),
            (62, 56, 58),
        ),
    ),
    hip=-0.02,
    belly=0.6,
    top=1.44,
)
BIRD_SPECIES = (DUCK, CHICKEN, FLAMINGO, OSTRICH)


class Bird(BaseItem):
    """The nuisances of a bird; `step` is the distance between neighboring feet, in body lengths.

    Of each picture, `horizons` has how far above the feet the ground ends, and `swings` how far all feet stand forward.
    """

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.kind = nuisances.one_of(range(len(BIRD_SPECIES)))
        self.size = nuisances.size
        bird = BIRD_SPECIES[self.kind]
        self.species = bird.name
        self.mirrored = nuisances.one_of((False, True))
        self.unit = nuisances.px(*((380, 420), (345, 380), (310, 350))[grade - 1]) / max(1.1, bird.top)
        self.step = nuisances.between(*((0.15, 0.17), (0.135, 0.155), (0.125, 0.14))[grade - 1])
        self.coat = nuisances.one_of(range(3))
        self.place = nuisances.one_of(range(len(PLACES)))
        self.views = views(nuisances, 3, 0.8, 0.06)
        self.horizons = tuple(nuisances.between(0.02, 0.4) for _ in range(3))
        self.swings = tuple(nuisances.between(-0.04, 0.04) for _ in range(3))


def _leg(bird: Bird, k: int, place: float) -> tuple[Points, Points]:
    """The outlines of a leg and of its foot in the k-th picture; `place` counts steps from the middle of the legs."""
    kind, half = BIRD_SPECIES[bird.kind], 0.017 * bird.views[k].thick
    foot, hip = (kind.hip + bird.swings[k] * share + place * bird.step * share for share in (1.0, 0.8))
    knee = (foot + hip) / 2 - 0.02
    high = kind.belly + 0.06
    down = np.array([(hip, high), (knee, 0.55 * kind.belly), (foot, 0.015)])
    aside = np.array([half, 0])
    stick = np.concatenate([down + aside, down[::-1] - aside])
    toes = ((-0.03, 0.0), (-0.016, 0.045), (0.02, 0.045), (0.1, 0.012), (0.1, 0.0))
    return stick, np.array([(foot + x, y) for x, y in toes])


def _draw(bird: Bird, answer: str, variant: Variant) -> tuple[Pixels]:  # noqa: ARG001 (the answer has one variant)
    kind, size, count = BIRD_SPECIES[bird.kind], bird.size, int(answer)
    k, (sky, grass) = count - _FEWEST, PLACES[bird.place]
    view, (lit, shaded, ink) = bird.views[k], kind.coats[bird.coat]
    edge, unit = mix_colors(ink, shaded, view.faint), view.near * bird.unit
    x = 0.5 * size + view.x * max(0.0, 0.47 * size - 0.62 * unit)
    y = 0.5 * size + 0.5 * unit * kind.top + view.y * max(0.0, 0.45 * size - 0.5 * unit * kind.top)

    def put(points: Points) -> Points:
        return to_pixels(points, unit, 0, (x, y), mirrored=bird.mirrored)

    line, shift = max(1.2, 0.009 * unit), (0.024 * unit, 0.02 * unit)
    picture = np.empty((size, size, 3), np.uint8)
    picture[...] = sky
    picture[max(0, round(y - bird.horizons[k] * unit)) :] = grass
    shadow = mix_colors(grass, (60, 60, 50), 0.22)
    ground_shadow(picture, x, y, 0.8 * unit, shadow)
    horn, rim = kind.horn, mix_colors(kind.horn, ink, 0.75)
    for place in range(count):
        leg = [put(part) for part in _leg(bird, k, place - (count - 1) / 2)]
        layer(picture, leg, (horn, mix_colors(horn, rim, 0.35), rim), line, (0.4 * shift[0], 0.4 * shift[1]))
    layer(picture, [put(closed_curve(kind.body, 0.012))], (lit, shaded, edge), line, shift)
    items = [Patch(0, 0, picture), *_details(kind, (lit, shaded, edge), rim, line, put)]
    return (view.streaked(rasterise(Scene(size, size, sky, tuple(items))), sky, grass, shadow),)


def _details(kind: BirdSpecies, coat: Tones, rim: Colour, line: float, put: Callable[[Points], Points]) -> list[Item]:
    """Beak, plumes, wing and eye."""
    lit, shaded, edge = coat
    wing, plain = put(closed_curve(kind.wing, 0.012)), (lit, shaded)
    items: list[Item] = []
    for shape, color in ((kind.beak, kind.horn), *kind.plumes):
        points = put(closed_curve(shape, 0.008))
        items += [polygon(points, color), stroke(points, line, mix_colors(color, (30, 24, 24), 0.5), closed=True)]
    if kind.plumes and len(kind.plumes[-1][0]) > len(kind.wing):
        dark = kind.plumes[-1][1]
        plain, edge = (dark, mix_colors(dark, lit, 0.25)), mix_colors(dark, lit, 0.45)
    items += [polygon(wing, mix_colors(*plain, 0.6)), stroke(wing, line, edge, closed=True)]
    (x, y), (side, _) = put(np.array([kind.eye, (kind.eye[0] + 0.019, kind.eye[1])])).tolist()
    pupil = abs(side - x)
    items += [Disc((x, y), 1.35 * pupil, (252, 250, 246)), Disc((x, y), pupil, (30, 24, 24))]
    return [*items, stroke(put(closed_curve(kind.beak, 0.008)), 0.6 * line, rim, closed=True)]


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The number of parts into which the bird falls between its feet and its belly."""
    return possible_answer(parts_on_ground(pictures[0], 0.17, 0.07), answers)


BIRDS = Puzzle(
    name="birds",
    title="Bird",
    sees="a bird, which has two legs",
    truth="the number of legs that are drawn: 2, 3 or 4",
    graded="a smaller bird, legs closer together",
    question="On how many legs does the {species} in the image stand?",
    sample=Bird,
    subject=lambda bird: bird.species,
    draw=_draw,
    prior="an ordinary {species}",
    **counting_puzzle(lambda bird: 2, lambda bird: ("2", "3", "4")),  # noqa: ARG005
    read=_read,
)
