"""Clips in three dimensions: laws hold in the logs, truth is what the pixels show, and what cannot be is refused."""

import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from math import pi

import numpy as np
import pytest

from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip
from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.rendering.pictures import rendered_frames, sightings
from veridical.suites.hocabench.physics.rendering.scenes import RENDERED_SCENES
from veridical.suites.hocabench.physics.rendering.simulation import GRAVITY, run
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Lamp, Lens, Material, SceneStage, SolidBody
from veridical.suites.hocabench.physics.rendering.tanks import BOTTOM
from veridical.suites.hocabench.physics.rendering.view import DRAFT, RenderedView
from veridical.suites.hocabench.physics.scene import problem
from veridical.suites.hocabench.physics.scene_index import hosts
from veridical.suites.hocabench.taxonomy import SUB_TYPES

CLOCK = Clock(24, 96)
VIEW = RenderedView("still", 90, passes=DRAFT)
EVENTS = [(scene, event) for scene in RENDERED_SCENES.values() for event in scene.events]
ONE_EACH = {event.sub_type: (scene, event) for scene, event in EVENTS}
RENDERED = ("gravity", "buoyancy", "friction", "collision", "inertia", "rigidity", "permanence", "size", "mass_volume")
EXPLAINED = [(scene, event) for scene, event in EVENTS if event.explained]


def base_of(scene, index=0):
    return scene.sample(Nuisances(scene.name, 640, 0, index))


def courses_of(scene, event, base, clock=CLOCK):
    return {course: event.play(base, clock, course) for course in event.courses}


def plausible(name, index=0):
    """The base and the state log of a run of a scene in which no law is broken."""
    scene = RENDERED_SCENES[name]
    base = base_of(scene, index)
    return base, run(scene.stage, base, CLOCK, None, None).states


def test_nine_sub_types_have_two_scenes_each():
    assert {name for name in SUB_TYPES if hosts(name, style="rendered")} == set(RENDERED)
    assert all(len(hosts(name, style="rendered")) >= 2 for name in RENDERED)


@pytest.mark.parametrize(("scene", "event"), EVENTS, ids=[f"{scene.name}-{event.sub_type}" for scene, event in EVENTS])
def test_courses_are_one_until_the_event_and_break_the_stated_law_alone(scene, event):
    for index in (5, 6):
        base = base_of(scene, index)
        assert problem(scene, event, base, CLOCK, courses_of(scene, event, base)) is None


def test_a_free_fall_is_that_of_the_textbook():
    base, states = plausible("falling_ball")
    for frame in range(1, CLOCK.frame(0.2)):
        fallen = GRAVITY * CLOCK.time(frame) ** 2 / 2
        assert states[frame]["ball"]["z"] == pytest.approx(base.height - fallen, abs=0.002)


def test_a_ball_rolls_without_slipping_and_turns_as_far_as_its_way_is_long():
    for index in range(2):
        base, states = plausible("ball_and_block", index)
        later = CLOCK.frame(0.4)
        assert states[later]["ball"]["vx"] == pytest.approx(base.side * base.speed, rel=0.01)
        way = abs(states[later]["ball"]["x"] - states[0]["ball"]["x"])
        first, second = ([states[k]["ball"][key] for key in ("qw", "qx", "qy", "qz")] for k in (0, later))
        assert 2 * np.arccos(abs(np.dot(first, second))) == pytest.approx(way / base.radius, rel=0.01)


@pytest.mark.parametrize("name", ["ball_and_block", "ball_and_post"])
def test_a_ball_is_as_fast_behind_a_solid_that_it_passes_through(name):
    scene = RENDERED_SCENES[name]
    event = scene.event("collision")
    for index in range(4):
        base = base_of(scene, index)
        begin, states = event.begins(base, CLOCK), event.play(base, CLOCK, "violating")
        assert states[begin + 12]["ball"]["vx"] == pytest.approx(states[begin - 1]["ball"]["vx"], rel=0.01)


