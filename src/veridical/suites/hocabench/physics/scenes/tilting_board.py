"""A hand tilts a smooth board on which a block lies."""

from __future__ import annotations

import math

from veridical.media.draw.scene import Colour
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, faced, turned
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand
from veridical.suites.hocabench.physics.props_home import WALLS, window
from veridical.suites.hocabench.physics.scene import Event, Scene, State, always_there, keeps, phrases
from veridical.suites.hocabench.physics.scenes import tilting_board_courses as courses
from veridical.suites.hocabench.physics.scenes.tilting_board_courses import HINGE, LENGTH, TABLE, THICK, TiltingBoard


def ground(base: TiltingBoard, brush: Brush) -> None:
    side = faced(brush, base.mirrored)
    side.plain([(-20, -20), (WIDTH + 20, -20), (WIDTH + 20, TABLE), (-20, TABLE)], WALLS[base.wall])
    window(side, 48, 46, 104, 118)
    side.box(-20, TABLE, WIDTH + 20, TABLE + 22, (150, 108, 72), "wood")
    side.plain(
        [(-20, TABLE + 22), (WIDTH + 20, TABLE + 22), (WIDTH + 20, HEIGHT + 20), (-20, HEIGHT + 20)], (96, 78, 64)
    )
    side.plain([(-20, TABLE + 22), (WIDTH + 20, TABLE + 22), (WIDTH + 20, TABLE + 30), (-20, TABLE + 30)], (74, 58, 46))


def paint(base: TiltingBoard, brush: Brush, state: State) -> None:
    side, angle = faced(brush, base.mirrored), state["board"]["angle"]
    end = courses.on_profile(angle, LENGTH)
    shade = (HINGE + end[0]) / 2
    side.shadow((shade, TABLE + 4), (end[0] - HINGE) / 2 + 6, 5, 0.2)
    with side.of("board"):
        corners = [(HINGE, TABLE - THICK), (HINGE + LENGTH, TABLE - THICK), (HINGE + LENGTH, TABLE), (HINGE, TABLE)]
        side.polygon(turned(corners, -angle, corners[3]), (226, 204, 164), "wood", -angle)
        edge = turned([(HINGE, TABLE - 1.5), (HINGE + LENGTH, TABLE - 1.5)], -angle, corners[3])
        side.line(edge[0], edge[1], 3, lighter(WOOD, -0.1))
    block = state.get("block")
    if block:
        (x, y), turn = courses.pose(base.side * block["scale"], angle, block["way"], block["lift"])
        if block["way"] < 0 and block["lift"] < 1:
            side.shadow((x, TABLE + 4), 0.6 * base.side * block["scale"], 5)
        with side.of("block"):
            _block(
                side, x, y, base.side * block["scale"] / 2, turn, COLORS[base.other if block["changed"] else base.color]
            )
    with side.of("lifting hand"):
        hand(side, (end[0] - 10 * math.cos(angle), end[1] + 10 * math.sin(angle) + 6))
    held = state.get("hand")
    if held:
        with side.of("hand"):
            hand(side, (held["x"], held["y"]), sleeve=(120, 66, 70), flip=-1.0)


def _block(brush: Brush, x: float, y: float, half: float, turn: float, color: Colour) -> None:
    brush.box(x - half, y - half, x + half, y + half, color, "wood", turn)
    corners = turned([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)], turn)
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        brush.line(start, end, 4, lighter(color, -0.3))
    inner = 0.45 * half
    corners = [(x - inner, y - inner), (x + inner, y - inner), (x + inner, y + inner), (x - inner, y + inner)]
    brush.plain(turned(corners, turn), lighter(color, 0.55))


_ON = "The {color} block slides down the board as it gets steep, and stops on the table."
TILTING_BOARD = Scene(
    name="tilting_board",
    title="A block on a board that is tilted",
    setup="A hand puts a {color} block on a smooth board, and another hand lifts the board's end higher and higher.",
    sample=courses.sample,
    ground=ground,
    paint=paint,
    entities=(
        ("block", "cube", "box", "brick"),
        ("board", "plank", "ramp", "slope", "incline", "plane"),
        ("hand", "person", "someone"),
    ),
    actions=("tilt", "lift", "rais", "slid", "inclin", "put", "place"),
    events=(
        Event(
            sub_type="friction",
            play=courses.sticks,
            breaks=courses.comes_loose(),
            claim="The {color} block stays in its place on the smooth board although that gets very steep.",
            control=_ON,
            normal="the block slides down as soon as the smooth board is steep enough",
            signs=phrases(
                "stays in, stays put, stays where, stuck, stick, in place, in its place, not slide, n't slide, "
                "not slip, n't slip, not move, n't move, remains, motionless, glued"
            ),
            expected=("slide", "slip", "down"),
            interaction=True,
            explained="a hand holds the block in its place",
            begins=courses.when_it_comes_loose,
            actors=("block",),
        ),
        Event(
            sub_type="gravity",
            play=courses.climbs,
            breaks=courses.never_climbs(),
            claim="The {color} block slides up the smooth board to its raised end, and stays there.",
            control=_ON,
            normal="the block slides down the board when that gets steep",
            signs=("slides up", "upward", "up the", "uphill", "climb", "moves up", "higher", "raised end", "ascend"),
            expected=("down", "fall"),
            interaction=True,
            begins=courses.when_it_comes_loose,
            actors=("block",),
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            breaks=always_there("block"),
            claim="The {color} block is suddenly gone from the tilted board, with no hand near it.",
            control=_ON,
            normal="the block stays in sight and slides down to the table",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "slide", "continue", "exist"),
            explained="a hand takes the block away",
            begins=courses.while_it_slides,
            actors=("block",),
        ),
        Event(
            sub_type="size",
            play=courses.swells,
            breaks=keeps("block", "scale"),
            claim="The {color} block swells to twice its size while it slides down the board.",
            control=_ON,
            normal="the block keeps its size while it slides down",
            signs=("swell", "grow", "bigger", "larger", "size", "twice", "expand", "double", "enlarg"),
            expected=("size", "keep", "same", "stay", "remain"),
            begins=courses.while_it_slides,
            actors=("block",),
        ),
        Event(
            sub_type="mutation",
            play=courses.changes_color,
            breaks=keeps("block", "changed"),
            claim="The {color} block turns {other} all over while it slides down the board.",
            control=_ON,
            normal="the block stays {color} while it slides down",
            signs=("color", "colour", "turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same color", "same colour"),
            begins=courses.while_it_slides,
            actors=("block",),
        ),
    ),
)
