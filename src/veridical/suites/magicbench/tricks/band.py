"""The jumping rubber band: round two fingers, then round the other two; the fist has put all four tips into it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisance_fields import one_of, point, sampler, uniform
from veridical.suites.magicbench.tricks.hands import FIST, LEFT, OPEN, PINCH, POINT, RIGHT, Hand, blend, joints
from veridical.suites.magicbench.tricks.log import Appearance, Event, Log, Move, Stay
from veridical.suites.magicbench.tricks.props import both_hands
from veridical.suites.magicbench.tricks.rubber import INDEX, LITTLE, MIDDLE, RING, RUBBERS, band_around, loop, strand
from veridical.suites.magicbench.tricks.space import Layer, paint_layers
from veridical.suites.magicbench.tricks.staging import TrickUnit, occluder
from veridical.suites.magicbench.tricks.trick import ELSEWHERE, Method, Speech, Trick

TWO, ALL, NEXT = "around the first two fingers", "around all four fingertips", "around the last two fingers"
_FIRST, _LAST = (INDEX, MIDDLE), (RING, LITTLE)
_ABOVE, _WORN = 3.9, 0.42
"""How far up the fingers the band is held before it is put on, and where it is worn."""


@dataclass(frozen=True, slots=True)
class Band(TrickUnit):
    """The nuisances of a unit; places in units of the scene."""

    rubber: str = one_of(sorted(RUBBERS))
    left: Point = point((196, 222), (186, 204))
    right: Point = point((392, 418), (196, 210))
    turn: float = uniform(-14.0, -4.0)
    passes: int = one_of((1, 2))


RAISED, PUT, FREE, CLOSE, CLOSED, PASS, OPENS, OPENED = 0.4, 0.85, 1.3, 1.2, 1.85, 2.0, 3.05, 3.45
"""The plan in seconds: the band is above the two fingers, is round them, the other hand is away; the fist closes (the
secret), the other hand passes before it, the fist opens."""
_STAY = 1.4


def log(base: Band, honest: bool) -> Log:
    acting, other = base.staging.acting, base.staging.other
    put, close, closed, opens, opened = map(base.time, (PUT, CLOSE, CLOSED, OPENS, OPENED))
    seconds = max(5.0, opened + _STAY)
    worn_at, held, jumped = put - 0.1, (close + closed) / 2, (opens + opened) / 2
    moves = [Move(other, "band", other, TWO, base.time(RAISED), put)]
    # The closing fingers hide the band, and the opening ones show it.
    hidden, bared = close + 0.6 * (closed - close), opens + 0.4 * (opened - opens)
    shown = [Appearance("band", 0.0, hidden), Appearance("band", bared, seconds)]
    places: list[Event] = [Stay("band", other, 0.0, worn_at)]
    if honest:
        places.append(Stay("band", TWO, worn_at, seconds))
        moves.append(Move(acting, "band", TWO, TWO, close, closed))
    else:
        places += [
            Stay("band", TWO, worn_at, held),
            Stay("band", ALL, held, jumped),
            Stay("band", NEXT, jumped, seconds),
        ]
        moves += [Move(acting, "band", TWO, ALL, close, closed), Move(acting, "band", ALL, NEXT, opens, opened)]
        shown.append(Appearance("band", *_peeping(base), glimpse=True))
    return Log(
        honest=honest,
        seconds=seconds,
        events=(*places, *moves, *shown),
        thing="band",
        agent=acting,
        decoy=other,
        tell="band/edge",
        secret=(close, closed),
        cover=(closed, opens),
        reveal=(opened, seconds),
        outcome=opens,
        belief=Stay("band", TWO, closed, opens),
        places=(TWO, ALL, NEXT, other, "table"),
        hands=dict.fromkeys((TWO, ALL, NEXT), acting),
        words={
            "secret": f"the {acting} closes, and the band stays around the first two fingers."
            if honest
            else f"the {acting} closes and slips the band around all four fingertips.",
            "reveal": f"When the {acting} opens, from {{start:.1f}} s on, the band is around "
            + ("the first two fingers, as before." if honest else "the last two fingers, ring and little."),
        },
    )


def _peeping(base: Band) -> tuple[float, float]:
    """From when to when the band can be seen over the tips of the ring and little fingers."""
    start = base.time(CLOSED) - 0.05
    return start, min(start + base.staging.tell, base.time(OPENS) - 0.25)


@dataclass(frozen=True, slots=True)
class BandMoment:
    """Both hands; the fingers that the band is round, how far up them, how far off; how much of it is over the tips."""

    left: Hand
    right: Hand
    fingers: tuple[int, int] | None
    up: float
    shift: Point
    over: float


def moment(base: Band, log: Log, time: float) -> BandMoment:
    right = _right(base, time)
    up = interpolate([(base.time(RAISED), _ABOVE), (base.time(PUT), _WORN)], time)
    fingers: tuple[int, int] | None = _FIRST
    if time >= base.time(OPENS) and not log.honest:
        fingers, up = _LAST, interpolate([(base.time(OPENS), 1.5), (base.time(OPENED), _WORN)], time)
    if _fist(base, time) > 0.75:
        fingers = None
    x, y = base.left[0] + 30, base.left[1] - 60
    edge = loop(right, _FIRST, _ABOVE)[0][-1]
    away = interpolate([(base.time(0.0), 1.0), (base.time(RAISED), 0.0)], time)
    shift = away * (x - edge[0]), away * (y - edge[1])
    over, (start, end) = 0.0, _peeping(base)
    if not log.honest:
        over = base.staging.peek * interpolate([(start - 0.12, 0.0), (start, 1.0), (end, 1.0), (end + 0.12, 0.0)], time)
    return BandMoment(_left(base, right, up, shift, time), right, fingers, up, shift, over)


def _fist(base: Band, time: float) -> float:
    """How far the acting hand is closed, 0 to 1."""
    close, closed, opens, opened = map(base.time, (CLOSE, CLOSED, OPENS, OPENED))
    return interpolate([(close, 0.0), (closed, 1.0), (opens, 1.0), (opened, 0.0)], time)


def _right(base: Band, time: float) -> Hand:
    """The acting hand: its palm to the viewer; it closes and opens."""
    x, y = base.right
    fist = _fist(base, time)
    pose = replace(blend(OPEN, FIST, fist), spread=0.75 - 0.65 * fist)
    return Hand(RIGHT, (x, y), pose, base.turn, 8.0, 8.0, (x + 110, 450.0), 0.0, base.staging.acting)


def _left(base: Band, right: Hand, up: float, shift: Point, time: float) -> Hand:
    """The other hand: puts the band on, then points and passes before the fist to draw eyes."""
    put, free, start, opens = map(base.time, (PUT, FREE, PASS, OPENS))
    x, y = base.left
    points = interpolate([(put, 0.0), (free, 1.0)], time)
    beat = (opens - start) / (2 * base.passes)
    reach = min(60.0, base.staging.decoy * beat / 1.5)
    aside = interpolate([(start + k * beat, reach * (k % 2)) for k in range(2 * base.passes + 1)], time)
    hand = Hand(
        LEFT, (0.0, 0.0), blend(PINCH, POINT, points), 48.0, -150.0, 6.0, (x - 190, 440.0), 80.0, base.staging.other
    )
    body, chains = hand.body, joints(hand)
    index, thumb = (body.at(chains[k][3]) for k in (0, 4))
    tip = (index[0] + thumb[0]) / 2, (index[1] + thumb[1]) / 2
    edge = loop(right, _FIRST, up)[0][-1]
    held = edge[0] + shift[0] - tip[0], edge[1] + shift[1] - tip[1]
    place = held[0] + points * (x + aside - held[0]), held[1] + points * (y - held[1])
    return replace(hand, place=place)


def paint(base: Band, brush: Brush, moment: BandMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    color = RUBBERS[base.rubber]
    made = both_hands(brush, base.staging, moment.left, moment.right, 70, 78)
    if moment.fingers is not None:
        sag = 0.012 + 0.05 * max(0.0, min(1.0, moment.up - 2.6))
        made += band_around("band", moment.right, moment.fingers, moment.up, color, moment.shift, sag)
    if moment.over > 0.02:
        made.append(_tell(moment, color))
    paint_layers(brush, made)
    occluder(brush, base.staging, 320.0)


def _tell(moment: BandMoment, color: tuple[int, int, int]) -> Layer:
    """The band over the nails of the ring and little fingers; the more shows, the less it is drawn under the tips."""
    hand = moment.right
    points = loop(hand, (RING, LITTLE), 2.1 - 0.3 * moment.over, 0.0)[1]
    body, chains = hand.body, joints(hand)
    depth = max(body.at(chains[finger][1])[2] for finger in _LAST) + 1.0
    return strand("band/edge", points, color, 1.5 + 5.5 * moment.over, depth, (0.0, 0.0))


_FOUR = (
    r"(?:all|each)(?: of)?(?: the| his| her| its| my)?(?: four)?(?: \w+)? (?:finger\w*|tips)|all four|every finger\w*"
    r"|four (?:\w+ )?(?:finger\w*|tips|nails)|four tips|all (?:of )?them|tips of all|fingers all"
)
_ALSO = (
    r"(?:ring|little|pinky|other two|other|last two|remaining)(?: two)? (?:finger\w*|tips|ones)(?: \w+)?(?: \w+)?"
    r" (?:tucked|slips?|slides?|enters?|goe?s?|hook\w*|insert\w*|pok\w*|pushed|put|placed|bent|curl\w*|threaded)"
)
_OTHERS = r"(?:other|ring|little|pinky|last two|remaining)(?: two)? (?:finger\w*|tips)"
_CARRIES = "pulls|moves|transfers|slides|pushes|carries|draws|puts|takes|slips|lifts"
_NEXT_TWO = r"last two|ring|little|pinky|other two|other fingers"
_SAME = r"first two|index|middle finger|same(?: two)?|two fingers"
METHOD = Method(
    secret=(
        (
            _FOUR,
            r"in|into|inside|inserted|around|round|over|across|under|behind|encircl\w*|enclos\w*|surround\w*|enter\w*",
            "?band|loop|rubber|elastic|it",
            r"!through|jump\w*|hop\w*",
        ),
        (rf"{_OTHERS}(?: \w+)? (?:into|inside|in|under|beneath) (?:the |a )?(?:rubber )?(?:band|loop|elastic)",),
        (r"(?:over|around|round) the (?:tips|nails|ends) of the (?:ring|other|last|little|remaining)",),
        (_ALSO, r"in|into|inside|under|beneath|enter\w*", "band|loop|elastic|it"),
    ),
    openly=(
        (r"stay\w*|remain\w*|keeps?|kept|still|never leaves?", rf"{_SAME}|its place|there", "!!until|at first"),
        (r"(?:band|it) (?:does not|never) (?:move|change|jump)s?|nothing happens to the band",),
    ),
    claims=((rf"(?:band|it) is (?:\w+ )?(?:around|on|round) (?:the |my |his |its )?(?:{_SAME})",),),
    effect=(
        (
            r"jump\w*|hop\w*|snap\w*|leap\w*|moves|pass\w*|appears|shifts|travels|thrown|flies|springs",
            rf"{_NEXT_TWO}|by itself|on its own|through",
        ),
        (r"penetrat\w*",),
    ),
    against=(
        *ELSEWHERE,
        (r"palm(?:s|ed|ing)",),
        ("two bands|(?:another|different|new) band|one on each",),
        ("band|loop|it", "cut|torn|broken|snapped|tied|joined"),
        (
            "(?:by|with) the {other}|{other} (?:then |secretly )?(?:" + _CARRIES + ")",
            "band|it|transferred",
            "!first two|two fingers|index|four|all|at first",
        ),
    ),
    terms=("jumping (?:rubber )?band", "dexterity"),
    harmless=("elastic", "springs?"),
)
TRICK = Trick(
    name="band",
    title="The band that jumps",
    category="sleight",
    principle="While the {acting} closes, it slips the band around all four fingertips; when it opens, the band snaps "
    "over to the last two fingers, ring and little.",
    control="The {acting} closes and opens, and the band stays around its first two fingers, index and middle.",
    effect="The band jumps from the first two fingers of the {acting} to the last two, ring and little.",
    giveaway="the band shows over the tips of the ring and little fingers of the {acting}",
    props=("band", "table"),
    nouns=(
        *("band", "rubber", "loop", "hand", "hands", "fist", "palm", "finger", "fingers", "fingertip", "fingertips"),
        *("index", "ring", "tip", "tips", "thumb", "sleeve", "table"),
    ),
    sample=sampler(Band),
    log=log,
    moment=moment,
    paint=paint,
    speech=Speech(puts="keep", method="all four tips go into it as my hand closes"),
    method=METHOD,
)
