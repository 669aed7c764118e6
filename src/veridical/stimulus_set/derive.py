"""Derived media: made once for all stimuli of a set, on all cores, resumable; opened by the digest of their rule.

They stand in `.derived/<first 16 hex of the digest>/` of a stimulus set, or of a run whose set cannot be written to:
pictures under `media/`, `derived.jsonl` with one line per medium, and `manifest.json`, written last.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Protocol

from veridical.base.files import lock, opened_folder, os_errors, read_json, write_whole
from veridical.base.path_checks import DERIVED
from veridical.base.processes import cores, function_at, importable
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.decode import decode, medium_of
from veridical.media.derive import Rule, StimulusMedia
from veridical.media.pictures import suffix_of
from veridical.records import Json, Media, Medium, canonical, rows_hash
from veridical.stimulus_set.media_hashes import WrittenMedia
from veridical.stimulus_set.read import StimulusSet
from veridical.stimulus_set.write import PARTS, part_of

CHUNK = 16
_WORTH_PROCESSES = 4

Read = Callable[[str], bytes]
Progress = Callable[[int, int], None]


class StimulusSource(Protocol):
    """Where stimuli and their media come from: a stimulus set."""

    @property
    def stimuli(self) -> Sequence[StimulusMedia]: ...
    def read(self, name: str, /) -> bytes: ...


def opened_set(folder: Path) -> StimulusSource:
    """The stimulus set in a folder, for a process of its own."""
    return StimulusSet.open(folder)


def derive(
    stimuli: Sequence[StimulusMedia],
    read: Read,
    rule: Rule,
    folder: Path,
    *,
    source: Path | None = None,
    opened: Callable[[Path], StimulusSource] = opened_set,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> DerivedMedia:
    """The media that a rule derives from these stimuli, made in `folder` (see `home_of`) unless they are there.

    What a call that was stopped has made is kept, and made no second time. `read` gives the bytes of a stimulus's
    medium. With `source`, the folder that `opened` opens as the same stimuli, `workers` (default: a process per
    core) do the work where that is worth it. Raises `InputError` where the rule does not apply to a stimulus, for media
    of the same rule that were made of other stimuli, and where the folder cannot be written to.
    """
    planned = sum(rule.count(stimulus) for stimulus in stimuli)
    identity = _identity(rule, stimuli)
    place = folder / place_of(rule.digest)
    with os_errors(place, "written", "; the same call goes on"), _alone(place):
        if (place / MANIFEST).exists():
            # What a process left that was killed just after it wrote the manifest.
            shutil.rmtree(place / PARTS, ignore_errors=True)
            return _same(DerivedMedia.open(folder, rule.digest), identity)
        _begin(place, identity)
        job = _job(rule, place, source, opened)
        for done in _worked(stimuli, read, rule, place, job, workers or Workers(cores())):
            if progress:
                progress(done, len(stimuli))
        _join(place, len(stimuli), identity | {"media": planned})
    return DerivedMedia.open(folder, rule.digest)


def _identity(rule: Rule, stimuli: Sequence[StimulusMedia]) -> dict[str, Json]:
    """What the media are made by and of: everything that a rule may look at."""
    if len({stimulus.id for stimulus in stimuli}) < len(stimuli):
        raise InputError("stimuli share an id: media can be derived only from a set whose ids are unique")
    seen = (
        [each.id, [[m.file, m.sha256] for m in each.media], dict(each.factors), dict(each.truth)] for each in stimuli
    )
    made_of = {"stimuli": len(stimuli), "stimuli_sha256": rows_hash(seen)}
    return {"format": FORMAT, "rule": rule.identity, "digest": rule.digest} | made_of


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keeps other processes from making the same media meanwhile; they wait, and find them made."""
    place.mkdir(parents=True, exist_ok=True)
    file = opened_folder(place)
    try:
        # Without locks, two processes that write the same bytes do no harm.
        if file is not None:
            lock(file)
        yield
    finally:
        if file is not None:
            os.close(file)


def _same(whole: DerivedMedia, identity: dict[str, Json]) -> DerivedMedia:
    if any(whole.manifest.get(key) != value for key, value in identity.items()):
        raise InputError(f"{whole.place} holds media that the same rule derived from other stimuli: delete that folder")
    return whole


def _begin(place: Path, identity: dict[str, Json]) -> None:
    plan, begun = canonical(identity).encode(), place / PARTS / "plan.json"
    if not begun.exists():
        write_whole(begun, plan)
    elif begun.read_bytes() != plan:
        raise InputError(f"{place} holds half of what the same rule derives from other stimuli: delete that folder")


