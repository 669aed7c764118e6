"""Scenes that are arranged by hand, to be looked at."""

from __future__ import annotations

from typing import NamedTuple

from veridical.records import Box
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import PlacedThing, SceneLayout


class PlacedExample(NamedTuple):
    """A thing as "size color material noun", where its left edge is in px, and what is below it.

    `below` is the row of pixels that it stands on, or the place of the thing that holds it; `hung` the row of its top.
    """

    words: str
    left: int
    below: int = 0
    on: int | None = None
    hung: int | None = None


def arrange_example(kind: str, backdrop: int, *puts: PlacedExample) -> SceneLayout:
    """A room or a table top of 640 by 480 px."""
    things: list[PlacedThing] = []
    for put in puts:
        size, color, material, noun = put.words.split()
        tall = round((KINDS[noun].small if size == "small" else KINDS[noun].large) * 480)
        wide = round(tall * KINDS[noun].aspect)
        bottom = put.below if put.on is None else things[put.on].box.y0
        top = bottom - tall if put.hung is None else put.hung
        box = Box(put.left, top, put.left + wide, top + tall)
        things.append(PlacedThing(noun, color, material, size, box, put.on))
    return SceneLayout("room" if kind == "room" else "table", 640, 480, tuple(things), backdrop)


EXAMPLES: dict[str, SceneLayout] = {
    "living-room": arrange_example(
        "room",
        2,
        PlacedExample("large purple wooden bench", 24, 388),
        PlacedExample("small orange woven vase", 44, on=0),
        PlacedExample("large blue glass teapot", 112, on=0),
        PlacedExample("small red metal clock", 262, on=0),
        PlacedExample("large brown metal cabinet", 356, 398),
        PlacedExample("large yellow woven lamp", 366, on=4),
        PlacedExample("small green glass goblet", 470, on=4),
        PlacedExample("small pink wooden chair", 566, 420),
        PlacedExample("small red glass ball", 300, 456),
        PlacedExample("large green metal star", 52, hung=24),
        PlacedExample("large blue wooden mirror", 218, hung=14),
        PlacedExample("small yellow glass picture", 480, hung=40),
    ),
    "nursery": arrange_example(
        "room",
        9,
        PlacedExample("large green glass shelf", 30, 394),
        PlacedExample("small red woven duck", 56, on=0),
        PlacedExample("large orange wooden chest", 190, 404),
        PlacedExample("large blue metal robot", 212, on=2),
        PlacedExample("small yellow glass boat", 310, on=2),
        PlacedExample("large purple metal stool", 420, 392),
        PlacedExample("small pink woven mug", 428, on=5),
        PlacedExample("small brown wooden drum", 540, 440),
        PlacedExample("large pink metal heart", 300, hung=40),
        PlacedExample("small blue woven clock", 470, hung=60),
    ),
    "breakfast": arrange_example(
        "table",
        4,
        PlacedExample("large green glass bottle", 60, 190),
        PlacedExample("small blue wooden mug", 216, 176),
        PlacedExample("large red metal teapot", 350, 216),
        PlacedExample("small brown glass goblet", 552, 200),
        PlacedExample("small yellow woven bowl", 176, 288),
        PlacedExample("large purple woven mug", 300, 352),
        PlacedExample("small orange metal bell", 488, 312),
        PlacedExample("large pink glass bowl", 60, 436),
        PlacedExample("small green wooden book", 260, 456),
        PlacedExample("large yellow metal crown", 452, 446),
    ),
    "toys": arrange_example(
        "table",
        6,
        PlacedExample("small green woven tree", 70, 180),
        PlacedExample("large blue glass car", 196, 206),
        PlacedExample("small red metal drum", 470, 196),
        PlacedExample("large orange wooden duck", 54, 330),
        PlacedExample("small pink glass robot", 250, 306),
        PlacedExample("small purple wooden ball", 380, 300),
        PlacedExample("large brown woven bucket", 478, 370),
        PlacedExample("large red glass boat", 210, 446),
        PlacedExample("small yellow metal bell", 390, 452),
    ),
}
"""Two rooms and two table tops by name."""
