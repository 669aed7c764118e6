"""Transcripts of real clips by faster-whisper, which the extra `whisper` installs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set import StimulusSet
from veridical.suites.magicbench.asking.trials import duration_of
from veridical.suites.magicbench.stimuli import REAL

_REMEDY = "install it with `pip install 'veridical[whisper]'`"
_DIGITS = 3


class Segment(Protocol):
    """A stretch of speech as faster-whisper gives it: begin and end in seconds, and its words."""

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def text(self) -> str: ...


Hear = Callable[[bytes], tuple[Iterable[Segment], str]]
"""Speech in the bytes of a clip: its segments, and the language in a code of two letters or so."""


def timeline_from(segments: Iterable[Segment], duration: float) -> list[dict[str, Json]]:
    """Rows of speech within a clip of so many seconds, in the order of their beginnings.

    Segments without words are left out, as are those that begin when the clip is over, which models of speech make up;
    an end after that of the clip is its end.

    >>> from types import SimpleNamespace as Segment
    >>> timeline_from([Segment(start=1.0, end=4.64, text=" Gone! "), Segment(start=9, end=11, text="Thanks.")], 4.5)
    [{'start': 1.0, 'end': 4.5, 'text': 'Gone!'}]
    """
    made = []
    for segment in sorted(segments, key=lambda each: each.start):
        start, words = max(0.0, float(segment.start)), " ".join(segment.text.split())
        if words and start < duration:
            end = min(max(float(segment.end), start), duration)
            made.append({"start": round(start, _DIGITS), "end": round(end, _DIGITS), "text": words})
    return made


def has_sound(content: bytes) -> bool:
    """Whether a clip has a track of sound at all; raises `InputError` for what is no clip."""
    import av

    try:
        with av.open(io.BytesIO(content)) as container:
            return bool(container.streams.audio)
    except (av.FFmpegError, ValueError) as error:
        raise InputError(f"the sound of a clip cannot be read: {error}") from error


def transcripts_of(whole: StimulusSet, hear: Hear) -> dict[str, Json]:
    """The words of each real clip of a set by its id; a clip without sound has none, and is not listened to.

    Raises `InputError` for a set without real clips.
    """
    real = [stimulus for stimulus in whole.stimuli if stimulus.variant == REAL]
    if not real:
        raise InputError(f"{whole.folder} has no real clips")
    return {str(each.truth.get("index", each.id)): _heard(whole, each, hear) for each in real}


def _heard(whole: StimulusSet, stimulus: Stimulus, hear: Hear) -> dict[str, Json]:
    content = whole.read(stimulus.media[0].file)
    if not has_sound(content):
        return {"text": "", "timeline": [], "sound": False}
    segments, language = hear(content)
    rows = timeline_from(segments, duration_of(stimulus))
    return {"text": " ".join(row["text"] for row in rows), "timeline": rows, "sound": True, "language": language}


def whisper(model: str, language: str | None = None) -> Hear:
    """Listening with a model of faster-whisper: its size, such as small, or a folder.

    Raises `InputError` where the package is not installed or the model cannot be loaded.
    """
    try:
        from faster_whisper import WhisperModel
    except ImportError:
        raise InputError(f"transcripts need faster-whisper: {_REMEDY}") from None
    try:
        loaded = WhisperModel(model)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"the model {model!r} cannot be loaded: {' '.join(str(error).split())[:200]}") from error

    def hear(content: bytes) -> tuple[Iterable[Segment], str]:
        segments, info = loaded.transcribe(io.BytesIO(content), language=language, vad_filter=True)
        return segments, str(info.language)

    return hear


def write_words(words: dict[str, Json], model: str, out: Path) -> None:
    """Writes transcripts as the JSON that `veridical magicbench add --words` reads."""
    write_whole(out, (json.dumps({"model": model, "clips": words}, indent=2, ensure_ascii=False) + "\n").encode())
