"""MagicBench's published items on a user's disk, or clips described like them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from veridical.errors import InputError
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports import Import, ImportItem
from veridical.suite.releases import SHOWN, UnusableItemError, objects_in, tables_in, use_each
from veridical.suites.magicbench.make import DESIGN
from veridical.suites.magicbench.releases.films import Films, ReleaseFilm
from veridical.suites.magicbench.releases.rows import ITEMS, ReleasedClip, clip_of, json_in, kind_of, patter_of, rows_of
from veridical.suites.magicbench.releases.timeline import first_of, mirror_images, pixel_boxes, regions_of
from veridical.suites.magicbench.stimuli import FACTORS, NAME, OWN, QUESTION, REAL, RELEASE

MIRRORED, STATED = "mirrored", "stated"
"""Where placebo boxes are from: the critical ones mirrored in the picture, or a table."""
AUTHORING = "magic-annotate"
"""The suite of clips whose constraints are to be written."""
ABOUT: dict[str, Json] = {
    "source": "the published items of MagicBench, or clips described like them, from a copy on disk",
    "license": "MIT for the items, as their page says; the clips are others', and their license is not stated",
    "attribution": "the authors of MagicBench; the magicians whose clips they are",
    "may_be_passed_on": None,
}


def read_magicbench(place: Path) -> Import:
    """The items of a folder with JSON files and videos or frames, or of one such file beside them.

    An item that cannot be used is left out with the reason. Raises `InputError` where no file has items, one cannot be
    read, or two have the same items.
    """
    return _read(place, suite=NAME, name=NAME, complete=True)


def read_to_author(place: Path) -> Import:
    """The same for items whose constraints are to be written: none are needed."""
    return _read(place, suite=AUTHORING, name="magic-clips", complete=False)


def _read(place: Path, *, suite: str, name: str, complete: bool) -> Import:
    files = _item_files(place)
    films, taken = Films(files.root), dict[str, str]()

    def use(numbered: tuple[str, Mapping[str, Json], int]) -> tuple[ReleasedClip, ReleaseFilm]:
        where, cells, number = numbered
        clip = clip_of(cells, number, complete=complete)
        if clip.name in taken:
            raise UnusableItemError("an id that is repeated", f"the id '{clip.name}' is that of {taken[clip.name]}")
        film = films.film(clip.video, clip.folder, clip.frames)
        patter_of(clip.transcript, clip.speech, float(film.duration))
        taken[clip.name] = where
        return clip, film

    listed = [(where, (where, cells, k)) for k, (where, cells) in enumerate(files.rows, start=1)]
    kept, left_out = use_each(listed, use)
    return Import(
        name=name,
        title="MagicBench, the published items",
        suite=suite,
        items=[
            # Content of a file never becomes a path.
            ImportItem(record=_record(clip, film, suite), files=(film.file,), places=(f"media/release/{number:05d}",))
            for number, (clip, film) in enumerate(kept, start=1)
        ],
        about=ABOUT,
        facts={
            "tables": files.names,
            "listed": len(files.rows),
            "not_read": files.not_read,
            "clips_made_of_frames": sum(film.made for _, film in kept),
            "without_type": sum(clip.letter is None for clip, _ in kept),
        },
        left_out=left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )


class _ItemFiles(NamedTuple):
    """The folder of a release, its items in order, the files that they are from, and the files that are not read."""

    root: Path
    rows: list[tuple[str, dict[str, Json]]]
    names: list[str]
    not_read: dict[str, str]


def _item_files(place: Path) -> _ItemFiles:
    """The items of a folder, or of one file.

    Results of models and summaries beside the items are named, with what they are, and count for nothing. Raises
    `InputError` where there are no items, a file of a folder is no JSON, or two files have items of the same id.
    """
    if not place.is_dir():
        return _ItemFiles(place.parent, _rows(place, json_in(place)), [place.name], {})
    held: dict[Path, list[tuple[str, dict[str, Json]]]] = {}
    not_read: dict[str, str] = {}
    for path in tables_in(place, (".json",), ("", "data", "annotations", "dataset_samples"))[1]:
        content = json_in(path)
        kind = kind_of(content)
        if kind == ITEMS:
            held[path] = _rows(path, content)
        else:
            not_read[path.relative_to(place).as_posix()] = kind
    if not held:
        raise InputError(f"{place} holds no JSON file with items (id, video_filename, visual_timeline)")
    _require_apart(held)
    return _ItemFiles(place, [each for rows in held.values() for each in rows], [path.name for path in held], not_read)


def _rows(path: Path, content: Json) -> list[tuple[str, dict[str, Json]]]:
    rows = list(objects_in(path, rows_of(content)))
    if not rows:
        raise InputError(f"{path}: a list of items is needed")
    return rows


def _require_apart(held: Mapping[Path, Sequence[tuple[str, Mapping[str, Json]]]]) -> None:
    taken: dict[str, Path] = {}
    for path, rows in held.items():
        for name in dict.fromkeys(
            str(name) for _, row in rows if (name := first_of(row, "id", "video_id")) is not None
        ):
            first = taken.setdefault(name, path)
            if first != path:
                both = f"{first.name} and {path.name}"
                raise InputError(f"{both} both have the item '{name[:SHOWN]}': name one of the files")


def _record(clip: ReleasedClip, film: ReleaseFilm, suite: str) -> Stimulus:
    unit = f"{RELEASE}/{clip.name}"
    factors: dict[str, Json] = {
        "linguistic_type": clip.letter,
        "difficulty": clip.difficulty,
        "tags": clip.tags,
        "taken_from": RELEASE,
    }
    return Stimulus(
        id=f"{unit}/{REAL}",
        suite=suite,
        family=RELEASE,
        unit=unit,
        variant=REAL,
        category=RELEASE,
        question=QUESTION,
        label=None,
        seed=0,
        factors={**dict.fromkeys(FACTORS), **factors},
        truth=_truth(clip, film),
    )


def _truth(clip: ReleasedClip, film: ReleaseFilm) -> dict[str, Json]:
    """The truth of a clip, see `stimuli.Truth`, with what the release says beside it."""
    regions = regions_of(clip.frames, film.duration)
    placebo = mirror_images(regions)
    facts: dict[str, Json] = {"imported": NAME, "index": clip.name}
    facts |= {"doubts": list(clip.doubts)} if clip.doubts else {}
    facts |= {"placebo_is": MIRRORED} if placebo else {}
    facts |= {"made_of": "frames"} if film.made else {}
    return {
        "principle": clip.principle,
        "pcs": [dict(atom) for atom in clip.atoms],
        "props": {"present": [], "absent": []},
        "log": None,
        "secret": None,
        "window": None,
        "first_visible": None,
        "outcome": None,
        "critical": [list(each) for each in pixel_boxes(regions, film.width, film.height)],
        "placebo": [list(each) for each in pixel_boxes(placebo, film.width, film.height)],
        "probes": [],
        "effect": clip.effect,
        "nouns": [],
        "decoy": None,
        "patter": {OWN: patter_of(clip.transcript, clip.speech, float(film.duration))},
        **facts,
    }
