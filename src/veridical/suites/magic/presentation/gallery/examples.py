"""Scenes that are arranged by hand, to be looked at."""

from __future__ import annotations

from typing import NamedTuple

from veridical.records import Box
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import PlacedThing, Setting


class Put(NamedTuple):
    """A thing as "size color material noun", where its left edge is in px, and what is below it.

    `below` is the row of pixels that it stands on, or the place of the thing that holds it; `hung` the row of its top.
    """

    words: str
    left: int
    below: int = 0
    on: int | None = None
    hung: int | None = None


def arranged(kind: str, backdrop: int, *puts: Put) -> Setting:
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
    return Setting("room" if kind == "room" else "table", 640, 480, tuple(things), backdrop)


EXAMPLES: dict[str, Setting] = {
    "living-room": arranged(
        "room",
        2,
        Put("large purple wooden bench", 24, 388),
        Put("small orange woven vase", 44, on=0),
        Put("large blue glass teapot", 112, on=0),
        Put("small red metal clock", 262, on=0),
        Put("large brown metal cabinet", 356, 398),
        Put("large yellow woven lamp", 366, on=4),
        Put("small green glass goblet", 470, on=4),
        Put("small pink wooden chair", 566, 420),
        Put("small red glass ball", 300, 456),
        Put("large green metal star", 52, hung=24),
        Put("large blue wooden mirror", 218, hung=14),
        Put("small yellow glass picture", 480, hung=40),
    ),
    "nursery": arranged(
        "room",
        9,
        Put("large green glass shelf", 30, 394),
        Put("small red woven duck", 56, on=0),
        Put("large orange wooden chest", 190, 404),
        Put("large blue metal robot", 212, on=2),
        Put("small yellow glass boat", 310, on=2),
        Put("large purple metal stool", 420, 392),
        Put("small pink woven mug", 428, on=5),
        Put("small brown wooden drum", 540, 440),
        Put("large pink metal heart", 300, hung=40),
        Put("small blue woven clock", 470, hung=60),
    ),
    "breakfast": arranged(
        "table",
        4,
        Put("large green glass bottle", 60, 190),
        Put("small blue wooden mug", 216, 176),
        Put("large red metal teapot", 350, 216),
        Put("small brown glass goblet", 552, 200),
        Put("small yellow woven bowl", 176, 288),
        Put("large purple woven mug", 300, 352),
        Put("small orange metal bell", 488, 312),
        Put("large pink glass bowl", 60, 436),
        Put("small green wooden book", 260, 456),
        Put("large yellow metal crown", 452, 446),
    ),
    "toys": arranged(
        "table",
        6,
        Put("small green woven tree", 70, 180),
        Put("large blue glass car", 196, 206),
        Put("small red metal drum", 470, 196),
        Put("large orange wooden duck", 54, 330),
        Put("small pink glass robot", 250, 306),
        Put("small purple wooden ball", 380, 300),
        Put("large brown woven bucket", 478, 370),
        Put("large red glass boat", 210, 446),
        Put("small yellow metal bell", 390, 452),
    ),
}
"""Two rooms and two table tops by name."""
