"""A visitor stands before a curtain, beside a vase on a pedestal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand, room
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, no_more_than, persists, zero_unless
from veridical.suites.hocabench.physics.play import Instant, Play, frame_by_frame
from veridical.suites.hocabench.physics.props_animals import hen
from veridical.suites.hocabench.physics.props_exhibits import board, canvas, impossible_triangle, solid_triangle, vase
from veridical.suites.hocabench.physics.props_person import PersonLook, PersonPose, side_view
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import (
    Course,
    Quantities,
    State,
    States,
    clamp_to_one,
    remove,
    update,
    value,
)

_OPENING = 0.45
"""How long the curtain takes to open, in seconds."""
_GRADUAL = 0.6
_AWAY = 270.0
"""How high a hand lifts the vase, in units: out of the frame."""
_UP, _COMES, _RISES = 70.0, 0.35, 0.5
"""How high the vase is lifted within the frame (units), and how long a hand comes and the vase rises (s)."""
_GONE, _BACK = 0.8, 1.25
"""When a hand has taken the vase away, and when it is back, in seconds since the event."""
DRAPES = {"red": (158, 40, 44), "green": (40, 104, 74), "blue": (46, 70, 138), "purple": (100, 56, 122)}


@dataclass(frozen=True, slots=True)
class Curtain:
    """Colors by name, the visitor's height, and when an event begins (seconds)."""

    drape: str = one_of(sorted(DRAPES))
    color: str = one_of(("blue", "green", "purple", "red"), unlike=("drape",))
    other: str = one_of(sorted(COLORS), unlike=("color",))
    coat: str = one_of(sorted(COLORS), unlike=("drape",))
    vase: str = one_of(sorted(COLORS))
    height: float = uniform(204, 226)
    wall: int = one_of((0, 1, 2, 3))
    moment: float = uniform(1.3, 1.8)
    flipped: bool = one_of((False, True))


def _state(now: Instant, *, opens: bool) -> Quantities:
    opening = clamp_to_one(now.since / _OPENING) if opens else 0.0
    return {
        "curtain": {"open": opening, "sway": math.sin(2.4 * now.time)},
        "visitor": {"nod": 0.3 * math.sin(1.7 * now.time), "points": clamp_to_one(now.since / 0.5)},
        "vase": {"lift": 0.0, "cube": 0.0},
    }


def _opens(exhibit: Callable[[Curtain, Course, float], dict[str, float]]) -> Play:
    """Makes a play out of what stands behind the curtain, by the seconds since the frame before the event."""

    @frame_by_frame
    def play(base: Curtain, course: Course, now: Instant) -> State:
        state = _state(now, opens=True)
        return {**state, "exhibit": exhibit(base, course, now.since)} if now.since > 0 else state

    return play


@_opens
def shows_triangle(_base: Curtain, course: Course, _since: float) -> dict[str, float]:
    """A triangle of beams that no solid can be, or one that can, or a picture of the former."""
    return {"triangle": 1.0, "impossible": float(course != "plausible"), "drawn": float(course == "explained")}


@_opens
def shows_hen(base: Curtain, course: Course, since: float) -> dict[str, float]:
    """A hen as tall as the visitor, or of a hen's size."""
    height = 0.98 * base.height if course == "violating" else 0.32 * base.height
    return {"hen": height, "peck": max(0.0, math.sin(4.2 * since))}


@_opens
def shows_board(_base: Curtain, course: Course, since: float) -> dict[str, float]:
    """A board before a ball that rolls out from behind it: the wood lets it through, hides it, or has a pane in it.

    The ball begins where the curtain opens first, so that what the wood does shows at once.
    """
    clear, glass = float(course != "plausible"), float(course == "explained")
    return {"board": 1.0, "clear": clear, "glass": glass, "ball": 0.5 + 0.5 * clamp_to_one((since - 0.3) / 1.4)}


@frame_by_frame
def morphs(_base: Curtain, course: Course, now: Instant) -> State:
    """The vase becomes a cube by itself; a hand lifts it and puts it back; or a hand takes it and brings a cube."""
    return _vase_at(now, course, morphing=True)


@frame_by_frame
def vanishes(_base: Curtain, course: Course, now: Instant) -> State:
    """The vase is gone, or a hand takes it away."""
    return _vase_at(now, course, morphing=False)


@frame_by_frame
def floats(_base: Curtain, course: Course, now: Instant) -> State:
    """The vase rises by itself and stays in the air; a hand lifts it and puts it back; or a hand holds it up."""
    if course == "plausible":
        return _vase_at(now, course, morphing=True)
    state, since = _state(now, opens=False), now.since
    came = _COMES if course == "explained" else 0.0
    share = clamp_to_one((since - came) / _RISES)
    state["vase"]["lift"] = _UP * share * (2 - share)
    if course == "explained" and since > 0:
        reach = _AWAY * max(0.0, 1 - since / _COMES)
        state["hand"] = {"lift": max(reach, state["vase"]["lift"]), "holds": float(since >= came)}
    return state


