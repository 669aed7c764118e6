"""HOCA-Bench's published items on a user's disk, or clips annotated like them: tables beside clips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from veridical.base.path_checks import sort_paths
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import Import, ImportItem
from veridical.suite.releases import (
    SHOWN,
    UnusableItemError,
    clip_facts,
    clips_by_name,
    file_in,
    index_of,
    tables_in,
    text_of,
    use_each,
)
from veridical.suites.hocabench import stimuli
from veridical.suites.hocabench.physics.make import DESIGN
from veridical.suites.hocabench.releases.rows import (
    NO_CLIP,
    REPEATED,
    Annotation,
    annotation_of,
    clip_intervals,
    is_real,
)
from veridical.suites.hocabench.releases.tables import FORMS, AnnotationRecord, records
from veridical.suites.hocabench.stimuli import NAME, SourceClip

RELEASE = "release"
"""The level of `taken_from` for released items."""
ABOUT: dict[str, Json] = {
    "source": "the published items of HOCA-Bench, or clips annotated like them, from a copy on disk",
    "license": "MIT for clips that the authors synthesized, as the paper says; real clips as Panda-70M's",
    "attribution": "the authors of HOCA-Bench; real clips: the authors of Panda-70M",
    "may_be_passed_on": None,
}
LOW, LOWEST = "a real clip below 720 px", 720
"""The smallest height, in px, of the frames of a real clip, and the kind of reason for one that is lower."""
_FOLDERS = ("", "videos", "clips", "video", "media")


class Clips:
    """The clips of one folder, each opened once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.facts = cache(clip_facts)
        """The size and duration of a file; raises `UnusableError` for one that is no clip or is too long."""

    @cached_property
    def files(self) -> list[Path]:
        """All files that are named like clips, sorted."""
        return sort_paths(file for files in self._by_name.values() for file in files)

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        return dict(clips_by_name(self.root))

    def file(self, name: str) -> Path:
        """The file of a clip, by its path in the folder or by a name that one file has.

        Raises `UnusableItemError` for a path that leaves the folder, and where there is no such file.
        """
        places = [f"{folder}/{name}" if folder else name for folder in _FOLDERS]
        file = file_in(self.root, (f"{place}{suffix}" for place in places for suffix in ("", ".mp4")))
        if file is not None:
            return file
        same = self._by_name.get(Path(name).name, ())
        if len(same) == 1:
            return same[0]
        problem = f"{len(same)} files are called '{name[:SHOWN]}'" if same else f"there is no file '{name[:SHOWN]}'"
        raise UnusableItemError("a missing clip", problem)

    def require_high(self, file: Path) -> None:
        """Raises `UnusableItemError` for a real clip whose frames are too low."""
        facts = self.facts(file)
        if facts.height < LOWEST:
            size = f"{facts.width}x{facts.height}"
            raise UnusableItemError(LOW, f"{file}: {size}: a real clip needs a height of {LOWEST} px or more")


class Usable(NamedTuple):
    """An annotation that can be used, with its clip and what the record becomes."""

    annotation: Annotation | None
    file: Path
    record: Stimulus


def read_hocabench(place: Path) -> Import:
    """The annotated clips of a folder, and its real ones.

    An item that cannot be used is left out with the reason. Raises `InputError` where there is neither a table nor a
    folder of real clips, where a table cannot be read, and for a path of a clip that leaves the folder.
    """
    root, tables = tables_in(place, FORMS, ("", "annotations", "data"))
    listed = [record for table in tables for record in records(table)]
    selection = _Selection(Clips(root))
    kept, left_out = use_each(((each.place, (each, k)) for k, each in enumerate(listed, start=1)), selection.listed)
    beside = list(selection.unlisted())
    real = [(path, file) for path, file in beside if any(is_real(part) for part in Path(path).parts[:-1])]
    selection.kept = len(kept)
    more, not_high = use_each(real, selection.real)
    kept, left_out = [*kept, *more], [*left_out, *not_high]
    if not kept and not left_out:
        raise InputError(f"{root} holds no annotation ({', '.join(FORMS)}), nor a folder 'real' with clips")
    return Import(
        name=NAME,
        title="HOCA-Bench, the published items",
        suite=NAME,
        items=[_item(each, number) for number, each in enumerate(kept, start=1)],
        about=ABOUT,
        facts={
            "tables": [table.name for table in tables],
            "unused_keys": dict(Counter(key for record in listed for key in record.unused)),
            "missing_keys": dict(Counter(key for each in kept if each.annotation for key in each.annotation.lacking)),
            "extra": [path for path, file in beside if (path, file) not in real],
        },
        left_out=left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )


