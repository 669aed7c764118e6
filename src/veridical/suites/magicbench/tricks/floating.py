"""Levitation: when what happens, and where the hands and the ball are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.clock import along
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand
from veridical.suites.magicbench.tricks.log import Interval
from veridical.suites.magicbench.tricks.motion import fingertips, reaching
from veridical.suites.magicbench.tricks.poses import HALF, OPEN, PINCH, RELAXED, blend
from veridical.suites.magicbench.tricks.space import Vector
from veridical.suites.magicbench.tricks.staging import Staging, staging

BALLS: dict[str, Colour] = {
    "red": (206, 52, 48),
    "yellow": (236, 190, 48),
    "white": (232, 230, 222),
    "orange": (232, 124, 40),
    "purple": (142, 84, 176),
}


@dataclass(frozen=True, slots=True)
class Levitation:
    """The nuisances of a unit; lengths in units of the scene, the ball on the table at `spot`."""

    staging: Staging
    color: str
    spot: Point
    left: Point
    radius: float
    thread: float
    height: float
    swing: float
    toss: float

    def time(self, seconds: float) -> float:
        """When something happens that is planned `seconds` after the action begins."""
        return self.staging.lead + seconds * self.staging.tempo


def sample(nuisances: Nuisances) -> Levitation:
    return Levitation(
        staging=staging(nuisances),
        color=nuisances.one_of(sorted(BALLS)),
        spot=(nuisances.between(276, 296), nuisances.between(240, 254)),
        left=(nuisances.between(146, 164), nuisances.between(204, 218)),
        radius=nuisances.between(13.0, 16.0),
        thread=nuisances.between(50.0, 62.0),
        height=nuisances.between(62.0, 76.0),
        swing=nuisances.between(10.0, 18.0) * nuisances.one_of((-1, 1)),
        toss=nuisances.between(150.0, 164.0),
    )


MEET, FIXED, TAUT, KEPT, RISEN, SHOW = 0.7, 1.0, 1.35, 1.5, 2.5, 2.9
"""The plan in seconds: the hand touches the ball and the secret begins, the thread sticks to the ball, it is taut, the
ball is off the table and the secret is over, it is at its height, and it stays there."""
TURNED, FLIGHT, STAY = 0.5, 0.6, 1.4
"""Seconds: the control turns its hand before it tosses the ball; the ball flies; what has become of it is shown."""
LYING: Vector = (0.02, 0.32, 0.1)
"""Where the ball lies on an open palm, in the hand's own axes."""


def flight(base: Levitation) -> Interval:
    """From when to when the ball of the control flies."""
    start = base.time(KEPT + TURNED)
    return start, start + FLIGHT


def _approach(base: Levitation, time: float, name: str) -> Hand:
    """The acting hand until the secret begins: it comes from the right and sets its fingertips on the ball."""
    at = base.time
    x, y = base.spot
    near = along([(at(0.05), 0.0), (at(MEET), 1.0)], time)
    pose = blend(RELAXED, PINCH, near)
    hand = Hand(RIGHT, (0.0, 0.0), pose, -62 - 40 * near, 186 + 18 * near, 0.0, (x + 350, 430.0), 40.0, name)
    over = 26.0 * near * (1 - near)
    return reaching(hand, (x + 118 * (1 - near), y - base.radius + 6 - 44 * (1 - near) - over))


def lifting(base: Levitation, time: float, name: str) -> Hand:
    """The acting hand of the trick: it stays on the ball for a moment, rises, and drifts aside and back."""
    at = base.time
    hand = _approach(base, time, name)
    if time <= at(MEET):
        return hand
    x, y = fingertips(hand)
    long = base.thread + 4
    up = along([(at(FIXED), 0.0), (at(TAUT), long), (at(KEPT), long + 10), (at(RISEN), long + base.height)], time)
    rub = along([(at(MEET), 0.0), (at(MEET) + 0.12, 2.5), (at(MEET) + 0.26, -1.5), (at(FIXED), 0.0)], time)
    aside = along([(at(KEPT), 0.0), (at(RISEN), base.swing), (at(SHOW) + 0.5, -base.swing)], time)
    return reaching(hand, (x + rub + aside, y - up))


def tossing(base: Levitation, time: float, name: str) -> Hand:
    """The acting hand of the control: it takes the ball, turns its palm up, tosses the ball and catches it."""
    at = base.time
    hand = _approach(base, time, name)
    if time <= at(MEET):
        return hand
    tossed, caught = flight(base)
    turned = along([(at(FIXED), 0.0), (at(KEPT) + 0.2, 1.0)], time)
    x, y = hand.place
    dips = [(tossed - 0.16, -14.0), (tossed, 10.0), (tossed + 0.25, -2.0), (caught, 6.0), (caught + 0.15, -6.0)]
    up = along([(at(FIXED), 0.0), (at(KEPT), 16.0), *dips], time)
    pose = blend(hand.pose, blend(HALF, OPEN, 0.75), turned)
    roll, turn = hand.roll + (14 - hand.roll) * turned, hand.turn + (-44 - hand.turn) * turned
    return replace(hand, place=(x + 26 * turned, y - up - 6 * turned), pose=pose, roll=roll, turn=turn)


def tossed_ball(base: Levitation, time: float, hand: Hand) -> Vector:
    """The control's ball: on the table, in the fingers, on the palm, or in flight."""
    at = base.time
    if time <= at(FIXED):
        return *base.spot, 30.0
    tossed, caught = flight(base)
    x, y, depth = hand.body.at(LYING)
    if tossed < time < caught:
        share = (time - tossed) / FLIGHT
        (x0, y0, _), (x1, y1, _) = (tossing(base, t, "").body.at(LYING) for t in (tossed, caught))
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0) - base.toss * 4 * share * (1 - share), 90.0
    held = along([(at(FIXED), 0.0), (at(KEPT) + 0.1, 1.0)], time)
    fx, fy = fingertips(hand)
    fy += base.radius - 6
    # From behind the fingers it comes to lie before them: the turning hand never hides it.
    deep = 30.0 if held < 0.12 else max(depth + 12, 80.0)
    return fx + held * (x - fx), fy + held * (y - fy), deep


def waving(base: Levitation, time: float, name: str) -> Hand:
    """The decoy: it waves as if it made the ball rise, and comes to rest."""
    at = base.time
    x, y = base.left
    start, end = at(MEET), at(SHOW)
    beat = (end - start) / 6
    reach = min(34.0, base.staging.decoy * beat / 1.5)
    wave = along([(start + k * beat, reach * (k % 2)) for k in range(7)], time)
    raised = along([(start - 0.3, 0.0), (start + 0.3, 1.0), (end, 1.0), (end + 0.5, 0.0)], time)
    place = (x - 6 * raised, y - 34 * raised - wave)
    return Hand(LEFT, place, blend(RELAXED, OPEN, raised), 34 + 0.3 * wave, 20.0, 10.0, (x - 250, 430.0), 0.0, name)
