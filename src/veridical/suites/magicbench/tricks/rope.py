"""Cut and restored rope: a short piece is cut instead of the rope's middle, which has stayed in the fist."""

from __future__ import annotations

from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisance_fields import sampler
from veridical.suites.magicbench.tricks.cord import scissors
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT
from veridical.suites.magicbench.tricks.log import Appearance, Event, Interval, Log, Move, Stay
from veridical.suites.magicbench.tricks.props import both_hands
from veridical.suites.magicbench.tricks.ropework import (
    CUT,
    DIP,
    GRIP,
    KEPT,
    LAID,
    MEET,
    MIDDLE,
    OUT,
    PIECE,
    SHOW,
    Rope,
    RopeMoment,
    acting_hand,
    fist,
    grasp,
    openings,
    rope,
    scissors_pose,
)
from veridical.suites.magicbench.tricks.space import paint_layers
from veridical.suites.magicbench.tricks.staging import occluder
from veridical.suites.magicbench.tricks.trick import ELSEWHERE, Method, Speech, Trick

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
        Stay(MIDDLE, acting, 0.0, change),
        Stay(MIDDLE, held, change, apart),
        Stay(MIDDLE, shown, apart, seconds),
        Move(acting, MIDDLE, acting, held, meet, kept),
        Move(acting, MIDDLE, held, shown, grip, opened),
        Appearance(MIDDLE, 0.0, dip),
        Appearance(MIDDLE, kept if honest else apart, seconds),
    ]
    if honest:
        # Until the hand lets go of the loop, its fingers hide most of it.
        events.append(Appearance(MIDDLE, out, kept, glimpse=True))
        events.append(Stay(PIECE, acting, 0.0, seconds))
    else:
        events += [
            Stay(PIECE, acting, 0.0, change),
            Stay(PIECE, ABOVE, change, grip),
            Stay(PIECE, acting, grip, seconds),
        ]
        events += [Move(acting, PIECE, acting, ABOVE, meet, kept), Move(acting, PIECE, ABOVE, acting, grip - 0.1, grip)]
        events += [Appearance(PIECE, out, grip), Appearance(PIECE, *_peeping(base), glimpse=True)]
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
        outcome=base.time(LAID),
        belief=Stay(MIDDLE, ABOVE, kept, grip),
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


def moment(base: Rope, log: Log, time: float) -> RopeMoment:
    at = base.time
    names = base.staging.acting, base.staging.other
    left = fist(base, time, names[1])
    top, low = openings(fist(base, at(MEET), names[1]))
    hold = grasp(base, log.honest, time, top, low)
    free = time < at(DIP)
    before = grasp(base, log.honest, time - 0.1, top, low)
    start, end = _peeping(base)
    out = interpolate([(start, 0.0), (start + 0.15, 1.0), (end - 0.15, 1.0), (end, 0.0)], time)
    gripped = not log.honest and time >= at(GRIP)
    return RopeMoment(
        left=left,
        right=acting_hand(base, log.honest, time, hold, names[0]),
        bight=hold if free else None,
        lag=0.6 * (before[0] - hold[0]) if free else 0.0,
        loop=0.0 if gripped else interpolate([(at(DIP) + 0.05, -8.0), (at(KEPT) - 0.05, base.loop)], time),
        short=not (log.honest or free),
        ends=0.0 if log.honest else out,
        cut=interpolate([(at(CUT), 0.0), (at(CUT) + 0.12, 1.0)], time),
        pulled=interpolate([(at(GRIP) if log.honest else at(SHOW - 0.42), 0.0), (at(SHOW), 1.0)], time),
        hold=hold,
        scissors=scissors_pose(base, time, hold),
    )


def paint(base: Rope, brush: Brush, moment: RopeMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    pivot, turn, opening, lying = moment.scissors
    made = [*both_hands(brush, base.staging, moment.left, moment.right, 110, 110), *rope(base, moment)]
    made += scissors(pivot, turn, opening, -40.0 if lying else 38.0, lying)
    paint_layers(brush, made)
    occluder(brush, base.staging, 330.0)


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
    sample=sampler(Rope),
    log=log,
    moment=moment,
    paint=paint,
    speech=Speech(puts="pull", slips="pushes", method="I only cut a short piece"),
    method=METHOD,
)
