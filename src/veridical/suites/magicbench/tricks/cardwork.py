"""The double lift: when what happens, and where the card and the hands are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from veridical.media.draw.scene import Point
from veridical.media.figures.clock import along
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.cards import BACKS, BLACKS, HIGH, RANKS, REDS, TILT, Card, lying
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand, Side
from veridical.suites.magicbench.tricks.poses import RELAXED, Pose, blend
from veridical.suites.magicbench.tricks.space import Frame, Vector, frame
from veridical.suites.magicbench.tricks.staging import Staging, staging

GRIP = Pose((1, 0, 2, 4), (4, 3, 5, 8), ((28, 56), (-8, 36), (-24, 8)), 0.7)
"""A card between the thumb in front of it and the fingers behind."""
HELD: Vector = (-0.06, 0.66, 0.17)
"""Where the middle of a card is in the axes of the hand that holds it."""


@dataclass(frozen=True, slots=True)
class DoubleLift:
    """The nuisances of a unit: the card that is seen, the one on top in the trick, the back, places in scene units."""

    staging: Staging
    seen: Card
    top: Card
    back: str
    deck: Point
    mat: Point
    turn: float
    raised: float

    def time(self, seconds: float) -> float:
        """When something happens that is planned `seconds` after the action begins."""
        return self.staging.lead + seconds * self.staging.tempo


def sample(nuisances: Nuisances) -> DoubleLift:
    play = staging(nuisances)
    ranks = list(RANKS)
    seen = ranks.pop(int(nuisances.between(0, len(ranks))))
    suits = nuisances.one_of(((REDS, BLACKS), (BLACKS, REDS)))
    return DoubleLift(
        staging=play,
        seen=Card(seen, nuisances.one_of(suits[0])),
        top=Card(nuisances.one_of(ranks), nuisances.one_of(suits[1])),
        back=nuisances.one_of(sorted(BACKS)),
        deck=(nuisances.between(414, 432), nuisances.between(222, 234)),
        mat=(nuisances.between(196, 214), nuisances.between(226, 238)),
        turn=nuisances.between(-7, 7),
        raised=nuisances.between(118, 132),
    )


LIFT, TURNED, LOWER, LAID, DEALT, TAKE, SHOW = 0.45, 1.1, 2.0, 2.45, 3.05, 3.75, 4.3
"""The plan in seconds: the secret begins, the face is up, it goes back, lies on the deck, the top card lies on the mat,
the other hand takes it, its face is up."""


def card_axes(base: DoubleLift, time: float) -> Frame | None:
    """The axes of the card that is off the deck: turned over and back, dealt to the mat, taken and turned over."""
    lift, turned, lower, laid, dealt, take, show = map(base.time, (LIFT, TURNED, LOWER, LAID, DEALT, TAKE, SHOW))
    if time <= lift:
        return None
    (x, y), (goal_x, goal_y) = base.deck, base.mat
    up = base.raised
    over = along([(laid, 0.0), ((laid + dealt) / 2, 30.0), (dealt, 0.0)], time)
    places = [
        (lift, x),
        (turned, x - 34),
        (lower, x - 34),
        (laid, x),
        (dealt, goal_x),
        (take, goal_x),
        (show, goal_x + 26),
    ]
    highs = [(lift, y), (turned, up), (lower, up), (laid, y), (dealt, goal_y), (take, goal_y), (show, up)]
    upright = along([(lift, 0.0), (turned, 1.0), (lower, 1.0), (laid, 0.0), (take, 0.0), (show, 1.0)], time)
    turn = along([(lift, base.turn), (turned, -7.0), (lower, -7.0), (laid, base.turn), (take, 0.0), (show, 7.0)], time)
    roll = 180 - 174 * upright
    place = along(places, time), along(highs, time) - over, 0.0
    return frame(place, HIGH, turn, TILT * (1 - upright), -roll if time >= take else roll)


def _gripping(
    side: Side,
    body: Frame | None,
    rest: Point,
    share: float,
    turn: float,
    roll: float,
    elbow: Point,
    depth: float,
    name: str,
) -> Hand:
    """A hand that holds the card by a share, else is at rest."""
    pose = blend(RELAXED, GRIP, share)
    hand = Hand(side, (0.0, 0.0), pose, turn, roll, 6.0, elbow, depth, name)
    return replace(hand, place=rest if body is None else _toward(rest, body, hand, share))


def _toward(rest: Point, body: Frame, hand: Hand, share: float) -> Point:
    x, y, _ = hand.body.at(HELD)
    held = body.origin[0] - x, body.origin[1] - y
    return rest[0] + share * (held[0] - rest[0]), rest[1] + share * (held[1] - rest[1])


def acting_hand(base: DoubleLift, body: Frame | None, time: float) -> Hand:
    """The acting hand: lifts and shows, lays back, deals to the mat, and goes back to the deck."""
    lift, turned, lower, laid, dealt = map(base.time, (LIFT, TURNED, LOWER, LAID, DEALT))
    x, y = base.deck
    share = along([(base.time(0.0), 0.0), (lift, 1.0), (dealt, 1.0), (dealt + 0.45, 0.0)], time)
    roll = along([(lift, 166.0), (turned, 14.0), (lower, 14.0), (laid, 166.0)], time)
    turn = along(
        [(lift, -30.0), (turned, -30.0), (lower, -30.0), (laid, -30.0), (dealt, -52.0), (dealt + 0.45, -30.0)], time
    )
    body = body or lying(base.deck, base.turn, 0.0)
    return _gripping(RIGHT, body, (x + 84, y + 30), share, turn, roll, (x + 170, 440.0), 40.0, base.staging.acting)


def other_hand(base: DoubleLift, body: Frame | None, time: float) -> Hand:
    """The decoy: beckons beside the mat, passes over the card that lies there, takes it and turns it over."""
    lift, dealt, take, show = map(base.time, (LIFT, DEALT, TAKE, SHOW))
    x, y = base.mat
    beat = (take - dealt) / 3
    reach = min(56.0, base.staging.decoy * beat / 1.5)
    aside = along([(dealt, 0.0), (dealt + beat, reach), (dealt + 2 * beat, 0.0)], time)
    nod = along([(lift, 0.0), (lift + 0.3, 14.0), (lift + 0.6, 0.0), (lift + 0.9, 14.0), (lift + 1.2, 0.0)], time)
    high = along([(dealt - 0.2, 0.0), (dealt + beat, 34.0), (dealt + 2 * beat, 26.0)], time) + nod
    share = along([(dealt + 2 * beat, 0.0), (take, 1.0)], time)
    roll = along([(take, 166.0), (show, 14.0)], time)
    rest = x - 84 + aside, y + 20 - high
    return _gripping(LEFT, body, rest, share, 32.0, roll, (x - 150, 440.0), 80.0, base.staging.other)
