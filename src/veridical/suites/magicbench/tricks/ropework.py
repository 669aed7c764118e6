"""Cut and restored rope: when what happens, and where the hands and the scissors are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.clock import along
from veridical.suite.nuisance_fields import between, one_of, point
from veridical.suites.magicbench.tricks.cord import ROPES
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand
from veridical.suites.magicbench.tricks.motion import reaching
from veridical.suites.magicbench.tricks.poses import FIST, HALF, PINCH, RELAXED, blend
from veridical.suites.magicbench.tricks.staging import Unit

TAPES: dict[str, Colour] = {"red": (190, 40, 44), "black": (44, 44, 50), "blue": (40, 70, 170)}


@dataclass(frozen=True, slots=True)
class Rope(Unit):
    """The nuisances of a unit; lengths in units of the scene."""

    color: str = one_of(sorted(ROPES))
    tape: str = one_of(sorted(TAPES))
    left: Point = point((206, 222), (160, 172))
    right: Point = point((372, 396), (112, 128))
    table: Point = point((452, 474), (250, 262))
    hang: float = between(84.0, 94.0)
    loop: float = between(38.0, 46.0)
    stretch: float = between(1.75, 1.9)


MEET, KEPT, TAKEN, CUT, LAID, GRIP, SHOW = 0.65, 1.3, 1.65, 2.25, 2.65, 3.0, 3.75
"""The plan in seconds: the hands meet and the secret begins, a loop stands above the fist and it is over, the scissors
are taken up, they cut, they are laid down, the hand is at the fist again, and both hands show the rope."""
DIP, OUT = 0.85, 1.05
"""The plan in seconds: a loop goes into the fist, one comes out of it."""


def openings(hand: Hand) -> tuple[Point, Point]:
    """Where the rope comes out of the fist, above and below."""
    body = hand.body
    (x0, y0, _), (x1, y1, _) = body.at((0.2, 0.5, 0.0)), body.at((-0.17, 0.46, 0.0))
    return (x0, y0), (x1, y1)


def grasp(base: Rope, honest: bool, time: float, top: Point, low: Point) -> Point:
    """Where index and thumb of the acting hand are."""
    at = base.time
    table = base.table
    crown = (top[0], top[1] - base.loop)
    above, blades = (crown[0] + 20, crown[1] + 8), (crown[0] + 61, crown[1] + 22)
    arc = min(46.0, 0.25 * base.staging.decoy)
    stops = [
        (at(0.05), base.right),
        (at(MEET), (top[0], top[1] - 12)),
        (at(DIP), (top[0], top[1] + 2)),
        (at(KEPT), above),
        (at(KEPT) + 0.05, above),
        (at(TAKEN), table),
        (at(TAKEN) + 0.08, table),
        ((at(TAKEN) + at(CUT)) / 2, ((table[0] + blades[0]) / 2 + 20, (table[1] + blades[1]) / 2 - arc)),
        (at(CUT) - 0.14, blades),
        (at(CUT) + 0.1, blades),
        (at(LAID), table),
        (at(LAID) + 0.06, table),
    ]
    if honest:
        far = (low[0] + 1.75 * base.hang, low[1] - 92)
        stops += [(at(GRIP), above), (at(GRIP) + 0.06, above)]
        stops += [(at(GRIP + 0.35), (above[0] + 60, above[1] - 24)), (at(SHOW), far)]
    else:
        stops += [(at(GRIP), (crown[0] + 3, crown[1] + 36)), (at(SHOW - 0.42), end_held(base, low, 0.0))]
        if time > at(SHOW - 0.42):
            return end_held(base, low, along([(at(SHOW - 0.42), 0.0), (at(SHOW), 1.0)], time))
    x, y = (along([(t, point[k]) for t, point in stops], time) for k in (0, 1))
    return x, y


def end_held(base: Rope, low: Point, pulled: float) -> Point:
    """Where the acting hand has the end of the rope: below the fist at first, far to the right in the end."""
    reach = (base.hang - 8) * (1 + pulled * (base.stretch - 1))
    angle = math.radians(88 - 84 * pulled)
    return low[0] + 5 + reach * math.cos(angle), low[1] + reach * math.sin(angle)


def acting_hand(base: Rope, honest: bool, time: float, hold: Point, name: str) -> Hand:
    """The acting hand, its back to the viewer, with index and thumb where it holds something."""
    at = base.time
    away = along([(at(KEPT), 0.0), (at(TAKEN), 1.0), (at(LAID), 1.0), (at(GRIP), 0.0)], time)
    closed = 0.0 if honest else along([(at(GRIP), 0.0), (at(GRIP + 0.2), 1.0)], time)
    pose = blend(PINCH, blend(PINCH, HALF, 0.7), closed)
    hand = Hand(RIGHT, (0.0, 0.0), pose, -100 + 8 * away, 202.0, 0.0, (base.table[0] + 190, 430.0), 40.0, name)
    return reaching(hand, hold)


def fist(base: Rope, time: float, name: str) -> Hand:
    """The other hand: it closes around the rope and keeps it."""
    at = base.time
    close = along([(at(MEET) - 0.3, 0.0), (at(MEET), 1.0)], time)
    x, y = base.left
    return Hand(LEFT, (x, y), blend(RELAXED, FIST, close), 76.0, 4.0, 0.0, (x - 250, 430.0), 0.0, name)


def cutting(base: Rope, time: float, hold: Point) -> tuple[Point, float, float, bool]:
    """The scissors: on the table, or carried with their rings at index and thumb."""
    at = base.time
    lying = not at(TAKEN) <= time < at(LAID)
    x, y = base.table if lying else hold
    turned = along([(at(TAKEN), 0.0), (at(CUT) - 0.14, 1.0), (at(CUT) + 0.1, 1.0), (at(LAID), 0.0)], time)
    turn = math.radians(205 - 22 * turned)
    snip = [(at(TAKEN) + 0.1, 0.06), (at(CUT) - 0.16, 0.42), (at(CUT) - 0.08, 0.42), (at(CUT), 0.04)]
    return (x + 24 * math.cos(turn), y + 24 * math.sin(turn)), turn, along(snip, time), lying
