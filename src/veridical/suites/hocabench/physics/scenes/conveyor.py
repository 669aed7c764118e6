"""Crates ride out of a tunnel on a belt, past a worker."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.clock import Clock, interpolate
from veridical.media.figures.palette import COLORS, hand
from veridical.suite.nuisance_fields import one_of, sampler, take_turns, uniform
from veridical.suites.hocabench.physics import props_factory as props
from veridical.suites.hocabench.physics.law import each_frame, is_in_hand, keeps, no_more_than, persists
from veridical.suites.hocabench.physics.play import Instant, Play, frame_by_frame
from veridical.suites.hocabench.physics.props_exhibits import canvas, impossible_triangle, solid_triangle
from veridical.suites.hocabench.physics.props_home import WALLS, walls, window
from veridical.suites.hocabench.physics.props_person import PersonLook, PersonPose, side_view
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, remove, value

MOUTH, BELT = 158.0, 250.0
"""The x at which the belt leaves the tunnel, and the y of its upper side."""
GRIP = 640.0
"""How fast the belt takes a crate along or brakes it, in units per second squared."""
_AWAY, _COMES = 330.0, 0.25
_APPLES = {"red": (200, 44, 44), "green": (126, 176, 60), "yellow": (226, 186, 60)}


@dataclass(frozen=True, slots=True)
class Conveyor:
    """Colors by name; lengths in units, the speed in units per second, the event's time in seconds."""

    color: str = take_turns(sorted(COLORS))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    goods: str = one_of(sorted(COLORS), unlike=("color", "other"))
    apple: str = one_of(sorted(_APPLES))
    coat: str = one_of(sorted(COLORS), but=("yellow",), unlike=("color",))
    wall: str = one_of(sorted(WALLS))
    hair: int = one_of((0, 1, 2))
    height: float = uniform(236, 250)
    side: float = uniform(66, 76)
    small: float = uniform(44, 50)
    speed: float = uniform(108, 122)
    place: float = uniform(312, 336)
    moment: float = uniform(1.3, 1.65)
    mirrored: bool = one_of((False, True))


def reach(goods: Mapping[str, float]) -> float:
    """How far goods from the tunnel reach from their middle to each side, in units."""
    return 70.0 if goods["apple"] > 0 else 78.0


def _belt(after: Callable[[Conveyor, Course, float], State]) -> Play:
    """Makes a play out of what the goods do from the event on, by the time since the frame before; first they ride."""

    @frame_by_frame
    def play(base: Conveyor, course: Course, now: Instant) -> State:
        since = now.time - now.last
        return after(base, course, since) if now.since > 0 else _ride(base, since)

    return play


def _ride(base: Conveyor, since: float) -> Quantities:
    """The belt runs and takes both crates along; `since` is the time since the frame before the event."""
    return _state(base, base.speed * since, base.speed)


def _state(base: Conveyor, way: float, speed: float) -> Quantities:
    """Everything has ridden `way` units on since the frame before the event."""
    return {
        "belt": {"way": way, "speed": speed},
        "crate": {"x": base.place + way, "speed": speed, "lift": 0.0, "round": 0.0},
        "small": {"x": base.place - base.side / 2 - base.small + way, "speed": speed},
    }


@_belt
def slides_on(base: Conveyor, course: Course, since: float) -> State:
    """The belt stops, and the crate slides on as fast as before, or stops too, or a hand draws it on."""
    left = max(0.0, base.speed - GRIP * since)
    slid = (base.speed**2 - left**2) / (2 * GRIP)
    state = _state(base, 0.0, 0.0)
    state["small"] = {"x": state["small"]["x"] + slid, "speed": left}
    state["crate"] |= {"x": base.place + slid, "speed": left}
    if course == "violating":
        state["crate"] |= {"x": base.place + base.speed * since, "speed": base.speed}
    elif course == "explained":
        drawn = max(0.0, since - _COMES)
        state["crate"]["x"] += base.speed * drawn
        if drawn:
            state["crate"]["speed"] = base.speed
        state["hand"] = {"above": _AWAY * max(0.0, 1 - since / _COMES), "holds": float(drawn > 0)}
    return state


@_belt
def brings_triangle(base: Conveyor, course: Course, since: float) -> State:
    """A triangle that no solid can be comes out of the tunnel, or one that can, or a picture of the former."""
    return _brings(base, since, float(course != "plausible"), float(course == "explained"), 0.0)


