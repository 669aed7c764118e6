"""Cups and balls: a ball seems to be put under one cup, stays in the hand, and is loaded under another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.hands import GRASP, HALF, LEFT, POINT, RELAXED, RIGHT, Hand
from veridical.suites.magicbench.tricks.log import Appearance, Event, Log, Move, Stay
from veridical.suites.magicbench.tricks.motion import Key, hand_between_keys
from veridical.suites.magicbench.tricks.props import BRIGHT, CUP_RIM, METALS, ball, both_hands, cup, cup_point
from veridical.suites.magicbench.tricks.space import paint_layers
from veridical.suites.magicbench.tricks.staging import TrickUnit, occluder, stage, staging
from veridical.suites.magicbench.tricks.trick import Speech, Trick

FOOT, RADIUS, ROW = 205.0, 13.0, -110.0
"""Where the cups stand; the radius of a ball; and the depth of what stands on the table, behind all hands."""
CUPS: dict[str, Colour] = {**METALS, "white": (222, 220, 212), "pink": (222, 132, 150)}
_PAIRS = ((0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cups(TrickUnit):
    """The nuisances of a unit; the cups are counted from the left before the picture is mirrored.

    The ball seems to be put under the cup `shown`, and is loaded under the cup `loaded`. `balls` has the colors of the
    ball of the trick and of those that lie aside.
    """

    material: str
    balls: tuple[str, ...]
    xs: tuple[float, float, float]
    rest: Point
    shown: int
    loaded: int
    taps: int

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


def stands_at(base: Cups, time: float) -> tuple[Stand, Stand, Stand]:
    """How the cups stand, from the left before the picture is mirrored."""
    at = base.time
    made = []
    for k, x in enumerate(base.xs):
        tilt = high = 0.0
        if k == base.shown:
            tilt = -interpolate([(at(0.5), 0), (at(0.8), TILT), (at(DOWN), TILT), (at(KEPT), 0)], time)
            high = interpolate([(at(LIFT), 0.0), (at(UP), HIGH)], time)
        elif k == base.loaded:
            tilt = -interpolate([(at(LOAD - 0.2), 0), (at(LOAD), TILT), (at(SLIPPED), TILT), (at(LOADED), 0)], time)
            high = interpolate([(at(LIFT), 0.0), (at(UP), HIGH)], time)
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
        Key(at(LIFT), cup_point(stand.rim, stand.tilt, 39, 46), GRASP, -36.0, -128.0, -26.0),
    ]
    return hand_between_keys(RIGHT, keys, time, base.rest[0] + 240, base.staging.acting)


def other_hand(base: Cups, stand: Stand, time: float) -> Hand:
    """It tilts the first cup, lets it go, points at it, and lifts it."""
    at, x = base.time, base.xs[base.shown]
    rest, back = (max(64.0, x - 120), FOOT + 50), (x - 92, FOOT + 34)
    hold = cup_point(stand.rim, stand.tilt, -39, 46)
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
    return hand_between_keys(LEFT, keys, time, -100.0, base.staging.other)


_SPOTS = ((84.0, 146.0), (566.0, 146.0), (238.0, 132.0))
_ASIDE = ((30.0, 196.0), (612.0, 190.0))
"""Where the second and the third ball lie."""


def log(base: Cups, honest: bool) -> Log:
    acting, other, thing = base.staging.acting, base.staging.other, base.ball
    put, loaded, lift, up = (base.time(each) for each in (PUT, LOADED, LIFT, UP))
    seconds = max(5.0, up + STAY)
    shown, true = base.first, base.first if honest else base.second
    change, end = (base.time(KEPT), base.time(KEPT)) if honest else (base.time(SLIPPED), loaded)
    seen = [Appearance(thing, 0.0, base.time(0.62)), Appearance(thing, lift + 0.15, seconds)]
    if not honest:
        seen.append(Appearance(thing, *_peeping(base), glimpse=True))
    return Log(
        honest=honest,
        seconds=seconds,
        events=(
            Stay(thing, acting, 0.0, change),
            Stay(thing, f"under {true}", change, seconds),
            Move(acting, thing, acting, f"under {true}", put, end),
            *seen,
            *_around(base, seconds),
        ),
        thing=thing,
        agent=acting,
        decoy=other,
        tell=f"{thing}/edge",
        secret=(put, loaded),
        cover=(loaded, lift),
        reveal=(up, seconds),
        outcome=lift,
        belief=Stay(thing, f"under {shown}", loaded, lift),
        places=(LEFT, RIGHT, "under cup A", "under cup B", "under cup C", "table"),
        words={
            "secret": f"the {acting} puts the {thing} under {shown}, and only tilts {base.second}."
            if honest
            else f"the {acting} only pretends to put the {thing} under {shown}, keeps it behind its fingers, and slips"
            f" it under {true} while it tilts that cup.",
            "reveal": f"When {' and '.join(sorted((shown, base.second)))} are lifted, from {{start:.1f}} s on, the"
            f" {thing} is seen under {true}, and nothing under {base.second if honest else shown}.",
        },
    )


def _around(base: Cups, seconds: float) -> list[Event]:
    """What both clips have: the cups, which are touched and at last lifted, and the balls that lie aside."""
    acting, other = base.staging.acting, base.staging.other
    at = base.time
    events: list[Event] = []
    for k in range(3):
        name = base.name(k)
        events.append(Appearance(name, 0.0, seconds))
        if k not in (base.shown, base.loaded):
            events.append(Stay(name, "table", 0.0, seconds))
            continue
        hand, start, end = (other, 0.5, KEPT) if k == base.shown else (acting, LOAD - 0.2, LOADED)
        events += [
            Stay(name, "table", 0.0, at(LIFT)),
            Stay(name, hand, at(LIFT), seconds),
            Move(hand, name, "table", "table", at(start), at(end)),
            Move(hand, name, "table", hand, at(LIFT) - 0.02, at(UP)),
        ]
    for color in base.balls[1:]:
        events += [Stay(f"{color} ball", "table", 0.0, seconds), Appearance(f"{color} ball", 0.0, seconds)]
    return events


def _peeping(base: Cups) -> tuple[float, float]:
    """From when to when the ball peeps out of the acting hand, until it is under the second cup."""
    end = base.time(LOADED) - 0.08
    return max(base.time(KEPT), end - base.staging.tell), end


@dataclass(frozen=True, slots=True)
class CupsMoment:
    """Both hands, the cups, and the ball of the trick with its depth and whether it peeps out of the hand."""

    left: Hand
    right: Hand
    cups: tuple[Stand, Stand, Stand]
    ball: tuple[float, float, float, bool]


def moment(base: Cups, log: Log, time: float) -> CupsMoment:
    stands = stands_at(base, time)
    right = acting_hand(base, stands[base.loaded], time)
    left = other_hand(base, stands[base.shown], time)
    return CupsMoment(left, right, stands, _ball(base, log, right, time))


_HELD, _BEHIND = (-0.01, 0.44, 0.2), (0.02, 0.56, 0.16)
"""Where the ball is in the acting hand's own axes: on the palm, and behind the fingers."""


