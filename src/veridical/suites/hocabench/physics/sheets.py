"""Contact sheets: the courses of an event below each other, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from veridical.media.figures.clock import Clock
from veridical.media.figures.render import Pixels, View, frames
from veridical.suites.hocabench.physics.scene import Base, Course, Event, Scene, States

_GAP = 4


def contact_sheet(
    scene: Scene, event: Event, base: Base, clock: Clock, view: View, courses: Mapping[Course, States], columns: int = 7
) -> Pixels:
    """One row per course with `columns` frames: the last before the event, then from the event to the clip's end.

    Shape (height, width, 3), uint8, white between the pictures.
    """
    begin = event.begins(base, clock)
    after = np.linspace(begin + 1, clock.frames - 1, columns - 1).round().astype(int)
    rows = []
    for states in courses.values():
        picked = [states[k] for k in (begin - 1, *after)]
        shots = list(frames(scene, base, picked, clock, view))
        rows.append(
            np.concatenate([np.pad(shot, ((0, _GAP), (0, _GAP), (0, 0)), constant_values=255) for shot in shots], 1)
        )
    return np.concatenate(rows)
