"""A dog walks up to a parked car and sniffs at its bumper."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps, persists, zero_unless
from veridical.suites.hocabench.physics.play import Instant, Play, frame_by_frame
from veridical.suites.hocabench.physics.props_animals import butterfly, dog, nose
from veridical.suites.hocabench.physics.props_car import BUMPER, parked_car
from veridical.suites.hocabench.physics.props_exhibits import crate
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, clamp_to_one, value

ROAD, NEARER = 318.0, 12.0
"""Where the car stands, and how much nearer to the viewer the dog does."""
_DOWN, _UP = -1.0, 0.72
"""The pitch of the dog's head while it sniffs, and when it is raised, in radians."""
_RAISING, _GRADUAL, _ROPE = 0.7, 0.35, 0.3
_HIGH, _RISES = 128.0, 0.6
"""How high the car rises with all its wheels (units), and how long that takes (s)."""
_ENTRY = (-30.0, 212.0)
COATS = {"brown": (142, 92, 54), "black": (58, 54, 54), "sandy": (206, 166, 110)}


@dataclass(frozen=True, slots=True)
class Dog:
    """Colors by name, the dog's height, where the car's rear wheel stands, and when an event begins (seconds)."""

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), but=("green",), unlike=("color",))
    coat: str = one_of(sorted(COATS))
    dyed: str = one_of(("blue", "purple", "red"))
    hedge: int = one_of((0, 1, 2))
    height: float = uniform(84, 94)
    rear: float = uniform(548, 566)
    start: float = uniform(54, 84)
    moment: float = uniform(1.5, 1.9)
    flipped: bool = one_of((False, True))


def _roadside(change: Callable[[Dog, Course, Quantities, float], None]) -> Play:
    """Makes a play out of what changes from the event on, by the seconds since the frame before it.

    The dog walks to the bumper, sniffs at it, and raises its head with the event.
    """

    @frame_by_frame
    def play(base: Dog, course: Course, now: Instant) -> State:
        goal, arrival = base.rear + BUMPER[0] + 4 - nose((0, 0), base.height, _DOWN)[0], base.moment - 0.45
        share = min(1.0, now.time / arrival)
        x = base.start + share * (goal - base.start)
        sniffs = clamp_to_one((now.time - arrival + 0.35) / 0.4)
        pitch = 0.45 + sniffs * (_DOWN - 0.45) + _raise(now.since) * (_UP - _DOWN)
        walk = 0.13 * (goal - x) if share < 1 else 0.0
        state = {
            "dog": {"x": x, "pitch": pitch, "walk": walk, "wag": math.sin(11 * now.time), "dyed": 0.0},
            "car": {"x": base.rear, "tilt": 0.0, "up": 0.0},
        }
        if now.since > 0:
            change(base, course, state, now.since)
        return state

    return play


def _raise(since: float) -> float:
    """How far the dog's head is up again, 0 to 1."""
    share = clamp_to_one((since - 0.02) / _RAISING)
    return share * share * (3 - 2 * share)


def _back_away(state: Quantities, since: float) -> None:
    """The driver backs the car away, with 400 units per second squared."""
    state["car"]["x"] += 200 * since**2


@_roadside
def lifts_car(base: Dog, course: Course, state: Quantities, since: float) -> None:
    """The dog lifts the car's front; a rope does; or the car backs away."""
    if course == "plausible":
        _back_away(state, since)
        return
    dog = state["dog"]
    if course == "explained":
        state["rope"] = {"down": min(1.0, since / _ROPE)}
        dog["pitch"] = _DOWN + _raise(since - _ROPE) * (_UP - _DOWN)
        if since < _ROPE:
            return
    tip = nose((dog["x"], ROAD + NEARER), base.height, dog["pitch"])
    tilt = math.asin(max(0.0, min(0.7, (ROAD + BUMPER[1] - tip[1]) / -BUMPER[0])))
    state["car"]["tilt"] = max(tilt, 0.002)


@_roadside
def car_floats(_base: Dog, course: Course, state: Quantities, since: float) -> None:
    """The car rises by itself and stays in the air; a crane lifts it; or it backs away."""
    if course == "plausible":
        _back_away(state, since)
        return
    if course == "explained":
        state["crane"] = {"down": min(1.0, since / _ROPE)}
        since -= _ROPE
    share = clamp_to_one(since / _RISES)
    state["car"]["up"] = _HIGH * share * (2 - share)


@_roadside
def butterfly_comes(base: Dog, course: Course, state: Quantities, since: float) -> None:
    """A butterfly larger than the dog; a kite of that form on its line; or a balloon with a small butterfly."""
    x = _ENTRY[0] + (_ENTRY[1] - _ENTRY[0]) * math.tanh(1.7 * since)
    y = 96 + 14 * math.sin(3.1 * since)
    size = 0.32 * base.height if course == "plausible" else 1.9 * base.height
    state["butterfly"] = {"x": x, "y": y, "span": size, "flap": 0.5 - 0.5 * math.cos(13 * since), "line": 0.0}
    if course == "explained":
        state["butterfly"] |= {"flap": 0.0, "line": 1.0}
    elif course == "plausible":
        state["butterfly"]["x"] += 92
        state["balloon"] = {"x": x, "y": y - 14}