def _ball(base: Cups, log: Log, hand: Hand, time: float) -> tuple[float, float, float, bool]:
    at = base.time
    start, end = _peeping(base)
    peeps = not log.honest and start <= time < end
    place = log.place(base.ball, time)
    if place.startswith("under"):
        k = base.shown if place == f"under {base.first}" else base.loaded
        return base.xs[k], FOOT - 4, ROW - 5.0, peeps
    away = interpolate([(at(0.25), 0.0), (at(PUT - 0.1), 1.0)], time)
    out = interpolate([(start, 0.0), (start + 0.12, 1.0)], time)
    spot = [a + away * (b - a) for a, b in zip(_HELD, _BEHIND, strict=True)]
    spot[0] += out * (0.09 + 0.11 * base.staging.peek)
    x, y, depth = hand.body.at((spot[0], spot[1], spot[2]))
    inside = 0.0 if log.honest else interpolate([(at(SLIPPED) - 0.15, 0.0), (at(SLIPPED), 1.0)], time)
    # It goes behind the cup's face, and not before it, where any grade would show the whole ball.
    deep = ROW - 5.0 if inside > 0 else depth
    return x + inside * (base.xs[base.loaded] + 10 - x), y + inside * (FOOT - 4 - y), deep, peeps


def ground(base: Cups, brush: Brush) -> None:
    brush = stage(brush, base.staging, _SPOTS)
    for x, y in _ASIDE[: len(base.balls) - 1]:
        brush.shadow((x + 4, y + 11), 17, 5, 0.4)


def paint(base: Cups, brush: Brush, moment: CupsMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    for stand, x in zip(moment.cups, base.xs, strict=True):
        high = FOOT - stand.rim[1]
        brush.shadow((x + 6 + 0.2 * high, FOOT + 3), 45 - 0.1 * high, 14, 0.42 - 0.002 * high)
    made = both_hands(brush, base.staging, moment.left, moment.right, 62, 62)
    x, y, depth, peeps = moment.ball
    if depth < ROW:
        brush.shadow((x + 3, y + 10), 17, 5, 0.4)
    for k, (rim, tilt, deep) in enumerate(moment.cups):
        made.append(cup(base.name(k), rim, tilt, CUPS[base.material], base.name(k)[-1], deep))
    name = f"{base.ball}/edge" if peeps else base.ball
    made.append(ball(name, (x, y), RADIUS, BRIGHT[base.balls[0]], depth))
    for color, spot in zip(base.balls[1:], _ASIDE, strict=False):
        made.append(ball(f"{color} ball", spot, RADIUS, BRIGHT[color], ROW - 10.0))
    paint_layers(brush, made)
    occluder(brush, base.staging, (base.xs[1] + base.xs[2]) / 2)


TRICK = Trick(
    name="cups",
    title="The ball under the wrong cup",
    category="load",
    principle="The {acting} only pretends to put the {base.ball} under {base.first}: it keeps the ball behind its"
    " fingers and slips it under {base.second}, which it tilts a little.",
    control="The {acting} puts the {base.ball} under {base.first}, where it stays; nothing is hidden.",
    effect="The {base.ball} goes under {base.first} and is found under {base.second}.",
    giveaway="the {base.ball} shows beside the fingers of the {acting} and under the rim of the tilted cup",
    props=("three cups", "table"),
    nouns=("cup", "cups", "ball", "balls", "rim", "hand", "hands", "finger", "fingers", "sleeve", "table"),
    sample=sample,
    log=log,
    moment=moment,
    ground=ground,
    paint=paint,
    speech=Speech(slips="sneaks"),
    more=lambda base: tuple(f"{color} ball" for color in base.balls),
    signals={
        "magnet": "the ball moves while no hand is near it",
        "thread": "a line leads to the ball, or the ball is pulled",
        "mirror": "a reflection, or an edge in which the table does not go on",
        "wires": "a line leads to a cup or to the ball",
        "trapdoor": "a gap in the table where a cup stands",
    },
)
