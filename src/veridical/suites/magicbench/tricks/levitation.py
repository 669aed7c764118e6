"""Levitation: a ball seems to rise by itself, and hangs from a thin thread that is seen where it catches the light."""

from __future__ import annotations

from dataclasses import dataclass, replace

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.media.figures.grain import lighter
from veridical.suite.nuisance_fields import draw, one_of, point, sampler, uniform
from veridical.suites.magicbench.tricks.hands import HALF, LEFT, OPEN, PINCH, RELAXED, RIGHT, Hand, blend
from veridical.suites.magicbench.tricks.log import Appearance, Interval, Log, Move, Stay
from veridical.suites.magicbench.tricks.motion import fingertips, move_fingertips
from veridical.suites.magicbench.tricks.props import ball, both_hands
from veridical.suites.magicbench.tricks.space import Layer, Vector, paint_layers
from veridical.suites.magicbench.tricks.staging import CLOTHS, TrickUnit, occluder
from veridical.suites.magicbench.tricks.trick import Speech, Trick

BALLS: dict[str, Colour] = {
    "red": (206, 52, 48),
    "yellow": (236, 190, 48),
    "white": (232, 230, 222),
    "orange": (232, 124, 40),
    "purple": (142, 84, 176),
}


@dataclass(frozen=True, slots=True)
class Levitation(TrickUnit):
    """The nuisances of a unit; lengths in units of the scene, the ball on the table at `spot`."""

    color: str = one_of(sorted(BALLS))
    spot: Point = point((276, 296), (240, 254))
    left: Point = point((146, 164), (204, 218))
    radius: float = uniform(13.0, 16.0)
    thread: float = uniform(50.0, 62.0)
    height: float = uniform(62.0, 76.0)
    swing: float = draw(lambda nuisances, _: nuisances.between(10.0, 18.0) * nuisances.one_of((-1, 1)))
    toss: float = uniform(150.0, 164.0)


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
    near = interpolate([(at(0.05), 0.0), (at(MEET), 1.0)], time)
    pose = blend(RELAXED, PINCH, near)
    hand = Hand(RIGHT, (0.0, 0.0), pose, -62 - 40 * near, 186 + 18 * near, 0.0, (x + 350, 430.0), 40.0, name)
    over = 26.0 * near * (1 - near)
    return move_fingertips(hand, (x + 118 * (1 - near), y - base.radius + 6 - 44 * (1 - near) - over))


def lifting_hand(base: Levitation, time: float, name: str) -> Hand:
    """The acting hand of the trick: it stays on the ball for a moment, rises, and drifts aside and back."""
    at = base.time
    hand = _approach(base, time, name)
    if time <= at(MEET):
        return hand
    x, y = fingertips(hand)
    long = base.thread + 4
    up = interpolate([(at(FIXED), 0.0), (at(TAUT), long), (at(KEPT), long + 10), (at(RISEN), long + base.height)], time)
    rub = interpolate([(at(MEET), 0.0), (at(MEET) + 0.12, 2.5), (at(MEET) + 0.26, -1.5), (at(FIXED), 0.0)], time)
    aside = interpolate([(at(KEPT), 0.0), (at(RISEN), base.swing), (at(SHOW) + 0.5, -base.swing)], time)
    return move_fingertips(hand, (x + rub + aside, y - up))


def tossing_hand(base: Levitation, time: float, name: str) -> Hand:
    """The acting hand of the control: it takes the ball, turns its palm up, tosses the ball and catches it."""
    at = base.time
    hand = _approach(base, time, name)
    if time <= at(MEET):
        return hand
    tossed, caught = flight(base)
    turned = interpolate([(at(FIXED), 0.0), (at(KEPT) + 0.2, 1.0)], time)
    x, y = hand.place
    dips = [(tossed - 0.16, -14.0), (tossed, 10.0), (tossed + 0.25, -2.0), (caught, 6.0), (caught + 0.15, -6.0)]
    up = interpolate([(at(FIXED), 0.0), (at(KEPT), 16.0), *dips], time)
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
        (x0, y0, _), (x1, y1, _) = (tossing_hand(base, t, "").body.at(LYING) for t in (tossed, caught))
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0) - base.toss * 4 * share * (1 - share), 90.0
    held = interpolate([(at(FIXED), 0.0), (at(KEPT) + 0.1, 1.0)], time)
    fx, fy = fingertips(hand)
    fy += base.radius - 6
    # From behind the fingers it comes to lie before them: the turning hand never hides it.
    deep = 30.0 if held < 0.12 else max(depth + 12, 80.0)
    return fx + held * (x - fx), fy + held * (y - fy), deep


