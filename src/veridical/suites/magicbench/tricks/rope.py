"""Cut and restored rope: a short piece is cut instead of the rope's middle, which has stayed in the fist."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush
from veridical.media.figures.clock import along
from veridical.media.figures.flip import faced
from veridical.suites.magicbench.tricks.cord import ROPES, bent, between, cord, length, scissors, tip
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, Hand, parts
from veridical.suites.magicbench.tricks.log import At, Event, Interval, Log, Move, Shown
from veridical.suites.magicbench.tricks.method import ELSEWHERE, Method
from veridical.suites.magicbench.tricks.props import shade
from veridical.suites.magicbench.tricks.ropework import (
    CUT,
    DIP,
    GRIP,
    KEPT,
    MEET,
    OUT,
    SHOW,
    TAPES,
    Rope,
    acting_hand,
    cutting,
    fist,
    grasp,
    openings,
    sample,
)
from veridical.suites.magicbench.tricks.space import Part, painted
from veridical.suites.magicbench.tricks.speech import Speech
from veridical.suites.magicbench.tricks.staging import occluder, stage
from veridical.suites.magicbench.tricks.trick import Trick

MIDDLE, PIECE = "middle of the rope", "short piece"
ABOVE, BETWEEN, BOTH = "above the fist", "between the hands", "in both hands"
_STAY = 1.2


def log(base: Rope, honest: bool) -> Log:
    acting, other = base.staging.acting, base.staging.other
    meet, kept, grip, opened = (base.time(each) for each in (MEET, KEPT, GRIP, SHOW))
    dip, out = base.time(DIP), base.time(OUT)
    seconds = max(5.0, opened + _STAY)
    change, apart = (dip + out) / 2, base.time(SHOW - 0.25)
    held, shown = (ABOVE, BOTH) if honest else (other, BETWEEN)
    events: list[Event] = [
        At(MIDDLE, acting, 0.0, change),
        At(MIDDLE, held, change, apart),
        At(MIDDLE, shown, apart, seconds),
        Move(acting, MIDDLE, acting, held, meet, kept),
        Move(acting, MIDDLE, held, shown, grip, opened),
        Shown(MIDDLE, 0.0, dip),
        Shown(MIDDLE, kept if honest else apart, seconds),
    ]
    if honest:
        # Until the hand lets go of the loop, its fingers hide most of it.
        events.append(Shown(MIDDLE, out, kept, glimpse=True))
        events.append(At(PIECE, acting, 0.0, seconds))
    else:
        events += [At(PIECE, acting, 0.0, change), At(PIECE, ABOVE, change, grip), At(PIECE, acting, grip, seconds)]
        events += [Move(acting, PIECE, acting, ABOVE, meet, kept), Move(acting, PIECE, ABOVE, acting, grip - 0.1, grip)]
        events += [Shown(PIECE, out, grip), Shown(PIECE, *_peeping(base), glimpse=True)]
    return Log(
        honest=honest,
        seconds=seconds,
        events=tuple(events),
        thing=MIDDLE,
        agent=acting,
        decoy="scissors",
        tell=f"{PIECE}/ends",
        secret=(meet, kept),
        cover=(kept, grip),
        reveal=(opened, seconds),
        belief=At(MIDDLE, ABOVE, kept, grip),
        places=(LEFT, RIGHT, ABOVE, BETWEEN, BOTH),
        words=_words(acting, other, honest),
    )


def _words(acting: str, other: str, honest: bool) -> dict[str, str]:
    if honest:
        return {
            "secret": f"the {acting} leaves the middle of the rope as a loop above the {other}.",
            "reveal": "From {start:.1f} s on, each hand holds a piece: the rope has been cut in its middle.",
        }
    return {
        "secret": f"the {acting} pushes the middle of the rope into the {other} and pulls up a short piece.",
        "reveal": "From {start:.1f} s on, the whole rope is between the hands: only the short piece has been cut.",
    }


def _peeping(base: Rope) -> Interval:
    """From when to when the ends of the short piece show below the fist."""
    start = base.time(KEPT) - 0.1
    return start, start + base.staging.tell + 0.2


@dataclass(frozen=True, slots=True)
class Moment:
    """Both hands, the rope, the loop above the fist, and the scissors: pivot, direction, opening.

    `bight` is where the hanging rope is turned over, `loop` how high one stands above the fist, `short` whether it is
    of the short piece, `cut` how far its halves are apart; `pulled` is how far the rope is drawn out, 0 to 1.
    """

    left: Hand
    right: Hand
    bight: Point | None
    lag: float
    loop: float
    short: bool
    ends: float
    cut: float
    pulled: float
    hold: Point
    scissors: tuple[Point, float, float, bool]


def moment(base: Rope, log: Log, time: float) -> Moment:
    at = base.time
    names = base.staging.acting, base.staging.other
    left = fist(base, time, names[1])
    top, low = openings(fist(base, at(MEET), names[1]))
    hold = grasp(base, log.honest, time, top, low)
    free = time < at(DIP)
    before = grasp(base, log.honest, time - 0.1, top, low)
    start, end = _peeping(base)
    out = along([(start, 0.0), (start + 0.15, 1.0), (end - 0.15, 1.0), (end, 0.0)], time)
    gripped = not log.honest and time >= at(GRIP)
    return Moment(
        left=left,
        right=acting_hand(base, log.honest, time, hold, names[0]),
        bight=hold if free else None,
        lag=0.6 * (before[0] - hold[0]) if free else 0.0,
        loop=0.0 if gripped else along([(at(DIP) + 0.05, -8.0), (at(KEPT) - 0.05, base.loop)], time),
        short=not (log.honest or free),
        ends=0.0 if log.honest else out,
        cut=along([(at(CUT), 0.0), (at(CUT) + 0.12, 1.0)], time),
        pulled=along([(at(GRIP) if log.honest else at(SHOW - 0.42), 0.0), (at(SHOW), 1.0)], time),
        hold=hold,
        scissors=cutting(base, time, hold),
    )


def ground(base: Rope, brush: Brush) -> None:
    stage(brush, base.staging)


def paint(base: Rope, brush: Brush, moment: Moment) -> None:
    brush = faced(brush, base.staging.mirrored)
    shade(brush, moment.left, 110)
    shade(brush, moment.right, 110)
    colors = base.staging.colors
    pivot, turn, opening, lying = moment.scissors
    made = [*parts(moment.left, colors), *parts(moment.right, colors), *_rope(base, moment)]
    made += scissors(pivot, turn, opening, -40.0 if lying else 38.0, lying)
    painted(brush, made)
    occluder(brush, base.staging, 330.0)


_DEEP = 4.0
"""How near the rope is to the viewer within the fist: before the palm, behind the fingers."""
_HALF = 15.0
"""How far the middle of the rope goes to each side."""


def _rope(base: Rope, moment: Moment) -> list[Part]:
    """The rope and the short piece, as far as they are seen."""
    if moment.bight is not None:
        return _hanging(base, moment)
    top, low = openings(moment.left)
    made = [*_loop(base, moment, top), *_strand(base, _side(base, low, -1, base.hang - _slid(base, moment)))]
    if not moment.short:
        return made + (_half(base, moment, top, low) if moment.pulled > 0 else _strand(base, _side(base, low, 1)))
    if moment.ends > 0:
        made += _stubs(base, moment, low)
    if moment.pulled == 0:
        return made + _strand(base, _side(base, low, 1))
    x, y = moment.hold
    start = (low[0] + 4, low[1] - 16)
    long = math.dist(start, (x, y))
    end = (x + 8 * (x - start[0]) / long, y + 8 * (y - start[1]) / long)
    points = bent(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 10 * moment.pulled), end)
    return made + _strand(base, points, length(points) - base.hang - 20)


def _slid(base: Rope, moment: Moment) -> float:
    """How much of the rope has slid through the fist."""
    return 0.0 if not moment.short else moment.pulled * ((base.hang - 8) * (base.stretch - 1) - 30)


def _strand(base: Rope, points: list[Point], middle: float | None = None, both: bool = False) -> list[Part]:
    """Rope along a line that ends with a taped end; `middle` is how far along it the rope's middle is."""
    color, tape = ROPES[base.color], TAPES[base.tape]
    long = length(points)
    marks, names = [0.0, long], ["rope"]
    if middle is not None and middle > 0:
        marks, names = [0.0, max(0.0, middle - _HALF), min(long, middle + _HALF), long], ["rope", MIDDLE, "rope"]
    made = [
        cord(name, between(points, a, b), _DEEP, color)
        for name, a, b in zip(names, marks[:-1], marks[1:], strict=True)
        if b - a > 1
    ]
    made.append(tip("rope", points[-1], points[-2], _DEEP, color, tape))
    if both:
        made.append(tip("rope", points[0], points[1], _DEEP, color, tape))
    return made


