"""The note of the scene `stove`, and the flames below it."""

from __future__ import annotations

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import Brush
from veridical.media.figures.palette import STEEL
from veridical.suites.hocabench.physics.props_kitchen import bar, flame
from veridical.suites.hocabench.physics.scene import State
from veridical.suites.hocabench.physics.scenes.stove_laws import Stove

PAPERS: dict[str, Colour] = {
    "white": (252, 252, 248),
    "yellow": (250, 230, 120),
    "pink": (246, 178, 190),
    "green": (178, 222, 160),
}
HOB = 298.0
NOTE = (456.0, 552.0, 96.0, 206.0)
"""The note's left, right, top and bottom."""


def under_note(brush: Brush, state: State, tall: float, *spots: float) -> None:
    """Flames below the note, `tall` at their highest, at these places."""
    high, phase = state["fire"]["high"], 6 * state["clock"]["minutes"]
    for x in spots if high else ():
        reach = 22 + (tall - 22) * max(0.0, high - 0.3) / 0.7
        flame(brush, (x, HOB - 10), 34, reach, phase + 0.06 * x, gas=True)


def note(base: Stove, brush: Brush, state: State) -> None:
    """The note that hangs over the burner, as far as it is not burnt, and its ash."""
    left, right, top, bottom = NOTE
    burnt = state["paper"]["burnt"]
    edge = bottom - burnt * (bottom - top)
    with brush.of("paper"):
        if burnt < 1:
            brush.box(left, top, right, edge, PAPERS[base.paper])
            for k in range(5):
                y = top + 20 + 18 * k
                if y < edge - 8:
                    bar(brush, (left + 12, y), (right - 12 - 16 * (k % 2), y), 3, (90, 96, 130))
        brush.box(498, top - 6, 510, top + 8, STEEL)
    if 0 < burnt < 1:
        ragged = [(left + (right - left) * k / 8, edge - (9 if k % 2 else 2)) for k in range(9)]
        brush.plain([*ragged, (right, edge + 5), (left, edge + 5)], (40, 32, 28))
        brush.curve([(x, y - 3) for x, y in ragged], 3, (255, 120, 30))
    if burnt:
        heap = 6 + 10 * burnt
        brush.plain([(504 - 34 * burnt, HOB - 4), (504, HOB - 4 - heap), (504 + 36 * burnt, HOB - 4)], (52, 50, 50))
