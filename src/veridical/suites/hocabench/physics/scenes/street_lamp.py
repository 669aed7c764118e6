"""A person walks past a street lamp in the evening."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, capsule, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps, persists
from veridical.suites.hocabench.physics.play import Instant, frame_by_frame
from veridical.suites.hocabench.physics.props_person import PersonLook, PersonPose, side_view, stride
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, clamp_to_one, remove, update, value

FLOOR = 314.0
OTHER_LAMP = 566.0
LAMP_HEIGHT = 278.0
STRIDE = 132 / (2 * math.pi)
"""A person walks on by 132 units, two steps, while the phase of the walk advances by 2π."""
_GRADUAL = 0.3
"""How long knees, an umbrella or a color take to change, in seconds."""
_SKIES = {"dusk": (136, 146, 184), "evening": (142, 138, 164), "blue hour": (122, 146, 180)}
_HAIR = {"dark": (58, 42, 34), "fair": (198, 156, 88), "red": (150, 76, 40), "gray": (150, 150, 152)}


@dataclass(frozen=True, slots=True)
class StreetLamp:
    """Colors by name, where the lit lamp stands, the person's height, start and speed (units per second)."""

    color: str = one_of(("red", "blue", "green", "yellow", "orange"))
    other: str = one_of(("blue", "green", "purple", "red", "yellow"), unlike=("color",))
    sky: str = one_of(sorted(_SKIES))
    hair: str = one_of(sorted(_HAIR))
    lamp: float = uniform(170, 200)
    height: float = uniform(186, 198)
    start: float = uniform(52, 84)
    speed: float = uniform(108, 122)
    moment: float = uniform(1.7, 2.1)
    flipped: bool = one_of((False, True))


def cast(base: StreetLamp, lamps: Mapping[str, float], x: float) -> float:
    """The reach of a person's shadow, in units: away from the lamp that shines, at most 200."""
    lamp = base.lamp if lamps["first"] else OTHER_LAMP
    reach = (x - lamp) * base.height / (LAMP_HEIGHT - base.height)
    return max(-200.0, min(200.0, reach))


def _state(
    base: StreetLamp, now: Instant, person: dict[str, float] | None = None, lamps: dict[str, float] | None = None
) -> State:
    """The normal state of a frame, but for what `person` and `lamps` state."""
    x = base.start + base.speed * now.time
    lit = {"first": 1.0, "second": 0.0, "window": 0.0, "tint": 0.0, **(lamps or {})}
    normal = {"x": x, "march": 0.0, "backward": 0.0, "changed": 0.0, "open": 0.0}
    return {"lamps": lit, "person": {**normal, **(person or {})}, "shadow": {"x": x, "reach": cast(base, lit, x)}}


def _share(now: Instant) -> float:
    """How far a gradual change is that starts with the event, 0 to 1."""
    return clamp_to_one((now.clock.time(now.frame - now.begin) + now.step) / _GRADUAL)


@frame_by_frame
def knees_backward(base: StreetLamp, course: Course, now: Instant) -> State:
    """The knees bend forwards; in the control the person marches."""
    return _state(base, now, {"backward" if course == "violating" else "march": _share(now)})


@frame_by_frame
def shadow_turns(base: StreetLamp, course: Course, now: Instant) -> State:
    """The shadow turns to the lamp; another lamp takes over, or only a window lights up."""
    if course == "plausible" or now.since <= 0:
        return _state(base, now, lamps={"window": float(now.since > 0)})
    if course == "explained":
        return _state(base, now, lamps={"first": 0.0, "second": 1.0})
    state = _state(base, now)
    return update(state, "shadow", reach=-state["shadow"]["reach"])


@frame_by_frame
def recolors(base: StreetLamp, course: Course, now: Instant) -> State:
    """The coat changes its color; the lamp's light does; or an umbrella opens."""
    if course == "explained":
        return _state(base, now, lamps={"tint": float(now.since > 0)})
    return _state(base, now, {"changed" if course == "violating" else "open": _share(now)})


