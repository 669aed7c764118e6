"""Cuts between scenes at exact times, and one line where the extra is missing."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from tests.media.clips import written
from veridical.errors import InputError
from veridical.media.clips.scenes import scene_cuts
from veridical.media.decode import decode


def scenes(*lengths):
    """Frames of flat scenes of these lengths, black and white in turn, with a little noise."""
    random = np.random.default_rng(0)
    return [
        np.clip(40 + 160 * (scene % 2) + random.integers(0, 9, (64, 64, 3)), 0, 255).astype(np.uint8)
        for scene, length in enumerate(lengths)
        for _ in range(length)
    ]


@pytest.mark.parametrize("times", [None, [sum((17 + 31 * k % 117) for k in range(n)) for n in range(90)]])
def test_cuts_are_the_exact_times_of_the_first_frames_of_scenes(times):
    frames = scenes(30, 25, 35)
    base = Fraction(1, 1000) if times else None
    clip = decode(written(frames, container="matroska" if times else "mp4", times=times, base=base), "cut")
    cuts = scene_cuts(clip)
    assert cuts == (clip.times[30], clip.times[55])
    assert scene_cuts(clip, shortest=3.5 if times else 1.5) in ((), cuts[:1])
    assert scene_cuts(clip, threshold=255) == ()


def test_a_clip_without_cuts_or_with_one_frame_has_none():
    assert scene_cuts(decode(written(scenes(20)), "still")) == ()
    assert scene_cuts(decode(written(scenes(1)), "one")) == ()


def test_without_the_extra_a_line_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scenedetect.common", None)
    with pytest.raises(InputError, match=r"^scene cuts need PySceneDetect: install it .*\[scenes\]'`$"):
        scene_cuts(decode(written(scenes(2)), "short"))


@pytest.mark.parametrize("wrong", [{"threshold": 0}, {"threshold": 300}, {"shortest": -1}, {"threshold": float("nan")}])
def test_arguments_out_of_range_are_one_line(wrong):
    with pytest.raises(InputError, match=r"allowed$"):
        scene_cuts(decode(written(scenes(2)), "short"), **wrong)
