"""A person stands before a dressing-room mirror and is seen from behind."""

from __future__ import annotations

import math

from veridical.media.figures.brush import Brush, circle, faced
from veridical.media.figures.grain import lighter, mixed
from veridical.media.figures.palette import COLORS, WOOD
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.props_person import Bust, Look, front_view
from veridical.suites.hocabench.physics.scene import Event, Scene, State, keeps, persists, phrases
from veridical.suites.hocabench.physics.scenes import mirror_courses as courses
from veridical.suites.hocabench.physics.scenes.mirror_courses import Mirror

LEFT, RIGHT, TOP, SHELF = 236.0, 604.0, 30.0, 296.0
_RATIO, _VANISHING = 0.62, (600.0, 172.0)
"""The mirror image is so much smaller, toward this point: it lies as far behind the glass as the person before it."""
_WALLS = {"green": (150, 172, 158), "rose": (196, 164, 160), "blue": (150, 168, 190), "sand": (204, 190, 160)}
_HAIR = {"dark": (58, 42, 34), "fair": (230, 196, 92), "red": (158, 80, 42)}
_SKIN = ((236, 194, 162), (206, 154, 116), (146, 98, 68))


def sample(nuisances: Nuisances) -> Mirror:
    color = nuisances.one_of(sorted(COLORS))
    return Mirror(
        color=color,
        other=nuisances.one_of(sorted(set(COLORS) - {color, "orange"})),
        wall=nuisances.one_of(sorted(_WALLS)),
        hair=nuisances.one_of(sorted(_HAIR)),
        skin=nuisances.one_of((0, 1, 2)),
        place=nuisances.between(138, 158),
        size=nuisances.between(455, 490),
        sway=nuisances.between(9, 15),
        moment=nuisances.between(1.4, 1.9),
        flipped=bool(nuisances.one_of([0, 1])),
    )


def ground(base: Mirror, brush: Brush) -> None:
    brush = faced(brush, base.flipped)
    wall = _WALLS[base.wall]
    brush.box(-20, -20, 660, 380, wall, "plaster")
    frame = (176, 134, 62)
    brush.box(LEFT - 16, TOP - 16, RIGHT + 16, SHELF, frame)
    behind = lighter(mixed(wall, (236, 232, 222), 0.5), -0.06)
    with brush.of("mirror"):
        brush.plain([(LEFT, TOP), (RIGHT, TOP), (RIGHT, SHELF), (LEFT, SHELF)], behind)
    brush.box(486, 92, 560, SHELF, (142, 104, 74))
    brush.box(496, 102, 550, 190, (156, 116, 84))
    brush.disc((498, 214), 5, (222, 190, 96))
    brush.box(392, 84, 452, 136, (240, 240, 236))
    brush.plain([(398, 130), (420, 98), (446, 130)], (112, 150, 128))


def paint(base: Mirror, brush: Brush, state: State) -> None:
    brush = faced(brush, base.flipped)
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
    light = mixed((255, 246, 214), COLORS[base.other], state["bulbs"]["tint"])
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
    look = Look(
        base.size,
        mixed(COLORS[base.color], COLORS[base.other], body["changed"]),
        skin=_SKIN[base.skin],
        hair=_HAIR[base.hair if base.skin < 2 else "dark"],
    )
    x, y, size, turn = body["x"], 214 + body["drop"], base.size, body["turn"] - math.pi / 2
    if name == "reflection":
        x = _VANISHING[0] + _RATIO * (x - _VANISHING[0])
        y = _VANISHING[1] + _RATIO * (y - _VANISHING[1])
        size, turn = _RATIO * size, -turn
    sized = Look(size, look.coat, look.trousers, look.skin, look.hair)
    front_view(brush, sized, Bust(body["arm"], body["elbow"], turn), (x, y), name == "person")


MIRROR = Scene(
    name="mirror",
    title="A person before a mirror",
    setup="A person in a {color} jacket stands before a dressing-room mirror, seen from behind, with a reflection.",
    sample=sample,
    ground=ground,
    paint=paint,
    entities=(("person", "man", "woman", "figure", "character", "someone"), ("mirror", "reflection", "mirror image")),
    actions=("stand", "look", "face", "sway", "wave", "turn"),
    events=(
        Event(
            sub_type="optics",
            play=courses.reflection_waves,
            breaks=courses.mirror_agrees(),
            claim="The reflection in the mirror raises an arm and waves, while the person keeps both arms down.",
            control="The person raises an arm and waves, and so does the reflection in the mirror.",
            normal="the reflection makes the same movements as the person",
            signs=phrases(
                "while the person, its own, not match, n't match, mismatch, differ, independent, although, "
                "even though, inconsistent, not mirror, not copy, keeps still, stands still, arms down"
            ),
            expected=("same", "match", "copy", "as the person", "follow", "mirror"),
            interaction=True,
            begins=courses.begins,
            actors=("person", "reflection"),
        ),
        Event(
            sub_type="bio_behavior",
            play=courses.spins_head,
            breaks=courses.neck_holds(),
            claim="The head of the person turns right round on the shoulders until the face looks out over the back.",
            control="The person turns the head to one side, then to the other.",
            normal="a head turns no further than about to the shoulder",
            signs=phrases("round, backward, spin, rotat, 180, 360, twist, face looks, over the back, wrong way"),
            expected=("shoulder", "side", "limit", "degrees", "cannot", "no further"),
            begins=courses.begins,
            actors=("person",),
        ),
        Event(
            sub_type="permanence",
            play=courses.vanishes,
            breaks=persists("person"),
            claim="The person before the mirror is suddenly gone, and only the empty room is left.",
            control="White bulbs above the mirror light up, and the person bends down and comes up again.",
            normal="the person stays before the mirror",
            signs=("vanish", "disappear", "gone", "no longer there", "missing"),
            expected=("stay", "remain", "visible", "continue", "exist"),
            begins=courses.begins,
            actors=("person",),
        ),
        Event(
            sub_type="mutation",
            play=courses.turns_other,
            breaks=keeps("person", "changed"),
            claim="The jacket of the person turns from {color} to {other} by itself under the same light.",
            control="White bulbs above the mirror light up, and the jacket stays {color}.",
            normal="the jacket stays {color} as long as the light stays the same",
            signs=("color", "colour", "turns from", "changes to", "becomes"),
            expected=("stay", "remain", "keep", "same"),
            begins=courses.begins,
            actors=("person",),
            explained="colored bulbs light up above the mirror and tint everything",
        ),
    ),
)