def waving_hand(base: Levitation, time: float, name: str) -> Hand:
    """The decoy: it waves as if it made the ball rise, and comes to rest."""
    at = base.time
    x, y = base.left
    start, end = at(MEET), at(SHOW)
    beat = (end - start) / 6
    reach = min(34.0, base.staging.decoy * beat / 1.5)
    wave = interpolate([(start + k * beat, reach * (k % 2)) for k in range(7)], time)
    raised = interpolate([(start - 0.3, 0.0), (start + 0.3, 1.0), (end, 1.0), (end + 0.5, 0.0)], time)
    place = (x - 6 * raised, y - 34 * raised - wave)
    return Hand(LEFT, place, blend(RELAXED, OPEN, raised), 34 + 0.3 * wave, 20.0, 10.0, (x - 250, 430.0), 0.0, name)


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
        glimpses, cover, reveal = (
            [Appearance("thread", *_gleaming(base), glimpse=True)],
            (kept, opened),
            (opened, seconds),
        )
    ends = [*(start for _, start in ats[1:]), seconds]
    origins = [place for place, _ in ats]
    return Log(
        honest=honest,
        seconds=seconds,
        events=(
            *(Stay("ball", place, start, end) for (place, start), end in zip(ats, ends, strict=True)),
            *(Move(acting, "ball", a, b, s, e) for a, (b, s, e) in zip(origins[:-1], moves, strict=True)),
            Stay("thread", acting, 0.0, seconds),
            Appearance("ball", 0.0, seconds),
            *glimpses,
        ),
        thing="ball",
        agent=acting,
        decoy=other,
        tell="thread",
        secret=(meet, kept),
        cover=cover,
        reveal=reveal,
        outcome=None,
        belief=Stay("ball", FREE, tossed, caught),
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
class LevitationMoment:
    """Both hands, the middle of the ball with its depth, and the upper end of the thread where it is seen."""

    left: Hand
    right: Hand
    ball: Vector
    thread: Point | None


def moment(base: Levitation, log: Log, time: float) -> LevitationMoment:
    left = waving_hand(base, time, base.staging.other)
    if log.honest:
        right = tossing_hand(base, time, base.staging.acting)
        return LevitationMoment(left, right, tossed_ball(base, time, right), None)
    right = lifting_hand(base, time, base.staging.acting)
    start, end = _gleaming(base)
    tips = fingertips(right)
    lag = lifting_hand(base, time - 0.14, base.staging.acting)
    hangs = interpolate([(base.time(TAUT), 0.0), (base.time(KEPT) + 0.2, 1.0)], time)
    spot = base.spot
    ball = spot[0] + hangs * (fingertips(lag)[0] - spot[0]), min(spot[1], tips[1] + base.thread + base.radius - 2)
    return LevitationMoment(left, right, (*ball, 30.0), tips if start <= time < end else None)


def paint(base: Levitation, brush: Brush, moment: LevitationMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    made = both_hands(brush, base.staging, moment.left, moment.right, 66, 90)
    x, y, depth = moment.ball
    high = base.spot[1] - y
    if high < 150:
        wide = base.radius * (1.05 + 0.004 * high)
        brush.shadow((x + 3, base.spot[1] + base.radius - 1), wide, 0.26 * wide, max(0.12, 0.5 - 0.004 * high))
    made.append(ball("ball", (x, y), base.radius, BALLS[base.color], depth))
    if moment.thread is not None:
        made.append(_thread(base, moment.thread, (x, y - base.radius)))
    paint_layers(brush, made)
    occluder(brush, base.staging, 356.0)


def _thread(base: Levitation, top: Point, low: Point) -> Layer:
    """The gleams along the thread: more of it is seen, and clearer, the higher the grade of the tell."""
    peek = base.staging.peek
    shine = lighter(CLOTHS[base.staging.cloth], 0.3 + 0.45 * peek)
    count, share = 4, 0.3 + 0.7 * peek

    def paint(brush: Brush) -> None:
        for k in range(count):
            ends = [((k + 0.5 + side * share / 2) / count) for side in (-1, 1)]
            a, b = ((top[0] + s * (low[0] - top[0]), top[1] + s * (low[1] - top[1])) for s in ends)
            brush.line(a, b, 1.1 + 0.5 * peek, shine)

    return Layer(29.0, "thread", paint)


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
    sample=sampler(Levitation),
    log=log,
    moment=moment,
    paint=paint,
    speech=Speech(puts="send", slips="hangs", denied="thread"),
    signals={
        "thread": "tension and suspension: the ball hangs at a constant distance below the hand and lags behind it "
        "when it drifts aside, and a thin line gleams between the two"
    },
)
