"""A glass pot of ice water and a paper note over the flames of a stove."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import Brush, face_brush
from veridical.media.figures.grain import lighter, mix_colors
from veridical.media.figures.palette import COLORS, SKIN, SLEEVE, STEEL, WATER, room
from veridical.suite.nuisance_fields import sampler
from veridical.suites.hocabench.physics import props_home as props
from veridical.suites.hocabench.physics.liquids import body_of_liquid, front_of_liquid, stream, surface, vessel
from veridical.suites.hocabench.physics.scene import Event, PhysicsScene, phrases
from veridical.suites.hocabench.physics.scenes import stove_laws as laws
from veridical.suites.hocabench.physics.scenes.stove_laws import CUBES, FLOOR, PAPERS, TOP, WIDE, Stove
from veridical.suites.hocabench.physics.state import State

HOB = 298.0
NOTE = (456.0, 552.0, 96.0, 206.0)
"""The note's left, right, top and bottom."""
CLOCK = (378.0, 62.0)
KNOB = (360.0, 332.0)
_DARK: Colour = (58, 60, 66)
_SPOTS = (-66.0, -22.0, 24.0, 69.0)


def note_flames(brush: Brush, state: State, tall: float, *spots: float) -> None:
    """Flames below the note, `tall` at their highest, at these places."""
    high, phase = state["fire"]["high"], 6 * state["clock"]["minutes"]
    for x in spots if high else ():
        reach = 22 + (tall - 22) * max(0.0, high - 0.3) / 0.7
        props.flame(brush, (x, HOB - 10), 34, reach, phase + 0.06 * x, gas=True)


def note(base: Stove, brush: Brush, state: State) -> None:
    """The note that hangs over the burner, as far as it is not burnt, and its ash."""
    left, right, top, bottom = NOTE
    burnt = state["paper"]["burnt"]
    edge = bottom - burnt * (bottom - top)
    with brush.of("paper"):
        if burnt < 1:
            brush.box(left, top, right, edge, PAPERS[base.paper])
            for k in range(5):
                y = top + 20 + 18 * k
                if y < edge - 8:
                    props.bar(brush, (left + 12, y), (right - 12 - 16 * (k % 2), y), 3, (90, 96, 130))
        brush.box(498, top - 6, 510, top + 8, STEEL)
    if 0 < burnt < 1:
        ragged = [(left + (right - left) * k / 8, edge - (9 if k % 2 else 2)) for k in range(9)]
        brush.plain([*ragged, (right, edge + 5), (left, edge + 5)], (40, 32, 28))
        brush.curve([(x, y - 3) for x, y in ragged], 3, (255, 120, 30))
    if burnt:
        heap = 6 + 10 * burnt
        brush.plain([(504 - 34 * burnt, HOB - 4), (504, HOB - 4 - heap), (504 + 36 * burnt, HOB - 4)], (52, 50, 50))


def ground(base: Stove, brush: Brush) -> None:
    brush = face_brush(brush, base.mirrored)
    room(brush, 300)
    brush.box(-20, HOB, 660, 380, (92, 96, 104), "metal")
    brush.box(-20, HOB - 4, 660, HOB + 6, _DARK)
    for x, half in ((base.place, 76), (504, 62)):
        brush.box(x - half, HOB - 12, x + half, HOB - 4, _DARK)
        for leg in (x - half - 22, x + half + 14):
            brush.box(leg, FLOOR + 6, leg + 8, HOB, _DARK)
        brush.box(x - half - 30, FLOOR + 6, x + half + 30, FLOOR + 11, _DARK)
    brush.stroke([(436, 34), (572, 34)], 7, STEEL)
    brush.line((504, 34), (504, NOTE[2]), 3, STEEL)
    props.tap(brush, (base.place + 76, 66), left=True)
    props.clock_face(brush, CLOCK, 44)


def _ice(base: Stove, brush: Brush, state: State) -> None:
    ice = state.get("ice")
    if ice is None:
        return
    side = base.side * ice["mass"] ** 0.5
    with brush.of("ice"):
        for k in range(CUBES):
            x, y = base.place + 14 + _SPOTS[k], ice["y"] - side / 2
            tilt = 0.0 if ice["y"] >= FLOOR else (0.1, -0.07, 0.05, -0.1)[k]
            props.ice_cube(brush, (x, y), side, tilt)


def paint(base: Stove, brush: Brush, state: State) -> None:
    brush = face_brush(brush, base.mirrored)
    left, right, level = base.place - WIDE / 2, base.place + WIDE / 2, state["water"]["level"]
    heat, phase = state["water"]["heat"], 6 * state["clock"]["minutes"]
    props.clock_hands(brush, CLOCK, 44, state["clock"]["minutes"])
    high = state["fire"]["high"]
    for k in range(4) if high else ():
        props.flame(brush, (base.place - 54 + 36 * k, HOB - 10), 26, 8 + 26 * high, phase + 2.1 * k, gas=True)
    brush.veil([(left, TOP), (right, TOP), (right, FLOOR), (left, FLOOR)], (240, 246, 248), 0.5)
    boils, color = heat > 80, mix_colors(WATER, COLORS[base.other], state["water"]["turned"])
    top = surface(left, right, lambda share: level - (3 * math.sin(40 * share + phase) if boils else 0.0), 20)
    with brush.of("water"):
        body_of_liquid(brush, top, FLOOR, lighter(color, 0.35))
    if state["tap"]["open"]:
        stream(brush, base.place + 76, 66, level, 13, lighter(WATER, 0.25))
    _ice(base, brush, state)
    front_of_liquid(brush, top, FLOOR, color, 0.22)
    if boils:
        props.bubbles(brush, left + 36, right - 12, level, FLOOR - 6, phase)
        props.smoke(brush, (base.place, TOP + 8), 0.3 + 0.1 * math.sin(phase), (255, 255, 255))
    vessel(brush, left, right, TOP, FLOOR)
    _mark(brush, right, FLOOR - base.amount / WIDE)
    props.probe(brush, left + 24, 76, FLOOR - 16, heat)
    note_flames(brush, state, 176, 466, 504, 542)
    note(base, brush, state)
    note_flames(brush, state, 138, 486, 524)
    if 0 < state["paper"]["burnt"] < 1:
        props.smoke(brush, (504, 120), state["paper"]["burnt"])
    _knob(brush, state)


