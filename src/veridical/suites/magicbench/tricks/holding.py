"""What a hand holds between index and thumb, and hands that hold a point of the scene."""

from __future__ import annotations

from dataclasses import replace

from veridical.media.draw.scene import Point
from veridical.suites.magicbench.tricks.hands import Hand, joints


def fingertips(hand: Hand) -> Point:
    """The point between the tips of index and thumb, in units of the scene."""
    chains = joints(hand)
    (x0, y0, _), (x1, y1, _) = hand.body.at(chains[0][3]), hand.body.at(chains[4][3])
    return (x0 + x1) / 2, (y0 + y1) / 2


def reaching(hand: Hand, point: Point) -> Hand:
    """The hand, moved so that the tips of index and thumb are at a point.

    >>> from veridical.suites.magicbench.tricks.hands import RIGHT
    >>> from veridical.suites.magicbench.tricks.poses import PINCH
    >>> [round(each) for each in fingertips(reaching(Hand(RIGHT, (0.0, 0.0), PINCH, -90.0), (200.0, 120.0)))]
    [200, 120]
    """
    x, y = fingertips(hand)
    return replace(hand, place=(hand.place[0] + point[0] - x, hand.place[1] + point[1] - y))