@_roadside
def crate_comes(_base: Dog, course: Course, state: Quantities, since: float) -> None:
    """A crate comes down on a rope: one that can be built, or not."""
    x, y = 118 + 4 * math.sin(2.6 * since), -90 + 162 * math.tanh(3.0 * since)
    state["crate"] = {"x": x, "y": y, "impossible": float(course == "violating")}


@_roadside
def dog_changes(_base: Dog, course: Course, state: Quantities, since: float) -> None:
    """The dog's fur changes its color; in the control the car backs away."""
    if course == "violating":
        state["dog"]["dyed"] = min(1.0, since / _GRADUAL)
    else:
        _back_away(state, since)


@_roadside
def car_vanishes(_base: Dog, course: Course, state: Quantities, since: float) -> None:
    """The car is gone; in the control it backs away."""
    if course == "violating":
        del state["car"]
    else:
        _back_away(state, since)


strength_has_limits = zero_unless(
    "the car's front stays down unless a rope lifts it", ("car", "tilt"), ("rope", "down")
)
weighs = zero_unless("the car stands on the road unless a crane holds it", ("car", "up"), ("crane", "down"))


@each_frame("the crate can be built")
def could_be_built(_base: Dog, _clock: Clock, states: States, k: int) -> bool:
    return not value(states[k], "crate", "impossible")


@each_frame("a butterfly has the size of a butterfly")
def keeps_scale(base: Dog, _clock: Clock, states: States, k: int) -> bool:
    """A butterfly is small; a kite need not be."""
    small = value(states[k], "butterfly", "span") <= base.height / 3
    return small or value(states[k], "butterfly", "line") == 1


_HEDGES = ((86, 134, 84), (108, 140, 78), (74, 122, 98))