def _vase_at(now: Instant, course: Course, *, morphing: bool) -> State:
    state, since = _state(now, opens=False), now.since
    if since <= 0:
        return state
    if course == "violating":
        return update(state, "vase", cube=min(1.0, since / _GRADUAL)) if morphing else remove(state, "vase")
    lift = _AWAY * clamp_to_one((since - _COMES) / (_GONE - _COMES))
    if morphing and since > _GONE:
        lift = _AWAY * max(0.0, 1 - (since - _GONE) / (_BACK - _GONE))
        state["vase"]["cube"] = float(course == "explained")
    if morphing and course == "plausible":
        lift *= _UP / _AWAY
    reach = _AWAY * max(0.0, 1 - since / _COMES, (since - _BACK - 0.1) / 0.4 if morphing else 0.0)
    state["vase"]["lift"] = lift
    holds = since >= _COMES and (not morphing or since <= _BACK)
    state["hand"] = {"lift": min(_AWAY, max(reach, lift)), "holds": float(holds)}
    return state


could_be_built = no_more_than("what stands there can be built", ("exhibit", "impossible"), ("exhibit", "drawn"))


@each_frame("a hen has the size of a hen")
def keeps_scale(base: Curtain, _clock: Clock, states: States, k: int) -> bool:
    return value(states[k], "exhibit", "hen") <= base.height / 3


wood_hides = no_more_than("wood hides what is behind it", ("exhibit", "clear"), ("exhibit", "glass"))


@each_frame("the vase keeps its form")
def keeps_form(_base: Curtain, _clock: Clock, states: States, k: int) -> bool:
    """The vase keeps its form while it stands; out of sight, a hand may take another thing."""
    now, before = (value(states[j], "vase", "cube") for j in (k, k - 1))
    held = all(value(states[j], "hand", "holds") and value(states[j], "hand", "lift") > 150 for j in (k, k - 1))
    return now == before or "vase" not in states[k] or held


weighs = zero_unless("the vase is in the air only in a hand", ("vase", "lift"), ("hand", "holds"))


LEFT, RIGHT, TOP, STAND = 176.0, 464.0, 30.0, 296.0
PEDESTAL = (556.0, 226.0)
_BACKDROP = (238, 230, 208)
_WALLS = ((188, 198, 206), (206, 196, 178), (184, 200, 184), (204, 186, 186))
_HAIR = ((58, 42, 34), (150, 76, 40), (214, 176, 86), (120, 118, 118))
_HENS = ((238, 234, 224), (170, 102, 54))