def _hanging(base: Rope, moment: Moment) -> list[Part]:
    """The rope, turned over between index and thumb, with both ends down."""
    assert moment.bight is not None
    x, y = moment.bight
    low, lag = y + base.hang + 58, moment.lag
    sides = [bent((x + 5 * s, y - 2), (x + 7 * s, y + 60), (x + 7 * s + lag, low - 3 * s)) for s in (-1, 1)]
    arch = bent((x - 5, y - 2), (x, y - 20), (x + 5, y - 2), steps=6)
    points = [*sides[0][::-1], *arch[1:-1], *sides[1]]
    return _strand(base, points, length(points) / 2, both=True)


def _side(base: Rope, low: Point, side: int, hang: float = 0.0) -> list[Point]:
    """What hangs below the fist on one side."""
    x, y = low
    hang = hang or base.hang
    return bent((x + 4 * side, y - 16), (x + 5 * side, y + 0.45 * hang), (x + 8 * side, y + hang - 3 * side))


def _loop(base: Rope, moment: Moment, top: Point) -> list[Part]:
    """The loop above the fist: of the short piece, or of the rope's middle; whole or cut, in two halves."""
    if moment.loop <= 2:
        return []
    (x, y), c, color = top, moment.cut, ROPES[base.color]
    made = []
    for side in (-1, 1):
        if side > 0 and moment.pulled > 0 and not moment.short:
            continue
        end = (x + (10 * c - 1) * side, y - moment.loop + 4 * c)
        points = bent((x + 7 * side, y + 14), (x + (14 - 6 * c) * side, y - moment.loop * (1 - 0.45 * c)), end)
        long = length(points)
        if moment.short:
            made.append(cord(PIECE, between(points, 0.0, long), _DEEP, color))
        else:
            made.append(cord("rope", between(points, 0.0, long - _HALF), _DEEP, color))
            made.append(cord(MIDDLE, between(points, long - _HALF, long), _DEEP, color))
        if c > 0.3:
            made.append(tip(PIECE if moment.short else MIDDLE, end, points[-2], _DEEP, color))
    return made


