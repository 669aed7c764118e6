"""Hands that pass through key positions, and hands that hold a point of the scene between index and thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from veridical.media.draw.scene import Point
from veridical.suites.magicbench.tricks.hands import Hand, HandPose, Side, blend, joints


def fingertips(hand: Hand) -> Point:
    """The point between the tips of index and thumb, in units of the scene."""
    chains = joints(hand)
    (x0, y0, _), (x1, y1, _) = hand.body.at(chains[0][3]), hand.body.at(chains[4][3])
    return (x0 + x1) / 2, (y0 + y1) / 2


def move_fingertips(hand: Hand, point: Point) -> Hand:
    """The hand, moved so that the tips of index and thumb are at a point.

    >>> from veridical.suites.magicbench.tricks.hands import RIGHT
    >>> from veridical.suites.magicbench.tricks.hands import PINCH
    >>> [round(each) for each in fingertips(move_fingertips(Hand(RIGHT, (0.0, 0.0), PINCH, -90.0), (200.0, 120.0)))]
    [200, 120]
    """
    x, y = fingertips(hand)
    return replace(hand, place=(hand.place[0] + point[0] - x, hand.place[1] + point[1] - y))


_LOW, _FOLLOWS = 450.0, 0.45


class Key(NamedTuple):
    """Where and how a hand is at a time, in seconds; angles and depth as for `hands.Hand`."""

    time: float
    place: Point
    pose: HandPose
    turn: float
    roll: float
    depth: float


def hand_between_keys(side: Side, keys: Sequence[Key], time: float, away: float, name: str) -> Hand:
    """The hand at a time: at rest in each of its keys, and still before the first and after the last.

    Its forearm comes from below the frame, from x = `away` if the hand stayed there: the elbow follows the hand.

    >>> from veridical.suites.magicbench.tricks.hands import FIST, OPEN
    >>> keys = [Key(1.0, (100.0, 200.0), OPEN, 0.0, 0.0, 0.0), Key(2.0, (300.0, 200.0), FIST, 90.0, 0.0, 0.0)]
    >>> hand = hand_between_keys("left hand", keys, 1.5, 0.0, "left hand")
    >>> hand.place, hand.turn, hand.pose.bend[1]
    ((200.0, 200.0), 45.0, 40.0)
    """
    share, first, second = 1.0, keys[-1], keys[-1]
    for one, two in pairwise(keys):
        if time < two.time:
            share, first, second = max(0.0, (time - one.time) / (two.time - one.time)), one, two
            break
    share *= share * (3 - 2 * share)

    def mix(a: float, b: float) -> float:
        return a + share * (b - a)

    x, y = (mix(a, b) for a, b in zip(first.place, second.place, strict=True))
    pose = blend(first.pose, second.pose, share)
    turn, roll, depth = mix(first.turn, second.turn), mix(first.roll, second.roll), mix(first.depth, second.depth)
    elbow = (x * _FOLLOWS + away * (1 - _FOLLOWS), _LOW)
    return Hand(side, (x, y), pose, turn, roll, 8.0, elbow, depth, name)