def ground(base: Curtain, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    room(brush, 296, _WALLS[base.wall])
    brush.plain([(LEFT, TOP), (RIGHT, TOP), (RIGHT, STAND), (LEFT, STAND)], _BACKDROP)
    brush.plain(circle(((LEFT + RIGHT) / 2, STAND + 8), 138, 16), (150, 146, 140))
    brush.plain(circle(((LEFT + RIGHT) / 2, STAND + 3), 138, 16), (196, 192, 184))
    x, y = PEDESTAL
    brush.box(x - 40, y, x + 40, 316, (222, 220, 214), "stone")
    brush.box(x - 48, y, x + 48, y + 12, (206, 204, 198))


def paint(base: Curtain, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    if "exhibit" in state:
        _exhibit(base, brush, state["exhibit"])
    with brush.of("curtain"):
        _drapes(base, brush, state["curtain"])
    if "vase" in state:
        with brush.of("vase"):
            foot = (PEDESTAL[0], PEDESTAL[1] - state["vase"]["lift"])
            vase(brush, foot, COLORS[base.vase], state["vase"]["cube"])
    if "hand" in state:
        hand(brush, (PEDESTAL[0], PEDESTAL[1] - 82 - state["hand"]["lift"]))
    look = PersonLook(base.height, COLORS[base.coat], hair=_HAIR[base.wall])
    points, nod = state["visitor"]["points"], state["visitor"]["nod"]
    pose = PersonPose((0.06, -0.08), arms=(0.1 + 1.2 * points, -0.05), head=nod)
    brush.shadow((84, 326), 52, 8)
    with brush.of("visitor"):
        side_view(brush, look, pose, (84, 324))


def _drapes(base: Curtain, brush: Brush, curtain: Mapping[str, float]) -> None:
    """Two drapes that meet in the middle, or hang at the sides."""
    color, half = DRAPES[base.drape], (RIGHT - LEFT) / 2
    wide = half * (1 - 0.8 * curtain["open"]) + 2
    for edge, side in ((LEFT, 1), (RIGHT, -1)):
        sway = 3 * curtain["sway"] * side
        brush.polygon(
            [(edge, TOP), (edge + side * wide, TOP), (edge + side * wide + sway, STAND + 14), (edge, STAND + 14)], color
        )
        for k in range(1, 5):
            x = edge + side * wide * k / 5
            brush.line((x, TOP), (x + sway * k / 5, STAND + 14), 0.09 * wide, lighter(color, -0.25 if k % 2 else 0.12))
    brush.box(LEFT - 14, TOP - 12, RIGHT + 14, TOP + 4, lighter(WOOD, -0.2))


def _exhibit(base: Curtain, brush: Brush, exhibit: Mapping[str, float]) -> None:
    x = (LEFT + RIGHT) / 2
    color = COLORS[base.color]
    if "ball" in exhibit:
        board(brush, color, exhibit["ball"], clear=exhibit["clear"] > 0, glass=exhibit["glass"] > 0)
        return
    with brush.of("exhibit"):
        if "hen" in exhibit:
            brush.shadow((x - 14, STAND + 5), 0.3 * exhibit["hen"])
            hen(brush, (x - 14, STAND + 4), exhibit["hen"], _HENS[base.wall % 2], exhibit["peck"])
        elif exhibit["drawn"]:
            canvas(brush, x - 88, 84, x + 88, 262)
            impossible_triangle(brush, (x, 188), 150, color)
        elif exhibit["impossible"]:
            brush.shadow((x, STAND + 4), 90)
            impossible_triangle(brush, (x, 214), 184, color)
        else:
            brush.shadow((x, STAND + 4), 90)
            solid_triangle(brush, (x - 6, 222), 160, color)


SCENE = PhysicsScene(
    name="curtain",
    title="A curtain before a stand, and a vase",
    setup="A visitor in a {coat} coat stands before a {drape} curtain; a {vase} vase stands on a pedestal beside it.",
    sample=sampler(Curtain),
    ground=ground,
    paint=paint,
    entities=(
        ("curtain", "drape", "stage"),
        ("visitor", "person", "man", "woman", "figure", "character"),
        ("vase", "jug", "pot", "urn", "hen", "chicken", "triangle", "board", "ball"),
    ),
    actions=("open", "reveal", "stand", "show", "draws", "roll", "point"),
    events=(
        Event(
            sub_type="shape",
            play=shows_triangle,
            breaks=could_be_built,
            claim="Behind the curtain stands a {color} triangle whose three beams join as no solid can.",
            control="Behind the curtain stands a {color} triangular frame of three beams.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=phrases("impossible, penrose, escher, no solid, paradox, exist, illusion, inconsistent, contradict"),
            expected=("corner", "agree", "consistent", "real", "solid", "possible"),
            actors=("curtain", "exhibit"),
            explained="it is a picture on a canvas",
            interaction=False,
        ),
        Event(
            sub_type="size",
            play=shows_hen,
            breaks=keeps_scale,
            claim="Behind the curtain stands a living hen that is as tall as the visitor.",
            control="Behind the curtain stands a small living hen that pecks.",
            normal="a hen is much smaller than a person",
            signs=("tall", "size", "large", "big", "giant", "huge", "enormous"),
            expected=("small", "size", "knee"),
            actors=("exhibit", "visitor"),
            interaction=False,
        ),
        Event(
            sub_type="material_appearance",
            play=shows_board,
            breaks=wood_hides,
            claim="Behind the curtain a {color} ball rolls past a wooden board and shows through the wood.",
            control="Behind the curtain a {color} ball rolls behind a wooden board and comes out again.",
            normal="wood is opaque and hides the ball while it is behind the board",
            signs=("through", "transparent", "see-through", "translucent"),
            expected=("hide", "hidden", "opaque", "block", "out of sight", "conceal"),
            actors=("exhibit", "ball"),
            explained="a pane of glass is set into the board",
            interaction=False,
        ),
        Event(
            sub_type="morphing",
            play=morphs,
            breaks=keeps_form,
            claim="The {vase} vase on the pedestal turns into a cube by itself, untouched by anyone.",
            control="A hand lifts the {vase} vase from the pedestal and puts it back.",
            normal="the vase keeps its form on the pedestal",
            signs=("cube", "square", "box", "shape", "block"),
            expected=("stay", "remain", "keep", "form", "same"),
            actors=("vase",),
            explained="a hand takes the vase away and brings a cube",
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("vase"),
            claim="The {vase} vase is suddenly gone from the pedestal, though nobody touches it.",
            control="A hand takes the {vase} vase from the pedestal.",
            normal="the vase stays on the pedestal",
            expected=("stay", "remain", "visible", "continue", "exist"),
            actors=("vase",),
        ),
        Event(
            sub_type="gravity",
            play=floats,
            breaks=weighs,
            claim="The {vase} vase rises from the pedestal by itself and stays in the air untouched.",
            control="A hand lifts the {vase} vase from the pedestal and puts it back.",
            normal="the weight of the vase keeps it on the pedestal until someone lifts it",
            signs=phrases(
                "rises, float, levitat, hover, in the air, mid-air, midair, in air, lifts off, lifts itself, moves up"
            ),
            expected=("weight", "stay", "remain", "rest", "fall", "on the pedestal"),
            actors=("vase",),
            explained="a hand lifts the vase and holds it in the air",
        ),
    ),
)