def _half(base: Rope, moment: Moment, top: Point, low: Point) -> list[Part]:
    """The half of the cut rope that the acting hand draws out of the fist, by its cut end."""
    x, y = moment.hold[0] - 8, moment.hold[1]
    color = ROPES[base.color]
    long = base.loop + math.dist(top, low) + base.hang
    through = [(x - 1, y - 6), (x, y), (top[0] + 6, top[1]), *_side(base, low, 1)]
    bound = between(through, 0.0, long, 5.0)
    free = between([(x - 1, y - 6), (x, y), (x + 1, y + long)], 0.0, long, long / (len(bound) - 1.001))
    loose = min(1.0, max(0.0, (moment.pulled - 0.5) / 0.5))
    points = [(a[0] + loose * (b[0] - a[0]), a[1] + loose * (b[1] - a[1])) for a, b in zip(bound, free, strict=False)]
    made = _strand(base, points, _HALF / 2)
    return [*made, tip(MIDDLE, points[0], points[1], _DEEP, color)]


def _stubs(base: Rope, moment: Moment, low: Point) -> list[Part]:
    """The ends of the short piece below the fist: the further out, the higher the grade of the tell."""
    (x, y), color = low, ROPES[base.color]
    out = moment.ends * (5.0 + 17.0 * base.staging.peek)
    made = []
    for side in (-1, 1):
        start, end = (x + 7 * side, y - 10), (x + 18 * side, y + out)
        name = f"{PIECE}/ends"
        made += [cord(name, between([start, end], 0.0, 99.0), _DEEP, color), tip(name, end, start, _DEEP, color)]
    return made


