"""From pictures of others to a stimulus set: opened, measured where that fits, hashed, written anew as PNG."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import write_whole
from veridical.errors import InputError
from veridical.media.draw import encode_png, pixel_hash
from veridical.records import Json, Stimulus, canonical
from veridical.stimulus_set import StimulusSet
from veridical.stimulus_set.card import card
from veridical.stimulus_set.imported.images import read_picture
from veridical.stimulus_set.table import join_parts, rows_hash, to_row
from veridical.stimulus_set.write import versions

Measure = Callable[[str, NDArray[np.uint8]], tuple[str, float, str] | None]
"""From the name of a case and pixels to the true answer, the measured value and its unit; `None`: not measurable."""


class Picture(NamedTuple):
    """A file, the record that it is to have, less what its pixels say, and whether its targets can be measured."""

    file: Path
    record: Stimulus
    measurable: bool


@dataclass(frozen=True, kw_only=True)
class Import:
    """What is to be imported: pictures in order, and what is known of them as a whole.

    `about` says where the pictures are from: `source`, `licence`, `attribution`, and `may_be_passed_on` (`None`:
    nobody said). `found` is what was found on the disk beside them.
    """

    name: str
    title: str
    suite: str
    pictures: Sequence[Picture]
    about: Mapping[str, Json]
    found: Mapping[str, Json]


def write_import(
    what: Import, out: Path, measure: Measure, progress: Callable[[int, int], None] | None = None
) -> StimulusSet:
    """The stimulus set of imported pictures, whole, in a folder that is new or empty.

    Its manifest says where they are from and, under `import`, what was found: how many were measured, how many could
    not be, and each whose pixels say another answer than its label. Pixels stay as they are; files are written anew,
    without what they told beside the picture. Raises `InputError` for a folder that holds something, and a picture that
    cannot be read; nothing is left behind.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is no new or empty folder: choose another")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".veridical-", dir=out.parent) as scratch:
            folder = Path(scratch) / "set"
            _write(what, folder, measure, progress)
            if out.exists():
                out.rmdir()
            folder.rename(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}") from error
    return StimulusSet.open(out)


def _write(what: Import, folder: Path, measure: Measure, progress: Callable[[int, int], None] | None) -> None:
    tally = _Tally()
    stimuli = []
    for done, picture in enumerate(what.pictures, start=1):
        pixels = read_picture(picture.file)
        stimulus = tally.completed(picture, pixels, measure)
        path = folder / stimulus.media[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_png(pixels))
        stimuli.append(stimulus)
        if progress:
            progress(done, len(what.pictures))
    rows = [to_row(stimulus) for stimulus in stimuli]
    part = write_whole(folder.parent / "parts" / "0.jsonl", "".join(canonical(row) + "\n" for row in rows).encode())
    manifest = {
        "format": 1,
        "generator": "veridical",
        "versions": versions(),
        "arguments": {"suite": what.suite, "import": what.name},
        "stimuli": len(rows),
        "counts": join_parts([part], folder / "metadata.parquet"),
        "rows_sha256": rows_hash(rows),
        **what.about,
        "import": {**what.found, **tally.facts()},
    }
    write_whole(folder / "README.md", card(manifest, what.title).encode())
    write_whole(folder / "manifest.json", (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


class _Tally:
    """What measuring found, picture by picture."""

    def __init__(self) -> None:
        self._measured = 0
        self._not_measurable = 0
        self._unlabelled = 0
        self._contradicted: list[dict[str, Json]] = []
        self._doubts: Counter[tuple[str, str, str]] = Counter()

    def completed(self, picture: Picture, pixels: NDArray[np.uint8], measure: Measure) -> Stimulus:
        record = picture.record
        reading = measure(record.family, pixels) if picture.measurable else None
        self._measured += reading is not None
        self._not_measurable += reading is None
        self._unlabelled += record.label is None
        measured: dict[str, Json] = {}
        if reading is not None:
            answer, value, unit = reading
            measured = {"value": round(value, 6), "unit": unit}
            if record.label not in (None, answer):
                told = {"id": record.id, "label": record.label, "pixels": answer}
                self._contradicted.append(told | measured)
        for doubt in record.truth.get("doubts", ()):
            self._doubts[record.family, record.variant, doubt] += 1
        height, width, _ = pixels.shape
        return replace(record, width=width, height=height, sha256=pixel_hash(pixels), measured=measured)

    def facts(self) -> dict[str, Json]:
        return {
            "measured": self._measured,
            "not_measurable": self._not_measurable,
            "unlabelled": self._unlabelled,
            "contradicted": self._contradicted,
            "doubtful": list(_doubtful(self._doubts)),
        }


def _doubtful(doubts: Mapping[tuple[str, str, str], int]) -> Iterator[dict[str, Json]]:
    for (case, variant, doubt), pictures in sorted(doubts.items()):
        yield {"case": case, "variant": variant, "pictures": pictures, "doubt": doubt}
