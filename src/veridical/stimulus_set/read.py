"""Opening a stimulus set by its manifest, reading its media, verifying all of it, and showing some."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple

import polars as pl
from pydantic import Field

from veridical.base.files import Shape, os_errors, read_json, require_format, require_shape
from veridical.base.garbage import no_collection
from veridical.base.path_checks import MANIFEST, require_set
from veridical.base.processes import cores, function_at, importable
from veridical.base.remote_folders import fetch_missing
from veridical.base.shared_folder import require_shared
from veridical.base.workers import Workers
from veridical.errors import InputError
from veridical.media.decode import Decoded, decode, mime_of
from veridical.records import FactorTypes, Json, Stimulus, rows_hash
from veridical.stimulus_set.media_hashes import HASHES, WrittenMedia, read_hashes
from veridical.stimulus_set.stimulus_table import TABLE, declared_factors, from_row, read_tables, tables_digest, to_row

_OPAQUE = 16
_BATCH = 64
_WORTH_PROCESSES = 8

MOST = 12
_STYLE = "display:inline-block;margin:4px;text-align:center;font:11px sans-serif"

FORMAT = 2
DESIGN_KEY = "design_sha256"
"""The key of a manifest under which stands the hash of the design of a set that grows with its run."""
_Table = Literal["metadata.parquet", "metadata-video.parquet", "without-media.parquet"]


@dataclass(frozen=True)
class NotMeasurable:
    """What `verify` says of a stimulus whose truth cannot be read from its media, and why."""

    reason: str


Verify = Callable[[Stimulus, Sequence[Decoded]], str | NotMeasurable | None]
"""Holds a stimulus against its decoded media: sound (`None`), a problem in words, or not measurable from them."""


class CheckFinding(NamedTuple):
    """What was found of a stimulus that is not simply sound: a "problem", or "not measurable", in words."""

    kind: str
    text: str


@dataclass(frozen=True, repr=False)
class Check:
    """What a verification found.

    Of so many `stimuli`, `verified` are sound: their media are those that were written, and what could be measured
    agrees with the record. Of these, `not_measurable` counts by reason those whose truth cannot be read from media.
    """

    stimuli: int
    verified: int
    failed: list[dict[str, str]] = field(default_factory=list)
    not_measurable: dict[str, int] = field(default_factory=dict)

    def frame(self) -> pl.DataFrame:
        """What failed, one row each: `id` and `problem`."""
        return pl.DataFrame(self.failed, schema={"id": pl.String, "problem": pl.String})

    def __repr__(self) -> str:
        failed = f", {len(self.failed):,} problems" if self.failed else ""
        return f"<Check: {self.verified:,} of {self.stimuli:,} stimuli are sound{failed}>"


@dataclass(frozen=True, repr=False)
class StimulusSet:
    """A whole set on disk: its folder, its manifest, and, read when they are first asked for, its stimuli in order."""

    folder: Path
    manifest: dict[str, Json]

    @classmethod
    def open(cls, folder: Path | str) -> StimulusSet:
        """The set in a folder; raises `InputError` where there is none, or none that this version reads."""
        place = Path(folder)
        return cls(place, read_manifest(place))

    @cached_property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """The records, in the order of the table; raises `InputError` where it cannot be read."""
        with no_collection():
            return tuple(map(from_row, self._frame.iter_rows(named=True)))

    def stimuli_by_id(self, ids: Collection[str]) -> dict[str, Stimulus]:
        """Those of these stimuli that the set has, in its order; no record is made of any other.

        Raises `InputError` where the table cannot be read.
        """
        rows = read_tables(self.folder, self._tables, ids).iter_rows(named=True)
        return {stimulus.id: stimulus for stimulus in map(from_row, rows)}

    @cached_property
    def _frame(self) -> pl.DataFrame:
        return read_tables(self.folder, self._tables)

    @property
    def _tables(self) -> Mapping[str, str]:
        return self.manifest.get("tables") or {"image": TABLE}

    @property
    def factors(self) -> FactorTypes:
        """The declared factors of its suite, as the table has them."""
        return declared_factors(self._frame)

    def __len__(self) -> int:
        return int(self.manifest["stimuli"])

    def __repr__(self) -> str:
        return f"<StimulusSet of {len(self):,} stimuli: {self.folder}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first stimuli as pictures."""
        return contact_sheet(self.stimuli, self.read)

    def frame(self) -> pl.DataFrame:
        """The set as a table, one row per stimulus: the columns of its `metadata.parquet`.

        `media`, `truth`, `measured`, and factors that the suite does not declare, are JSON text. Raises `InputError`
        where the table cannot be read.
        """
        return self._frame

    @property
    def digest(self) -> str:
        """The hash of the rows, which hold the hash of every picture."""
        return str(self.manifest["rows_sha256"])

    @property
    def key(self) -> str:
        """What runs know the set by: its digest or, of one that grows with its run, the hash of its design."""
        return str(self.manifest.get(DESIGN_KEY, self.digest))

    def opaque(self, name: str) -> str:
        """What a trial or medium of the set is called where it is to be answered: its name may tell the answer.

        It is a hash with the set's key, so nobody without the set gets from one to the other.
        """
        return f"item-{sha256(f'{self.key}/{name}'.encode('utf-8', 'surrogatepass')).hexdigest()[:_OPAQUE]}"

    def read(self, name: str) -> bytes:
        """The bytes of a medium by its path inside the set.

        Raises `InputError` for a path that leaves the set, and for a file that is not the one that was written.
        """
        content = self._content(name)
        return self._written.require(
            self.folder / name, name, content, remedy="; restore it, or make the set again in a new folder"
        )

    @cached_property
    def _written(self) -> WrittenMedia:
        stated = self.manifest.get("media_sha256")
        hashes = {} if stated is None else read_hashes(self.folder / HASHES, stated)
        return WrittenMedia(lambda: (medium for stimulus in self.stimuli for medium in stimulus.media), hashes)

    def _content(self, name: str) -> bytes:
        path = PurePosixPath(name)
        if "\\" in name or path.is_absolute() or ".." in path.parts or path.parts[:1] != ("media",):
            raise InputError(f"'{name}' is no path inside {self.folder / 'media'}")
        fetch_missing(self.folder / path)
        with os_errors(self.folder / path, "read"):
            return (self.folder / path).read_bytes()

    def require_intact_table(self) -> None:
        """Raises `InputError` where the rows are not those that the manifest was written for.

        Files that are still those that were written have their rows; of any others, the rows are compared.
        """
        stated = self.manifest.get("tables_sha256")
        if stated is not None and tables_digest(self.folder, self._tables) == stated:
            return
        problem = self._table_problem()
        if problem:
            raise InputError(f"{self.folder}: {problem}; see `veridical check {self.folder}`")

    def verify(
        self,
        verify: Verify,
        *,
        progress: Callable[[int, int], None] | None = None,
        workers: Workers | None = None,
    ) -> Check:
        """Hashes and measures every medium again, and holds the table against manifest and files.

        `workers` do it (default: one process per core) where that is worth it.
        """
        listed = {medium.file for stimulus in self.stimuli for medium in stimulus.media}
        findings: dict[int, CheckFinding] = {}
        for count, of_batch in enumerate(self._findings(verify, workers or Workers(cores())), start=1):
            findings |= of_batch
            if progress:
                progress(min(count * _BATCH, len(self.stimuli)), len(self.stimuli))
        problems = {index: text for index, (kind, text) in sorted(findings.items()) if kind == "problem"}
        failed = [{"id": self.stimuli[index].id, "problem": text} for index, text in problems.items()]
        media = self.folder / "media"
        present = {path.relative_to(self.folder).as_posix() for path in media.rglob("*") if path.is_file()}
        for name in sorted(present - listed):
            identity = name.removeprefix("media/").rpartition(".")[0]
            failed.append({"id": identity, "problem": f"{name} is there and no row of the table tells of it"})
        problem = self._table_problem()
        if problem:
            failed.append({"id": TABLE, "problem": problem})
        reasons = Counter(text for kind, text in findings.values() if kind == "not measurable")
        return Check(len(self), len(self.stimuli) - len(problems), failed, dict(reasons))

    def _findings(self, verify: Verify, workers: Workers) -> Iterator[dict[int, CheckFinding]]:
        """What is not simply sound, by the stimulus's place in the table, batch by batch."""
        batches = [(start, start + _BATCH) for start in range(0, len(self.stimuli), _BATCH)]
        name = importable(verify)
        if name and workers.worth(len(batches), _WORTH_PROCESSES):
            job = {"folder": str(self.folder.resolve()), "verify": name}
            for stored in workers.map(verify_named, job, batches):
                yield {int(index): CheckFinding(*finding) for index, finding in stored.items()}
            return
        for start, stop in batches:
            yield self.findings(start, stop, verify)

    def findings(self, start: int, stop: int, verify: Verify) -> dict[int, CheckFinding]:
        """The findings on the stimuli from `start` up to `stop`, by place."""
        batch = enumerate(self.stimuli[start:stop], start)
        by_index = {index: self._finding(stimulus, verify) for index, stimulus in batch}
        return {index: finding for index, finding in by_index.items() if finding}

    def _table_problem(self) -> str | None:
        count = self.manifest["stimuli"]
        if len(self.stimuli) != count:
            return f"{len(self.stimuli)} rows, {count} in the manifest"
        factors = self.factors
        if rows_hash(to_row(stimulus, factors) for stimulus in self.stimuli) != self.digest:
            return "the rows are not those that the manifest was written for"
        return None

    def _finding(self, stimulus: Stimulus, verify: Verify) -> CheckFinding | None:
        decoded: list[Decoded] = []
        for medium in stimulus.media:
            try:
                content = self._content(medium.file)
                decoded.append(decode(content, medium.file))
                problem = self._written.problem_of(medium, content, decoded[-1])
            except InputError as error:
                problem = str(error)
            if problem:
                return CheckFinding("problem", problem)
        outcome = verify(stimulus, decoded)
        if isinstance(outcome, NotMeasurable):
            return CheckFinding("not measurable", outcome.reason)
        return CheckFinding("problem", outcome) if outcome else None


