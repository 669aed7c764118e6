"""The false transfer: a coin seems to go from one hand into the other, and has never left the first."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisance_fields import one_of, point, sampler
from veridical.suites.magicbench.tricks.hands import FIST, HALF, LEFT, OPEN, RELAXED, RIGHT, Hand, blend
from veridical.suites.magicbench.tricks.log import Appearance, Log, Move, Stay
from veridical.suites.magicbench.tricks.props import METALS, both_hands, coin
from veridical.suites.magicbench.tricks.space import paint_layers
from veridical.suites.magicbench.tricks.staging import TrickUnit, occluder
from veridical.suites.magicbench.tricks.trick import Speech, Trick

_RADIUS = 0.125
_LYING = (0.02, 0.34, 0.075)
"""Where the coin lies on an open palm, in the hand's own axes."""
_TURNED = 150.0
"""The roll of a hand, in degrees, from which on nothing of the coin is seen unless it peeps out."""


@dataclass(frozen=True, slots=True)
class Coin(TrickUnit):
    """The nuisances of a unit; places in units of the scene."""

    metal: str = one_of(sorted(METALS))
    left: Point = point((208, 228), (204, 216))
    right: Point = point((424, 446), (182, 196))
    shakes: int = one_of((1, 2))


MEET, KEPT, PARTED, SHOW = 0.75, 1.4, 2.1, 3.2
"""The plan in seconds: the hands meet and the secret begins, it is over, the hands are apart, the left hand opens."""
_STAY, _BARED = 1.5, 0.1
"""Seconds: what has become of the coin is shown; the fingers of the opening hand let it be seen."""


def log(base: Coin, honest: bool) -> Log:
    acting, other = base.staging.acting, base.staging.other
    meet, kept, show = (base.time(each) for each in (MEET, KEPT, SHOW))
    opened = show + 0.4
    seconds = max(5.0, opened + _STAY)
    change, hidden = (meet + kept) / 2, base.time(0.47)
    target = other if honest else acting
    if honest:
        places = [Stay("coin", acting, 0.0, change), Stay("coin", other, change, seconds)]
        seen = [Appearance("coin", 0.0, hidden), Appearance("coin", show + _BARED, seconds)]
    else:
        places = [Stay("coin", acting, 0.0, seconds)]
        start, end = _peeping(base)
        seen = [Appearance("coin", 0.0, hidden), Appearance("coin", start, end, glimpse=True)]
    return Log(
        honest=honest,
        seconds=seconds,
        events=(*places, Move(acting, "coin", acting, target, meet, kept), *seen),
        thing="coin",
        agent=acting,
        decoy=other,
        tell="coin/edge",
        secret=(meet, kept),
        cover=(kept, show),
        reveal=(opened, seconds),
        outcome=show,
        belief=Stay("coin", other, kept, show),
        places=(LEFT, RIGHT, "table", "lap"),
        words={
            "secret": f"the {acting} puts the coin into the {other}, which closes around it."
            if honest
            else f"the {acting} keeps the coin behind its fingers and only pretends to put it into the {other}.",
            "reveal": f"When the {other} opens, from {{start:.1f}} s on, "
            + ("the coin lies in it." if honest else f"it is empty: the coin is still in the {acting}."),
        },
    )


def _peeping(base: Coin) -> tuple[float, float]:
    """From when to when the coin peeps out of the acting hand."""
    start = base.time(KEPT) + 0.1
    return start, start + base.staging.tell


@dataclass(frozen=True, slots=True)
class CoinMoment:
    """Both hands, the place of the coin in the hand that has it, and whether that is the acting one."""

    left: Hand
    right: Hand
    kept: bool
    coin: tuple[float, float, float] | None


def moment(base: Coin, log: Log, time: float) -> CoinMoment:
    names = base.staging.acting, base.staging.other
    kept = log.place("coin", time) == names[0]
    return CoinMoment(_left(base, time, names[1]), _right(base, time, names[0]), kept, _coin(base, kept, time))


