"""A person stands by a campfire with a stick."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import Brush, capsule, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import Law, each_frame
from veridical.suites.hocabench.physics.play import Instant, Play, frame_by_frame
from veridical.suites.hocabench.physics.props_candle import flame, glow, sheet
from veridical.suites.hocabench.physics.props_person import PersonLook, PersonPose, side_view
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, Quantities, State, States, clamp_to_one, value

FIRE = 400.0
_REACH = 0.9
"""How long the person's shadow is, in units per unit of distance from the fire."""
_LOWERING, _GRADUAL, _USED = 0.5, 0.45, 1.8
_HAIR = {"dark": (58, 42, 34), "fair": (230, 196, 92), "red": (158, 80, 42)}


@dataclass(frozen=True, slots=True)
class Campfire:
    """Colors by name, where the person stands and how tall they are, and when an event begins (seconds)."""

    color: str = one_of(sorted(COLORS))
    hair: str = one_of(sorted(_HAIR))
    sky: int = one_of((0, 1, 2))
    place: float = uniform(156, 176)
    height: float = uniform(206, 222)
    moment: float = uniform(1.4, 1.9)
    flipped: bool = one_of((False, True))

    @property
    def cast(self) -> float:
        """How far the person's shadow reaches away from the fire, in units."""
        return _REACH * (FIRE - self.place) * 0.6


def _fireside(change: Callable[[Campfire, Course, Quantities, Instant], None]) -> Play:
    """Makes a play out of a function that changes the state of a frame."""

    @frame_by_frame
    def play(base: Campfire, course: Course, now: Instant) -> State:
        time = now.time
        state: Quantities = {
            "fire": {"sway": 0.1 * math.sin(8 * time) + 0.07 * math.sin(19 * time), "beat": math.sin(11 * time)},
            "person": {"lowered": 0.0, "raised": 0.0, "stretch": 1.0, "nod": 0.2 * math.sin(1.5 * time)},
            "shadow": {"reach": -base.cast},
        }
        change(base, course, state, now)
        return state

    return play


def _on_a_stick(snow: bool) -> Play:
    """The person lowers paper or snow on a stick into the fire; it is used up, but not in the violating course."""

    @_fireside
    def play(_base: Campfire, course: Course, state: Quantities, now: Instant) -> None:
        lowered = clamp_to_one(1 + (now.since - now.step) / _LOWERING)
        state["person"]["lowered"] = lowered
        gone = clamp_to_one(now.since / _USED) if course == "plausible" else 0.0
        state["load"] = {"snow": float(snow), "gone": gone, "within": float(lowered == 1)}

    return play


paper_in_fire, snow_in_fire = _on_a_stick(snow=False), _on_a_stick(snow=True)


@_fireside
def arm_stretches(_base: Campfire, course: Course, state: Quantities, now: Instant) -> None:
    """The person raises an arm, which grows to nearly three times its length; in the control it does not grow."""
    share = clamp_to_one(now.since / _GRADUAL)
    state["person"]["raised"] = share
    if course == "violating":
        state["person"]["stretch"] = 1 + 1.9 * share


@_fireside
def shadow_turns(_base: Campfire, course: Course, state: Quantities, now: Instant) -> None:
    """The person's shadow turns to the fire; in the control the person raises an arm."""
    share = clamp_to_one(now.since / _GRADUAL)
    if course == "violating":
        state["shadow"]["reach"] *= 1 - 2 * share
    else:
        state["person"]["raised"] = share


def fire_uses_up(thing: str, snow: bool) -> Law:
    """Paper burns and snow melts while it is in the fire."""

    @each_frame(f"{thing} is used up in a fire")
    def law(_base: Campfire, _clock: Clock, states: States, k: int) -> bool:
        now, before = states[k].get("load"), states[k - 1].get("load")
        if now is None or before is None or now["snow"] != snow or not (now["within"] and before["within"]):
            return True
        return now["gone"] > before["gone"] or now["gone"] == 1

    return law