@lru_cache(maxsize=1)
def _opened(folder: str) -> StimulusSet:
    return StimulusSet.open(Path(folder))


def verify_named(job: Json, item: Json) -> dict[int, CheckFinding]:
    """The findings on a batch for a job that stands in JSON: `folder`, and `verify` by name."""
    require_shared(f"{job['folder']}/{MANIFEST}")
    return _opened(job["folder"]).findings(item[0], item[1], function_at(job["verify"]))


def contact_sheet(stimuli: Sequence[Stimulus], read: Callable[[str], bytes], most: int = MOST) -> str:
    """HTML that shows the first stimuli, `most` at most: their pictures and ids; of a clip, only the id.

    The pictures are embedded as data URLs. A picture that cannot be read is replaced by the reason.
    """
    shown = []
    for stimulus in stimuli[:most]:
        pictures = "".join(_picture(medium.file, read) for medium in stimulus.media if medium.kind == "image")
        caption = f"<figcaption>{escape(stimulus.id)}</figcaption>"
        shown.append(f'<figure style="{_STYLE}">{pictures}{caption}</figure>')
    left = len(stimuli) - len(shown)
    more = f'<p style="font:11px sans-serif">and {left:,} more</p>' if left > 0 else ""
    return f"<div>{''.join(shown)}{more}</div>"


