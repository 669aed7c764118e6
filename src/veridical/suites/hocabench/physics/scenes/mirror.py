"""A person stands before a dressing-room mirror and is seen from behind."""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.figures.brush import Brush, circle, face_brush
from veridical.media.figures.clock import Clock
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS, WOOD
from veridical.suite.nuisance_fields import one_of, sampler, uniform
from veridical.suites.hocabench.physics.law import each_frame, keeps, persists
from veridical.suites.hocabench.physics.play import Instant, frame_by_frame
from veridical.suites.hocabench.physics.props_person import Bust, PersonLook, front_view
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.state import Course, State, States, clamp_to_one, remove

_FASTEST_TURN = 3.6
"""How fast a head turns, in radians per second."""
_SIDE, _LIMIT = 1.3, 1.38
"""How far a head turns before the event, and how far it can turn, in radians."""
_GRADUAL = 0.35
_WALLS = {"green": (150, 172, 158), "rose": (196, 164, 160), "blue": (150, 168, 190), "sand": (204, 190, 160)}
_HAIR = {"dark": (58, 42, 34), "fair": (230, 196, 92), "red": (158, 80, 42)}


@dataclass(frozen=True, slots=True)
class Mirror:
    """Colors by name, where the person stands, their size and sway in units, and when an event begins (seconds)."""

    color: str = one_of(sorted(COLORS))
    other: str = one_of(sorted(COLORS), but=("orange",), unlike=("color",))
    wall: str = one_of(sorted(_WALLS))
    hair: str = one_of(sorted(_HAIR))
    skin: int = one_of((0, 1, 2))
    place: float = uniform(138, 158)
    size: float = uniform(455, 490)
    sway: float = uniform(9, 15)
    moment: float = uniform(1.4, 1.9)
    flipped: bool = one_of((False, True))


def _body(base: Mirror, now: Instant, **changes: float) -> dict[str, float]:
    """A person who sways and looks a little to and fro."""
    phase = math.pi * now.time
    normal = {"x": base.place + base.sway * math.sin(phase), "turn": 0.35 * math.sin(0.8 * phase)}
    return {**normal, "drop": 0.0, "arm": 0.12, "elbow": 0.08, "changed": 0.0, **changes}


def _both(body: dict[str, float], **bulbs: float) -> State:
    return {"person": body, "reflection": body, "bulbs": {"on": 0.0, "tint": 0.0, **bulbs}}


@frame_by_frame
def reflection_waves(base: Mirror, course: Course, now: Instant) -> State:
    """The reflection waves alone; in the control both wave: an arm goes up and waves."""
    share = clamp_to_one(now.since / _GRADUAL)
    elbow = 0.42 * math.sin(7.0 * now.since) if share == 1 else 0.0
    waving = _body(base, now, arm=0.12 + 2.35 * share, elbow=0.08 + share * (0.5 + elbow))
    return _both(waving) if course == "plausible" else {**_both(_body(base, now)), "reflection": waving}


@frame_by_frame
def spins_head(base: Mirror, course: Course, now: Instant) -> State:
    """The head turns to the side before the event, and then on and on, or back and to the other side."""
    turn = max(0.0, _SIDE + _FASTEST_TURN * now.since)
    if now.since > 0 and course == "plausible":
        turn = _SIDE * math.cos(_FASTEST_TURN / _SIDE * now.since)
    return _both(_body(base, now, turn=turn))


@frame_by_frame
def vanishes(base: Mirror, course: Course, now: Instant) -> State:
    """The person is gone, and the reflection with them; in the control they bend down in the light of the bulbs."""
    drop = 95 * math.sin(math.pi * clamp_to_one(now.since / 1.6)) ** 0.7
    state = _both(_body(base, now, drop=drop), on=float(now.since > 0))
    return remove(state, "person", "reflection") if now.since > 0 and course == "violating" else state


@frame_by_frame
def turns_other(base: Mirror, course: Course, now: Instant) -> State:
    """The jacket changes its color; or bulbs light up, white ones or colored ones."""
    share = clamp_to_one(now.since / _GRADUAL)
    if course == "violating":
        return _both(_body(base, now, changed=share))
    return _both(_body(base, now), on=float(share > 0), tint=float(course == "explained" and share > 0))


@each_frame("the mirror image moves as the person does")
def mirror_agrees(_base: Mirror, _clock: Clock, states: States, k: int) -> bool:
    return states[k].get("reflection") == states[k].get("person")


@each_frame("the head turns to the shoulder at most")
def neck_holds(_base: Mirror, _clock: Clock, states: States, k: int) -> bool:
    return "person" not in states[k] or abs(states[k]["person"]["turn"]) <= _LIMIT


LEFT, RIGHT, TOP, SHELF = 236.0, 604.0, 30.0, 296.0
_RATIO, _VANISHING = 0.62, (600.0, 172.0)
"""The mirror image is so much smaller, toward this point: it lies as far behind the glass as the person before it."""
_SKIN = ((236, 194, 162), (206, 154, 116), (146, 98, 68))