def ground(base: Dog, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    hedge = _HEDGES[base.hedge]
    brush.plain([(-20, -20), (660, -20), (660, 180), (-20, 180)], (190, 216, 236))
    brush.box(-20, 150, 660, 286, hedge)
    for k in range(12):
        brush.plain(circle((-6 + 60 * k, 152 + 6 * (k % 3)), 34), lighter(hedge, 0.06 * (k % 2)))
    brush.box(-20, 262, 660, 292, (150, 178, 104))
    brush.box(-20, 288, 660, 380, (152, 150, 150))
    brush.line((-20, 288), (660, 288), 5, (196, 194, 188))


def paint(base: Dog, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    if "car" in state:
        rear = state["car"]["x"]
        brush.shadow((rear - 96, ROAD + 3), 168, 12)
        with brush.of("car"):
            turn = (rear - base.rear) / 30
            parked_car(brush, (rear, ROAD - state["car"]["up"]), COLORS[base.color], state["car"]["tilt"], turn)
    if "rope" in state:
        _rope(base, brush, state)
    if "crane" in state:
        _crane(base, brush, state)
    body = state["dog"]
    brush.shadow((body["x"] - 4, ROAD + NEARER + 2), 0.72 * base.height, 8)
    with brush.of("dog"):
        fur = mix_colors(COATS[base.coat], COLORS[base.dyed], body["dyed"])
        dog(brush, (body["x"], ROAD + NEARER), base.height, fur, body["pitch"], body["walk"], body["wag"])
    if "balloon" in state:
        x, y = state["balloon"]["x"], state["balloon"]["y"]
        with brush.of("balloon"):
            brush.curve([(x + 5 * (k % 2), y + 56 + 10 * k) for k in range(7)], 2, (90, 90, 90))
            brush.plain([(x - 7, y + 66), (x + 7, y + 66), (x, y + 54)], lighter(COLORS[base.other], -0.25))
            brush.disc((x, y), 58, COLORS[base.other])
    if "crate" in state:
        with brush.of("crate"):
            x, y = state["crate"]["x"], state["crate"]["y"]
            for hook in ((x, y), (x + 118, y), (x + 47, y - 40), (x + 165, y - 40)):
                brush.line((x + 82, y - 96), hook, 3, (70, 62, 54))
            brush.line((x + 82, -40), (x + 82, y - 94), 6, (70, 62, 54))
            crate(brush, (x, y), 118, (198, 146, 88), state["crate"]["impossible"] > 0)
    if "butterfly" in state:
        _butterfly(base, brush, state)


def _butterfly(base: Dog, brush: Brush, state: State) -> None:
    each = state["butterfly"]
    x, y = each["x"], each["y"]
    if each["line"]:
        brush.line((x, y), (-40, 372), 2.5, (250, 250, 250))
        tail = [(x + 12 * (1 if k % 2 else -1), y + 40 + 14 * k) for k in range(7)]
        brush.curve(tail, 3, (250, 250, 250))
        for u, v in tail[2:]:
            brush.plain([(u - 8, v - 4), (u + 8, v + 4), (u + 8, v - 4)], COLORS[base.other])
    with brush.of("butterfly"):
        butterfly(brush, (x, y), each["span"], COLORS[base.other], each["flap"])
    if each["line"]:
        half = 0.5 * each["span"]
        brush.line((x - half, y - 0.3 * half), (x + half, y - 0.3 * half), 4, (120, 84, 50))


def _rope(base: Dog, brush: Brush, state: State) -> None:
    """A rope with a hook that comes from above and holds the bumper."""
    tilt = state["car"]["tilt"]
    x, y = base.rear + BUMPER[0] + 26 + 24 * tilt, ROAD + BUMPER[1] - 36 - 224 * tilt
    y = -40 + state["rope"]["down"] * (y + 40)
    brush.line((x, -30), (x, y), 7, (70, 62, 54))
    brush.box(x - 17, y - 12, x + 17, y + 8, (226, 176, 40))
    brush.ring((x, y + 20), 13, 7, (70, 70, 74))


def _crane(base: Dog, brush: Brush, state: State) -> None:
    """A hook that comes from above, with straps to both ends of the car's roof."""
    x, roof = base.rear - 77, ROAD - 124 - state["car"]["up"]
    roof -= (1 - state["crane"]["down"]) * 240
    for end in (-44, 44):
        brush.line((x, roof - 36), (x + end, roof), 6, (206, 120, 30))
    brush.line((x, -30), (x, roof - 50), 8, (70, 62, 54))
    brush.box(x - 18, roof - 56, x + 18, roof - 34, (226, 176, 40))


SCENE = PhysicsScene(
    name="dog",
    title="A dog before a parked car",
    setup="A {coat} dog walks up to a parked {color} car with a driver in it and sniffs at the bumper.",
    sample=sampler(Dog),
    ground=ground,
    paint=paint,
    entities=(("dog", "puppy", "hound", "animal"), ("car", "vehicle", "auto")),
    actions=("walk", "sniff", "approach", "parked", "moves", "stand", "lift"),
    events=(
        Event(
            sub_type="bio_behavior",
            play=lifts_car,
            breaks=strength_has_limits,
            claim="The {coat} dog lifts the front of the {color} car high up with its snout.",
            control="The {coat} dog raises its head while the car backs away.",
            normal="a dog is far too weak for the weight of a car, which stays on its wheels",
            signs=("lift", "hoist", "picks up", "tilt", "raises the", "raising the", "holds up", "strength"),
            expected=("weak", "heavy", "weight", "stay", "wheels", "cannot", "ground"),
            actors=("dog", "car"),
            explained="a rope from above lifts the car",
        ),
        Event(
            sub_type="shape",
            play=crate_comes,
            breaks=could_be_built,
            claim="On a rope hangs an impossible crate whose back beams pass in front of its front beams.",
            control="A wooden crate of twelve beams comes down on a rope.",
            normal="the front beams of a solid crate hide parts of the back beams",
            signs=phrases(
                "impossible, penrose, escher, in front of, paradox, exist, illusion, inconsistent, contradict"
            ),
            expected=("front", "hide", "consistent", "solid", "real", "behind"),
            actors=("crate", "dog"),
            interaction=False,
        ),
        Event(
            sub_type="size",
            play=butterfly_comes,
            breaks=keeps_scale,
            claim="A living {other} butterfly that is larger than the {coat} dog flutters past the hedge.",
            control="A small {other} butterfly and a round {other} balloon drift past the hedge.",
            normal="a butterfly is much smaller than a dog",
            signs=("large", "size", "giant", "huge", "big", "enormous", "oversized"),
            expected=("small", "size", "tiny"),
            actors=("butterfly", "dog"),
            explained="it is a kite on a line",
            interaction=False,
        ),
        Event(
            sub_type="mutation",
            play=dog_changes,
            breaks=keeps("dog", "dyed"),
            claim="The fur of the dog before the car turns from {coat} to {dyed} by itself.",
            control="The {coat} dog raises its head while the car backs away.",
            normal="the dog's fur stays {coat}",
            signs=("color", "colour", "turns from", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            actors=("dog",),
        ),
        Event(
            sub_type="permanence",
            play=car_vanishes,
            breaks=persists("car"),
            claim="The parked {color} car is suddenly gone from before the dog's nose.",
            control="The parked {color} car backs away from the {coat} dog.",
            normal="the car stays in sight, or drives away",
            expected=("stay", "remain", "visible", "drive", "exist"),
            actors=("car",),
        ),
        Event(
            sub_type="gravity",
            play=car_floats,
            breaks=weighs,
            claim="The parked {color} car rises with all four wheels by itself and stays in the air.",
            control="The parked {color} car backs away from the {coat} dog.",
            normal="the weight of the car keeps its wheels on the road",
            signs=phrases(
                "rises, float, levitat, hover, in the air, mid-air, midair, into the air, lifts off, off the ground, "
                "off the road"
            ),
            expected=("weight", "heavy", "stay", "remain", "on the road", "on the ground", "fall"),
            actors=("car",),
            explained="a crane lifts the car",
        ),
    ),
)
