"""HOCA-Bench's published items on a user's disk, or clips annotated like them: tables beside clips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from veridical.base.places import in_order
from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported import Import, Item, LeftOut
from veridical.suites.hocabench import stimuli
from veridical.suites.hocabench.physics.make import DESIGN
from veridical.suites.hocabench.releases.cells import NO_CLIP, REPEATED, SAME_INDEX, UnusableError, text_of, within_clip
from veridical.suites.hocabench.releases.clips import Clips
from veridical.suites.hocabench.releases.rows import Row, index_of, is_real, row_of
from veridical.suites.hocabench.releases.tables import FORMS, Record, records
from veridical.suites.hocabench.stimuli import NAME, SourceClip

RELEASE = "release"
"""The level of `taken_from` for released items."""
ABOUT: dict[str, Json] = {
    "source": "the published items of HOCA-Bench, or clips annotated like them, from a copy on disk",
    "license": "MIT for clips that the authors synthesized, as the paper says; real clips as Panda-70M's",
    "attribution": "the authors of HOCA-Bench; real clips: the authors of Panda-70M",
    "may_be_passed_on": None,
}
_FOLDERS = ("", "annotations", "data")
_REAL = "real"


class Usable(NamedTuple):
    """An annotation that can be used, with its clip and what the record becomes."""

    row: Row | None
    file: Path
    record: Stimulus


def read_hocabench(place: Path) -> Import:
    """The annotated clips of a folder, and its real ones.

    An item that cannot be used is left out with the reason. Raises `InputError` where there is neither a table nor a
    folder of real clips, where a table cannot be read, and for a path of a clip that leaves the folder.
    """
    root, tables = _tables(place)
    clips = Clips(root)
    listed = [record for table in tables for record in records(table)]
    selection = _Selection(clips)
    for number, record in enumerate(listed, start=1):
        selection.add(record, number)
    extra = list(selection.unlisted())
    if not selection.kept and not selection.left_out:
        raise InputError(f"{root} holds no annotation ({', '.join(FORMS)}), nor a folder 'real' with clips")
    return Import(
        name=NAME,
        title="HOCA-Bench, the published items",
        suite=NAME,
        items=[_item(each, number) for number, each in enumerate(selection.kept, start=1)],
        about=ABOUT,
        facts={
            "tables": [table.name for table in tables],
            "unused_keys": dict(Counter(key for record in listed for key in record.unused)),
            "missing_keys": dict(Counter(key for each in selection.kept if each.row for key in each.row.lacking)),
            "extra": extra,
        },
        left_out=selection.left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )


def _tables(place: Path) -> tuple[Path, Sequence[Path]]:
    """The folder of a release, and its tables in order."""
    if not place.is_dir():
        if place.suffix.lower() not in FORMS:
            raise InputError(f"{place}: annotations end in {', '.join(FORMS)}")
        return place.parent, [place]
    folders = [place / name for name in _FOLDERS if (place / name).is_dir()]
    files = [path for folder in folders for path in in_order(folder.iterdir())]
    return place, [path for path in files if path.suffix.lower() in FORMS and path.is_file() and path.name[0] != "."]


class _Selection:
    """What stands in a release so far: items that can be used, and the others with the reason."""

    def __init__(self, clips: Clips) -> None:
        self.kept: list[Usable] = []
        self.left_out: list[LeftOut] = []
        self._clips = clips
        self._named: set[Path] = set()
        self._units: dict[Path, str] = {}
        self._ids: dict[str, str] = {}
        self._truths: dict[tuple[Path, str, str], str] = {}

    def add(self, record: Record, number: int) -> None:
        """Keeps the item of a record, or leaves it out."""
        try:
            self.kept.append(self._usable(record, number))
        except UnusableError as error:
            self.left_out.append(LeftOut(record.place, error.reason, error.detail))

    def unlisted(self) -> Iterator[str]:
        """Clips that no record names: those in a folder of real clips are kept as such, the paths of others given."""
        for file in self._clips.files:
            if file in self._named or file.resolve() in self._named:
                continue
            path = file.relative_to(self._clips.root)
            if not any(is_real(part) for part in path.parts[:-1]):
                yield path.as_posix()
                continue
            try:
                self._clips.require_high(file)
            except UnusableError as error:
                self.left_out.append(LeftOut(path.as_posix(), error.reason, error.detail))
            else:
                index = self._free(f"{_REAL}-{len(self.kept) + 1}")
                clip = SourceClip(unit=f"clip/{index}", index=index, taken_from=RELEASE, facts={"imported": NAME})
                self.kept.append(Usable(None, file, stimuli.real(clip)))

    def _usable(self, record: Record, number: int) -> Usable:
        place, name = record.place, text_of(record.cells.get("clip"), "video", record.place)
        if not name:
            raise UnusableError(NO_CLIP, f"{place}: the key 'video' is missing")
        file = self._clips.file(name, place)
        self._named.add(file.resolve())
        index = index_of(record, number)
        row = row_of(record, index)
        facts = self._clips.facts(file)
        if row.kind == "real":
            self._clips.require_high(file)
        return self._once(row, file, index, within_clip(list(row.intervals), facts.duration, place))

    def _once(self, row: Row, file: Path, index: str, intervals: list[tuple[float, float]]) -> Usable:
        """The item, unless its clip is annotated alike already; only questions about intervals share an index."""
        truth = file, row.kind, f"{row.sub_types}{sorted(intervals)}{row.question}"
        first = self._truths.setdefault(truth, row.place)
        if first != row.place:
            raise UnusableError(REPEATED, f"{row.place}: the same clip and annotation as in {first}")
        key = f"{row.kind}/{index}"
        if key in self._ids and row.kind != "sequence":
            raise UnusableError(SAME_INDEX, f"{row.place}: the index '{index}' is that of {self._ids[key]}")
        index = self._free(index) if key in self._ids else index
        self._ids.setdefault(f"{row.kind}/{index}", row.place)
        unit = self._units.setdefault(file, f"clip/{index}")
        return Usable(row, file, _record(row, unit, index, intervals))

    def _free(self, index: str) -> str:
        taken = {key.partition("/")[2] for key in self._ids}
        return next(name for k in range(1, len(taken) + 3) if (name := f"{index}-{k}" if k > 1 else index) not in taken)


def _record(row: Row, unit: str, index: str, intervals: list[tuple[float, float]]) -> Stimulus:
    facts: dict[str, Json] = {"imported": NAME, "index": index}
    facts |= {"prompt": row.prompt} if row.prompt else {}
    facts |= {"doubts": list(row.doubts)} if row.doubts else {}
    clip = SourceClip(unit=unit, index=index, taken_from=RELEASE, factors=row.slices, facts=facts)
    if row.anomaly is not None:
        return stimuli.violating_clip(clip, row.anomaly, intervals, row.options)
    if row.kind == "panels":
        return stimuli.panels(clip, row.sub_types, intervals)
    if row.kind == "sequence":
        return stimuli.sequence(clip, row.sub_types, intervals, row.question)
    return stimuli.real(clip, row.description)


def _item(usable: Usable, number: int) -> Item:
    # Content of a table never becomes a path.
    rights = usable.row.rights if usable.row else {}
    return Item(record=usable.record, files=(usable.file,), places=(f"media/release/{number:05d}",), rights=rights)
