"""Clips that Mitsuba renders: bodies are where the engine's masks say, pixels are stable, what cannot be is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import veridical
from veridical.errors import InputError
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip
from veridical.media.figures.clock import Clock
from veridical.suite.nuisances import Nuisances
from veridical.suites.hocabench.physics.rendering.mitsuba.library import LLVM, mitsuba_package
from veridical.suites.hocabench.physics.rendering.mitsuba.studio import MitsubaStudio
from veridical.suites.hocabench.physics.rendering.mujoco_studio import MujocoStudio
from veridical.suites.hocabench.physics.rendering.pictures import rendered_frames
from veridical.suites.hocabench.physics.rendering.scenes import RENDERED_SCENES
from veridical.suites.hocabench.physics.rendering.stage import Material, SceneStage
from veridical.suites.hocabench.physics.rendering.view import PASSES, RenderedView

CLOCK = Clock(24, 96)
VIEW = RenderedView("still", 90, "mitsuba", PASSES["mitsuba"])
CLIP = {"styles": ("rendered",), "renderer": "mitsuba", "draft": True, "height": 180, "rate": 10, "units": 1}
CLIP |= {"panels": 0, "sequences": 0, "sub_types": ("friction",)}


@pytest.fixture(scope="module", autouse=True)
def _llvm():
    try:
        LLVM.require()
    except InputError as error:
        pytest.skip(str(error))


def filmed(name, sub_type, index=1):
    """The stage of a unit, the first frame of an event, and the state logs with and without it."""
    scene = RENDERED_SCENES[name]
    event, base = scene.event(sub_type), scene.sample(Nuisances(name, 640, 0, index))
    logs = [event.play(base, CLOCK, course) for course in ("violating", "plausible")]
    return scene.stage(base), event.begins(base, CLOCK), *logs


def hit_first(studio, view, state, lens, body):
    """Where rays through the middles of pixels hit a body before anything else, shape (height, width)."""
    mitsuba = mitsuba_package()
    import drjit

    studio.set(state, lens)
    rows, columns = np.mgrid[: view.height, : view.width] + 0.5
    at = mitsuba.Point2f((columns / view.width).ravel(), (rows / view.height).ravel())
    rays, _ = studio.scene.sensors()[0].sample_ray(0.0, 0.5, at, mitsuba.Point2f(0.5))
    seen = studio.scene.ray_intersect(rays).shape
    own = [shape for shape in studio.scene.shapes() if shape.id().rpartition("_")[0] == body]
    hits = sum((drjit.select(seen == mitsuba.ShapePtr(each), 1, 0) for each in own), mitsuba.UInt32(0))
    return np.array(hits).reshape(view.height, view.width) > 0


def overlap(one, other):
    return (one & other).sum() / (one | other).sum()


@pytest.mark.parametrize(
    ("name", "sub_type", "body"),
    [
        ("ball_and_block", "collision", "ball"),
        ("ball_and_post", "size", "ball"),
        ("sliding_crate", "permanence", "crate"),
        ("ball_on_shelf", "rigidity", "shelf3"),
    ],
)
def test_bodies_are_seen_where_the_masks_of_the_engine_say(name, sub_type, body):
    view = replace(VIEW, height=360)
    stage, begin, states, _ = filmed(name, sub_type)
    other, own = MujocoStudio(stage, view), MitsubaStudio(stage, view)
    for frame in (0, begin + 8):
        lens = stage.lens.moved("drifting", CLOCK, frame)
        expected, seen = other.mask(states[frame], lens, body), hit_first(own, view, states[frame], lens, body)
        assert seen.any() == (body in states[frame])
        assert not expected.any() or overlap(seen, expected) >= 0.97
    other.close()


def test_a_body_in_a_pure_color_is_read_back_from_the_pixels_even_behind_glass_and_water():
    view = replace(VIEW, height=180)
    stage, begin, states, _ = filmed("sinking_ball", "buoyancy", 2)
    magenta = Material("plain", (255, 0, 255), 0.0)
    ball = stage.body("ball")
    ball = replace(ball, parts=tuple(replace(part, material=magenta) for part in ball.parts))
    bodies = tuple(ball if each.name == "ball" else each for each in stage.bodies)
    stage = SceneStage(bodies=bodies, lens=stage.lens, lights=stage.lights, seed=stage.seed, water=stage.water)
    other, own = MujocoStudio(stage, view), MitsubaStudio(stage, view)
    shot = own.picture(states[begin + 20], stage.lens).astype(int)
    seen = np.minimum(shot[..., 0], shot[..., 2]) > shot[..., 1] + 50
    assert overlap(seen, other.mask(states[begin + 20], stage.lens, "ball")) >= 0.95
    other.close()


@pytest.mark.parametrize(("name", "sub_type"), [("falling_ball", "gravity"), ("floating_block", "buoyancy")])
def test_decoded_pixels_are_one_until_the_event_and_differ_within_a_frame_of_it(name, sub_type):
    stage, begin, *logs = filmed(name, sub_type)
    # Each course is drawn by itself: equal states give equal pixels, although other ones were drawn before.
    decoded = []
    for log, frames in zip(logs, (range(begin - 2, begin + 2), range(begin - 1, begin + 2)), strict=True):
        shots = [shot for (shot,) in rendered_frames(stage, [log], CLOCK, VIEW, frames)]
        shots = shots[-3:]
        clip = Clip.open(encode_clip(shots, 24, "ultrafast"), "clip.mp4")
        decoded.append([frame.pixels for frame in clip.frames(set(range(3)))])
    differs = [not np.array_equal(one, other) for one, other in zip(*decoded, strict=True)]
    assert not differs[0]
    assert any(differs[1:])


_HASHES = """
from hashlib import sha256
from tests.suites.hocabench.test_mitsuba import three_frames
print(sha256(three_frames()).hexdigest())
"""


def three_frames():
    stage, _, states, _ = filmed("sinking_ball", "buoyancy", 3)
    return b"".join(shot.tobytes() for (shot,) in rendered_frames(stage, [states], CLOCK, VIEW, (0, 40, 95)))


def test_pixels_are_the_same_in_two_processes():
    done = subprocess.run([sys.executable, "-c", _HASHES], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == sha256(three_frames()).hexdigest()


def test_what_stands_still_does_not_flicker_and_noise_is_removed():
    stage, _, states, _ = filmed("sliding_crate", "friction")
    with_noise, clean = (replace(VIEW, passes=passes) for passes in (PASSES["mitsuba"], 64))
    state = states[-1]
    studio = MitsubaStudio(stage, with_noise)
    first = studio.picture(state, stage.lens)
    studio.picture(states[0], stage.lens)
    assert np.array_equal(studio.picture(state, stage.lens), first)
    reference = MitsubaStudio(stage, clean).picture(state, stage.lens).astype(int)
    assert np.abs(first - reference).mean() < 1.7


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    return veridical.make("hocabench", out=tmp_path_factory.mktemp("mitsuba") / "set", **CLIP)


def words_for(folder, *others):
    words = ("make", "hocabench", "--out", folder, "--styles", "rendered", "--height", 180, "--rate", 10, "--units", 1)
    return (*words, "--panels", 0, "--sequences", 0, "--sub-types", "friction", *others)


def test_a_set_states_its_renderer_and_is_checked_by_drawing_it_again(clips):
    stated = clips.manifest["versions"]
    assert stated["passes"] == "1"
    assert "LLVM" in stated["back end"]
    assert stated["mitsuba"].startswith("3.")
    (violating,) = (each for each in clips.stimuli if each.variant == "violating")
    assert 0 <= violating.truth["first_visible"] - violating.factors["event"] <= 0.11
    checked = veridical.check(clips)
    assert (list(checked.failed), checked.verified) == ([], len(clips.stimuli))


def test_a_set_goes_on_in_its_own_renderer_passes_and_back_end_alone(clips, said, tmp_path):
    for others, line in (
        (("--draft",), "renderer differs"),
        (("--renderer", "mitsuba"), "draft differs"),
    ):
        code, out, err = said(*words_for(clips.folder, *others))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert line in err
    assert said(*words_for(clips.folder, "--draft", "--renderer", "mitsuba"))[0] == 0
    half = tmp_path / "half"
    manifest = json.loads((clips.folder / "manifest.json").read_text())
    manifest["versions"]["back end"] = "libLLVM.so.16 (LLVM 16.0.6)"
    half.mkdir()
    (half / "manifest.json").write_text(json.dumps(manifest))
    for name in ("metadata.parquet", "README.md"):
        (half / name).write_bytes((clips.folder / name).read_bytes())
    code, out, err = said(*words_for(half, "--draft", "--renderer", "mitsuba"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "made with back end libLLVM.so.16 (LLVM 16.0.6), this is " in err


def test_the_renderer_is_for_rendered_clips(said, tmp_path):
    code, out, err = said("make", "hocabench", "--out", tmp_path / "set", "--renderer", "mitsuba")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--renderer is for rendered clips: add --styles rendered" in err
    assert not (tmp_path / "set").exists()


def refused(prepare, folder):
    """What `make` says in a fresh process that is prepared by some lines of code; it writes nothing."""
    script = f"import os, sys; {prepare}; from veridical.__main__ import main; main()"
    words = ("make", "hocabench", "--styles", "rendered", "--renderer", "mitsuba", "--units", "1", "--out", str(folder))
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert not folder.exists()
    return done.stderr


# This one ends the process in which it compiles.
_OLD = sorted(map(str, Path("/usr/lib").glob("*-linux-gnu/libLLVM-15.so.1")))


@pytest.mark.parametrize("library", ["/nowhere/libLLVM.so", __file__, *_OLD[-1:]])
def test_an_llvm_that_does_not_work_is_named_with_the_package_to_install(library, tmp_path):
    line = refused(f"os.environ['DRJIT_LIBLLVM_PATH'] = {library!r}", tmp_path / "set")
    assert f"needs LLVM, with which Mitsuba compiles, and DRJIT_LIBLLVM_PATH={library} does not work: " in line
    assert "install" in line.rpartition(": ")[2]


@pytest.mark.parametrize(("module", "package"), [("mitsuba", "mitsuba"), ("mitsuba_oidn", "mitsuba-oidn")])
def test_a_package_that_is_missing_is_named_with_its_extra(module, package, tmp_path):
    line = refused(f"sys.modules[{module!r}] = None", tmp_path / "set")
    assert f'a rendered clip needs {package}: pip install "veridical[rendered]"' in line
