"""Lapping: a hand seems to pick a thing up, and lets it go over the table's edge into the lap."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisance_fields import draw, one_of, point, sampler
from veridical.suites.magicbench.tricks.hands import FIST, HALF, LEFT, OPEN, RELAXED, RIGHT, SIZE, Hand
from veridical.suites.magicbench.tricks.log import Appearance, Log, Move, Stay
from veridical.suites.magicbench.tricks.motion import Key, hand_between_keys
from veridical.suites.magicbench.tricks.props import BRIGHT, METALS, ball, both_hands, coin, cube
from veridical.suites.magicbench.tricks.space import BodyFrame, Layer, Vector, frame, paint_layers
from veridical.suites.magicbench.tricks.staging import EDGE, Staging, TrickUnit, occluder
from veridical.suites.magicbench.tricks.trick import Speech, Trick


def _colors(thing: str, staging: Staging) -> list[str]:
    return sorted(METALS) if thing == "coin" else [name for name in BRIGHT if name != staging.cloth]


@dataclass(frozen=True, slots=True)
class Lapping(TrickUnit):
    """The nuisances of a unit: what is lapped and its color, where it lies, where the hands are, and gestures."""

    thing: str = one_of(("coin", "ball", "cube"))
    color: str = draw(lambda nuisances, drawn: nuisances.one_of(_colors(drawn["thing"], drawn["staging"])))
    spot: Point = point((300, 350), (252, 266))
    left: Point = point((120, 150), (236, 250))
    right: Point = point((420, 445), (190, 206))
    waves: int = one_of((1, 2))

    @property
    def dipped(self) -> float:
        """When the acting hand is below the table's edge."""
        return self.time(PRESS) + 0.5

    @property
    def lapped(self) -> float:
        """When the thing has fallen, and the secret is over."""
        return self.dipped + self.staging.tell + 0.1

    def after(self, seconds: float) -> float:
        """When something happens that is planned `seconds` after the secret."""
        return self.lapped + seconds * self.staging.tempo


PRESS, RAISED, SHOW, OPENED = 0.8, 0.5, 1.15, 1.55
"""The plan in seconds: the hand covers the thing and the secret begins; after the secret, the closed hand is up, begins
to open, and is open."""
_STAY = 1.3


def log(base: Lapping, honest: bool) -> Log:
    acting, other, thing = base.staging.acting, base.staging.other, base.thing
    press, lapped, show, opened = base.time(PRESS), base.lapped, base.after(SHOW), base.after(OPENED)
    seconds = max(5.0, opened + _STAY)
    change, target = (press + 0.3, acting) if honest else (lapped - 0.1, "lap")
    seen = Appearance(thing, show + 0.25, seconds) if honest else Appearance(thing, *_peeping(base), glimpse=True)
    return Log(
        honest=honest,
        seconds=seconds,
        events=(
            Stay(thing, "table", 0.0, change),
            Stay(thing, target, change, seconds),
            Move(acting, thing, "table", target, press, lapped),
            Appearance(thing, 0.0, press - 0.1),
            seen,
        ),
        thing=thing,
        agent=acting,
        decoy=other,
        tell=f"{thing}/edge",
        secret=(press, lapped),
        cover=(lapped, show),
        reveal=(opened, seconds),
        outcome=show,
        belief=Stay(thing, acting, lapped, show),
        places=(LEFT, RIGHT, "table", "lap", "sleeve"),
        words={
            "secret": f"the {acting} draws the {thing} to the edge of the table and picks it up there."
            if honest
            else f"the {acting} draws the {thing} over the edge of the table and lets it fall into the lap, while it"
            " seems to pick it up.",
            "reveal": f"When the {acting} opens, from {{start:.1f}} s on, "
            + (f"the {thing} lies in it." if honest else f"it is empty: the {thing} is in the lap."),
        },
    )


def _peeping(base: Lapping) -> tuple[float, float]:
    """From when to when the thing is seen beside the fingers, below the edge of the table."""
    return base.dipped, base.dipped + base.staging.tell


@dataclass(frozen=True, slots=True)
class LappingMoment:
    """Both hands, and where the thing is: the axes that its place is in, its place, and whether it peeps out."""

    left: Hand
    right: Hand
    thing: tuple[BodyFrame, Vector, bool] | None


def moment(base: Lapping, log: Log, time: float) -> LappingMoment:
    right = _acting(base, time)
    return LappingMoment(_other(base, time), right, _thing(base, log, right, time))


_BEHIND, _LYING = (0.02, 0.56, 0.14), (0.0, 0.36, 0.13)
"""Where the thing is in the hand's own axes: behind the fingers, and on the open palm."""


