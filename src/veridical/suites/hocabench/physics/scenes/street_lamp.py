"""A person walks past a street lamp in the evening."""

from __future__ import annotations

from veridical.media.figures.brush import Brush, capsule, circle, faced
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_person import Look, Pose, side_view, stride
from veridical.suites.hocabench.physics.scene import Event, Scene, State, keeps, persists, phrases
from veridical.suites.hocabench.physics.scenes import street_lamp_courses as courses
from veridical.suites.hocabench.physics.scenes.street_lamp_courses import FLOOR, OTHER_LAMP, STRIDE, StreetLamp

_SKIES = {"dusk": (136, 146, 184), "evening": (142, 138, 164), "blue hour": (122, 146, 180)}
_HAIR = {"dark": (58, 42, 34), "fair": (198, 156, 88), "red": (150, 76, 40), "gray": (150, 150, 152)}
_WARM, _OFF, _POST = (255, 236, 178), (120, 124, 130), (46, 50, 58)


def sample(nuisances: Nuisances) -> StreetLamp:
    color = nuisances.one_of(["red", "blue", "green", "yellow", "orange"])
    return StreetLamp(
        color=color,
        other=nuisances.one_of(sorted({"red", "blue", "green", "yellow", "purple"} - {color})),
        sky=nuisances.one_of(sorted(_SKIES)),
        hair=nuisances.one_of(sorted(_HAIR)),
        lamp=nuisances.between(170, 200),
        height=nuisances.between(186, 198),
        start=nuisances.between(52, 84),
        speed=nuisances.between(108, 122),
        moment=nuisances.between(1.7, 2.1),
        flipped=bool(nuisances.one_of([0, 1])),
    )


def ground(base: StreetLamp, brush: Brush) -> None:
    brush = faced(brush, base.flipped)
    sky = _SKIES[base.sky]
    brush.box(-20, -20, 660, FLOOR - 16, sky)
    wall = mixed(sky, (150, 116, 104), 0.45)
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
    brush = faced(brush, base.flipped)
    lamps = state["lamps"]
    light = mixed(_WARM, COLORS[base.other], 0.8 * lamps["tint"])
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
    coat = mixed(COLORS[base.color], COLORS[base.other], person["changed"])
    look = Look(base.height, coat, (214, 202, 178), hair=_HAIR[base.hair])
    walk = stride(person["x"] / STRIDE, person["march"], person["backward"])
    pose = Pose(walk.thighs, walk.knees, (-0.1, walk.arms[1]), (1.55, walk.elbows[1]), 0.25)
    with brush.of("person"):
        x, y = side_view(brush, look, pose, (person["x"], FLOOR))
        top, wide = y - 0.62 * base.height, 5 + 0.42 * base.height * person["open"]
        brush.line((x, y + 12), (x, top), 3.5, (40, 40, 44))
        high = 0.26 * base.height - 0.1 * base.height * person["open"]
        dome = [point for point in circle((x, top + high), wide, high, 36) if point[1] <= top + high + 0.1]
        brush.polygon(sorted(dome), (236, 226, 204))
        brush.disc((x, y), 0.03 * base.height, look.skin)


STREET_LAMP = Scene(
    name="street_lamp",
    title="A person walks past a street lamp",
    setup="In the evening a person in a {color} coat, with a folded umbrella, walks past a lit street lamp.",
    sample=sample,
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
            play=courses.knees_backward,
            breaks=courses.knees_bend_back(),
            claim="The walking person's knees bend the wrong way, forward like the legs of a bird.",
            control="The person goes on past the lamp with high marching steps.",
            normal="knees bend one way only, so that the lower leg swings to the back",
            signs=phrases(
                "wrong way, wrong direction, forward, backward, revers, hyperextend, bird, unnatural, opposite, invert"
            ),
            expected=("to the back", "one way", "one direction", "hinge", "normal", "behind"),
            begins=courses.begins,
            actors=("person",),
        ),
        Event(
            sub_type="optics",
            play=courses.shadow_turns,
            breaks=courses.lamps_and_shadow_agree(),
            claim="The walking person's shadow turns round and falls toward the shining street lamp.",
            control="The person walks on with the shadow ahead, and a window of the house lights up.",
            normal="the shadow falls away from the lamp that shines",
            signs=phrases(
                "toward, wrong side, wrong direction, flip, swing, turns round, turns around, rotat, revers, "
                "changes direction, switches, inconsistent, not match, n't match, into the light, same side"
            ),
            expected=("away", "opposite", "other side", "light source", "behind", "front", "ahead"),
            interaction=True,
            begins=courses.begins,
            actors=("shadow", "lamp"),
            explained="this lamp goes out and the one on the other side lights up",
        ),
        Event(
            sub_type="mutation",
            play=courses.recolors,
            breaks=keeps("person", "changed"),
            claim="The walking person's {color} coat turns {other} by itself under the same light.",
            control="The person walks on in the {color} coat and opens an umbrella.",
            normal="the coat stays {color} as long as the light stays the same",
            signs=("color", "colour", "coat turns", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            begins=courses.begins,
            actors=("person",),
            explained="the lamp turns to a colored light that tints everything",
        ),
        Event(
            sub_type="permanence",
            play=courses.fades_out,
            breaks=persists("person"),
            claim="The walking person in the {color} coat is suddenly gone from the street.",
            control="The person in the {color} coat walks on and opens an umbrella.",
            normal="the person stays in sight and walks on",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "walk", "continue", "exist"),
            begins=courses.begins,
            actors=("person",),
        ),
    ),
)
