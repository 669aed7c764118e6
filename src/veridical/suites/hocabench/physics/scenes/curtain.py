"""A visitor stands before a curtain, beside a vase on a pedestal."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.media.figures.brush import Brush, circle, faced
from veridical.media.figures.grain import lighter
from veridical.media.figures.palette import COLORS, WOOD, hand, room
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_animals import hen
from veridical.suites.hocabench.physics.props_exhibits import board, canvas, impossible_triangle, solid_triangle, vase
from veridical.suites.hocabench.physics.props_person import Look, Pose, side_view
from veridical.suites.hocabench.physics.scene import Event, Scene, State, persists, phrases
from veridical.suites.hocabench.physics.scenes import curtain_courses as courses
from veridical.suites.hocabench.physics.scenes.curtain_courses import Curtain

LEFT, RIGHT, TOP, STAND = 176.0, 464.0, 30.0, 296.0
PEDESTAL = (556.0, 226.0)
_BACK = (238, 230, 208)
_WALLS = ((188, 198, 206), (206, 196, 178), (184, 200, 184), (204, 186, 186))
_DRAPES = {"red": (158, 40, 44), "green": (40, 104, 74), "blue": (46, 70, 138), "purple": (100, 56, 122)}
_HAIR = ((58, 42, 34), (150, 76, 40), (214, 176, 86), (120, 118, 118))
_HENS = ((238, 234, 224), (170, 102, 54))


def sample(nuisances: Nuisances) -> Curtain:
    drape = nuisances.one_of(sorted(_DRAPES))
    color = nuisances.one_of(sorted({"blue", "green", "purple", "red"} - {drape}))
    return Curtain(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color})),
        drape=drape,
        coat=nuisances.one_of(sorted(set(COLORS) - {drape})),
        vase=nuisances.one_of(sorted(COLORS)),
        height=nuisances.between(204, 226),
        wall=nuisances.one_of((0, 1, 2, 3)),
        moment=nuisances.between(1.3, 1.8),
        flipped=bool(nuisances.one_of([0, 1])),
    )


def ground(base: Curtain, brush: Brush) -> None:
    brush = faced(brush, base.flipped)
    room(brush, 296, _WALLS[base.wall])
    brush.plain([(LEFT, TOP), (RIGHT, TOP), (RIGHT, STAND), (LEFT, STAND)], _BACK)
    brush.plain(circle(((LEFT + RIGHT) / 2, STAND + 8), 138, 16), (150, 146, 140))
    brush.plain(circle(((LEFT + RIGHT) / 2, STAND + 3), 138, 16), (196, 192, 184))
    x, y = PEDESTAL
    brush.box(x - 40, y, x + 40, 316, (222, 220, 214), "stone")
    brush.box(x - 48, y, x + 48, y + 12, (206, 204, 198))


def paint(base: Curtain, brush: Brush, state: State) -> None:
    brush = faced(brush, base.flipped)
    if "exhibit" in state:
        _exhibit(base, brush, state["exhibit"], state["curtain"]["open"])
    with brush.of("curtain"):
        _drapes(base, brush, state["curtain"])
    if "vase" in state:
        with brush.of("vase"):
            foot = (PEDESTAL[0], PEDESTAL[1] - state["vase"]["lift"])
            vase(brush, foot, COLORS[base.vase], state["vase"]["cube"])
    if "hand" in state:
        hand(brush, (PEDESTAL[0], PEDESTAL[1] - 82 - state["hand"]["lift"]))
    look = Look(base.height, COLORS[base.coat], hair=_HAIR[base.wall])
    points, nod = state["visitor"]["points"], state["visitor"]["nod"]
    pose = Pose((0.06, -0.08), arms=(0.1 + 1.2 * points, -0.05), head=nod)
    brush.shadow((84, 326), 52, 8)
    with brush.of("visitor"):
        side_view(brush, look, pose, (84, 324))


def _drapes(base: Curtain, brush: Brush, curtain: Mapping[str, float]) -> None:
    """Two drapes that meet in the middle, or hang at the sides."""
    color, half = _DRAPES[base.drape], (RIGHT - LEFT) / 2
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


def _exhibit(base: Curtain, brush: Brush, exhibit: Mapping[str, float], opening: float) -> None:
    x = (LEFT + RIGHT) / 2
    color = COLORS[base.color]
    if "ball" in exhibit:
        seen = exhibit["ball"] if opening > 0.62 else None
        board(brush, color, seen, clear=exhibit["clear"] > 0, glass=exhibit["glass"] > 0)
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


CURTAIN = Scene(
    name="curtain",
    title="A curtain before a stand, and a vase",
    setup="A visitor in a {coat} coat stands before a {drape} curtain; a {vase} vase stands on a pedestal beside it.",
    sample=sample,
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
            play=courses.shows_triangle,
            breaks=courses.could_be_built(),
            claim="Behind the curtain stands a {color} triangle whose three beams join as no solid can.",
            control="Behind the curtain stands a {color} triangular frame of three beams.",
            normal="the beams of a solid triangle meet in corners that agree with each other",
            signs=phrases("impossible, penrose, escher, no solid, paradox, exist, illusion, inconsistent, contradict"),
            expected=("corner", "agree", "consistent", "real", "solid", "possible"),
            begins=courses.begins,
            actors=("curtain", "exhibit"),
            explained="it is a picture on a canvas",
        ),
        Event(
            sub_type="size",
            play=courses.shows_hen,
            breaks=courses.keeps_scale(),
            claim="Behind the curtain stands a living hen that is as tall as the visitor.",
            control="Behind the curtain stands a small living hen that pecks.",
            normal="a hen is much smaller than a person",
            signs=("tall", "size", "large", "big", "giant", "huge", "enormous"),
            expected=("small", "size", "knee"),
            begins=courses.begins,
            actors=("exhibit", "visitor"),
        ),
        Event(
            sub_type="material_appearance",
            play=courses.shows_board,
            breaks=courses.wood_hides(),
            claim="Behind the curtain a {color} ball rolls past a wooden board and shows through the wood.",
            control="Behind the curtain a {color} ball rolls behind a wooden board and comes out again.",
            normal="wood is opaque and hides the ball while it is behind the board",
            signs=("through", "transparent", "see-through", "translucent"),
            expected=("hide", "hidden", "opaque", "block", "out of sight", "conceal"),
            begins=courses.begins,
            actors=("exhibit", "ball"),
            explained="a pane of glass is set into the board",
        ),
        Event(
            sub_type="morphing",
            play=courses.morphs,
            breaks=courses.keeps_form(),
            claim="The {vase} vase on the pedestal turns into a cube by itself, untouched by anyone.",
            control="A hand lifts the {vase} vase from the pedestal and puts it back.",
            normal="the vase keeps its form on the pedestal",
            signs=("cube", "square", "box", "shape", "block"),
            expected=("stay", "remain", "keep", "form", "same"),
            begins=courses.begins,
            actors=("vase",),
            explained="a hand takes the vase away and brings a cube",
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            breaks=persists("vase"),
            claim="The {vase} vase is suddenly gone from the pedestal, though nobody touches it.",
            control="A hand takes the {vase} vase from the pedestal.",
            normal="the vase stays on the pedestal",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "continue", "exist"),
            begins=courses.begins,
            actors=("vase",),
        ),
        Event(
            sub_type="gravity",
            play=courses.floats,
            breaks=courses.weighs(),
            claim="The {vase} vase rises from the pedestal by itself and stays in the air untouched.",
            control="A hand lifts the {vase} vase from the pedestal and puts it back.",
            normal="the weight of the vase keeps it on the pedestal until someone lifts it",
            signs=phrases(
                "rises, float, levitat, hover, in the air, mid-air, midair, in air, lifts off, lifts itself, moves up"
            ),
            expected=("weight", "stay", "remain", "rest", "fall", "on the pedestal"),
            begins=courses.begins,
            actors=("vase",),
            explained="a hand lifts the vase and holds it in the air",
        ),
    ),
)