@each_frame("an arm keeps its length")
def arms_keep_length(_base: Campfire, _clock: Clock, states: States, k: int) -> bool:
    return value(states[k], "person", "stretch") == 1


@each_frame("the shadow falls away from the fire")
def shadow_falls_away(base: Campfire, _clock: Clock, states: States, k: int) -> bool:
    return abs(value(states[k], "shadow", "reach") + base.cast) < 1


GROUND = 318.0
_SKIES = ((88, 104, 148), (112, 104, 146), (84, 116, 138))


def ground(base: Campfire, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    sky = _SKIES[base.sky]
    brush.plain([(-20, -20), (660, -20), (660, 280), (-20, 280)], sky)
    brush.plain(circle((560, 58), 26), (244, 240, 222))
    for k, x in enumerate((-4, 74, 262, 500, 580, 646)):
        tall = 176 + 22 * (k % 3)
        for tier in range(3):
            top, wide = 274 - tall + 0.26 * tall * tier, 24 + 13 * tier
            brush.plain(
                [(x, top), (x + wide, top + 0.44 * tall), (x - wide, top + 0.44 * tall)],
                lighter(sky, -0.42 + 0.05 * tier),
            )
    brush.box(-20, 268, 660, 380, (222, 230, 240))


def paint(base: Campfire, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    fire, person = state["fire"], state["person"]
    glow(brush, (FIRE, GROUND - 50), 150)
    reach = state["shadow"]["reach"]
    with brush.of("shadow"):
        end = (base.place + 0.82 * reach, GROUND + 6 + 0.07 * abs(reach))
        brush.plain(capsule((base.place, GROUND + 4), end, 11, 16), (100, 110, 140))
        brush.plain(circle((base.place + reach, GROUND + 7 + 0.08 * abs(reach)), 24, 11), (100, 110, 140))
    with brush.of("fire"):
        flame(brush, (FIRE, GROUND - 8), 128 + 8 * fire["beat"], fire["sway"])
    look = PersonLook(base.height, COLORS[base.color], (74, 84, 112), hair=_HAIR[base.hair])
    arm, elbow = 1.25 + 0.7 * person["raised"], 0.3
    pose = PersonPose((0.1, -0.1), arms=(arm, -0.1), elbows=(elbow, 0.2), head=person["nod"], stretch=person["stretch"])
    with brush.of("person"):
        palm = side_view(brush, look, pose, (base.place, GROUND + 4))
    pitch = 0.75 * (1 - person["lowered"]) + 0.25 * person["raised"]
    long = FIRE - base.place - 64
    tip = (palm[0] + long * math.cos(pitch), palm[1] - long * math.sin(pitch))
    brush.line((palm[0] - 22 * math.cos(pitch), palm[1] + 22 * math.sin(pitch)), tip, 6, (112, 78, 48))
    brush.disc(palm, 0.03 * base.height, look.skin)
    if "load" in state:
        _load(brush, state, tip)
    with brush.of("fire"):
        for x, high in ((-34, 78 - 7 * fire["beat"]), (34, 72 + 9 * fire["beat"]), (2, 66 + 6 * fire["beat"])):
            flame(brush, (FIRE + x, GROUND + 2), high, 1.4 * fire["sway"])
        for start, end in (((-74, 14), (60, -6)), ((74, 14), (-60, -6)), ((-70, 18), (70, 18))):
            brush.stroke([(FIRE + start[0], GROUND + start[1]), (FIRE + end[0], GROUND + end[1])], 17, (96, 66, 46))


def _load(brush: Brush, state: State, tip: Point) -> None:
    """What hangs from the stick: a sheet of paper, or a snowman that drips while it melts."""
    load = state["load"]
    with brush.of("load"):
        if not load["snow"]:
            sheet(brush, (tip[0], tip[1] - 4), load["gone"], state["fire"]["sway"])
            return
        left = 1 - 0.82 * load["gone"]
        x, top = tip[0], tip[1] + 14
        brush.line(tip, (x, top + 6), 3, (230, 230, 230))
        belly, face = (x, top + 58 * left), (x, top + 18 * left)
        for k in range(4):
            if load["gone"]:
                drop = (9 * k + 230 * load["gone"]) % 60
                brush.plain(circle((x - 15 + 10 * k, belly[1] + 24 * left + drop), 3.5, 6), (150, 200, 232))
        brush.disc(belly, 29 * left, (240, 246, 252))
        brush.disc(face, 20 * left, (240, 246, 252))
        brush.plain(
            [(x + 4 * left, face[1] - 3), (x + 27 * left, face[1] + 4 * left), (x + 4 * left, face[1] + 6)],
            (236, 126, 42),
        )
        for spot in (
            (x - 6 * left, face[1] - 6 * left),
            (x + 7 * left, face[1] - 6 * left),
            (x, belly[1] - 8 * left),
            (x, belly[1] + 6 * left),
        ):
            brush.plain(circle(spot, 3.2 * left), (40, 40, 44))
        for k in (-1, 1):
            brush.line((x + 24 * k * left, belly[1] - 6), (x + 46 * k * left, belly[1] - 22 * left), 3, (112, 78, 48))


SCENE = PhysicsScene(
    name="campfire",
    title="A person by a campfire with a stick",
    setup="In the evening a person in a {color} jacket stands in the snow by a burning campfire and holds a stick.",
    sample=sampler(Campfire),
    ground=ground,
    paint=paint,
    entities=(
        ("person", "man", "woman", "figure", "character", "someone", "camper"),
        ("fire", "campfire", "flame", "bonfire"),
    ),
    actions=("hold", "stand", "burn", "roast", "lower", "stick"),
    events=(
        Event(
            sub_type="chemistry",
            play=paper_in_fire,
            breaks=fire_uses_up("paper", snow=False),
            claim="The person holds a sheet of paper in the campfire, and the paper stays unburnt.",
            control="The person holds a sheet of paper in the campfire, and it burns away.",
            normal="paper catches fire in the flames, chars and is used up",
            signs=("unburn", "not burn", "n't burn", "unchanged", "intact", "not catch", "n't catch", "unharmed"),
            expected=("burn", "fire", "char", "ash", "ignite"),
            actors=("load", "fire"),
        ),
        Event(
            sub_type="thermodynamics",
            play=snow_in_fire,
            breaks=fire_uses_up("snow", snow=True),
            claim="The person holds a small snowman in the campfire, and the snow does not melt.",
            control="The person holds a small snowman in the campfire, and it melts and drips.",
            normal="snow melts quickly in the heat of a fire",
            signs=("not melt", "n't melt", "unmelted", "unchanged", "intact", "without melting"),
            expected=("melt", "heat", "water", "drip"),
            actors=("load", "fire"),
        ),
        Event(
            sub_type="bio_behavior",
            play=arm_stretches,
            breaks=arms_keep_length,
            claim="The person by the campfire raises an arm, which grows to three times its length.",
            control="The person by the campfire raises an arm with the stick.",
            normal="an arm keeps its length when it is raised",
            signs=("longer", "stretch", "grow", "elongat", "lengthen", "extend", "twice", "double", "too long"),
            expected=("keep", "same", "length", "cannot", "fixed", "normal"),
            actors=("person",),
        ),
        Event(
            sub_type="optics",
            play=shadow_turns,
            breaks=shadow_falls_away,
            claim="The shadow of the person swings round and falls toward the burning campfire.",
            control="The person raises an arm, and the shadow falls away from the campfire.",
            normal="the shadow falls away from the fire",
            signs=phrases(
                "toward, wrong side, wrong direction, flip, swing, turns round, turns around, rotat, revers, "
                "changes direction, switches, inconsistent, not match, n't match, into the light, same side"
            ),
            expected=("away", "opposite", "other side", "light source", "behind"),
            actors=("shadow", "fire"),
        ),
    ),
)
