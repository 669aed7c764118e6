"""The clips of a release or of a user: found inside one folder, opened with limits, of sufficient height."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.media.decode import Clip, decode
from veridical.stimulus_set.imported.item import content_of, inside
from veridical.suites.hocabench.releases.cells import BROKEN, LONG, LOW, MISSING, UnusableError

SUFFIXES = (".mp4", ".mov", ".webm", ".mkv", ".m4v", ".avi", ".gif")
"""What counts as a clip in a listing of a folder; what the file holds decides whether it can be used."""
LOWEST = 720
"""The smallest height, in px, of the frames of a real clip."""
LONGEST = 600
"""The longest duration of a clip, in seconds."""
_FOLDERS = ("", "videos", "clips", "video", "media")
_MOST_FILES = 200_000
_SHOWN = 60


class ClipFacts(NamedTuple):
    """The size of a clip in px, its duration in seconds, and its number of frames."""

    width: int
    height: int
    duration: Fraction
    frames: int


class Clips:
    """The clips of one folder, each opened once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._facts: dict[Path, ClipFacts | UnusableError] = {}

    def file(self, name: str, place: str) -> Path:
        """The file of a clip, by its path in the folder or by a name that one file has.

        Raises `InputError` for a path that leaves the folder, and `UnusableError` where there is no such file.
        """
        for folder in _FOLDERS:
            for suffix in ("", ".mp4"):
                try:
                    file = inside(self.root, f"{folder}/{name}{suffix}" if folder else f"{name}{suffix}")
                except InputError as error:
                    raise InputError(f"{place}: {error}") from None
                if file is not None:
                    return file
        same = self._by_name.get(Path(name).name, ())
        if len(same) == 1:
            return same[0]
        problem = f"{len(same)} files are called '{name[:_SHOWN]}'" if same else f"there is no file '{name[:_SHOWN]}'"
        raise UnusableError(MISSING, f"{place}: {problem}")

    def facts(self, file: Path) -> ClipFacts:
        """What a clip is; raises `UnusableError` for one that cannot be opened or is too long."""
        if file not in self._facts:
            self._facts[file] = _opened(file)
        facts = self._facts[file]
        if isinstance(facts, UnusableError):
            raise facts
        return facts

    def require_high(self, file: Path) -> None:
        """Raises `UnusableError` for a real clip whose frames are too low."""
        facts = self.facts(file)
        if facts.height < LOWEST:
            size = f"{facts.width}x{facts.height}"
            raise UnusableError(LOW, f"{file}: {size}: a real clip needs a height of {LOWEST} px or more")

    @property
    def files(self) -> list[Path]:
        """All files that are named like clips, sorted."""
        return in_order(file for files in self._by_name.values() for file in files)

    @cached_property
    def _by_name(self) -> Mapping[str, list[Path]]:
        by_name: dict[str, list[Path]] = {}
        for file in _walked(self.root):
            by_name.setdefault(file.name, []).append(file)
        return by_name


def _walked(root: Path) -> Iterator[Path]:
    for number, path in enumerate(in_order(root.rglob("*"))):
        if number > _MOST_FILES:
            raise InputError(f"{root} holds more than {_MOST_FILES:,} files, the maximum")
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if path.suffix.lower() in SUFFIXES and not hidden and path.is_file() and not path.is_symlink():
            yield path


def _opened(file: Path) -> ClipFacts | UnusableError:
    try:
        clip = decode(content_of(file), str(file))
    except InputError as error:
        return UnusableError(BROKEN, str(error))
    if not isinstance(clip, Clip):
        return UnusableError(BROKEN, f"{file} is a picture: clips are needed")
    if clip.duration > LONGEST:
        detail = f"{file} takes {float(clip.duration):,.0f} s: at most {LONGEST} s are allowed"
        return UnusableError(LONG, detail)
    return ClipFacts(clip.width, clip.height, clip.duration, clip.count)
