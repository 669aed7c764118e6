"""Learned observers: they answer what they were taught, from pixels and text alone, and decline all else."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import ndimage

import veridical
from studies.viprobe.training.examine import exam
from tests.calling import call
from veridical.errors import InputError
from veridical.media.draw import encode_png, rasterise
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.observers import learned_observers
from veridical.suites.viprobe.observers.learned_observers.network import (
    HEIGHT,
    SIZES,
    WIDTH,
    Network,
    retina,
    strangeness,
)
from veridical.suites.viprobe.observers.learned_observers.questions import TOPICS, question_in
from veridical.suites.viprobe.observers.learned_observers.weights import FOLDER, read_weights, write_weights

LOGITS = Path(__file__).parent / "learned-logits.npz"
every_observer = pytest.mark.parametrize("name", learned_observers.NAMES)


def picture(case="muller_lyer", alpha=0.0, size=512, context="figure", unit=0):
    """The pixels of a figure, and its question."""
    chosen = CASES[case]
    base = chosen.base(size, 0, unit)
    return rasterise(chosen.geometry(base, alpha).scene(context)), chosen.fill(base, chosen.question)


def answer(pixels, question, name="learned-counterfactual"):
    """What an observer answers, or `None` where it declines, and the text."""
    text = learned_observers.load(name).reply(encode_png(pixels), question)
    return (text.split("<answer>")[1][0] if "<answer>" in text else None), text


@pytest.fixture(scope="module")
def kept():
    """Pictures as networks see them, numbers of the questions about them, and PyTorch's outputs by network."""
    with np.load(LOGITS, allow_pickle=False) as stored:
        return dict(stored)


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """A set of three cases, in the size that the observers were taught on."""
    folder = tmp_path_factory.mktemp("learned") / "set"
    return veridical.make("viprobe", out=folder, units=1, levels=2, cases=["muller_lyer", "mach_band", "chubb"])


@every_observer
def test_its_answers_are_those_of_the_framework_that_it_was_taught_in(name, kept):
    outputs, questions = kept[name.removeprefix("learned-")], kept["asked"].astype(int)
    network = Network(read_weights(FOLDER / f"{name}.npz"))
    features = network.features(kept["seen"])
    ours = np.stack([network.outputs(features, np.maximum(each, 0)) for each in questions.T], axis=1)
    assert outputs.shape == ours.shape
    assert ((ours > 0) == (outputs > 0))[questions >= 0].mean() >= 0.995


def test_the_weights_are_small_and_hold_no_objects():
    files = list(FOLDER.glob("*.npz"))
    assert {path.stem for path in files} == set(learned_observers.NAMES)
    assert sum(path.stat().st_size for path in files) <= 6_000_000
    assert all(path.with_suffix(".md").exists() for path in files)


