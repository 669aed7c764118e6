"""The double lift: two cards are turned over as one, so that the card that is seen is not the one on top."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import interpolate
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.cards import (
    BACKS,
    BLACKS,
    HIGH,
    RANKS,
    REDS,
    TILT,
    Card,
    card,
    card_on_table,
    deck,
)
from veridical.suites.magicbench.tricks.hands import LEFT, RELAXED, RIGHT, Hand, HandPose, Side, blend
from veridical.suites.magicbench.tricks.log import Appearance, Event, Log, Move, Stay
from veridical.suites.magicbench.tricks.props import both_hands
from veridical.suites.magicbench.tricks.space import BodyFrame, Vector, frame, paint_layers
from veridical.suites.magicbench.tricks.staging import TrickUnit, occluder, stage, staging
from veridical.suites.magicbench.tricks.trick import ELSEWHERE, Method, Speech, Trick

GRIP = HandPose((1, 0, 2, 4), (4, 3, 5, 8), ((28, 56), (-8, 36), (-24, 8)), 0.7)
"""A card between the thumb in front of it and the fingers behind."""
HELD: Vector = (-0.06, 0.66, 0.17)
"""Where the middle of a card is in the axes of the hand that holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubleLift(TrickUnit):
    """The nuisances of a unit: the card that is seen, the one on top in the trick, the back, places in scene units."""

    seen: Card
    top: Card
    back: str
    deck: Point
    mat: Point
    turn: float
    raised: float


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


def card_axes(base: DoubleLift, time: float) -> BodyFrame | None:
    """The axes of the card that is off the deck: turned over and back, dealt to the mat, taken and turned over."""
    lift, turned, lower, laid, dealt, take, show = map(base.time, (LIFT, TURNED, LOWER, LAID, DEALT, TAKE, SHOW))
    if time <= lift:
        return None
    (x, y), (goal_x, goal_y) = base.deck, base.mat
    up = base.raised
    over = interpolate([(laid, 0.0), ((laid + dealt) / 2, 30.0), (dealt, 0.0)], time)
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
    upright = interpolate([(lift, 0.0), (turned, 1.0), (lower, 1.0), (laid, 0.0), (take, 0.0), (show, 1.0)], time)
    turn = interpolate(
        [(lift, base.turn), (turned, -7.0), (lower, -7.0), (laid, base.turn), (take, 0.0), (show, 7.0)], time
    )
    roll = 180 - 174 * upright
    place = interpolate(places, time), interpolate(highs, time) - over, 0.0
    return frame(place, HIGH, turn, TILT * (1 - upright), -roll if time >= take else roll)


