"""The gallery: one page that shows every event of every scene; and all sub-types in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import check_stems
from veridical.errors import InputError
from veridical.media.draw import Item, Patch, rasterise
from veridical.media.draw import Scene as Sheet
from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import FilmView, Pixels, frames
from veridical.media.figures.style import STYLES
from veridical.report.gallery.page import (
    INK,
    SOFT,
    WHITE,
    PlateGroup,
    PlatePicture,
    Strip,
    frame,
    line_of_text,
    write_plates,
)
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.film import Shot as Part
from veridical.suites.hocabench.physics.film import view_in
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene
from veridical.suites.hocabench.physics.scene_index import hosts, scenes_in
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.physics.state import Course, States
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

_GAP = 4
CLOCK = Clock(24, 96)
COLUMNS = 6
TITLES: dict[Course, str] = {"violating": "Violating", "plausible": "Plausible", "explained": "Explained"}
_COURSES: tuple[Course, Course] = ("violating", "plausible")
_HEAD = 30


@dataclass(frozen=True, slots=True)
class EventPlate:
    """An event of a scene in all of its courses, in one unit."""

    scene: PhysicsScene
    event: Event
    number: int
    setup: str
    normal: str
    seconds: str
    thumbnail: PlatePicture
    strips: tuple[Strip, ...]

    @property
    def name(self) -> str:
        return f"{self.event.sub_type}-{self.scene.name}"

    @property
    def title(self) -> str:
        return f"{SUB_TYPES[self.event.sub_type].title}: {self.scene.title[0].lower()}{self.scene.title[1:]}"

    @property
    def domain(self) -> str:
        return SUB_TYPES[self.event.sub_type].domain

    @property
    def law(self) -> str:
        return SUB_TYPES[self.event.sub_type].law

    @property
    def pictures(self) -> Iterator[PlatePicture]:
        yield self.thumbnail
        yield from (strip.picture for strip in self.strips)


def plate(scene: PhysicsScene, event: Event, number: int, *, size: int, seed: int) -> EventPlate:
    """An event with its first unit; frames are `size` px wide, and styles take turns from plate to plate."""
    base = scene.sample(Nuisances(f"{event.sub_type}/{scene.name}", WIDTH, seed, 0))
    view = FilmView(STYLES[number % len(STYLES)], "still", size * 9 // 16 // 4 * 4)
    part = Part(scene, event, base, "violating", view)
    begin = event.begins(base, CLOCK)
    name = f"{event.sub_type}-{scene.name}"
    courses = {course: event.play(base, CLOCK, course) for course in event.courses}
    shown = {
        "violating": event.claim,
        "plausible": event.control,
        "explained": f"{event.claim} One sees why: {event.explained}.",
    }
    strips = tuple(
        Strip(
            TITLES[course],
            part.text(shown[course]),
            frame(
                f"png/{name}/{course}.png",
                f"{SUB_TYPES[event.sub_type].title}, {scene.title}: {course}",
                _picture(part, states),
            ),
        )
        for course, states in courses.items()
    )
    middle = (begin + CLOCK.frames) // 2
    (still,) = frames(scene, base, courses["violating"][middle : middle + 1], CLOCK, view)
    thumbnail = frame(f"png/{name}/thumbnail.png", f"{scene.title}, {event.sub_type}", still)
    setup, normal = part.text(scene.setup), part.text(event.normal)
    return EventPlate(scene, event, number, setup, normal, f"{CLOCK.time(begin):.2f}", thumbnail, strips)


def _picture(part: Part, states: States) -> Pixels:
    """Frames of a course side by side, white between them: the last before the event, then from it to the clip's end.

    Shape (height, width, 3), uint8.
    """
    begin = part.event.begins(part.base, CLOCK)
    after = np.linspace(begin + 1, CLOCK.frames - 1, COLUMNS - 1).round().astype(int)
    shots = part.pictures([[states[k] for k in (begin - 1, *after)]], CLOCK, range(COLUMNS))
    return np.concatenate([np.pad(shot, ((0, _GAP), (0, _GAP), (0, 0)), constant_values=255) for (shot,) in shots], 1)


def write_gallery(folder: Path, *, size: int = 256, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each strip were written there.

    Shown is one unit of every event in each of its courses; frames are `size` px wide. Raises `InputError` for a number
    out of range, or a folder that is neither new, empty nor a former gallery.
    """
    if not 128 <= size <= 1280 or seed < 0:
        raise InputError(f"gallery of frames of {size} px, seed {seed}: allowed are 128 to 1280 px, and seeds from 0")
    check_stems("scene", SCENES)
    return write_plates(
        folder,
        __package__,
        "png",
        lambda: _groups(size, seed),
        size=size,
        seed=seed,
        scenes=len(SCENES),
        sub_types=len(SUB_TYPES),
    )


def _groups(size: int, seed: int) -> list[PlateGroup]:
    every = [(scene, event) for scene in SCENES.values() for event in scene.events]
    events = [(scene, event) for name in SUB_TYPES for scene, event in every if event.sub_type == name]
    plates = [plate(scene, event, number, size=size, seed=seed) for number, (scene, event) in enumerate(events, 1)]
    return [
        PlateGroup(name, f"{domain.title} ({domain.layer})", [each for each in plates if each.domain == name])
        for name, domain in DOMAINS.items()
    ]


def contact_sheet(
    names: Sequence[str], *, columns: int = 4, width: int = 152, seed: int = 0, styles: Sequence[str] = STYLES
) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: a row per sub-type, `columns` frames of each course side by side.

    The first frame of a course is the last before the event. Frames are `width` px wide. Scenes and styles take turns.
    Raises `InputError` without a sub-type, for a number out of range, and where rendered clips cannot be made.
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
        part = _sheet_part(name, row, styles[row % len(styles)], height, seed)
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
    return rasterise(Sheet(across, len(names) * (height + _HEAD) + _HEAD // 2, WHITE, tuple(items)))


def _sheet_part(name: str, row: int, style: str, height: int, seed: int) -> Part:
    places = hosts(name, style=style)
    scene = scenes_in(style)[places[row % len(places)]]
    base = scene.sample(Nuisances(f"{name}/{scene.name}", WIDTH, seed, 0))
    return Part(scene, scene.event(name), base, "violating", view_in(style, "still", height))


def _shots(part: Part, course: Course, columns: int) -> list[NDArray[np.uint8]]:
    begin = part.event.begins(part.base, CLOCK)
    states = part.event.play(part.base, CLOCK, course)
    after = np.linspace(begin + 3, CLOCK.frames - 1, columns - 1).round().astype(int)
    chosen = [states[k] for k in (begin - 1, *after)]
    return [pixels for (pixels,) in part.pictures([chosen], CLOCK, range(columns))]