def _picture(file: str, read: Callable[[str], bytes]) -> str:
    try:
        content = read(file)
        url = f"data:{mime_of(content, file)};base64,{b64encode(content).decode()}"
    except InputError as error:
        return f"<p>{escape(str(error))}</p>"
    return f'<img alt="" width="128" src="{url}"><br>'


class _Arguments(Shape):
    suite: str = ""


class _Versions(Shape):
    veridical: str
    matplotlib: str


class _Import(Shape):
    measured: int
    contradicted: list[Any]


class _Manifest(Shape):
    stimuli: Annotated[int, Field(ge=0)]
    rows_sha256: str
    tables_sha256: str | None = None
    media_sha256: str | None = None
    arguments: _Arguments = _Arguments()
    tables: dict[Literal["image", "video", "none"], _Table] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    versions: _Versions | None = None
    source: str = ""
    license: str = ""
    attribution: str = ""
    imported: Annotated[_Import | None, Field(alias="import")] = None


def read_manifest(folder: Path) -> dict[str, Json]:
    """The manifest of the set in a folder; raises `InputError` where there is none, or none that is read here."""
    require_set(folder)
    path = folder / MANIFEST
    try:
        manifest = read_json(path)
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    require_format(folder, manifest, FORMAT, what="set", again="make")
    if "stimuli" not in manifest or "rows_sha256" not in manifest:
        raise InputError(f"{path} lacks 'stimuli' or 'rows_sha256'")
    require_shape(path, manifest, _Manifest)
    stored: dict[str, Json] = manifest
    return stored