def test_a_ball_that_grew_is_stopped_by_a_block_at_its_new_size():
    scene = RENDERED_SCENES["ball_and_block"]
    for index in range(3):
        base = base_of(scene, index)
        states = scene.event("size").play(base, CLOCK, "violating")
        size = scene.stage(base).body("block").parts[0].size[0]
        apart = [
            abs(state["block"]["x"] - state["ball"]["x"]) - size - state["ball"]["scale"] * base.radius
            for state in states
        ]
        assert -0.003 < min(apart) < 0.01


@pytest.mark.parametrize(("name", "body"), [("ball_and_post", "ball"), ("sliding_crate", "crate")])
def test_what_shrinks_stays_on_its_ground(name, body):
    scene = RENDERED_SCENES[name]
    event = next(event for event in scene.events if "shrink" in event.signs)
    base = base_of(scene, 1)
    begin, states = event.begins(base, CLOCK), event.play(base, CLOCK, "violating")
    half = scene.stage(base).body(body).parts[0].size[-1]
    assert states[-1][body]["scale"] == pytest.approx(0.5)
    for state in states[begin + 2 :]:
        assert state[body]["z"] == pytest.approx(half * state[body]["scale"], abs=0.004)


@pytest.mark.parametrize(
    ("name", "body", "floats"), [("floating_block", "block", True), ("sinking_ball", "ball", False)]
)
def test_what_swells_or_shrinks_in_water_floats_or_sinks_as_before(name, body, floats):
    scene = RENDERED_SCENES[name]
    base = base_of(scene, 1)
    end = scene.event("size").play(base, CLOCK, "violating")[-1]
    half = scene.stage(base).body(body).parts[0].size[-1] * end[body]["scale"]
    assert abs(end[body]["scale"] - 1) > 0.4
    if name == "floating_block":
        assert end[body]["z"] + half > end["water"]["level"] > end[body]["z"] - half
    else:
        assert end[body]["z"] == pytest.approx(BOTTOM + half, abs=0.005)


def test_a_crate_slides_as_far_as_its_friction_lets_it():
    for index in range(2):
        base, states = plausible("sliding_crate", index)
        way = abs(states[-1]["crate"]["x"] - states[0]["crate"]["x"])
        assert way == pytest.approx(base.way, rel=0.03)


def test_a_block_floats_as_deep_as_its_density_says_and_lifts_the_water_by_what_it_displaces():
    scene = RENDERED_SCENES["floating_block"]
    base, states = plausible("floating_block")
    stage = scene.stage(base)
    _, _, half = stage.body("block").parts[0].size
    end = states[-1]
    depth = end["water"]["level"] - (end["block"]["z"] - half)
    assert depth / (2 * half) == pytest.approx(stage.body("block").density / 1000, abs=0.02)
    volume = 4 * base.half * 0.8 * base.half * depth
    assert end["water"]["level"] == pytest.approx(stage.water.level + volume / stage.water.area, abs=1e-4)


def test_a_blow_in_the_air_keeps_momentum_and_leaves_the_stated_share_of_speed():
    gray = Material("plain", (128, 128, 128))

    def blow(bounce):
        light, heavy = (
            SolidBody(
                name=name,
                parts=(BodyPart("sphere", (0.05,), gray),),
                at=(x, 0.0, 9.0),
                velocity=(-4 * x, 0.0, 0.0),
                density=density,
                bounce=bounce,
            )
            for name, x, density in (("light", -0.2, 400.0), ("heavy", 0.2, 1200.0))
        )
        return SceneStage(bodies=(light, heavy), lens=Lens((0, -1, 0), (0, 0, 0), 30), lights=(), seed=0)

    for bounce in (0.3, 0.8):
        states = run(blow, bounce, Clock(24, 14), None, None).states
        totals = [400 * state["light"]["vx"] + 1200 * state["heavy"]["vx"] for state in states]
        assert totals == pytest.approx([totals[0]] * 14, abs=1.0)
        before, after = (abs(state["light"]["vx"] - state["heavy"]["vx"]) for state in (states[0], states[-1]))
        assert after / before == pytest.approx(bounce, abs=0.1)
        assert states[-1]["light"]["vx"] < 0
        assert max(state[name]["unexplained"] for state in states for name in ("light", "heavy")) < 1e-6