def _right(base: Coin, time: float, name: str) -> Hand:
    """The acting hand: open with the coin, turned over onto the other palm, then drawn back with its fingers bent."""
    at = base.time
    x, y = base.right
    over, away = (base.left[0] + 66, base.left[1] - 26), (x + 16, y + 44)
    times = (at(0.0), at(MEET), at(KEPT), at(PARTED))
    place = (
        interpolate(list(zip(times, (x, over[0], over[0] + 6, away[0]), strict=True)), time),
        interpolate(list(zip(times, (y, over[1], over[1] + 2, away[1]), strict=True)), time),
    )
    roll = interpolate([(at(0.1), 18.0), (at(MEET), 168.0)], time)
    turn = interpolate([(at(0.0), -38.0), (at(MEET), -52.0), (at(KEPT), -50.0), (at(PARTED), -24.0)], time)
    bent = interpolate([(at(0.2), 0.1), (at(MEET), 0.75), (at(KEPT), 0.8), (at(PARTED), 1.0)], time)
    pose = blend(OPEN, RELAXED, min(1.0, 1.4 * bent)) if bent < 0.7 else blend(RELAXED, HALF, (bent - 0.7) / 0.5)
    return Hand(RIGHT, place, pose, turn, roll, 12.0, (x + 250, 430.0), 40.0, name)


def _left(base: Coin, time: float, name: str) -> Hand:
    """The decoy: open under the acting hand, closed, raised and shaken, and opened again."""
    at = base.time
    x, y = base.left
    start, end = at(PARTED), at(SHOW)
    lift = interpolate([(at(KEPT), 0.0), (start, 26.0), (end, 26.0), (end + 0.5, 6.0)], time)
    beat = (end - start) / (2 * base.shakes)
    reach = min(46.0, base.staging.decoy * beat / 1.5)
    swings = [(start + k * beat, reach * (k % 2)) for k in range(2 * base.shakes + 1)]
    aside = interpolate(swings, time)
    close = interpolate([(at(MEET) + 0.1, 0.0), (at(KEPT), 1.0), (end, 1.0), (end + 0.4, 0.0)], time)
    turn = interpolate([(at(0.0), 44.0), (at(MEET), 52.0), (start, 34.0), (end + 0.4, 44.0)], time)
    return Hand(LEFT, (x - aside, y - lift), blend(OPEN, FIST, close), turn, 14.0, 14.0, (x - 250, 430.0), 0.0, name)


def _coin(base: Coin, kept: bool, time: float) -> tuple[float, float, float] | None:
    """Where the coin is in its hand; `None` inside the fist."""
    at = base.time
    if not kept:
        return _LYING if time > at(SHOW) + _BARED else None
    start, end = _peeping(base)
    out = interpolate([(start, 0.0), (start + 0.15, 1.0), (end - 0.15, 1.0), (end, 0.0)], time)
    behind = interpolate([(at(0.1), 0.0), (at(MEET), 1.0)], time)
    x = _LYING[0] + behind * (0.06 + out * (0.06 + 0.12 * base.staging.peek))
    return x, _LYING[1] + 0.08 * behind, _LYING[2]


def paint(base: Coin, brush: Brush, moment: CoinMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    made = both_hands(brush, base.staging, moment.left, moment.right, 66, 70)
    if moment.coin is not None:
        hand = moment.right if moment.kept else moment.left
        behind = moment.kept and hand.roll > _TURNED
        made.append(coin("coin/edge" if behind else "coin", hand.body, moment.coin, _RADIUS, METALS[base.metal]))
    paint_layers(brush, made)
    occluder(brush, base.staging, 330.0)


TRICK = Trick(
    name="coin",
    title="The coin that is not handed over",
    category="palm",
    principle="The {acting} only pretends to put the coin into the {other}: it keeps the coin behind its fingers.",
    control="The {acting} puts the coin into the {other}, where it stays; nothing is hidden.",
    effect="The coin goes into the {other} and vanishes from it.",
    giveaway="the edge of the coin shows beside the fingers of the {acting}",
    props=("coin", "table"),
    nouns=("coin", "hand", "hands", "finger", "fingers", "palm", "fist", "sleeve", "table", "lap"),
    sample=sampler(Coin),
    log=log,
    moment=moment,
    paint=paint,
    speech=Speech(gone=True, method="I only pretend to hand over the coin"),
)
