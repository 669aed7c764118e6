"""Sets of rendered clips, as the command line makes them: whole, resumed to the same bytes, or refused in one line."""

import json
import subprocess
import sys

import pytest

import veridical
from veridical.stimulus_set import StimulusSet

OPTIONS = {"styles": ("rendered",), "draft": True, "height": 90, "rate": 10, "units": 1, "panels": 0, "sequences": 0}
OPTIONS |= {"sub_types": ("friction", "rigidity")}
WORDS = (
    "--styles rendered --draft --height 90 --rate 10 --units 1 --panels 0 --sequences 0 --sub-types friction,rigidity"
)


@pytest.fixture(scope="session")
def clips(tmp_path_factory):
    """Two pairs of clips at 160×90, one of them with an explained control, as the command line makes them."""
    folder = tmp_path_factory.mktemp("rendered") / "set"
    command = [sys.executable, "-m", "veridical", "make", "hocabench", "--out", str(folder), *WORDS.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return StimulusSet.open(folder)


def test_a_set_is_made_checked_and_asked_about(clips, tmp_path):
    assert {each.factors["drawing"] for each in clips.stimuli} == {"rendered"}
    assert {(medium.width, medium.height) for each in clips.stimuli for medium in each.media} == {(160, 90)}
    violating = next(each for each in clips.stimuli if each.id == "friction/0000/violating")
    assert 0 <= violating.truth["first_visible"] - violating.factors["event"] <= 0.11
    assert violating.truth["boxes"]["crate"]
    stated = clips.manifest["versions"]
    assert stated["passes"] == "1"
    assert stated["back end"].partition(" ")[0] in ("osmesa", "egl")
    checked = veridical.check(clips)
    assert (list(checked.failed), checked.verified) == ([], 5)
    made = veridical.run(
        clips, "veridical/simulated", out=tmp_path / "run", show="quiet", model_args={"mechanism": "perfect"}
    )
    assert made.outcomes()["correct"].drop_nulls().all()


def test_a_set_goes_on_in_its_own_renderer_and_passes_alone(clips, said):
    words = ("make", "hocabench", "--out", clips.folder, *WORDS.split())
    code, out, err = said(*(word for word in words if word != "--draft"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "another set (draft differs)" in err
    assert said(*words)[0] == 0


def half_made(folder):
    """A set that is stopped when its first unit is written."""

    def stop(count, total):
        assert (count, total) == (1, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        veridical.make("hocabench", out=folder, progress=stop, workers=1, **OPTIONS)
    return folder


def test_a_set_that_was_stopped_goes_on_with_its_own_engine_alone_and_ends_as_if_undisturbed(clips, said, tmp_path):
    folder = half_made(tmp_path / "set")
    words = ("make", "hocabench", "--out", folder, *WORDS.split())
    code, out, err = said(*(word for word in words if word != "--draft"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "draft differs" in err
    stored = folder / ".parts" / "design.json"
    own = stored.read_bytes()
    versions = json.loads(own)["versions"]
    stored.write_text(json.dumps(json.loads(own) | {"versions": versions | {"back end": "glfw 1.0"}}))
    code, out, err = said(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "made with back end glfw 1.0, this is " in err
    stored.write_bytes(own)
    assert said(*words)[0] == 0
    assert contents(folder) == contents(clips.folder)


def contents(folder):
    """The files of a set by name; the media that a run derived from it are none of its own."""
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if name.parts[0] != ".derived"}


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--renderer", "mujoco"), "--renderer is for rendered clips: add --styles rendered"),
        (("--draft",), "--draft is for rendered clips: add --styles rendered"),
        (
            ("--styles", "rendered", "--sub-types", "optics"),
            "no rendered scene hosts optics: size, permanence, gravity",
        ),
        (("--styles", "flat,rendered", "--sub-types", "shape"), "no rendered scene hosts shape: "),
        (("--styles", "rendered", "--scenes", "ramp"), "scene 'ramp'"),
        (("--styles", "rendered", "--renderer", "blender"), "renderer blender: "),
        (("--styles", "rendered", "--height", 88), "height 88: "),
        (("--height", 178), "--height 178 is for rendered clips alone: drawn ones are 180 to 1080 px high"),
        (("--styles", "flat,rendered", "--height", 90), "--height 90 is for rendered clips alone: "),
    ],
)
def test_what_cannot_be_rendered_is_refused_in_one_line(words, line, said, tmp_path):
    code, out, err = said("make", "hocabench", "--out", tmp_path / "set", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert line in err
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize(
    ("prepare", "line"),
    [
        ("import os; os.environ['MUJOCO_GL'] = 'osmosis'", "MUJOCO_GL=osmosis does not work: "),
        ("sys.modules['mujoco'] = None", 'a rendered clip needs mujoco: pip install "veridical[rendered]"'),
    ],
)
def test_without_a_library_that_draws_the_package_to_install_is_named(prepare, line, tmp_path):
    script = f"import sys; {prepare}; from veridical.__main__ import main; main()"
    words = ("make", "hocabench", "--styles", "rendered", "--units", "1", "--out", str(tmp_path / "set"))
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert line in done.stderr
    assert not (tmp_path / "set").exists()