@pytest.mark.parametrize("name", RENDERED)
def test_decoded_pixels_are_one_until_the_event_and_differ_within_a_frame_of_it(name):
    scene, event = ONE_EACH[name]
    base = base_of(scene, 1)
    begin = event.begins(base, CLOCK)
    courses = courses_of(scene, event, base)
    frames = range(begin - 2, begin + 2)
    shots = zip(*rendered_frames(scene.stage(base), list(courses.values()), CLOCK, VIEW, frames), strict=True)
    decoded = [
        [frame.pixels for frame in Clip.open(encode_clip(each, 24, "ultrafast"), "clip.mp4").frames(set(range(4)))]
        for each in shots
    ]
    for one, other in combinations(decoded, 2):
        differs = [not np.array_equal(*pair) for pair in zip(one, other, strict=True)]
        assert differs[:2] == [False, False]
        assert any(differs[2:])


def colored(stage, body):
    """The stage with a body in one pure color."""
    parts = tuple(replace(part, material=Material("plain", (255, 0, 255), 0.0)) for part in stage.body(body).parts)
    bodies = tuple(replace(each, parts=parts) if each.name == body else each for each in stage.bodies)
    return SceneStage(bodies=bodies, lens=stage.lens, lights=stage.lights, seed=stage.seed, water=stage.water)


@pytest.mark.parametrize(("name", "body"), [("ball_and_block", "ball"), ("sliding_crate", "crate")])
def test_boxes_are_read_back_from_the_pixels_of_a_colored_body(name, body):
    scene = RENDERED_SCENES[name]
    base, states = plausible(name, 2)
    stage = colored(scene.stage(base), body)
    clock = Clock(2, 8)
    states = states[::12]
    places = sightings(stage, states, clock, VIEW, (body,))
    shots = [shot.astype(int) for (shot,) in rendered_frames(stage, [states], clock, VIEW, range(8))]
    for (_, *box), (_, runs), shot in zip(places["boxes"][body], places["masks"][body], shots, strict=True):
        seen = np.minimum(shot[..., 0], shot[..., 2]) > shot[..., 1] + 60
        rows, columns = np.nonzero(seen)
        read = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
        assert np.abs(np.array(read) - box).max() <= 1
        on = np.repeat(np.arange(len(runs)) % 2 == 1, runs)
        assert on.size == (box[2] - box[0]) * (box[3] - box[1])
        assert on.sum() == pytest.approx(seen.sum(), rel=0.2)


def test_what_stands_in_front_of_a_body_hides_the_share_that_is_stated():
    gray = Material("plain", (128, 128, 128))
    disc = SolidBody(name="disc", parts=(BodyPart("box", (0.1, 0.001, 0.1), gray),), at=(0.0, 0.0, 0.5))
    for covered in (0.0, 0.25, 0.5, 1.0):
        screen = SolidBody(
            name="screen", parts=(BodyPart("box", (0.3, 0.001, 0.3), gray),), at=(0.2 - 0.2 * covered + 0.2, -0.01, 0.5)
        )
        stage = SceneStage(
            bodies=(disc, screen), lens=Lens((0, -3, 0.5), (0, 0, 0.5), 8), lights=(Lamp((0, -1, 1), 0.8),), seed=0
        )
        state = {
            body.name: {
                **dict(zip("xyz", body.at, strict=True)),
                "qw": 1.0,
                "qx": 0.0,
                "qy": 0.0,
                "qz": 0.0,
                "scale": 1.0,
            }
            for body in stage.moving
        }
        ((_, share),) = sightings(stage, [state], Clock(4, 1), VIEW, ("disc",))["occluded"]["disc"]
        assert share == pytest.approx(covered, abs=0.03)


def test_most_sub_types_have_an_event_with_a_cause_that_is_seen():
    assert {event.sub_type for _, event in EXPLAINED} == set(RENDERED) - {"rigidity", "mass_volume"}