def _mark(brush: Brush, right: float, level: float) -> None:
    """A red mark on the pot where the water stands at first."""
    brush.line((right - 30, level), (right + 8, level), 4, (206, 44, 40))
    brush.plain([(right + 8, level), (right + 22, level - 8), (right + 22, level + 8)], (206, 44, 40))


def _knob(brush: Brush, state: State) -> None:
    x, y = KNOB
    brush.disc((x, y), 19, (206, 208, 212))
    at = 0.8 * state["knob"]["turn"]
    props.bar(brush, (x, y), (x + 16 * math.sin(at), y - 16 * math.cos(at)), 6, (200, 50, 44))
    hand = state.get("hand")
    if hand:
        down = 70 * (1 - hand["near"])
        with brush.of("hand"):
            brush.stroke([(x + 70, y + 70 + down), (x + 34, y + 22 + down)], 36, SLEEVE)
            brush.disc((x + 22, y + 10 + down), 19, SKIN)
            brush.stroke([(x + 16, y + 2 + down), (x + 4, y - 12 + down)], 11, lighter(SKIN, -0.08))


SCENE = PhysicsScene(
    name="stove",
    title="A pot of ice water and a paper note over the flames of a stove",
    setup="In time-lapse, ice cubes float in a glass pot on a stove, and a {paper} note hangs over the other burner.",
    sample=sampler(Stove),
    ground=ground,
    paint=paint,
    entities=(("ice", "cube", "note", "paper", "sheet", "pot", "water"), ("flame", "stove", "burner", "fire")),
    actions=("heat", "burn", "melt", "cook", "boil", "turn"),
    control="The flames go up, the ice in the pot melts, and the {paper} note burns to ash.",
    events=(
        Event(
            sub_type="thermodynamics",
            play=laws.keeps_ice,
            breaks=laws.melts,
            actors=("ice", "water"),
            claim="The flames go up, the water comes to a boil, and the ice cubes in it keep their size.",
            normal="the ice cubes melt away in the hot water",
            signs=phrases(
                "keep their size, keeps its size, unmelted, same size, intact, frozen, remain, stay solid, "
                "stays solid, stay the same, unchanged, not melt, doesn't melt, don't melt, not shrink, "
                "doesn't shrink, don't shrink"
            ),
            expected=("melt", "shrink", "dissolve"),
            explained="the hand turns the flames off and the thermometer falls",
        ),
        Event(
            sub_type="chemistry",
            play=laws.spares_paper,
            breaks=laws.burns,
            actors=("paper",),
            claim="The flames go up, and the {paper} note hangs in the middle of them as whole as before.",
            normal="the paper burns to ash in the flames",
            signs=phrases(
                "whole, unburn, unharmed, intact, unchanged, unaffected, undamaged, untouched, unscathed, not damaged, "
                "not harmed, not affected, isn't burn, isn't damaged, not burn, doesn't burn, don't burn, not char, "
                "doesn't char, don't char, not catch fire, doesn't catch fire, don't catch fire, not ignite, "
                "doesn't ignite, don't ignite"
            ),
            expected=("burn", "char", "ash", "catch fire", "blacken"),
            interaction=True,
        ),
        Event(
            sub_type="mass_volume",
            play=laws.doubles,
            breaks=laws.is_conserved,
            actors=("water",),
            claim="The flames go up, the ice cubes melt, and the water in the pot climbs nearly to the brim.",
            control="The flames go up a little, and the ice melts while the water stays at the red mark of the pot.",
            normal="the water stays at the same level while the floating ice melts",
            signs=phrases("climb, double, grow, rise, rising, brim, increase, more water, fills, overflow"),
            expected=("same level", "level stays", "unchanged", "stays", "remain", "constant"),
            explained="the tap over the pot runs and fills it",
        ),
        Event(
            sub_type="buoyancy",
            play=laws.sinks,
            breaks=laws.floats,
            actors=("ice", "water"),
            claim="The flames go up, and the floating ice cubes sink and lie on the bottom of the pot.",
            normal="the ice cubes float on the water until they are melted",
            signs=phrases("sink, sank, bottom, submerge, no longer float, not float, doesn't float, don't float"),
            expected=("float", "surface", "stay on top"),
        ),
        Event(
            sub_type="mutation",
            play=laws.colors_water,
            breaks=laws.same_color,
            actors=("water",),
            claim="The flames go up, and the water in the pot turns {other} all through with nothing added.",
            normal="the water stays as clear as before while the ice melts in it",
            signs=phrases(
                "color, colour, water changes to, water becomes, turns red, turns purple, turning red, turning purple, "
                "water turns"
            ),
            expected=("stay", "remain", "keep", "clear", "same"),
        ),
    ),
)
