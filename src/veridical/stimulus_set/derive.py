"""Derived media: made once for all stimuli of a set, on all cores, resumable.

They stand in `.derived/<first 16 hex of the digest>/` of a stimulus set, or of a run whose set cannot be written to:
pictures under `media/`, `derived.jsonl` with one line per medium, and `manifest.json`, written last.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from veridical.base.files import lock, opened_folder, os_errors, write_whole
from veridical.base.processes import cores, function_at, importable
from veridical.base.shared_folder import map_in_folder, require_shared
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.decode import decode, medium_of
from veridical.media.derive import Rule, StimulusMedia
from veridical.media.pictures import suffix_of
from veridical.records import Json, canonical, rows_hash
from veridical.stimulus_set.derived_media import FORMAT, MANIFEST, TABLE, DerivedMedia, place_of
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
        work: Iterator[Json] = map_in_folder(workers, make_named, job, items, place / PARTS)
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
    require_shared(job["token"])
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
