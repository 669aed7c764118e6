"""All sub-types in one picture: of each an event, in its violating course and in its control."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Scene, rasterise
from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import View, frames
from veridical.media.figures.style import STYLES
from veridical.report.gallery.sheet import INK, SOFT, WHITE, line_of_text
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.film import Part
from veridical.suites.hocabench.physics.scene import Course
from veridical.suites.hocabench.physics.scenes import SCENES, hosts
from veridical.suites.hocabench.taxonomy import SUB_TYPES

_CLOCK = Clock(24, 96)
_COURSES: tuple[Course, Course] = ("violating", "plausible")
_GAP, _HEAD = 4, 30


def contact_sheet(names: Sequence[str], *, columns: int = 4, width: int = 152, seed: int = 0) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: a row per sub-type, `columns` frames of each course side by side.

    The first frame of a course is the last before the event. Frames are `width` px wide. Scenes take turns. Raises
    `InputError` without a sub-type, or for a number out of range.
    """
    if not names or not 2 <= columns <= 12 or not 64 <= width <= 640 or seed < 0:
        raise InputError(
            f"contact sheet of {len(names)} sub-types, {columns} frames of {width} px, seed {seed}: allowed are 1 "
            "sub-type or more, 2 to 12 frames of 64 to 640 px, seeds from 0"
        )
    height = width * 9 // 16 // 4 * 4
    strip = columns * (width + _GAP)
    items: list[Item] = []
    for row, name in enumerate(names):
        y = _HEAD + row * (height + _HEAD)
        part = _part(name, row, height, seed)
        title = SUB_TYPES[name].title
        items.append(line_of_text(title, _GAP, y - 9, 13, strip * 0.3, INK))
        claim = part.text(part.event.claim)
        items.append(line_of_text(claim, _GAP + 0.3 * strip, y - 9, 11, 0.68 * strip, SOFT))
        items.append(line_of_text(part.text(part.event.control), strip + 3 * _GAP, y - 9, 11, strip - 2 * _GAP, SOFT))
        for place, course in enumerate(_COURSES):
            for column, pixels in enumerate(_shots(part, course, columns)):
                x = _GAP + place * (strip + 2 * _GAP) + column * (width + _GAP)
                items.append(Patch(x, y, pixels))
    across = 2 * strip + 4 * _GAP
    return rasterise(Scene(across, len(names) * (height + _HEAD) + _HEAD // 2, WHITE, tuple(items)))


def _part(name: str, row: int, height: int, seed: int) -> Part:
    places = hosts(name)
    scene = SCENES[places[row % len(places)]]
    base = scene.sample(Nuisances(f"{name}/{scene.name}", WIDTH, seed, 0))
    return Part(scene, scene.event(name), base, "violating", View(STYLES[row % len(STYLES)], "still", height))


def _shots(part: Part, course: Course, columns: int) -> list[NDArray[np.uint8]]:
    begin = part.event.begins(part.base, _CLOCK)
    states = part.event.play(part.base, _CLOCK, course)
    after = np.linspace(begin + 3, _CLOCK.frames - 1, columns - 1).round().astype(int)
    return list(frames(part.scene, part.base, [states[k] for k in (begin - 1, *after)], _CLOCK, part.view))