@_belt
def brings_apple(base: Conveyor, course: Course, since: float) -> State:
    """A huge apple comes out of the tunnel, or a crate of apples."""
    return _brings(base, since, 0.0, 0.0, 64.0 if course == "violating" else 14.0)


def _brings(base: Conveyor, since: float, impossible: float, drawn: float, apple: float) -> State:
    goods = {"impossible": impossible, "drawn": drawn, "apple": apple}
    return {**_ride(base, since), "goods": {**goods, "x": MOUTH + 10 - reach(goods) + base.speed * since}}


@_belt
def vanishes(base: Conveyor, course: Course, since: float) -> State:
    """The crate is gone from the belt, or a hand lifts it off."""
    return remove(_ride(base, since), "crate") if course == "violating" else _lifts(base, since)


@_belt
def becomes_barrel(base: Conveyor, course: Course, since: float) -> State:
    """The crate becomes a barrel by itself, or a hand lifts it off."""
    if course != "violating":
        return _lifts(base, since)
    state = _ride(base, since)
    state["crate"]["round"] = min(1.0, since / 0.5)
    return state


def _lifts(base: Conveyor, since: float) -> State:
    """A hand comes in, grips the crate and lifts it off the belt."""
    state = _ride(base, since)
    gripped = max(0.0, since - _COMES)
    way = base.speed * (min(since, _COMES) + 0.4 * (1 - math.exp(-gripped / 0.4)))
    state["crate"] |= {"x": base.place + way, "lift": interpolate([(_COMES, 0), (1.3, _AWAY)], since)}
    state["hand"] = {"above": _AWAY * max(0.0, 1 - since / _COMES), "holds": float(since >= _COMES)}
    return state


@each_frame("the belt grips what lies on it")
def rubs(_base: Conveyor, clock: Clock, states: States, k: int) -> bool:
    """What lies on the belt comes to the belt's speed, at least as fast as nine tenths of its grip allow."""
    now, before = states[k], states[k - 1]
    if is_in_hand(states, k):
        return True
    for name in ("crate", "small"):
        if name in now and name in before:
            slip, was = (each[name]["speed"] - now["belt"]["speed"] for each in (now, before))
            if abs(slip) > max(1e-9, abs(was) - 0.9 * GRIP / clock.rate):
                return False
    return True


could_be_built = no_more_than("what the belt brings can be built", ("goods", "impossible"), ("goods", "drawn"))


@each_frame("an apple has the size of an apple")
def keeps_scale(base: Conveyor, _clock: Clock, states: States, k: int) -> bool:
    """An apple is at most an eighth as tall as a person is."""
    return 2 * value(states[k], "goods", "apple") <= base.height / 8


_TOP = 78.0
_HAIR = ((58, 42, 34), (150, 76, 40), (214, 176, 86))


def ground(base: Conveyor, brush: Brush) -> None:
    walls(brush, 296, WALLS[base.wall], (168, 166, 162), "plaster")
    side = face_brush(brush, base.mirrored)
    for x in (222, 352):
        window(side, x, 30, 104, 78)
    side.shadow((320, 352), 380, 12)
    look = PersonLook(base.height, COLORS[base.coat], hair=_HAIR[base.hair])
    pose = PersonPose((0.05, -0.05), arms=(0.35, 0.2), elbows=(0.9, 0.8), head=0.3)
    side_view(face_brush(brush, not base.mirrored), look, pose, (90, 330))
    props.belt_frame(side, BELT)


def paint(base: Conveyor, brush: Brush, state: State) -> None:
    side = face_brush(brush, base.mirrored)
    with side.of("belt"):
        props.belt(side, BELT, state["belt"]["way"])
    for name, size, color in (("small", base.small, base.other), ("crate", base.side, base.color)):
        box = state.get(name)
        if box and box["x"] + size / 2 > MOUTH + 3:
            with side.of(name):
                foot = (box["x"], BELT - box.get("lift", 0.0))
                if box.get("round"):
                    props.barrel(side, foot, size / 2, COLORS[color], box["round"])
                else:
                    props.crate_box(side, (foot[0], foot[1] - size / 2), size / 2, 0.0, COLORS[color])
    if "goods" in state:
        with side.of("goods"):
            _goods(base, side, state["goods"])
    props.tunnel(side, MOUTH, _TOP, BELT, _push(base, state), state["belt"]["speed"] > 0)
    if "hand" in state:
        x, lift = state["crate"]["x"], state["crate"]["lift"]
        with side.of("hand"):
            hand(side, (x, BELT - base.side + 8 - lift - state["hand"]["above"]))


