"""From state logs to pixels, by the view's renderer, and to masks and boxes, by that of the physics engine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from veridical.media.figures.clock import Clock
from veridical.media.figures.render import Pixels
from veridical.records import Json
from veridical.suites.hocabench.physics.rendering.mujoco_studio import MujocoStudio
from veridical.suites.hocabench.physics.rendering.renderers import RENDERERS
from veridical.suites.hocabench.physics.rendering.stage import SceneStage
from veridical.suites.hocabench.physics.rendering.view import RenderedView
from veridical.suites.hocabench.physics.state import State, States


def rendered_frames(
    stage: SceneStage, courses: Sequence[States], clock: Clock, view: RenderedView, numbers: Collection[int]
) -> Iterator[tuple[Pixels, ...]]:
    """The pictures of each of several courses in these frames, together; equal states share a picture."""
    with closing(RENDERERS[view.renderer].studio(stage, view)) as own:
        for frame in numbers:
            lens = stage.lens.moved(view.camera, clock, frame)
            drawn: list[tuple[State, Pixels]] = []
            for states in courses:
                known = next((picture for state, picture in drawn if looks_like(state, states[frame])), None)
                drawn.append((states[frame], own.picture(states[frame], lens) if known is None else known))
            yield tuple(picture for _, picture in drawn)


_SEEN = ("x", "y", "z", "qw", "qx", "qy", "qz", "scale", "level")


def looks_like(one: State, other: State) -> bool:
    """Whether two states are drawn alike."""
    return _shown(one) == _shown(other)


def _shown(state: State) -> dict[str, list[float | None]]:
    return {name: [own.get(key) for key in _SEEN] for name, own in state.items() if "x" in own or "level" in own}


def sightings(
    stage: SceneStage, states: States, clock: Clock, view: RenderedView, bodies: Sequence[str], per_second: int = 4
) -> dict[str, Json]:
    """Where bodies are seen, `per_second` times; no rows while one is gone.

    `boxes` has rows (seconds, x0, y0, x1, y1) in px, half-open, of what is seen of a body; `masks` rows (seconds, runs)
    of pixels in its box, row by row, off and on in turn; `occluded` rows (seconds, share of it that others hide).
    """
    kinds = ("boxes", "masks", "occluded")
    rows: dict[str, dict[str, list[list[Json]]]] = {kind: {body: [] for body in bodies} for kind in kinds}
    with closing(MujocoStudio(stage, view)) as own:
        for frame in range(0, len(states), max(1, clock.rate // per_second)):
            lens, time = stage.lens.moved(view.camera, clock, frame), round(clock.time(frame), 2)
            for body in bodies:
                whole = own.mask(states[frame], lens, body, alone=True)
                seen = own.mask(states[frame], lens, body) & whole
                if whole.any():
                    rows["occluded"][body].append([time, round(1 - float(seen.sum() / whole.sum()), 3)])
                if (box := box_of(seen)) is not None:
                    x0, y0, x1, y1 = box
                    rows["boxes"][body].append([time, *box])
                    rows["masks"][body].append([time, runs(seen[y0:y1, x0:x1])])
    return dict(rows)


def runs(mask: NDArray[np.bool_]) -> list[int]:
    """The lengths of runs of a mask, row by row, which is off and on in turn.

    >>> runs(np.eye(2, dtype=bool))
    [0, 1, 2, 1]
    """
    flat = np.concatenate([[False], mask.reshape(-1), [not mask.reshape(-1)[-1]]])
    ends = np.flatnonzero(flat[1:] != flat[:-1])
    return [int(each) for each in np.diff(ends, prepend=0)]


def box_of(mask: NDArray[np.bool_]) -> list[int] | None:
    """The smallest box x0, y0, x1, y1 around a mask, half-open; `None` around nothing.

    >>> box_of(np.eye(4, dtype=bool)[:, 1:])
    [0, 1, 3, 4]
    """
    columns, rows = np.flatnonzero(mask.any(0)), np.flatnonzero(mask.any(1))
    return [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1] if len(rows) else None
