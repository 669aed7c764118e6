"""From media of others to a stimulus set: opened with limits, measured where that fits, hashed, kept as they came."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, get_args

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.media.decode import Decoded, decode, medium_from
from veridical.media.signature import kind_of, suffix_of
from veridical.records import FactorTypes, Json, Kind, Medium, Stimulus, canonical
from veridical.stimulus_set.card import card
from veridical.stimulus_set.imported.files_inside import content_of
from veridical.stimulus_set.manifest import FORMAT
from veridical.stimulus_set.read import StimulusSet
from veridical.stimulus_set.stimulus_table import join_parts, rows_hash, to_row
from veridical.stimulus_set.write import versions

_WORDS: Mapping[Kind, str] = {"image": "picture", "video": "clip"}


class Measured(NamedTuple):
    """What media say: the true answer to the stimulus's question, and what was measured."""

    answer: str
    facts: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class Item:
    """Files in order, and the record that they are to have, less its media.

    `places` has for each file its path inside the set without a suffix, such as `media/a/1`. `rights` are the license
    and attribution of this item, where they differ from those of the whole; they are kept in its `truth`.
    """

    record: Stimulus
    files: tuple[Path, ...]
    places: tuple[str, ...]
    rights: Mapping[str, str] = field(default_factory=dict)


def _not_measured(stimulus: Stimulus, media: Sequence[Decoded]) -> Measured | None:  # noqa: ARG001
    return None


@dataclass(frozen=True, kw_only=True)
class Import:
    """What is to be imported: items in order, and what is known of them as a whole.

    `about` says where they are from: `source`, `license`, `attribution`, and `may_be_passed_on` (`None`: nobody said).
    `facts` is what was found on the disk beside them. `measure` says what decoded media tell of their truth, `None`
    where that cannot be measured. `factors` are those that the suite declares, `kinds` the media that it takes.
    """

    name: str
    title: str
    suite: str
    items: Sequence[Item]
    about: Mapping[str, Json]
    facts: Mapping[str, Json] = field(default_factory=dict)
    factors: FactorTypes = field(default_factory=dict)
    kinds: tuple[Kind, ...] = get_args(Kind)
    measure: Callable[[Stimulus, Sequence[Decoded]], Measured | None] = _not_measured


def write_import(what: Import, out: Path, progress: Callable[[int, int], None] | None = None) -> StimulusSet:
    """The stimulus set of imported media, whole, in a folder that is new or empty.

    Files are copied byte for byte. The manifest says where they are from and, under `import`, what was found: how many
    items were measured, how many could not be, and each whose media say another answer than its label. Raises
    `InputError` for a folder that holds something, a file that cannot be read or is of a kind that is not taken, and
    two items with one id or one place; nothing is left behind.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is no new or empty folder: choose another")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".veridical-", dir=out.parent) as scratch:
            folder = Path(scratch) / "set"
            _write(what, folder, progress)
            if out.exists():
                out.rmdir()
            folder.rename(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return StimulusSet.open(out)


def _write(what: Import, folder: Path, progress: Callable[[int, int], None] | None) -> None:
    tally = _Tally(what.measure)
    stimuli: list[Stimulus] = []
    ids: set[str] = set()
    folder.mkdir()
    for done, item in enumerate(what.items, start=1):
        if item.record.id in ids:
            raise InputError(f"two items have the id '{item.record.id}': one is needed for each")
        ids.add(item.record.id)
        media, decoded = _copied(item, folder, what.kinds)
        truth = {**item.record.truth, **({"rights": dict(item.rights)} if item.rights else {})}
        stimuli.append(tally.completed(replace(item.record, media=media, truth=truth), decoded))
        if progress:
            progress(done, len(what.items))
    rows = [to_row(stimulus, what.factors) for stimulus in stimuli]
    part = write_whole(folder.parent / "parts" / "0.jsonl", "".join(canonical(row) + "\n" for row in rows).encode())
    joined = join_parts([part], folder, what.factors)
    manifest = {
        "format": FORMAT,
        "generator": "veridical",
        "versions": versions(),
        "arguments": {"suite": what.suite, "import": what.name},
        "stimuli": len(rows),
        "counts": joined.counts,
        "tables": joined.tables,
        "rows_sha256": rows_hash(rows),
        **what.about,
        "import": {**what.facts, **tally.facts()},
    }
    write_whole(folder / "README.md", card(manifest, what.title, factors=what.factors).encode())
    write_whole(folder / "manifest.json", (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def _copied(item: Item, folder: Path, kinds: Sequence[Kind]) -> tuple[tuple[Medium, ...], list[Decoded]]:
    """The media of an item after their bytes were copied, and what decoding them gives."""
    media, contents = [], []
    for file, place in zip(item.files, item.places, strict=True):
        content = content_of(file)
        kind = kind_of(content, str(file))
        if kind not in kinds:
            raise InputError(
                f"{file} is a {_WORDS[kind]}: {' or '.join(f'{_WORDS[each]}s' for each in kinds)} are needed"
            )
        decoded = decode(content, str(file))
        name = f"{place}{suffix_of(content, str(file))}"
        media.append(medium_from(name, decoded))
        contents.append(decoded)
        path = folder / name
        if path.exists():
            raise InputError(f"{file}: there is a file for '{name}' already")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tuple(media), contents


class _Tally:
    """What measuring found, item by item."""

    def __init__(self, measure: Callable[[Stimulus, Sequence[Decoded]], Measured | None]) -> None:
        self._measure = measure
        self._counts: Counter[str] = Counter()
        self._contradicted: list[dict[str, Json]] = []
        self._doubts: Counter[tuple[str, str, str]] = Counter()

    def completed(self, stimulus: Stimulus, media: Sequence[Decoded]) -> Stimulus:
        reading = self._measure(stimulus, media)
        self._counts["measured" if reading else "not_measurable"] += 1
        self._counts["unlabelled"] += stimulus.label is None
        for doubt in stimulus.truth.get("doubts", ()):
            self._doubts[stimulus.family, stimulus.variant, doubt] += 1
        if reading is None:
            return stimulus
        if stimulus.label not in (None, reading.answer):
            readings = {"id": stimulus.id, "label": stimulus.label, "media": reading.answer}
            self._contradicted.append({**readings, **reading.facts})
        return replace(stimulus, measured=dict(reading.facts))

    def facts(self) -> dict[str, Json]:
        counts = {name: self._counts[name] for name in ("measured", "not_measurable", "unlabelled")}
        return {**counts, "contradicted": self._contradicted, "doubtful": list(_doubtful(self._doubts))}


def _doubtful(doubts: Mapping[tuple[str, str, str], int]) -> Iterator[dict[str, Json]]:
    for (family, variant, doubt), stimuli in sorted(doubts.items()):
        yield {"family": family, "variant": variant, "stimuli": stimuli, "doubt": doubt}