def _worked(
    stimuli: Sequence[StimulusMedia], read: Read, rule: Rule, place: Path, job: Json, workers: Workers
) -> Iterator[int]:
    """Makes the chunks that are missing, and gives the number of stimuli that are done after each."""
    starts = range(0, len(stimuli), CHUNK)
    todo = [start for start in starts if not part_of(place, start // CHUNK).exists()]
    if job and workers.worth(len(todo), _WORTH_PROCESSES):
        items = [[start, [stimulus.id for stimulus in stimuli[start : start + CHUNK]]] for start in todo]
        work: Iterator[Json] = workers.map(make_named, job, items)
    else:
        work = (make_chunk(stimuli[start : start + CHUNK], read, rule, place, start) for start in todo)
    for done, _ in enumerate(work, start=len(starts) - len(todo) + 1):
        yield min(done * CHUNK, len(stimuli))
    if job:
        workers.require_visible([part_of(place, start // CHUNK) for start in todo])


def _job(rule: Rule, place: Path, source: Path | None, opened: Callable[[Path], StimulusSource]) -> Json:
    """What a process of its own must know, in JSON; `None` where it could not get at the stimuli or the rule."""
    names = [importable(function) for function in (rule.counting, rule.making, opened)]
    if source is None or not all(names):
        return None
    made_by = {"name": rule.name, "version": rule.version, "arguments": dict(rule.arguments), "draws": rule.draws}
    return {"rule": made_by, "functions": names, "source": str(source.resolve()), "place": str(place.resolve())}


@lru_cache(maxsize=1)
def _source(opened: str, folder: str) -> tuple[dict[str, StimulusMedia], Read]:
    source: StimulusSource = function_at(opened)(Path(folder))
    return {stimulus.id: stimulus for stimulus in source.stimuli}, source.read


def make_named(job: Json, item: Json) -> int:
    """Makes a chunk for a job in JSON: the rule and where to read and write; the item has the start and the ids."""
    counting, making, opened = job["functions"]
    stimuli, read = _source(opened, job["source"])
    rule = Rule(counting=function_at(counting), making=function_at(making), **job["rule"])
    start, ids = item
    return make_chunk([stimuli[identity] for identity in ids], read, rule, Path(job["place"]), start)


def make_chunk(stimuli: Sequence[StimulusMedia], read: Read, rule: Rule, place: Path, start: int) -> int:
    """Makes and stores the media of the chunk that begins at `start`, and last its part of the table; gives `start`.

    Files are named by the stimulus's place in the set and their own place: never by an id, which may hold anything.
    """
    lines = []
    with os_errors(place, "written", "; what is made is kept, the same call goes on"):
        for index, stimulus in enumerate(stimuli, start):
            lines += [canonical(row) + "\n" for row in _made(stimulus, read, rule, place, index)]
        write_whole(part_of(place, start // CHUNK), "".join(lines).encode())
    return start


def _made(stimulus: StimulusMedia, read: Read, rule: Rule, place: Path, index: int) -> Iterator[dict[str, Json]]:
    media = [decode(read(medium.file), medium.file) for medium in stimulus.media]
    count = 0
    for count, (content, facts) in enumerate(rule.make(stimulus, media), start=1):
        inside = f"media/{index:06d}/{count - 1:03d}{suffix_of(content, rule.name)}"
        path = place / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        medium = medium_of(f"{place_of(rule.digest)}/{inside}", content)
        described = {name: getattr(medium, name) for name in medium.__slots__}
        described["file_sha256"] = sha256(content).hexdigest()
        yield {"stimulus": stimulus.id, "place": count - 1, **described, "facts": dict(facts)}
    if count != rule.count(stimulus):
        raise ValueError(f"the rule {rule.name} made {count} media of {stimulus.id!r}, not the {rule.count(stimulus)}")


def _join(place: Path, stimuli: int, manifest: dict[str, Json]) -> None:
    rows = b"".join(part_of(place, index).read_bytes() for index in range(-(-stimuli // CHUNK)))
    write_whole(place / TABLE, rows)
    whole = manifest | {"rows_sha256": sha256(rows).hexdigest()}
    write_whole(place / MANIFEST, (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode())
    shutil.rmtree(place / PARTS)


TABLE, MANIFEST, FORMAT = "derived.jsonl", "manifest.json", 1


def place_of(digest: str) -> str:
    """Where the media of a rule with this digest stand, inside a set or a run; raises `InputError` for no digest.

    >>> place_of("0123456789abcdef" * 4)
    '.derived/0123456789abcdef'
    """
    if not re.fullmatch(r"[0-9a-f]{16,64}", digest):
        raise InputError(f"{digest!r} is no digest of a rule: 16 to 64 of the digits 0 to 9 and a to f")
    return f"{DERIVED}/{digest[:16]}"


def home_of(rule: Rule, stimulus_set: Path, run: Path) -> Path:
    """The folder, of these two, where the rule's media are, or else are to be made: the set if it can be written to.

    Whether it can is found out by writing: permission bits say nothing to an administrator, nor of a disk that is
    mounted for reading alone.
    """
    for folder in (stimulus_set, run):
        with suppress(OSError):
            if (folder / place_of(rule.digest) / MANIFEST).exists():
                return folder
    place = stimulus_set / place_of(rule.digest)
    try:
        write_whole(place / ".probe", b"").unlink()
    except OSError:
        return run
    return stimulus_set


def _set_aside_by(folder: Path) -> str:
    """What helps where derived media in a set or run are damaged, as the end of a message."""
    return f"; `veridical repair {folder}` sets them aside, and the same command makes them again"


@dataclass(frozen=True)
class DerivedMedia:
    """The media that a rule derived for all stimuli: their folder (a set or a run), and their manifest."""

    folder: Path
    manifest: Mapping[str, Json]

    @classmethod
    def open(cls, folder: Path, digest: str) -> DerivedMedia:
        """The media of the rule with this digest (or its first 16 digits); raises `InputError` where none are whole."""
        path = folder / place_of(digest) / MANIFEST
        if not path.exists():
            begun = " (begun and not finished: derive them again)" if (path.parent / ".parts").exists() else ""
            raise InputError(f"{path.parent} holds no derived media{begun}")
        remedy = _set_aside_by(folder)
        if path.is_dir():
            raise InputError(f"{path} is a folder{remedy}")
        try:
            manifest = read_json(path)
        except ValueError as error:
            raise InputError(f"{path} cannot be read: {error}{remedy}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise InputError(f"{path} is not of format {FORMAT}, the one that is read here{remedy}")
        if not str(manifest.get("digest")).startswith(digest) or not isinstance(manifest.get("rows_sha256"), str):
            raise InputError(f"{path} is not the manifest of {digest[:16]}{remedy}")
        return cls(folder, manifest)

    @property
    def digest(self) -> str:
        """The digest of the rule."""
        return str(self.manifest["digest"])

    @property
    def place(self) -> Path:
        """The folder of these media alone."""
        return self.folder / place_of(self.digest)

    @cached_property
    def rows(self) -> tuple[Mapping[str, Json], ...]:
        """One mapping per medium: `stimulus`, `place`, `file`, the fields of `Medium`, `file_sha256`, `facts`.

        `file` is a path inside `folder`; the hashes are those of its pixels and of its bytes. Raises `InputError` where
        the table is not the one that was written.
        """
        table = self.place / TABLE
        with os_errors(table, "read", _set_aside_by(self.folder)):
            content = table.read_bytes()
        if sha256(content).hexdigest() != self.manifest["rows_sha256"]:
            problem = "the rows are not those that the manifest was written for"
            raise InputError(f"{table}: {problem}{_set_aside_by(self.folder)}")
        return tuple(json.loads(line) for line in content.splitlines())

    @cached_property
    def references(self) -> Mapping[str, tuple[Media, ...]]:
        """The media of each stimulus in order, by its id: files by their paths inside `folder`, hashes of pixels."""
        references: dict[str, list[Media]] = {}
        for row in self.rows:
            references.setdefault(row["stimulus"], []).append(Media(row["file"], row["sha256"]))
        return {stimulus: tuple(media) for stimulus, media in references.items()}

    @cached_property
    def media(self) -> Mapping[str, Medium]:
        """The derived media by their paths."""
        return {str(row["file"]): _medium_in(row) for row in self.rows}

    def read(self, file: str) -> bytes:
        """The bytes of a medium by its path inside `folder`.

        Raises `InputError` for any other path, and for a file that is not the one that was derived.
        """
        remedy = _set_aside_by(self.folder)
        return self._written.require(self.folder / file, file, self._content(file), remedy=remedy)

    @cached_property
    def _written(self) -> WrittenMedia:
        hashes = {row["file"]: row["file_sha256"] for row in self.rows if "file_sha256" in row}
        return WrittenMedia(self.media.values, hashes)

    def _content(self, file: str) -> bytes:
        path, media = PurePosixPath(file), PurePosixPath(place_of(self.digest), "media")
        outside = InputError(f"{file!r} is no path inside {self.folder / media}")
        if "\0" in file or ".." in path.parts or not path.is_relative_to(media):
            raise outside
        with os_errors(self.folder / path, "read", _set_aside_by(self.folder)):
            place = (self.folder / path).resolve(strict=True)
            if not place.is_relative_to((self.folder / media).resolve()):
                raise outside
            return place.read_bytes()

    def problems(self) -> list[str]:
        """What is wrong with each medium whose file is not what the table says, one line each, in order."""
        problems = []
        for row in self.rows:
            medium = _medium_in(row)
            try:
                content = self._content(medium.file)
                problem = self._written.problem_of(medium, content, decode(content, medium.file))
            except InputError as error:
                problem = str(error)
            problems += [problem] if problem else []
        return problems


def _medium_in(row: Mapping[str, Json]) -> Medium:
    return Medium(**{name: row[name] for name in Medium.__slots__ if name in row})
