"""A car drives along a street towards a shut gate."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, faced
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS
from veridical.suites.hocabench.physics.props_car import NOSE, billboard, car, red_light, street, street_lamp
from veridical.suites.hocabench.physics.scene import Event, Scene, State, keeps, persists
from veridical.suites.hocabench.physics.scenes import road_courses as courses
from veridical.suites.hocabench.physics.scenes.road_courses import GATE, SKIES, Road

_CURB, _WHEELS, _NEAR = 262.0, 318.0, 350.0
_HIGH = 158.0
_SLANT = 0.72
"""How far right a step towards the viewer leads on the street."""
_HOUSES = (
    ((206, 168, 140), (188, 190, 176), (214, 196, 150), (176, 150, 146)),
    ((178, 186, 200), (214, 184, 160), (186, 168, 150), (206, 202, 178)),
    ((216, 204, 176), (170, 158, 168), (200, 166, 140), (184, 196, 196)),
)


def ground(base: Road, brush: Brush) -> None:
    side = faced(brush, base.mirrored)
    street(side, SKIES[base.sky], _CURB, _HOUSES[base.houses])
    for k in range(5):
        x = 10 + 140.0 * k
        side.plain([(x, 330), (x + 62, 330), (x + 66, 335), (x + 4, 335)], (226, 226, 220))
    side.box(-20, _NEAR - 6, WIDTH + 20, HEIGHT + 20, (188, 186, 180))
    left, right = _gate_at(_CURB) - 26, _gate_at(_NEAR + 20) - 26
    side.plain(
        [(left - 7, _CURB), (left + 7, _CURB), (right + 7, _NEAR + 20), (right - 7, _NEAR + 20)], (236, 236, 230)
    )
    red_light(side, 392, _CURB - 4, 112)


def _gate_at(depth: float) -> float:
    """Where the gate stands on the street at a depth: the y at which a thing there touches the ground."""
    return GATE + 6 + _SLANT * (depth - _WHEELS)


def paint(base: Road, brush: Brush, state: State) -> None:
    side = faced(brush, base.mirrored)
    lit = bool(state["lamp"]["on"])
    with side.of("billboard"):
        billboard(side, 36, 70, int(state["billboard"]["picture"]), _CURB - 6)
    street_lamp(side, 236, _CURB - 4, 44, COLORS[base.other] if lit else None)
    angle, now = state["gate"]["angle"], state.get("car")
    with side.of("gate"):
        _post(side, _CURB + 4)
        _panel(side, _CURB + 4, _WHEELS, angle)
    if now:
        with side.of("car"):
            middle, color = now["nose"] - NOSE * now["scale"], COLORS[base.other if now["changed"] else base.color]
            car(side, (middle, _WHEELS), now["scale"], color, now["nose"] / (20 * now["scale"]), bool(now["braking"]))
    with side.of("gate"):
        _panel(side, _WHEELS, _NEAR, angle)
        _beam(side)
        _post(side, _NEAR)
    with side.of("block"):
        _block(side, state["block"]["x"])
    if lit:
        corners = [(-30.0, -30.0), (WIDTH + 30.0, -30.0), (WIDTH + 30.0, HEIGHT + 30.0), (-30.0, HEIGHT + 30.0)]
        side.veil(corners, COLORS[base.other], 0.45)
        side.veil([(258, 66), (316, 66), (560, 372), (20, 372)], lighter(COLORS[base.other], 0.4), 0.25)


def _block(brush: Brush, x: float) -> None:
    brush.shadow((x, _NEAR + 7), 44, 5)
    brush.box(x - 36, _NEAR - 56, x + 36, _NEAR + 7, (222, 184, 92), "stone")
    brush.text((x, _NEAR - 26), "1000 kg", 17, (40, 40, 40))


def _post(brush: Brush, depth: float) -> None:
    x = _gate_at(depth)
    brush.box(x - 6, depth - _HIGH - 8, x + 6, depth, (92, 98, 108))


def _beam(brush: Brush) -> None:
    brush.line((_gate_at(_CURB), _CURB - _HIGH), (_gate_at(_NEAR), _NEAR - _HIGH), 9, (92, 98, 108))


def _panel(brush: Brush, far: float, near: float, angle: float) -> None:
    """The part of the gate between two depths; it hangs from the beam and swings by an angle in radians."""

    def at(depth: float, share: float) -> Point:
        down = (_HIGH - 6) * share
        return _gate_at(depth) + down * math.sin(angle), depth - _HIGH + down * math.cos(angle)

    for k in range(5):
        low, high = k / 5, (k + 1) / 5
        color = (206, 44, 40) if k % 2 == 0 else (244, 244, 240)
        brush.plain([at(far, low), at(near, low), at(near, high), at(far, high)], color)
    brush.line(at(far, 1.0), at(near, 1.0), 5, (92, 98, 108))


_ON = "The {color} car brakes too late, bumps against the shut gate and rolls back a little."
_CHANGES = "The {color} car drives on towards the gate, and the billboard shows another picture."
ROAD = Scene(
    name="road",
    title="A car drives towards a shut gate",
    setup="A {color} car drives along a street and brakes before a shut gate; a heavy block stands beside the road.",
    sample=courses.sample,
    ground=ground,
    paint=paint,
    entities=(
        ("car", "vehicle", "auto"),
        ("road", "street"),
        ("gate", "barrier", "fence", "barricade", "door"),
        ("block", "box", "cube", "weight", "crate"),
    ),
    actions=("driv", "mov", "brak", "approach"),
    events=(
        Event(
            sub_type="collision",
            play=courses.passes_through,
            breaks=courses.stays_out(),
            claim="The {color} car drives straight through the shut gate, and both stay whole.",
            control=_ON,
            normal="the car bumps against the shut gate and is stopped by it",
            signs=("through", "penetrat", "clip", "pass"),
            expected=("stop", "bump", "crash", "hit", "blocked", "damage"),
            interaction=True,
            explained="the gate swings open",
            begins=courses.at_the_gate,
            actors=("car", "gate"),
        ),
        Event(
            sub_type="mutation",
            play=courses.changes_color,
            breaks=keeps("car", "changed"),
            claim="The {color} car turns {other} all over while it drives towards the gate.",
            control=_CHANGES,
            normal="the car stays {color} while it drives",
            signs=("color", "colour", "turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same color", "same colour"),
            explained="a colored lamp shines on everything",
            begins=courses.on_the_way,
            actors=("car",),
        ),
        Event(
            sub_type="size",
            play=courses.shrinks,
            breaks=keeps("car", "scale"),
            claim="The {color} car becomes as small as a toy while it drives towards the gate.",
            control=_CHANGES,
            normal="the car keeps its full size while it drives",
            signs=("small", "shrink", "shrunk", "tiny", "toy", "miniature", "size"),
            expected=("size", "stay", "remain", "keep", "same"),
            begins=courses.on_the_way,
            actors=("car",),
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            breaks=persists("car"),
            claim="The {color} car is suddenly gone in mid-road on its way to the gate.",
            control=_CHANGES,
            normal="the car stays in sight and drives on to the gate",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "driv", "continue", "exist"),
            begins=courses.on_the_way,
            actors=("car",),
        ),
        Event(
            sub_type="inertia",
            play=courses.slides_off,
            breaks=keeps("block", "x"),
            claim="The heavy block beside the road sets off by itself and slides along.",
            control=_CHANGES,
            normal="the heavy block stays where it stands until something pushes it",
            signs=("by itself", "on its own", "sets off", "slid", "glid", "block moves", "block move", "untouched"),
            expected=("stay", "remain", "still", "rest", "until", "stationary"),
            begins=courses.on_the_way,
            actors=("block",),
        ),
    ),
)
