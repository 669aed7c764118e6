"""One event as the gallery shows it: a strip of frames for each course, and its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.media.figures.brush import WIDTH
from veridical.media.figures.clock import Clock
from veridical.media.figures.render import View, frames
from veridical.media.figures.style import STYLES
from veridical.report.gallery.frames import Frame, Strip, frame
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.film import Part
from veridical.suites.hocabench.physics.scene import Course, Event, Scene
from veridical.suites.hocabench.physics.sheets import contact_sheet
from veridical.suites.hocabench.taxonomy import SUB_TYPES

CLOCK = Clock(24, 96)
COLUMNS = 6
TITLES: dict[Course, str] = {"violating": "Violating", "plausible": "Plausible", "explained": "Explained"}


@dataclass(frozen=True, slots=True)
class Plate:
    """An event of a scene in all of its courses, in one unit."""

    scene: Scene
    event: Event
    number: int
    setup: str
    normal: str
    seconds: str
    thumbnail: Frame
    strips: tuple[Strip, ...]

    @property
    def name(self) -> str:
        return f"{self.event.sub_type}-{self.scene.name}"

    @property
    def title(self) -> str:
        return f"{SUB_TYPES[self.event.sub_type].title}: {self.scene.title[0].lower()}{self.scene.title[1:]}"

    @property
    def law(self) -> str:
        return SUB_TYPES[self.event.sub_type].law

    @property
    def pictures(self) -> Iterator[Frame]:
        yield self.thumbnail
        yield from (strip.picture for strip in self.strips)


def plate(scene: Scene, event: Event, number: int, *, size: int, seed: int) -> Plate:
    """An event with its first unit; frames are `size` px wide, and styles take turns from plate to plate."""
    base = scene.sample(Nuisances(f"{event.sub_type}/{scene.name}", WIDTH, seed, 0))
    view = View(STYLES[number % len(STYLES)], "still", size * 9 // 16 // 4 * 4)
    part = Part(scene, event, base, "violating", view)
    begin = event.begins(base, CLOCK)
    name = f"{event.sub_type}-{scene.name}"
    courses = {course: event.play(base, CLOCK, course) for course in event.courses}
    shown = {"violating": event.claim, "plausible": event.control, "explained": f"{event.claim} {_cause(event)}"}
    strips = tuple(
        Strip(
            TITLES[course],
            part.text(shown[course]),
            frame(
                f"png/{name}/{course}.png",
                f"{SUB_TYPES[event.sub_type].title}, {scene.title}: {course}",
                contact_sheet(scene, event, base, CLOCK, view, {course: states}, COLUMNS),
            ),
        )
        for course, states in courses.items()
    )
    middle = (begin + CLOCK.frames) // 2
    (still,) = frames(scene, base, courses["violating"][middle : middle + 1], CLOCK, view)
    thumbnail = frame(f"png/{name}/thumbnail.png", f"{scene.title}, {event.sub_type}", still)
    setup, normal = part.text(scene.setup), part.text(event.normal)
    return Plate(scene, event, number, setup, normal, f"{CLOCK.time(begin):.2f}", thumbnail, strips)


def _cause(event: Event) -> str:
    return f"One sees why: {event.explained}." if event.explained else ""