def _goods(base: Conveyor, brush: Brush, goods: Mapping[str, float]) -> None:
    x, color = goods["x"], COLORS[base.goods]
    if goods["apple"]:
        paint_apple = props.apple if goods["apple"] > 30 else props.apple_crate
        paint_apple(brush, (x, BELT), goods["apple"], _APPLES[base.apple])
    elif goods["drawn"]:
        canvas(brush, x - 66, 102, x + 66, BELT - 26)
        impossible_triangle(brush, (x, 168), 106, color)
    elif goods["impossible"]:
        impossible_triangle(brush, (x, BELT - 54), 140, color)
    else:
        solid_triangle(brush, (x - 5, BELT - 53), 126, color)


def _push(base: Conveyor, state: State) -> float:
    """How far the strips of the tunnel are pushed out by what comes through, from 0 to 1."""
    spans = [
        (state[name]["x"], size / 2) for name, size in (("small", base.small), ("crate", base.side)) if name in state
    ]
    if "goods" in state:
        spans.append((state["goods"]["x"], reach(state["goods"]) - 14))
    return max(max(0.0, min(1.0, (half + 12 - abs(x - MOUTH)) / 12)) for x, half in spans)


SCENE = PhysicsScene(
    name="conveyor",
    title="Crates on a belt that comes out of a tunnel",
    setup="A ribbed belt takes a {color} and a {other} crate out of a tunnel, past a worker in a {coat} coat.",
    sample=sampler(Conveyor),
    ground=ground,
    paint=paint,
    entities=(
        ("crate", "box", "apple", "triangle", "frame"),
        ("belt", "conveyor"),
        ("worker", "person", "man", "woman", "figure", "character"),
    ),
    actions=("mov", "ride", "slid", "carr", "take", "bring", "transport", "travel", "stop", "come", "emerge", "run"),
    events=(
        Event(
            sub_type="friction",
            play=slides_on,
            breaks=rubs,
            actors=("crate", "belt"),
            claim="The belt stops, and the {color} crate slides on along the rough belt at full speed.",
            control="The belt stops, and both crates on it come to rest at once.",
            normal="the rough belt slows the {color} crate down and stops it",
            signs=phrases("slides on, full speed, same speed, keeps, continues, moves on, not stop, without slow"),
            expected=("slow", "stops it", "come to rest", "comes to rest", "brak", "grip"),
            explained="a hand draws the crate along",
        ),
        Event(
            sub_type="shape",
            play=brings_triangle,
            breaks=could_be_built,
            actors=("goods",),
            claim="Out of the tunnel comes a {goods} triangle whose three beams join as no solid can.",
            control="Out of the tunnel comes a {goods} triangular frame of three beams.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=("impossible", "penrose", "escher", "no solid", "paradox", "inconsistent", "twisted"),
            expected=("corner", "agree", "consistent", "real", "possible"),
            explained="it is a picture on a canvas",
        ),
        Event(
            sub_type="size",
            play=brings_apple,
            breaks=keeps_scale,
            actors=("goods",),
            claim="Out of the tunnel comes one {apple} apple that is half as tall as the worker.",
            control="Out of the tunnel comes a crate full of {apple} apples.",
            normal="an apple is so small that a hand can hold it",
            signs=("tall", "size", "large", "big", "giant", "huge", "enormous"),
            expected=("small", "size", "hand"),
        ),
        Event(
            sub_type="morphing",
            play=becomes_barrel,
            breaks=keeps("crate", "round"),
            actors=("crate",),
            claim="The {color} crate turns into a barrel on the running belt, and nobody has touched it.",
            control="A hand lifts the {color} crate off the running belt.",
            normal="the crate keeps its form and rides on along the belt",
            signs=("barrel", "drum", "keg", "turns into", "morph", "transform", "another shape"),
            expected=("keeps its form", "keeps its shape", "stays a crate", "remains", "the same", "rides on"),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("crate", "small"),
            actors=("crate",),
            claim="The {color} crate is suddenly gone from the running belt, and nobody has touched it.",
            control="A hand lifts the {color} crate off the running belt.",
            normal="the crate stays in sight and rides on along the belt",
            expected=("stay", "remain", "visible", "ride", "continue", "exist"),
        ),
    ),
)
