"""Frames of clips as pictures: browsers do not seek to a frame exactly, so times are marked on frames taken out."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from veridical.base.files import write_whole
from veridical.media.clips.read import Clip
from veridical.media.pictures import encode_jpeg

FOLDER = ".frames"
_QUALITY, _LONGEST = 88, 1280


class ClipFrames:
    """The frames of a study's clips, each clip taken apart once, when the first of its frames is asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._lock = Lock()

    def frame(self, name: str, path: Path, number: int) -> bytes | None:
        """A frame of a clip as JPEG, the first is 0; `None` where there is none."""
        own = self._folder / name
        with self._lock:
            if not (own / "whole").exists():
                self._take_apart(path, own)
        place = own / f"{number:05}.jpg"
        return place.read_bytes() if place.is_file() else None

    def _take_apart(self, path: Path, own: Path) -> None:
        own.mkdir(parents=True, exist_ok=True)
        clip = Clip.open(path.read_bytes(), path.name)
        for number, frame in enumerate(clip.frames(longest=_LONGEST)):
            write_whole(own / f"{number:05}.jpg", encode_jpeg(frame.pixels, _QUALITY))
        write_whole(own / "whole", b"")