def _acting(base: Lapping, time: float) -> Hand:
    """It covers the thing, draws it over the edge, rises closed, and opens."""
    at, press = base.time, base.time(PRESS)
    x, y = base.spot
    cover = Hand(RIGHT, (0.0, 0.0), HALF, -66.0, -160.0, 8.0).body.at(_BEHIND)
    over = (x - cover[0], y - cover[1])
    dip, rest = (over[0] + 6, EDGE + 4), (base.right[0] + 84, base.right[1] + 46)
    keys = [
        Key(at(0.1), rest, RELAXED, -38.0, -152.0, 60.0),
        Key(press - 0.02, over, HALF, -66.0, -160.0, 60.0),
        Key(press + 0.1, over, HALF, -66.0, -160.0, 60.0),
        Key(base.dipped, dip, HALF, -100.0, -164.0, 60.0),
        Key(base.lapped, dip, HALF, -100.0, -164.0, 60.0),
        Key(base.after(RAISED), base.right, FIST, -34.0, -150.0, 60.0),
        Key(base.after(SHOW), base.right, FIST, -34.0, -150.0, 60.0),
        Key(base.after(OPENED), base.right, OPEN, -34.0, 14.0, 60.0),
    ]
    return hand_between_keys(RIGHT, keys, time, base.right[0] + 220, base.staging.acting)


def _other(base: Lapping, time: float) -> Hand:
    """It lies open, then waves at the closed hand."""
    x, y = base.left
    near = (base.right[0] - 146, base.right[1] + 20)
    start, end = base.after(RAISED - 0.1), base.after(SHOW)
    beat = (end - start) / (2 * base.waves)
    reach = min(36.0, base.staging.decoy * beat / 1.5)
    rows = [(start + k * beat, reach * (k % 2)) for k in range(2 * base.waves + 1)]
    waves = [(when, (near[0] - back, near[1] - 0.5 * back)) for when, back in rows]
    keys = [
        Key(base.lapped, (x, y), RELAXED, 42.0, -152.0, 50.0),
        *(Key(when, place, OPEN, 62.0, -140.0, 50.0) for when, place in waves),
        Key(base.after(OPENED), (x, y), RELAXED, 42.0, -152.0, 50.0),
    ]
    return hand_between_keys(LEFT, keys, time, -90.0, base.staging.other)


def _thing(base: Lapping, log: Log, hand: Hand, time: float) -> tuple[BodyFrame, Vector, bool] | None:
    if time < base.time(PRESS):
        return frame((*base.spot, 0.0), SIZE, 0.0, -56.0), (0.0, 0.0, 0.0), False
    if log.honest:
        return (hand.body, _LYING, False) if time > base.after(SHOW) + 0.1 else None
    start, end = _peeping(base)
    if not start <= time < end:
        return None
    out = interpolate([(start, 0.0), (start + 0.12, 1.0), (end - 0.1, 1.0), (end, 0.0)], time)
    x, y, z = _BEHIND
    return hand.body, (x, y + out * (0.06 + 0.18 * base.staging.peek), z), True


def _drawn(base: Lapping, entity: str, body: BodyFrame, middle: Vector) -> Layer:
    x, y, depth = body.at(middle)
    if base.thing == "coin":
        return coin(entity, body, middle, 0.13, METALS[base.color])
    draw, size = (ball, 13.5) if base.thing == "ball" else (cube, 12.0)
    return draw(entity, (x, y), size, BRIGHT[base.color], depth)


def paint(base: Lapping, brush: Brush, moment: LappingMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    made = both_hands(brush, base.staging, moment.left, moment.right, 62, 62)
    if moment.thing is not None:
        body, middle, peeps = moment.thing
        if body.origin[2] == 0.0:
            brush.shadow((base.spot[0] + 3, base.spot[1] + 9), 19, 6, 0.4)
        made.append(_drawn(base, f"{base.thing}/edge" if peeps else base.thing, body, middle))
    paint_layers(brush, made)
    occluder(brush, base.staging, base.spot[0] - 96)


TRICK = Trick(
    name="lapping",
    title="The hand that picks nothing up",
    category="sleight",
    principle="The {acting} only pretends to pick the {base.thing} up: it draws it over the edge of the table and lets"
    " it fall into the lap.",
    control="The {acting} picks the {base.thing} up at the edge of the table and holds it; nothing is hidden.",
    effect="The {acting} picks the {base.thing} up, and it vanishes from that hand.",
    giveaway="the {base.thing} shows beyond the fingers of the {acting}, below the edge of the table",
    props=("table",),
    nouns=("coin", "ball", "cube", "hand", "hands", "finger", "fingers", "fist", "sleeve", "table", "edge", "lap"),
    sample=sampler(Lapping),
    log=log,
    moment=moment,
    paint=paint,
    more=lambda base: (base.thing,),
    speech=Speech(puts="take", slips="drops", gone=True),
    signals={
        "magnet": "the thing moves while no hand is near it",
        "thread": "a line leads to the thing, or the thing is pulled",
        "mirror": "a reflection, or an edge in which the table does not go on",
        "wires": "a line leads to the thing or into the sleeve",
        "trapdoor": "a gap in the table where the thing lay",
    },
)