def test_no_training_framework_is_loaded_to_answer():
    code = (
        "import sys; from veridical.suites.viprobe.observers.learned_observers import load; load('learned-textbook');"
        "print([name for name in ('torch', 'studies.viprobe.training') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize("context", ["figure", "control"])
def test_a_textbook_sees_a_change_in_a_control_and_recalls_the_figure(context):
    asked_of = [
        picture(case, alpha, context=context, unit=unit)
        for case in ("muller_lyer", "ponzo")
        for alpha in (-0.4, 0.4)
        for unit in range(5)
    ]
    said = [answer(*each, "learned-textbook")[0] for each in asked_of]
    assert said.count("1") >= 18 if context == "figure" else said.count("0") >= 18


def test_the_provider_answers_as_the_exam_does(few, tmp_path):
    run = veridical.run(few, "veridical/learned-heldout", out=tmp_path / "run")
    said = exam(few).answered(Network(read_weights(FOLDER / "learned-heldout.npz")))
    both = run.outcomes().select("trial", "status", "answer").join(said.select("trial", "status", "answer"), on="trial")
    assert len(both) == len(said)
    assert both.filter(~pl.col("answer").eq_missing(pl.col("answer_right"))).is_empty()
    assert both.filter(pl.col("status") != pl.col("status_right")).is_empty()


OUTSIDE = {
    "too small": (lambda: picture(size=128), "trained on pictures of 256 to 1024 px"),
    "too large": (lambda: picture(size=1300), "trained on pictures of 256 to 1024 px"),
    "of another shape": (lambda: (picture()[0][:, :400], picture()[1]), "square, or twice as wide as high"),
    "blurred": (lambda: blurred(*picture("irradiation")), "a sharpness of"),
    "without contrast": (lambda: (picture()[0] // 16 + 120, picture()[1]), "a contrast of"),
    "of another figure": (lambda: (picture("zollner")[0], picture()[1]), "do not see the figure"),
    "of nothing": (lambda: (np.full((512, 512, 3), 128, np.uint8), picture("ebbinghaus")[1]), "contrast"),
    "a photograph": (lambda: (photograph(), picture("hering")[1]), "do not see the figure"),
}


def blurred(pixels, question):
    """The picture, with edges that take some 20 px."""
    return ndimage.gaussian_filter(pixels, (8, 8, 0)), question


@cache
def photograph():
    """A photograph of a flower, in a size that is allowed."""
    from sklearn.datasets import load_sample_image

    return np.ascontiguousarray(load_sample_image("flower.jpg")[:400, :400])


@every_observer
@pytest.mark.parametrize("what", OUTSIDE)
def test_it_declines_a_picture_that_is(what, name):
    shown, reason = OUTSIDE[what]
    said, text = answer(*shown(), name)
    assert said is None
    assert reason in text
    assert "<answer>" not in text


@pytest.mark.parametrize("prompt", ["", "Is there a cat in the picture?", "What does it show?", "1+1=?"])
def test_it_declines_a_question_that_the_suite_never_asks(prompt):
    assert answer(picture()[0], prompt)[0] is None


@pytest.mark.parametrize("what", ["nothing", "another format", "a torn picture"])
def test_it_declines_what_is_no_picture(what):
    file = {"nothing": b"", "another format": b"GIF89a", "a torn picture": encode_png(picture()[0])[:200]}[what]
    said = learned_observers.load("learned-textbook").reply(file, picture()[1])
    assert "cannot see the picture" in said
    assert "<answer>" not in said


def test_it_gives_no_answer_on_photographs_whatever_it_is_asked():
    given = [answer(photograph(), case.fill(case.base(512, 0, 0), case.question))[0] for case in CASES.values()]
    assert given.count(None) >= len(CASES) - 1


def damaged(path):
    blob = bytearray(path.read_bytes())
    blob[len(blob) // 2] ^= 255
    path.write_bytes(bytes(blob))


def altered(path):
    weights = read_weights(path)
    arrays = dict(weights.arrays)
    about = dict(weights.about)
    write_weights(path, arrays, about)
    with np.load(path) as archive:
        everything = dict(archive)
    everything["stem"] = everything["stem"].copy()
    everything["stem"][0, 0] ^= 1
    np.savez(path, **everything)


def older(path):
    with np.load(path) as archive:
        everything = dict(archive)
    text = everything["about"].tobytes().replace(b'"version": 1', b'"version": 0')
    np.savez(path, **{**everything, "about": np.frombuffer(text, np.uint8)})


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (damaged, "holds no weights|damaged"),
        (altered, "damaged: its checksum"),
        (older, "version 0: this code reads version 1"),
        (lambda path: path.write_bytes(b"no archive"), "holds no weights"),
        (lambda path: path.unlink(), "is missing"),
        (lambda path: np.savez(path, other=np.zeros(3)), "holds no weights"),
    ],
)
def test_weights_that_are_not_the_codes_are_refused_in_one_line(few, tmp_path, monkeypatch, capsys, spoil, words):
    shutil.copytree(FOLDER, tmp_path / "data")
    spoil(tmp_path / "data/learned-textbook.npz")
    monkeypatch.setattr(learned_observers, "FOLDER", tmp_path / "data")
    learned_observers.load.cache_clear()
    try:
        with pytest.raises(InputError, match=words):
            learned_observers.load("learned-textbook")
        asked_of = ("--set", few.folder, "--model", "veridical/learned-textbook", "--out", tmp_path / "run")
        code, _, err = call(monkeypatch, capsys, "run", "viprobe", *asked_of)
        assert code == 2
        assert len(err.splitlines()) == 1
    finally:
        learned_observers.load.cache_clear()


def test_a_question_is_known_in_each_form_whatever_the_ink():
    for case in CASES.values():
        base = case.base(512, 3, 1)
        forms = [case.question, case.question_reversed] + ([case.comparison.question] if case.comparison else [])
        for template in forms:
            found = question_in(f"Look closely. {case.fill(base, template)}\nAnswer in tags.")
            assert found.text == template
        if case.comparison:
            assert (found.high, found.low) == (case.comparison.positive, case.comparison.negative)


def test_a_retina_is_the_mean_over_areas_of_lightness_and_colourfulness():
    pixels = np.zeros((2 * HEIGHT, 2 * WIDTH, 3), np.uint8)
    pixels[::2, ::2] = (200, 0, 0)
    seen = retina(pixels)
    assert seen.shape == (2, HEIGHT, WIDTH)
    assert np.unique(seen[0]).tolist() == [15]
    assert np.unique(seen[1]).tolist() == [50]
    assert strangeness(pixels[:, :256]) is None
    assert SIZES[0] <= 256
    assert len(TOPICS) < len(CASES)


def test_a_look_is_the_mean_of_two_glances():
    network = Network(read_weights(FOLDER / "learned-textbook.npz"))
    seen = np.stack([retina(picture("ponzo", alpha)[0]) for alpha in (0.0, 0.5)])
    shifted = ndimage.shift(seen, (0, 0, 2, 2), order=0, mode="nearest")
    assert not np.array_equal(shifted, seen)
    expected = (network.features(seen) + network.features(shifted)) / 2
    assert np.allclose(network.looked(seen), expected, atol=1e-5)