@frame_by_frame
def fades_out(base: StreetLamp, course: Course, now: Instant) -> State:
    """The person is gone from one frame to the next; in the control an umbrella opens."""
    state = _state(base, now, {"open": _share(now)})
    return remove(state, "person", "shadow") if now.since > 0 and course == "violating" else state


@each_frame("knees bend backwards only")
def knees_bend_back(_base: StreetLamp, _clock: Clock, states: States, k: int) -> bool:
    """The knees of a person only bend so that the shin goes back."""
    person = states[k].get("person")
    if person is None:
        return True
    return min(stride(person["x"] / STRIDE, person["march"], person["backward"]).knees) >= -0.02


@each_frame("the shadow falls away from the lamp")
def lamps_and_shadow_agree(base: StreetLamp, _clock: Clock, states: States, k: int) -> bool:
    if "person" not in states[k]:
        return "shadow" not in states[k]
    expected = cast(base, states[k]["lamps"], states[k]["person"]["x"])
    return abs(value(states[k], "shadow", "reach", math.inf) - expected) < 1


_WARM, _OFF, _POST = (255, 236, 178), (120, 124, 130), (46, 50, 58)


def ground(base: StreetLamp, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    sky = _SKIES[base.sky]
    brush.box(-20, -20, 660, FLOOR - 16, sky)
    wall = mix_colors(sky, (150, 116, 104), 0.45)
    brush.box(-20, 8, 660, FLOOR - 16, wall, "plaster")
    for x in (26.0, 266.0, 446.0):
        brush.box(x, 66, x + 74, 162, lighter(wall, -0.25))
        brush.box(x + 5, 71, x + 69, 157, (52, 58, 78))
        brush.line((x + 37, 71), (x + 37, 157), 4, lighter(wall, -0.25))
    brush.box(-20, FLOOR - 16, 660, 380, (128, 126, 132))
    for x in range(0, 680, 80):
        brush.line((x, FLOOR - 16), (x - 60, 380), 1.5, (108, 106, 114))
    brush.line((-20, FLOOR - 16), (660, FLOOR - 16), 4, (92, 92, 100))
    for x in (base.lamp, OTHER_LAMP):
        brush.box(x - 4, 36, x + 4, FLOOR - 4, _POST)
        brush.plain([(x - 11, FLOOR - 4), (x + 11, FLOOR - 4), (x + 6, FLOOR - 26), (x - 6, FLOOR - 26)], _POST)
        brush.plain([(x - 17, 28), (x + 17, 28), (x + 8, 6), (x - 8, 6)], _POST)


def paint(base: StreetLamp, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    lamps = state["lamps"]
    light = mix_colors(_WARM, COLORS[base.other], 0.8 * lamps["tint"])
    if lamps["window"]:
        brush.box(451, 71, 481, 157, (255, 222, 140))
        brush.box(485, 71, 515, 157, (255, 222, 140))
        brush.plain([(456, 157), (474, 157), (472, 118), (458, 118)], (120, 84, 70))
    for name, x in (("first", base.lamp), ("second", OTHER_LAMP)):
        if lamps[name]:
            brush.veil(circle((x, FLOOR + 14), 170, 34), light, 0.34)
            brush.veil([(x - 16, 36), (x + 16, 36), (x + 150, FLOOR + 12), (x - 150, FLOOR + 12)], light, 0.16)
    _shadow(base, brush, state)
    if "person" in state:
        _person(base, brush, state)
    for name, x in (("first", base.lamp), ("second", OTHER_LAMP)):
        with brush.of("lamp" if name == "first" else "other lamp"):
            brush.plain(circle((x, 36), 16, 12), light if lamps[name] else _OFF)
    if lamps["tint"]:
        brush.veil([(-20, -20), (660, -20), (660, 380), (-20, 380)], COLORS[base.other], 0.3)


def _shadow(base: StreetLamp, brush: Brush, state: State) -> None:
    shadow = state.get("shadow")
    if shadow is None:
        return
    x, y, reach = shadow["x"], FLOOR + 2, shadow["reach"]
    drop = 0.08 * abs(reach)
    with brush.of("shadow"):
        brush.plain(capsule((x, y), (x + 0.8 * reach, y + 0.8 * drop), 8, 13), (66, 64, 78))
        brush.plain(circle((x + 0.94 * reach, y + drop), 8 + 0.12 * abs(reach), 11), (66, 64, 78))


def _person(base: StreetLamp, brush: Brush, state: State) -> None:
    person = state["person"]
    coat = mix_colors(COLORS[base.color], COLORS[base.other], person["changed"])
    look = PersonLook(base.height, coat, (214, 202, 178), hair=_HAIR[base.hair])
    walk = stride(person["x"] / STRIDE, person["march"], person["backward"])
    pose = PersonPose(walk.thighs, walk.knees, (-0.1, walk.arms[1]), (1.55, walk.elbows[1]), 0.25)
    with brush.of("person"):
        x, y = side_view(brush, look, pose, (person["x"], FLOOR))
        top, wide = y - 0.62 * base.height, 5 + 0.42 * base.height * person["open"]
        brush.line((x, y + 12), (x, top), 3.5, (40, 40, 44))
        high = 0.26 * base.height - 0.1 * base.height * person["open"]
        dome = [point for point in circle((x, top + high), wide, high, 36) if point[1] <= top + high + 0.1]
        brush.polygon(sorted(dome), (236, 226, 204))
        brush.disc((x, y), 0.03 * base.height, look.skin)


SCENE = PhysicsScene(
    name="street_lamp",
    title="A person walks past a street lamp",
    setup="In the evening a person in a {color} coat, with a folded umbrella, walks past a lit street lamp.",
    sample=sampler(StreetLamp),
    ground=ground,
    paint=paint,
    entities=(
        ("person", "man", "woman", "walker", "pedestrian", "figure", "character"),
        ("lamp", "street light", "streetlight", "lantern"),
    ),
    actions=("walk", "strid", "moves", "moving", "stroll", "pass"),
    events=(
        Event(
            sub_type="bio_behavior",
            play=knees_backward,
            breaks=knees_bend_back,
            claim="The walking person's knees bend the wrong way, forward like the legs of a bird.",
            control="The person goes on past the lamp with high marching steps.",
            normal="knees bend one way only, so that the lower leg swings to the back",
            signs=phrases(
                "wrong way, wrong direction, forward, backward, revers, hyperextend, bird, unnatural, opposite, invert"
            ),
            expected=("to the back", "one way", "one direction", "hinge", "normal", "behind"),
            actors=("person",),
        ),
        Event(
            sub_type="optics",
            play=shadow_turns,
            breaks=lamps_and_shadow_agree,
            claim="The walking person's shadow turns round and falls toward the shining street lamp.",
            control="The person walks on with the shadow ahead, and a window of the house lights up.",
            normal="the shadow falls away from the lamp that shines",
            signs=phrases(
                "toward, wrong side, wrong direction, flip, swing, turns round, turns around, rotat, revers, "
                "changes direction, switches, inconsistent, not match, n't match, into the light, same side"
            ),
            expected=("away", "opposite", "other side", "light source", "behind", "front", "ahead"),
            actors=("shadow", "lamp"),
            explained="this lamp goes out and the one on the other side lights up",
        ),
        Event(
            sub_type="mutation",
            play=recolors,
            breaks=keeps("person", "changed"),
            claim="The walking person's {color} coat turns {other} by itself under the same light.",
            control="The person walks on in the {color} coat and opens an umbrella.",
            normal="the coat stays {color} as long as the light stays the same",
            signs=("color", "colour", "coat turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            actors=("person",),
            explained="the lamp turns to a colored light that tints everything",
        ),
        Event(
            sub_type="permanence",
            play=fades_out,
            breaks=persists("person"),
            claim="The walking person in the {color} coat is suddenly gone from the street.",
            control="The person in the {color} coat walks on and opens an umbrella.",
            normal="the person stays in sight and walks on",
            expected=("stay", "remain", "visible", "walk", "continue", "exist"),
            actors=("person",),
        ),
    ),
)
