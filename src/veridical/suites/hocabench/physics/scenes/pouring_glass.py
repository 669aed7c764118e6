"""The glass of the scene `pouring` and what is in it."""

from __future__ import annotations

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS as NAMED
from veridical.media.figures.palette import WATER, hand
from veridical.suites.hocabench.physics.props_home import frost
from veridical.suites.hocabench.physics.scene import State
from veridical.suites.hocabench.physics.scenes.pouring_laws import FLOOR, GLASS, Pouring

COLORS: dict[str, Colour] = {
    "water": WATER,
    "apple juice": (222, 158, 40),
    "cherry juice": (178, 40, 62),
    "mint tea": (74, 160, 92),
}
CLEAR: Colour = (112, 138, 152)
WHITE: Colour = (255, 255, 255)


def bent_point(base: Pouring, state: State, side: float, height: float) -> Point:
    """A point of the glass: `side` is its distance from the middle, `height` that above the floor."""
    return base.place + side + 86 * state["glass"]["bent"] * (height / GLASS[1]) ** 2, FLOOR - height


def slab(base: Pouring, state: State, half: float, low: float, high: float) -> list[Point]:
    """The part of the glass between two heights, `half` wide to each side."""
    steps = [low + (high - low) * k / 6 for k in range(7)]
    left = [bent_point(base, state, -half, height) for height in steps]
    return left + [bent_point(base, state, half, height) for height in reversed(steps)]


def content(base: Pouring, brush: Brush, state: State) -> None:
    """Paint the drink in the glass: level, as a pillar, or frozen."""
    glass, color = state["glass"], _color(base, state)
    height, half = drink_height(state), _half(state)
    if height < 1:
        return
    points = slab(base, state, half, 0, height)
    if glass["frozen"]:
        ice = mixed(color, (214, 236, 255), 0.5)
        brush.polygon(points, ice, "ice")
        frost(brush, base.place - half, base.place + half, FLOOR - height, FLOOR, lighter(ice, 0.4))
        return
    brush.polygon(points, color)
    left, right = (bent_point(base, state, side, height) for side in (-half, half))
    brush.line(left, right, 4, lighter(color, 0.4))


def _color(base: Pouring, state: State) -> Colour:
    return mixed(COLORS[base.drink], NAMED[base.other], state["glass"]["turned"])


def straw(base: Pouring, brush: Brush, state: State) -> None:
    """Paint a straw that slides into the glass; the drink is to be painted over it."""
    x, y = base.place - 22, FLOOR - 8
    dx, dy = _off(state["straw"]["near"])
    brush.stroke([(x + dx, y + dy), (x + 64 + dx, y - 190 + dy)], 13, (222, 74, 62))
    for at in (0.4, 0.54, 0.68, 0.82):
        ends = [(x + 64 * share + dx, y - 190 * share + dy) for share in (at, at + 0.05)]
        brush.line(ends[0], ends[1], 13, (250, 248, 240))


def fingers(base: Pouring, brush: Brush, state: State) -> None:
    """Paint the hand that brings the straw or the dropper, and the dropper."""
    if "straw" in state:
        dx, dy = _off(state["straw"]["hand"])
        hand(brush, (base.place + 34 + dx, FLOOR - 176 + dy))
    if "dropper" in state:
        dx, dy = _off(state["dropper"]["near"])
        x, y, color = base.place + 6 + dx, FLOOR - GLASS[1] - 16 + dy, NAMED[base.other]
        brush.stroke([(x, y), (x, y - 36)], 9, lighter(color, 0.25))
        if state["dropper"]["drips"]:
            brush.stroke([(x, y), (x, FLOOR - drink_height(state))], 7, color)
        hand(brush, (x, y - 40))
        brush.disc((x, y - 44), 15, color)


def _off(near: float) -> tuple[float, float]:
    """How far something is that comes down along the straw: out of the frame where `near` is 0."""
    return 104 * (1 - near), -310 * (1 - near)


def drink_height(state: State) -> float:
    """How high the drink stands in the glass."""
    return state["glass"]["amount"] / (2 * _half(state))


def _half(state: State) -> float:
    """Half the width of the drink in the glass."""
    return GLASS[0] / 2 * (0.56 if state["glass"]["piled"] else 1.0)


def glint(base: Pouring, state: State) -> list[Point]:
    """The outline of the light on the glass."""
    heights = [14 + 17 * k for k in range(7)]
    left = [bent_point(base, state, -GLASS[0] / 2 + 10, height) for height in heights]
    return left + [(x + 6, y) for x, y in reversed(left)]