class _Selection:
    """What stands in a release so far: clips that are named, and ids and annotations with their places."""

    def __init__(self, clips: Clips) -> None:
        self.kept = 0
        self._clips = clips
        self._named: set[Path] = set()
        self._units: dict[Path, str] = {}
        self._ids: dict[str, str] = {}
        self._truths: dict[tuple[Path, str, str], str] = {}

    def listed(self, numbered: tuple[AnnotationRecord, int]) -> Usable:
        """The item of a record; raises `UnusableItemError` for one of no use."""
        record, number = numbered
        name = text_of(record.cells.get("clip"), "video")
        if not name:
            raise UnusableItemError(NO_CLIP, "the key 'video' is missing")
        file = self._clips.file(name)
        self._named.add(file.resolve())
        index = index_of(record.cells, number)
        annotation = annotation_of(record, index)
        facts = self._clips.facts(file)
        if annotation.kind == "real":
            self._clips.require_high(file)
        return self._once(record.place, annotation, file, index, clip_intervals(annotation.intervals, facts.duration))

    def unlisted(self) -> Iterator[tuple[str, Path]]:
        """Clips that no record names, with their paths in the folder."""
        for file in self._clips.files:
            if file not in self._named and file.resolve() not in self._named:
                yield file.relative_to(self._clips.root).as_posix(), file

    def real(self, file: Path) -> Usable:
        """The item of a clip that no record names and that is in a folder of real clips."""
        self._clips.require_high(file)
        self.kept += 1
        index = self._free(f"real-{self.kept}")
        clip = SourceClip(unit=f"clip/{index}", index=index, taken_from=RELEASE, facts={"imported": NAME})
        return Usable(None, file, stimuli.real(clip))

    def _once(
        self, place: str, annotation: Annotation, file: Path, index: str, intervals: list[tuple[float, float]]
    ) -> Usable:
        """The item, unless its clip is annotated alike already; only questions about intervals share an index."""
        kind = annotation.kind
        truth = file, kind, f"{annotation.sub_types}{sorted(intervals)}{annotation.question}"
        first = self._truths.setdefault(truth, place)
        if first != place:
            raise UnusableItemError(REPEATED, f"the same clip and annotation as in {first}")
        key = f"{kind}/{index}"
        if key in self._ids and kind != "sequence":
            raise UnusableItemError("an index that is repeated", f"the index '{index}' is that of {self._ids[key]}")
        index = self._free(index) if key in self._ids else index
        self._ids.setdefault(f"{kind}/{index}", place)
        unit = self._units.setdefault(file, f"clip/{index}")
        return Usable(annotation, file, _record(annotation, unit, index, intervals))

    def _free(self, index: str) -> str:
        taken = {key.partition("/")[2] for key in self._ids}
        return next(name for k in range(1, len(taken) + 3) if (name := f"{index}-{k}" if k > 1 else index) not in taken)


def _record(annotation: Annotation, unit: str, index: str, intervals: list[tuple[float, float]]) -> Stimulus:
    facts: dict[str, Json] = {"imported": NAME, "index": index}
    facts |= {"prompt": annotation.prompt} if annotation.prompt else {}
    facts |= {"doubts": list(annotation.doubts)} if annotation.doubts else {}
    clip = SourceClip(unit=unit, index=index, taken_from=RELEASE, factors=annotation.slices, facts=facts)
    if annotation.anomaly is not None:
        return stimuli.violating_clip(clip, annotation.anomaly, intervals, annotation.options)
    if annotation.kind == "panels":
        return stimuli.panels(clip, annotation.sub_types, intervals)
    if annotation.kind == "sequence":
        return stimuli.sequence(clip, annotation.sub_types, intervals, annotation.question)
    return stimuli.real(clip, annotation.description)


def _item(each: Usable, number: int) -> ImportItem:
    # Content of a table never becomes a path.
    rights = each.annotation.rights if each.annotation else {}
    return ImportItem(record=each.record, files=(each.file,), places=(f"media/release/{number:05d}",), rights=rights)
