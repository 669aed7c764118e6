"""Single pictures that seem to move or pulse: wheels, rays, spirals and tunnels."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.media.draw import Disc, Item, Patch, Ring, Scene
from veridical.media.draw.scene import Point
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.motion import frames
from veridical.suites.viabench.puzzles.motion.rays import BANDS, burst
from veridical.suites.viabench.puzzles.motion.tunnel import rings
from veridical.suites.viabench.puzzles.motion.wheels import wheel
from veridical.suites.viabench.puzzles.puzzle import NO, VARIANTS, YES, Puzzle, Variant, illusion

_TABLE = 1024


class StillPicture(BaseItem):
    """The nuisances of a still picture: its pattern, radius, repeats, angle and colors."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.pattern = nuisances.one_of(("wheel", "rays", "spiral", "tunnel"))
        self.radius = nuisances.px(205, 232)
        self.repeats = (10, 12, 15)[grade - 1] + nuisances.one_of((0, 1))
        self.turn = nuisances.between(0, 360)
        self.tightness = nuisances.one_of((-1, 1)) * nuisances.between(1.6, 2.4)
        self.inks = nuisances.one_of(range(len(frames.INKS)))
        self.ground = nuisances.one_of(range(len(frames.GROUNDS)))
        self.band = nuisances.one_of(range(len(BANDS)))
        self.size = nuisances.size


@lru_cache(maxsize=2)
def _polar(size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The logarithm of the distance from the middle and the angle in turns, for each pixel."""
    at = np.arange(size, dtype=np.float32) + np.float32(0.5 - size / 2)
    angle = (np.arctan2(at[:, None], at[None]) / (2 * math.pi)).astype(np.float32)
    return (np.log(at[:, None] ** 2 + at[None] ** 2) / 2).astype(np.float32), angle


def _spiral(still: StillPicture, variant: Variant, center: Point) -> list[Item]:
    """Arms that darken slowly and brighten at once, or darken and brighten alike."""
    at = np.arange(_TABLE) / _TABLE
    wave = at if variant == "unusual" else 1 - np.abs(2 * at - 1)
    soft = np.mean([np.roll(wave, k) for k in range(-8, 9)], 0)[:, None]
    dark, bright = np.array(frames.INKS[still.inks][1], float), np.array(frames.INKS[still.inks][2], float)
    table = np.rint(dark + soft * (bright - dark)).astype(np.uint8)
    logarithm, angle = _polar(still.size)
    phase = still.repeats * (angle + still.turn / 360) + np.float32(still.tightness) * logarithm
    array = table[(phase * _TABLE).astype(np.int32) % _TABLE]
    ground = frames.GROUNDS[still.ground]
    beyond = still.size
    return [
        Patch(0, 0, array),
        Ring(center, still.radius + beyond / 2, beyond, ground),
        Disc(center, 0.08 * still.radius, ground),
    ]


def _draw(still: StillPicture, answer: str, variant: Variant) -> tuple[Scene]:  # noqa: ARG001 (no picture moves)
    center = still.size / 2, still.size / 2
    parts = frames.steps(frames.INKS[still.inks], variant)
    if still.pattern == "spiral":
        items = _spiral(still, variant, center)
    elif still.pattern == "rays":
        count = 6 * still.repeats if variant == "unusual" else 8
        items = burst(center, still.radius, count, still.turn, frames.INKS[still.inks], still.band)
    elif still.pattern == "wheel":
        items = wheel(center, still.radius, (2 * still.repeats, 9, 0.8), still.turn, parts)
    else:
        reach = 0.12 * still.radius, still.radius
        items = rings(center, reach, 1.5, still.turn / 360, parts, (2 * still.repeats, still.turn))
        items.append(Disc(center, reach[0], frames.INKS[still.inks][1]))
        items.append(Ring(center, still.radius, 8 * still.size / 512, frames.INKS[still.inks][1]))
    return (Scene(still.size, still.size, frames.GROUNDS[still.ground], tuple(items)),)


STATIC_DRIFT = Puzzle(
    name="static_drift",
    title="A still picture that seems to move",
    category="motion",
    capability="motion",
    sees="a pattern that drifts, turns or pulses",
    truth="no single picture moves",
    source="ours, after MacKay 1957, Fraser & Wilcox 1979, Leviant 1982 and Kitaoka & Ashida 2003",
    graded="more and finer parts, which seem to move more",
    question="Does any part of this picture turn, drift or pulse?",
    question_reversed="Does every part of this picture stay still?",
    sample=StillPicture,
    variants=lambda base, answer: VARIANTS if answer == NO else (),  # noqa: ARG005
    draw=_draw,
    usual=illusion(YES),
    counted=lambda base, answer, variant: NO,  # noqa: ARG005
    unreadable="a single picture cannot move, whatever it shows",
    tells_by_text=True,
)