_SHORT = (
    r"(?:short|shorter|small|little|extra|separate|additional|decoy|spare|tiny|other|different)(?: \w+)?"
    r" (?:piece|bit|loop|scrap|strand|length|section|end|segment|snippet|offcut)"
    r"|near (?:the|its|one|an) end|stub|snippet|scrap|offcut"
)
_CUT = r"cuts?|cutting|snip\w*|sever\w*|scissors|through"
_CENTER = "middle|center|centre"
METHOD = Method(
    secret=(
        (_SHORT, rf"{_CUT}|pull\w*|draws?|drawn|push\w*|rais\w*|above|up|hid\w*|conceal\w*|held|shown?"),
        (_SHORT, r"swap\w*|switch\w*|replac\w*|substitut\w*|instead|stead|place|pos(?:es|ing)"),
        (rf"(?:loop|part) (?:\w+ )?(?:is|was) (?:really |actually |just )?(?:a|an) (?:{_SHORT})",),
        (
            rf"(?:but|only|just|is|was) (?:really |actually |just |only )?(?:a|an|some|the) (?:\w+ )?(?:{_SHORT})",
            rf"?{_CUT}",
            r"!leav\w*",
        ),
        (_SHORT, "~(?:cut|snipped) (?:loop|piece|part)"),
    ),
    part=(
        (
            rf"{_CENTER}|rope itself|(?:long|full|whole|main|real) rope|rope",
            r"whole|intact|uncut|hidden|conceal\w*|kept|keeps|never leaves|never cut|not cut|unharmed|in one piece",
            "!again|back|short",
        ),
        (_CENTER, r"push\w*|slip\w*|goes|put", "into|down"),
    ),
    openly=(
        (rf"{_CENTER}|in half|in two|halves", _CUT, f"!!{_SHORT}"),
        (_CENTER, "~cut in two"),
        ("(?:really|truly|actually|genuinely|indeed) cut", "~rope", f"!!{_SHORT}"),
        (_CENTER, "that is cut"),
        (_CENTER, "above"),
        ("each hand", "piece|half"),
        ("two (?:pieces|halves)|stays cut",),
    ),
    effect=((r"whole again|restor\w*|heals?|(?:re)?join\w*|fus(?:es?|ed)|together|reattach\w*|becomes whole|mends?",),),
    against=(
        *ELSEWHERE,
        (r"tied|knot\w*|glu\w*|taped|stuck|sewn|joint",),
        ("scissors", "fake|blunt|miss|closed|never cut|do not cut"),
        ("nothing is cut|not cut at all|never cut at all",),
        ("(?:identical|another|second|new|different|duplicate) (?:rope|cord)|whole one",),
    ),
    terms=("cut[ -]and[ -]restored",),
    harmless=(
        "(?:duplicate|second|extra|spare) (?:piece|bit|loop|rope|cord)s?",
        r"strings?",
        r"\w+ tapes?|taped (?:end|tip)s?",
    ),
)
TRICK = Trick(
    name="rope",
    title="The rope that is cut and whole again",
    category="substitution",
    principle="The middle of the rope stays whole in the {other}: the {acting} pulls up and cuts a short piece.",
    control="The {acting} leaves the middle of the rope above the {other} and cuts it: two pieces are left.",
    effect="The rope is cut in its middle and is whole again.",
    giveaway="two more ends show below the {other}: those of the short piece",
    props=("rope", "short piece", "scissors", "table"),
    nouns=("rope", "middle", "piece", "loop", "end", "ends", "scissors", "hand", "hands", "fist", "fingers", "table"),
    sample=sample,
    log=log,
    moment=moment,
    ground=ground,
    paint=paint,
    speech=Speech(puts="pull", slips="pushes", method="I only cut a short piece"),
    method=METHOD,
)
