"""Cups and balls: when what happens, and where the cups and the hands are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.clock import along
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand
from veridical.suites.magicbench.tricks.motion import Key, passing
from veridical.suites.magicbench.tricks.poses import GRASP, HALF, POINT, RELAXED
from veridical.suites.magicbench.tricks.props import BRIGHT, CUP_RIM, METALS, on_cup
from veridical.suites.magicbench.tricks.staging import Staging, staging

FOOT, RADIUS, ROW = 205.0, 13.0, -110.0
"""Where the cups stand; the radius of a ball; and the depth of what stands on the table, behind all hands."""
CUPS: dict[str, Colour] = {**METALS, "white": (222, 220, 212), "pink": (222, 132, 150)}
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class Cups:
    """The nuisances of a unit; the cups are counted from the left before the picture is mirrored.

    The ball seems to be put under the cup `shown`, and is loaded under the cup `loaded`. `balls` has the colors of the
    ball of the trick and of those that lie aside.
    """

    staging: Staging
    material: str
    balls: tuple[str, ...]
    xs: tuple[float, float, float]
    rest: Point
    shown: int
    loaded: int
    taps: int

    def time(self, seconds: float) -> float:
        """When something happens that is planned `seconds` after the action begins."""
        return self.staging.lead + seconds * self.staging.tempo

    def name(self, cup: int) -> str:
        """The name of a cup, by its place from the left as it is seen."""
        return f"cup {'CBA'[cup] if self.staging.mirrored else 'ABC'[cup]}"

    @property
    def first(self) -> str:
        """The cup under which the ball seems to be put."""
        return self.name(self.shown)

    @property
    def second(self) -> str:
        """The cup under which the ball is loaded."""
        return self.name(self.loaded)

    @property
    def ball(self) -> str:
        """The ball of the trick."""
        return f"{self.balls[0]} ball"


def sample(nuisances: Nuisances) -> Cups:
    made = staging(nuisances)
    colors = [name for name in BRIGHT if name != made.cloth]
    first = int(nuisances.between(0, len(colors)))
    balls = tuple(colors[(first + k) % len(colors)] for k in range(nuisances.one_of((1, 2, 3))))
    left = nuisances.between(156, 172)
    gaps = nuisances.between(134, 144), nuisances.between(134, 144)
    shown, loaded = nuisances.one_of(_PAIRS)
    return Cups(
        staging=made,
        material=nuisances.one_of(sorted(CUPS)),
        balls=balls,
        xs=(left, left + gaps[0], left + sum(gaps)),
        rest=(nuisances.between(534, 552), nuisances.between(236, 248)),
        shown=shown,
        loaded=loaded,
        taps=nuisances.one_of((1, 2)),
    )


PUT, DOWN, KEPT, AWAY, LOAD, SLIPPED, LOADED, LIFT, UP = 0.85, 1.0, 1.2, 1.65, 1.95, 2.2, 2.4, 3.15, 3.55
"""The plan in seconds: the ball comes to the first cup and the secret begins; the cup comes down; it stands, an honest
hand has let go of the ball, and the hand draws back; the other one is away from the cup; the second cup is tilted, the
ball of the trick is slipped under it, and it stands again; both cups are lifted; they are up."""
STAY, TILT, HIGH = 1.4, 14.0, 66.0


class Stand(NamedTuple):
    """How a cup stands: the middle of its rim on the screen, its tilt in degrees clockwise, and its depth."""

    rim: Point
    tilt: float
    depth: float


def standing(base: Cups, time: float) -> tuple[Stand, Stand, Stand]:
    """How the cups stand, from the left before the picture is mirrored."""
    at = base.time
    made = []
    for k, x in enumerate(base.xs):
        tilt = high = 0.0
        if k == base.shown:
            tilt = -along([(at(0.5), 0), (at(0.8), TILT), (at(DOWN), TILT), (at(KEPT), 0)], time)
            high = along([(at(LIFT), 0.0), (at(UP), HIGH)], time)
        elif k == base.loaded:
            tilt = -along([(at(LOAD - 0.2), 0), (at(LOAD), TILT), (at(SLIPPED), TILT), (at(LOADED), 0)], time)
            high = along([(at(LIFT), 0.0), (at(UP), HIGH)], time)
        lean = (-10.0 if k == base.shown else 10.0) * high / HIGH
        raised = CUP_RIM * math.sin(math.radians(abs(tilt))) + high
        held = (k == base.shown and at(0.4) < time < at(KEPT + 0.1)) or time > at(LIFT - 0.1)
        made.append(Stand((x, FOOT - raised), tilt + lean, 0.0 if held and k in (base.shown, base.loaded) else ROW))
    return tuple(made)  # type: ignore[return-value]


def _beside(x: float) -> Point:
    """Where the acting hand is when its fingertips are under the right side of a cup."""
    return x + 68, FOOT + 25


def acting_hand(base: Cups, stand: Stand, time: float) -> Hand:
    """It carries the ball to the first cup, goes to the second, tilts it, waits aside, and lifts it."""
    at = base.time
    rest, aside = base.rest, (base.rest[0], base.rest[1] + 14)
    first, second = _beside(base.xs[base.shown]), _beside(base.xs[base.loaded])
    keys = [
        Key(at(0.2), rest, RELAXED, -34.0, 14.0, 60.0),
        Key(at(PUT - 0.05), first, HALF, -52.0, -160.0, 60.0),
        Key(at(KEPT), first, HALF, -52.0, -160.0, 60.0),
        Key(at(LOAD - 0.2), second, HALF, -52.0, -160.0, 60.0),
        Key(at(LOADED), second, HALF, -52.0, -160.0, 60.0),
        Key(at(LOADED + 0.35), aside, RELAXED, -44.0, -150.0, 60.0),
        Key(at(LIFT - 0.35), aside, RELAXED, -44.0, -150.0, 60.0),
        Key(at(LIFT), on_cup(stand.rim, stand.tilt, 39, 46), GRASP, -36.0, -128.0, -26.0),
    ]
    return passing(RIGHT, keys, time, base.rest[0] + 240, base.staging.acting)


def other_hand(base: Cups, stand: Stand, time: float) -> Hand:
    """It tilts the first cup, lets it go, points at it, and lifts it."""
    at, x = base.time, base.xs[base.shown]
    rest, back = (max(64.0, x - 120), FOOT + 50), (x - 92, FOOT + 34)
    hold = on_cup(stand.rim, stand.tilt, -39, 46)
    beat = (LIFT - 0.35 - AWAY) / (2 * base.taps)
    reach = min(34.0, base.staging.decoy * beat / 1.5)
    rows = [(AWAY + k * beat, reach * (k % 2)) for k in range(2 * base.taps + 1)]
    taps = [(row, (back[0] + near, back[1] - 0.4 * near)) for row, near in rows]
    keys = [
        Key(at(0.05), rest, RELAXED, 38.0, -150.0, 50.0),
        Key(at(0.46), hold, GRASP, 36.0, -128.0, -26.0),
        Key(at(KEPT), hold, GRASP, 36.0, -128.0, -26.0),
        *(Key(at(each), place, POINT, 56.0, -150.0, 50.0) for each, place in taps),
        Key(at(LIFT), hold, GRASP, 36.0, -128.0, -26.0),
    ]
    return passing(LEFT, keys, time, -100.0, base.staging.other)