def _gripping(
    side: Side,
    body: BodyFrame | None,
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
    if body is None:
        return replace(hand, place=rest)
    x, y, _ = hand.body.at(HELD)
    held = body.origin[0] - x, body.origin[1] - y
    return replace(hand, place=(rest[0] + share * (held[0] - rest[0]), rest[1] + share * (held[1] - rest[1])))


def acting_hand(base: DoubleLift, body: BodyFrame | None, time: float) -> Hand:
    """The acting hand: lifts and shows, lays back, deals to the mat, and goes back to the deck."""
    lift, turned, lower, laid, dealt = map(base.time, (LIFT, TURNED, LOWER, LAID, DEALT))
    x, y = base.deck
    share = interpolate([(base.time(0.0), 0.0), (lift, 1.0), (dealt, 1.0), (dealt + 0.45, 0.0)], time)
    roll = interpolate([(lift, 166.0), (turned, 14.0), (lower, 14.0), (laid, 166.0)], time)
    turn = interpolate(
        [(lift, -30.0), (turned, -30.0), (lower, -30.0), (laid, -30.0), (dealt, -52.0), (dealt + 0.45, -30.0)], time
    )
    body = body or card_on_table(base.deck, base.turn, 0.0)
    return _gripping(RIGHT, body, (x + 84, y + 30), share, turn, roll, (x + 170, 440.0), 40.0, base.staging.acting)


def other_hand(base: DoubleLift, body: BodyFrame | None, time: float) -> Hand:
    """The decoy: beckons beside the mat, passes over the card that lies there, takes it and turns it over."""
    lift, dealt, take, show = map(base.time, (LIFT, DEALT, TAKE, SHOW))
    x, y = base.mat
    beat = (take - dealt) / 3
    reach = min(56.0, base.staging.decoy * beat / 1.5)
    aside = interpolate([(dealt, 0.0), (dealt + beat, reach), (dealt + 2 * beat, 0.0)], time)
    nod = interpolate([(lift, 0.0), (lift + 0.3, 14.0), (lift + 0.6, 0.0), (lift + 0.9, 14.0), (lift + 1.2, 0.0)], time)
    high = interpolate([(dealt - 0.2, 0.0), (dealt + beat, 34.0), (dealt + 2 * beat, 26.0)], time) + nod
    share = interpolate([(dealt + 2 * beat, 0.0), (take, 1.0)], time)
    roll = interpolate([(take, 166.0), (show, 14.0)], time)
    rest = x - 84 + aside, y + 20 - high
    return _gripping(LEFT, body, rest, share, 32.0, roll, (x - 150, 440.0), 80.0, base.staging.other)


DECK, MAT = "in the deck", "on the mat"
_STAY = 1.05


def log(base: DoubleLift, honest: bool) -> Log:
    acting, other = base.staging.acting, base.staging.other
    lift, turned, lower, laid, dealt, take, show = map(base.time, (LIFT, TURNED, LOWER, LAID, DEALT, TAKE, SHOW))
    seconds = show + _STAY
    seen, top = base.seen.name, base.top.name
    last = seen if honest else top
    moves = [
        Move(acting, seen, DECK, acting, lift, turned),
        Move(acting, seen, acting, DECK, lower, laid),
        Move(acting, last, DECK, MAT, laid, dealt),
        Move(other, last, MAT, other, take, show),
    ]
    # A card begins or ceases to show its face in the middle of being turned over.
    shown = [Appearance(seen, (lift + turned) / 2, (lower + laid) / 2), Appearance(last, (take + show) / 2, seconds)]
    if not honest:
        moves += [replace(move, thing=top) for move in moves[:2]]
        shown.append(Appearance(top, *_peeping(base), glimpse=True))
    return Log(
        honest=honest,
        seconds=seconds,
        events=(*_places(seen, moves, seconds), *_places(top, moves, seconds), *moves, *shown),
        thing=seen,
        agent=acting,
        decoy=other,
        tell=f"{top}/edge",
        secret=(lift, turned),
        cover=(dealt, take),
        reveal=(show, seconds),
        outcome=take,
        belief=Stay(seen, MAT, dealt, take),
        places=(DECK, MAT, LEFT, RIGHT, "sleeve"),
        words=_words(base, honest),
    )


def _words(base: DoubleLift, honest: bool) -> dict[str, str]:
    acting, other, seen, top = base.staging.acting, base.staging.other, base.seen.name, base.top.name
    secret = f"the {acting} lifts two cards as one and turns them over: the {seen} hides the {top} behind it."
    reveal = f"When the {other} turns over the card from the mat, from {{start:.1f}} s on, it is the "
    if honest:
        secret = f"the {acting} lifts the top card of the deck alone and turns it over: it is the {seen}."
    return {
        "secret": secret,
        "reveal": reveal + (f"{seen}, as before." if honest else f"{top}: the {seen} is still in the deck."),
        "view": f"Is the face of the {seen} in view",
        "hidden": f"Is the face of the {seen} out of sight",
    }


def _places(name: str, moves: list[Move], seconds: float) -> list[Event]:
    """The places of a card that begins in the deck; it changes in the middle of each move."""
    own = sorted((move for move in moves if move.thing == name), key=lambda move: move.start)
    times = [0.0, *((move.start + move.end) / 2 for move in own), seconds]
    return [
        Stay(name, place, *span) for place, span in zip([DECK, *(m.target for m in own)], pairwise(times), strict=True)
    ]


def _peeping(base: DoubleLift) -> tuple[float, float]:
    """From when to when the edge of the second card can be seen."""
    start = base.time(TURNED) - 0.1
    return start, min(start + base.staging.tell, base.time(LOWER) + 0.05)


@dataclass(frozen=True, slots=True)
class LiftMoment:
    """Both hands, the card that is off the deck, its face if that is seen, and how far a second one is behind it."""

    left: Hand
    right: Hand
    card: BodyFrame | None
    face: Card | None
    second: float


def moment(base: DoubleLift, log: Log, time: float) -> LiftMoment:
    body = card_axes(base, time)
    left, right = other_hand(base, body, time), acting_hand(base, body, time)
    if body is None:
        return LiftMoment(left, right, None, None, 0.0)
    holder = left if time >= base.time(TAKE) else right
    on = body.origin[0], body.origin[1], holder.body.at(HELD)[2]
    if base.time(DEALT) < time < base.time(TAKE):
        on = *on[:2], -60.0
    body = replace(body, origin=on)
    face = None
    if body.z[2] > 0:
        face = base.seen if log.honest or time < base.time(LAID) else base.top
    return LiftMoment(left, right, body, face, 0.0 if log.honest else _second(base, time))


def _second(base: DoubleLift, time: float) -> float:
    """How far the second card is off the first, in units of the scene."""
    start, end = _peeping(base)
    return (
        11.0 * base.staging.peek * interpolate([(start - 0.12, 0.0), (start, 1.0), (end, 1.0), (end + 0.12, 0.0)], time)
    )


def ground(base: DoubleLift, brush: Brush) -> None:
    brush = stage(brush, base.staging)
    x, y = base.mat
    for wide, tall, tone in ((64, 42, (24, 22, 26)), (61, 39.5, (196, 164, 88)), (58, 37, (44, 40, 48))):
        brush.plain(
            [(x - wide + 6, y - tall), (x + wide - 6, y - tall), (x + wide, y + tall), (x - wide, y + tall)], tone
        )
    deck(brush, base.deck, base.turn, BACKS[base.back])


def paint(base: DoubleLift, brush: Brush, moment: LiftMoment) -> None:
    brush = face_brush(brush, base.staging.mirrored)
    back, mirrored = BACKS[base.back], base.staging.mirrored
    made = both_hands(brush, base.staging, moment.left, moment.right, 40, 40)
    if moment.card is not None:
        face = moment.face or base.seen
        made.append(card(moment.face.name if moment.face else "deck", moment.card, face, back, mirrored))
        if moment.second > 0 and moment.face:
            off = moment.second / HIGH
            x, y, _ = moment.card.at((-off, 0.7 * off, 0.0))
            behind = replace(moment.card, origin=(x, y, moment.card.origin[2] - 0.5))
            made.append(card(f"{base.top.name}/edge", behind, base.top, back, mirrored))
    paint_layers(brush, made)
    occluder(brush, base.staging, 314.0)


_UP = r"lift\w*|turn(?:s|ed|ing)?|flip\w*|pick\w*|rais\w*|takes?|taken"
_TWO = (
    r"(?:two|2)(?: \w+)?[ -]cards?|top two|both(?: \w+)? cards|pair of cards|a pair|second (?:card|one)|but two|two are"
)
_HIDDEN = r"(?:second|another|extra|other|additional|hidden|top) card|{base.top.rank}"
_SEEN = "|".join(
    (r"(?<!behind the )(?<!under the )(?<!beneath the )(?<!above the )(?<!over the ){base.seen.rank}", "shown card")
)
_LAID = r"puts?|plac\w*|lays?|laid|lies|drop\w*|deals?|dealt|goes|is|moved?|stays"
METHOD = Method(
    secret=(
        (_TWO, rf"{_UP}|holds?|held|shown?|come up|together|at once|squared?|align\w*|acts?|grips?|stuck"),
        (_TWO, "~as (?:one|a single|a unit)|like (?:one|a single)|consists?"),
        (r"(?<!there )(?:is|are|was|were|really|actually) (?:really |actually )?(?:two|2|a pair of) (?:\w+ )?cards",),
        (r"(?:card|one) (?:underneath|beneath|behind it|below)(?: it)?", "face|seen|shown|belongs|shows"),
        ("two cards|both cards", "in the {acting}|not one"),
        (_HIDDEN, "behind|beneath|underneath|covers?|squared"),
        (r"hid\w*|conceal\w*|kept|held", "behind|under|beneath", "{base.seen.rank}"),
        (r"(?:was|is|really|actually|shows|seen|be) (?:really |actually )?the second (?:card|one|from)",),
        ("but the second(?: card| one)?",),
        (r"second position|second from (?:the )?top",),
        (rf"{_UP}|held|shown", r"(?:together|along) with (?:it|the|another)|with the {base.top.rank}"),
    ),
    part=(
        ("{base.seen.rank}", r"stay\w*|remain\w*|is still|kept|goes back|never leaves", "deck"),
        ("{base.top.rank}|real top card|different card", _LAID, "mat", r"!turns? (?:in)?to|chang\w*"),
    ),
    openly=(
        ("top card", "alone|by itself|on its own|only", _UP),
        (r"(?:only|just) (?:one|a single)(?: card)?|(?<!like )(?<!as )a single card", _UP),
        ("only one is(?! shown| seen| visible)",),
        (_SEEN, _LAID, "mat", "!{base.top.rank}"),
        ("{base.seen.rank}", "(?:is|was|be) (?:really |actually |indeed )?the top card"),
        ("card (?:that (?:is|was) )?(?:shown|seen|turned over)", "is (?:indeed |really )?the (?:same )?card"),
        ("still the {base.seen.rank}",),
        ("(?:is|remains|that|the very) (?:always )?(?:the )?same card",),
        ("is the top card", "~{base.seen.rank}"),
    ),
    claims=(("top card", _UP),),
    effect=((r"turns into|transform\w*|chang(?:es|ed) (?:in)?to|changes (?:its|the|color|face)|becomes|morph\w*",),),
    against=(
        *ELSEWHERE,
        (r"palm(?:s|ed|ing)",),
        (r"switch\w*|swap\w*|exchang\w*", "card|it|{base.seen.rank}", "!!two|2|both|pair|sleight|second"),
        (r"(?:double|two)[- ](?:faced|sided)|(?:both|two) faces|(?:trick|special) card",),
        ("(?:under|beneath|below) the (?:mat|table)",),
    ),
    terms=(r"double[ -](?:lift|turn|turnover)\w*",),
    harmless=("(?:second|extra) (?:cards?|one)",),
)
TRICK = Trick(
    name="double_lift",
    title="The card that changes on the mat",
    category="sleight",
    principle="The {acting} turns over two cards as one: the {base.seen.name} that is seen is the second card, and the "
    "card that is put on the mat is the {base.top.name}, which was on top.",
    control="The {acting} turns over the top card alone, the {base.seen.name}, and puts it on the mat.",
    effect="The {base.seen.name} lies on the mat and turns into the {base.top.name}.",
    giveaway="the edge of a second card shows behind the {base.seen.name}",
    props=("deck", "mat", "table"),
    nouns=(
        *("card", "cards", "deck", "mat", "hand", "hands", "finger", "fingers", "thumb", "sleeve", "table", "edge"),
        *(*RANKS, *REDS, *BLACKS, "heart", "diamond", "spade", "club"),
    ),
    sample=sample,
    log=log,
    moment=moment,
    ground=ground,
    paint=paint,
    speech=Speech(puts="lay", method="I turn over two cards as one"),
    method=METHOD,
)