@pytest.mark.parametrize("name", sorted({event.sub_type for _, event in EXPLAINED}))
def test_a_cause_is_in_sight_from_the_event_on_and_not_before(name):
    scene, event = next(pair for pair in EXPLAINED if pair[1].sub_type == name)
    base = base_of(scene, 2)
    begin, states = event.begins(base, CLOCK), event.play(base, CLOCK, "explained")
    (cause,) = {"gripper", "pump"} & set(states[-1])
    assert [cause in state for state in states] == [k >= begin for k in range(CLOCK.frames)]
    near = [states[begin], states[begin + 3], states[begin + 8]]
    boxes = sightings(scene.stage(base), near, Clock(4, 3), VIEW, (cause,))["boxes"][cause]
    assert [time for time, *_ in boxes][-2:] == [0.25, 0.5]


def test_a_gripper_gives_a_ball_the_energy_that_the_textbook_says():
    scene = RENDERED_SCENES["ball_and_block"]
    for index in range(2):
        base = base_of(scene, index)
        event = scene.event("gravity")
        states = event.play(base, CLOCK, "explained")
        last = states[event.begins(base, CLOCK) - 1]
        mass = scene.stage(base).body("ball").density * 4 / 3 * pi * base.radius**3
        lifted = states[-1]["ball"]["z"] - base.radius
        assert lifted > 0.1
        given = states[-1]["system"]["work"] - last["system"]["work"]
        assert given == pytest.approx(mass * (GRAVITY * lifted - base.speed**2 / 2), rel=0.03)
        assert states[-1]["ball"]["vz"] == pytest.approx(0, abs=0.01)


def picture(base, camera, frame):
    scene = RENDERED_SCENES["falling_ball"]
    states = [run(scene.stage, base, CLOCK, None, None).states[0]] * CLOCK.frames
    ((shot,),) = rendered_frames(scene.stage(base), [states], CLOCK, replace(VIEW, camera=camera), (frame,))
    return shot.astype(int)


def test_a_drifting_camera_moves_the_background_and_a_still_one_does_not():
    base = base_of(RENDERED_SCENES["falling_ball"])
    assert (picture(base, "still", 0) == picture(base, "still", 40)).all()
    moved = picture(base, "drifting", 0) != picture(base, "drifting", 40)
    assert moved[:8].any(-1).mean() > 0.5


def test_one_to_three_lamps_occur_and_each_number_of_them_lights_the_room_otherwise():
    scene = RENDERED_SCENES["falling_ball"]
    assert {base_of(scene, index).lamps for index in range(30)} == {1.0, 2.0, 3.0}
    shots = [picture(replace(base_of(scene), lamps=number), "still", 0) for number in (1.0, 2.0, 3.0)]
    assert all((np.abs(one - other) > 2).any(-1).mean() > 0.05 for one, other in combinations(shots, 2))


_HASHES = """
from hashlib import sha256
from tests.suites.hocabench.test_rendered import three_frames
print(sha256(three_frames()).hexdigest())
"""


def three_frames():
    scene, event = ONE_EACH["collision"]
    base = base_of(scene, 3)
    states = event.play(base, CLOCK, "violating")
    shots = rendered_frames(scene.stage(base), [states], CLOCK, replace(VIEW, passes=4), (0, 40, 95))
    return b"".join(shot.tobytes() for (shot,) in shots)


def test_pixels_are_the_same_in_two_processes():
    done = subprocess.run([sys.executable, "-c", _HASHES], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == sha256(three_frames()).hexdigest()


def test_a_run_that_is_unstable_is_refused_in_one_line():
    def wild(base):
        part = BodyPart("sphere", (0.05,), Material("plain", (9, 9, 9)))
        body = SolidBody(name="ball", parts=(part,), velocity=(1e13, 0.0, 0.0))
        return SceneStage(bodies=(body,), lens=Lens((0, -1, 0), (0, 0, 0), 30), lights=(), seed=0)

    with pytest.raises(InputError, match=r"unstable at 0\.04 s"):
        run(wild, 0, CLOCK, None, None)
