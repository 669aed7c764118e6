"""Levitation: a ball seems to rise by itself, and hangs from a thin thread that is seen where it catches the light."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, faced
from veridical.media.figures.clock import along
from veridical.media.figures.grain import lighter
from veridical.suites.magicbench.tricks.floating import (
    BALLS,
    FIXED,
    KEPT,
    MEET,
    SHOW,
    STAY,
    TAUT,
    Levitation,
    flight,
    lifting,
    sample,
    tossed_ball,
    tossing,
    waving,
)
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand, parts
from veridical.suites.magicbench.tricks.log import At, Interval, Log, Move, Shown
from veridical.suites.magicbench.tricks.motion import fingertips
from veridical.suites.magicbench.tricks.props import ball, shade
from veridical.suites.magicbench.tricks.space import Part, Vector, painted
from veridical.suites.magicbench.tricks.staging import CLOTHS, occluder, stage
from veridical.suites.magicbench.tricks.trick import Speech, Trick

THREAD, FREE = "on the thread", "in free flight"


def log(base: Levitation, honest: bool) -> Log:
    acting, other = base.staging.acting, base.staging.other
    meet, kept, opened = (base.time(each) for each in (MEET, KEPT, SHOW))
    seconds = max(5.0, opened + STAY)
    taut, (tossed, caught) = base.time(TAUT), flight(base)
    if honest:
        lifted = base.time(FIXED)
        ats = [("table", 0.0), (acting, lifted), (FREE, tossed), (acting, caught)]
        moves = [
            (acting, lifted - 0.1, lifted + 0.1),
            (FREE, kept, tossed + 0.02),
            (acting, caught - 0.02, caught + 0.1),
        ]
        glimpses, cover, reveal = [], (tossed, caught), (caught, seconds)
    else:
        ats = [("table", 0.0), (THREAD, taut)]
        moves = [(THREAD, taut - 0.06, taut + 0.06)]
        glimpses, cover, reveal = [Shown("thread", *_gleaming(base), glimpse=True)], (kept, opened), (opened, seconds)
    ends = [*(start for _, start in ats[1:]), seconds]
    origins = [place for place, _ in ats]
    return Log(
        honest=honest,
        seconds=seconds,
        events=(
            *(At("ball", place, start, end) for (place, start), end in zip(ats, ends, strict=True)),
            *(Move(acting, "ball", a, b, s, e) for a, (b, s, e) in zip(origins[:-1], moves, strict=True)),
            At("thread", acting, 0.0, seconds),
            Shown("ball", 0.0, seconds),
            *glimpses,
        ),
        thing="ball",
        agent=acting,
        decoy=other,
        tell="thread",
        secret=(meet, kept),
        cover=cover,
        reveal=reveal,
        belief=At("ball", FREE, tossed, caught),
        places=(LEFT, RIGHT, THREAD, FREE, "table"),
        words=_words(acting, honest),
    )


def _words(acting: str, honest: bool) -> dict[str, str]:
    if honest:
        return {
            "secret": f"the {acting} takes the ball from the table between its fingers.",
            "reveal": f"From {{start:.1f}} s on, the ball lies in the {acting}, which has tossed it up and caught it.",
        }
    return {
        "secret": f"the {acting} sticks a thin thread to the ball and lifts it off the table with the thread.",
        "reveal": f"From {{start:.1f}} s on, the ball still hangs on the thread below the {acting}.",
    }


def _gleaming(base: Levitation) -> Interval:
    """From when to when the thread catches the light."""
    start = base.time(TAUT)
    return start, start + base.staging.tell


@dataclass(frozen=True, slots=True)
class Moment:
    """Both hands, the middle of the ball with its depth, and the upper end of the thread where it is seen."""

    left: Hand
    right: Hand
    ball: Vector
    thread: Point | None


def moment(base: Levitation, log: Log, time: float) -> Moment:
    left = waving(base, time, base.staging.other)
    if log.honest:
        right = tossing(base, time, base.staging.acting)
        return Moment(left, right, tossed_ball(base, time, right), None)
    right = lifting(base, time, base.staging.acting)
    start, end = _gleaming(base)
    tips = fingertips(right)
    lag = lifting(base, time - 0.14, base.staging.acting)
    hangs = along([(base.time(TAUT), 0.0), (base.time(KEPT) + 0.2, 1.0)], time)
    spot = base.spot
    ball = spot[0] + hangs * (fingertips(lag)[0] - spot[0]), min(spot[1], tips[1] + base.thread + base.radius - 2)
    return Moment(left, right, (*ball, 30.0), tips if start <= time < end else None)


def ground(base: Levitation, brush: Brush) -> None:
    stage(brush, base.staging)


def paint(base: Levitation, brush: Brush, moment: Moment) -> None:
    brush = faced(brush, base.staging.mirrored)
    shade(brush, moment.left, 66)
    shade(brush, moment.right, 90)
    x, y, depth = moment.ball
    high = base.spot[1] - y
    if high < 150:
        wide = base.radius * (1.05 + 0.004 * high)
        brush.shadow((x + 3, base.spot[1] + base.radius - 1), wide, 0.26 * wide, max(0.12, 0.5 - 0.004 * high))
    colors = base.staging.colors
    made = [*parts(moment.left, colors), *parts(moment.right, colors)]
    made.append(ball("ball", (x, y), base.radius, BALLS[base.color], depth))
    if moment.thread is not None:
        made.append(_thread(base, moment.thread, (x, y - base.radius)))
    painted(brush, made)
    occluder(brush, base.staging, 356.0)


def _thread(base: Levitation, top: Point, low: Point) -> Part:
    """The gleams along the thread: more of it is seen, and clearer, the higher the grade of the tell."""
    peek = base.staging.peek
    shine = lighter(CLOTHS[base.staging.cloth], 0.3 + 0.45 * peek)
    count, share = 4, 0.3 + 0.7 * peek

    def paint(brush: Brush) -> None:
        for k in range(count):
            ends = [((k + 0.5 + side * share / 2) / count) for side in (-1, 1)]
            a, b = ((top[0] + s * (low[0] - top[0]), top[1] + s * (low[1] - top[1])) for s in ends)
            brush.line(a, b, 1.1 + 0.5 * peek, shine)

    return Part(29.0, "thread", paint)


TRICK = Trick(
    name="levitation",
    title="The ball that rises",
    category="gimmick",
    principle="The ball hangs on a thin thread that the {acting} sticks to it and lifts it with.",
    control="The {acting} takes the ball, tosses it up and catches it; the thread is not used.",
    effect="The ball rises from the table and floats; nothing carries it.",
    giveaway="a thin thread gleams between the {acting} and the ball",
    props=("ball", "thread", "table"),
    nouns=("ball", "thread", "air", "flight", "hand", "hands", "finger", "fingers", "palm", "sleeve", "table"),
    sample=sample,
    log=log,
    moment=moment,
    ground=ground,
    paint=paint,
    speech=Speech(puts="send", slips="hangs", denied="thread"),
    signals={
        "thread": "tension and suspension: the ball hangs at a constant distance below the hand and lags behind it "
        "when it drifts aside, and a thin line gleams between the two",
    },
)
