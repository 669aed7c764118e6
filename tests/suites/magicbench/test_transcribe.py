"""Segments of speech become rows within the clip, clips without sound are not listened to, and the extra is named."""

from __future__ import annotations

import io
import json
import sys
from typing import NamedTuple

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veridical
from tests.suites.magicbench.release_data import RATE, SECONDS, items, picture, video, write
from veridical.errors import InputError
from veridical.stimulus_set import StimulusSet
from veridical.suites.magicbench.annotate.transcribe import has_sound, timeline_from, transcripts_of, write_words


class Segment(NamedTuple):
    """A segment with the fields of faster-whisper's that count here."""

    start: float
    end: float
    text: str


def with_sound():
    """A clip of four seconds with a tone."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        pictures = container.add_stream("libx264", rate=RATE)
        pictures.width, pictures.height, pictures.pix_fmt = 48, 32, "yuv420p"
        sound = container.add_stream("aac", rate=16_000, layout="mono")
        for k in range(RATE * SECONDS):
            container.mux(pictures.encode(av.VideoFrame.from_ndarray(picture(k), format="rgb24")))
        tone = np.sin(np.arange(16_000 * SECONDS) / 20).astype(np.float32)[None]
        frame = av.AudioFrame.from_ndarray(tone, format="fltp", layout="mono")
        frame.sample_rate = 16_000
        container.mux(sound.encode(frame))
        container.mux(pictures.encode())
        container.mux(sound.encode())
    return file.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    place = write(folder / "release", items()[:2])
    (place / "final_clips_dataset" / "one.mp4").write_bytes(with_sound())
    return veridical.import_release("magicbench", place, folder / "set")


TIMES = st.floats(-1, 12, allow_nan=False)


@given(st.lists(st.builds(Segment, TIMES, TIMES, st.text(max_size=12))), st.floats(0.5, 10))
def test_rows_lie_within_the_clip_in_order_and_have_words(segments, duration):
    rows = timeline_from(segments, duration)
    assert [row["start"] for row in rows] == sorted(row["start"] for row in rows)
    assert all(0 <= row["start"] <= row["end"] <= duration + 0.001 for row in rows)
    assert all(row["text"] == " ".join(row["text"].split()) != "" for row in rows)
    kept = [each for each in segments if each.text.split() and max(0, each.start) < duration]
    assert len(rows) == len(kept)


def test_a_clip_with_sound_is_listened_to_and_one_without_is_not(whole, tmp_path, called):
    heard = []

    def hear(content):
        heard.append(content)
        return [Segment(0.5, 1.5, " Watch the coin. "), Segment(3.5, 6.0, "Gone!")], "en"

    words = transcripts_of(whole, hear)
    assert heard == [whole.read(whole.stimuli[0].media[0].file)]
    assert words["magic_1"]["timeline"] == [
        {"start": 0.5, "end": 1.5, "text": "Watch the coin."},
        {"start": 3.5, "end": 4.0, "text": "Gone!"},
    ]
    assert words["magic_2"] == {"text": "", "timeline": [], "sound": False}
    write_words(words, "small", tmp_path / "words.json")
    assert json.loads((tmp_path / "words.json").read_text())["model"] == "small"
    out = tmp_path / "new"
    code, _, err = called("magicbench", "add", whole.folder, "--words", tmp_path / "words.json", "--out", out)
    assert (code, err) == (0, "")
    spoken, silent = (each.truth["patter"]["own"] for each in StimulusSet.open(out).stimuli)
    assert spoken["timeline"] == [[0.5, 1.5, "Watch the coin."], [3.5, 4.0, "Gone!"]]
    assert (silent["text"], silent["timeline"]) == ("", [])


def test_whether_there_is_sound():
    assert (has_sound(with_sound()), has_sound(video(1))) == (True, False)


def test_without_the_package_there_is_one_line(whole, tmp_path, called, monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    code, _, err = called("magicbench", "transcribe", whole.folder, "--out", tmp_path / "words.json")
    assert (code, err.count("\n")) == (2, 1)
    assert "veridical[whisper]" in err
    assert not (tmp_path / "words.json").exists()


def test_what_is_no_clip_is_one_line_and_no_traceback():
    with pytest.raises(InputError, match="the sound of a clip cannot be read"):
        has_sound(b"no clip at all")