def ground(base: Mirror, brush: Brush) -> None:
    brush = face_brush(brush, base.flipped)
    wall = _WALLS[base.wall]
    brush.box(-20, -20, 660, 380, wall, "plaster")
    frame = (176, 134, 62)
    brush.box(LEFT - 16, TOP - 16, RIGHT + 16, SHELF, frame)
    behind = lighter(mix_colors(wall, (236, 232, 222), 0.5), -0.06)
    with brush.of("mirror"):
        brush.plain([(LEFT, TOP), (RIGHT, TOP), (RIGHT, SHELF), (LEFT, SHELF)], behind)
    brush.box(486, 92, 560, SHELF, (142, 104, 74))
    brush.box(496, 102, 550, 190, (156, 116, 84))
    brush.disc((498, 214), 5, (222, 190, 96))
    brush.box(392, 84, 452, 136, (240, 240, 236))
    brush.plain([(398, 130), (420, 98), (446, 130)], (112, 150, 128))


def paint(base: Mirror, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.flipped)
    with brush.of("reflection"):
        _being(base, brush, state, "reflection")
    for x in (LEFT + 30, LEFT + 270):
        brush.veil([(x, TOP), (x + 36, TOP), (x - 14, TOP + 74), (x - 50, TOP + 74)], (255, 255, 255), 0.22)
    brush.box(LEFT - 34, SHELF - 4, RIGHT + 60, SHELF + 16, WOOD, "wood")
    brush.plain([(LEFT - 20, SHELF + 16), (660, SHELF + 16), (660, 380), (LEFT - 20, 380)], lighter(WOOD, -0.25))
    for x in (438.0, 470.0):
        brush.disc((x, SHELF + 46), 6, (222, 190, 96))
    brush.line((454, SHELF + 16), (454, 380), 3, lighter(WOOD, -0.45))
    with brush.of("person"):
        _being(base, brush, state, "person")
    light = mix_colors((255, 246, 214), COLORS[base.other], state["bulbs"]["tint"])
    for k in range(6):
        brush.disc((LEFT + 14 + 68 * k, TOP - 10), 11, light if state["bulbs"]["on"] else (188, 188, 184))
    if state["bulbs"]["on"]:
        strength = 0.26 + 0.12 * state["bulbs"]["tint"]
        brush.veil([(-20, -20), (660, -20), (660, 380), (-20, 380)], light, strength)
        for k in range(6):
            brush.plain(circle((LEFT + 14 + 68 * k, TOP - 10), 11), light)


def _being(base: Mirror, brush: Brush, state: State, name: str) -> None:
    """The person from behind, or the mirror image from the front."""
    if name not in state:
        return
    body = state[name]
    look = PersonLook(
        base.size,
        mix_colors(COLORS[base.color], COLORS[base.other], body["changed"]),
        skin=_SKIN[base.skin],
        hair=_HAIR[base.hair if base.skin < 2 else "dark"],
    )
    x, y, size, turn = body["x"], 214 + body["drop"], base.size, body["turn"] - math.pi / 2
    if name == "reflection":
        x = _VANISHING[0] + _RATIO * (x - _VANISHING[0])
        y = _VANISHING[1] + _RATIO * (y - _VANISHING[1])
        size, turn = _RATIO * size, -turn
    sized = PersonLook(size, look.coat, look.trousers, look.skin, look.hair)
    front_view(brush, sized, Bust(body["arm"], body["elbow"], turn), (x, y), name == "person")


SCENE = PhysicsScene(
    name="mirror",
    title="A person before a mirror",
    setup="A person in a {color} jacket stands before a dressing-room mirror, seen from behind, with a reflection.",
    sample=sampler(Mirror),
    ground=ground,
    paint=paint,
    entities=(("person", "man", "woman", "figure", "character", "someone"), ("mirror", "reflection", "mirror image")),
    actions=("stand", "look", "face", "sway", "wave", "turn"),
    events=(
        Event(
            sub_type="optics",
            play=reflection_waves,
            breaks=mirror_agrees,
            claim="The reflection in the mirror raises an arm and waves, while the person keeps both arms down.",
            control="The person raises an arm and waves, and so does the reflection in the mirror.",
            normal="the reflection makes the same movements as the person",
            signs=phrases(
                "while the person, its own, not match, n't match, mismatch, differ, independent, although, "
                "even though, inconsistent, not mirror, not copy, keeps still, stands still, arms down"
            ),
            expected=("same", "match", "copy", "as the person", "follow", "mirror"),
            actors=("person", "reflection"),
        ),
        Event(
            sub_type="bio_behavior",
            play=spins_head,
            breaks=neck_holds,
            claim="The head of the person turns right round on the shoulders until the face looks out over the back.",
            control="The person turns the head to one side, then to the other.",
            normal="a head turns no further than about to the shoulder",
            signs=phrases("round, backward, spin, rotat, 180, 360, twist, face looks, over the back, wrong way"),
            expected=("shoulder", "side", "limit", "degrees", "cannot", "no further"),
            actors=("person",),
        ),
        Event(
            sub_type="permanence",
            play=vanishes,
            breaks=persists("person"),
            claim="The person before the mirror is suddenly gone, and only the empty room is left.",
            control="White bulbs above the mirror light up, and the person bends down and comes up again.",
            normal="the person stays before the mirror",
            expected=("stay", "remain", "visible", "continue", "exist"),
            actors=("person",),
        ),
        Event(
            sub_type="mutation",
            play=turns_other,
            breaks=keeps("person", "changed"),
            claim="The jacket of the person turns from {color} to {other} by itself under the same light.",
            control="White bulbs above the mirror light up, and the jacket stays {color}.",
            normal="the jacket stays {color} as long as the light stays the same",
            signs=("color", "colour", "turns from", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            actors=("person",),
            explained="colored bulbs light up above the mirror and tint everything",
        ),
    ),
)
