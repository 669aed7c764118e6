"""MagicBench's published items on a user's disk, or clips described like them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from veridical.records import Json, Stimulus
from veridical.stimulus_set.imported import Import, Item, LeftOut
from veridical.suites.magicbench.make import DESIGN
from veridical.suites.magicbench.releases.cells import SAME_ID, UnusableError
from veridical.suites.magicbench.releases.films import Film, Films
from veridical.suites.magicbench.releases.item_files import Record, item_files
from veridical.suites.magicbench.releases.rows import Row, patter_of, row_of
from veridical.suites.magicbench.releases.timeline import in_pixels, mirrored, regions_of
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


class Usable(NamedTuple):
    """An item that can be used, and its clip."""

    row: Row
    film: Film


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
    files = item_files(place)
    kept, left_out = _kept(files.root, files.records, complete=complete)
    return Import(
        name=name,
        title="MagicBench, the published items",
        suite=suite,
        items=[_item(each, number, suite) for number, each in enumerate(kept, start=1)],
        about=ABOUT,
        facts={
            "tables": list(files.files),
            "listed": len(files.records),
            "not_read": dict(files.not_read),
            "clips_made_of_frames": sum(each.film.made for each in kept),
            "without_type": sum(each.row.letter is None for each in kept),
        },
        left_out=left_out,
        published=DESIGN.published,
        factors=DESIGN.factors,
        kinds=("video",),
    )


def _kept(root: Path, listed: Sequence[Record], *, complete: bool) -> tuple[list[Usable], list[LeftOut]]:
    films, kept, left_out = Films(root), [], []
    taken: dict[str, str] = {}
    for number, record in enumerate(listed, start=1):
        try:
            row = row_of(record, number, complete=complete)
            if row.name in taken:
                raise UnusableError(SAME_ID, f"{row.place}: the id '{row.name}' is that of {taken[row.name]}")
            film = films.film(row.video, row.folder, row.frames, row.place)
            patter_of(row, float(film.duration))
        except UnusableError as error:
            left_out.append(LeftOut(record.place, error.reason, error.detail))
        else:
            taken[row.name] = row.place
            kept.append(Usable(row, film))
    return kept, left_out


def _item(usable: Usable, number: int, suite: str) -> Item:
    # Content of a file never becomes a path.
    return Item(record=_record(usable, suite), files=(usable.film.file,), places=(f"media/release/{number:05d}",))


def _record(usable: Usable, suite: str) -> Stimulus:
    row = usable.row
    unit = f"{RELEASE}/{row.name}"
    factors: dict[str, Json] = {
        "linguistic_type": row.letter,
        "difficulty": row.difficulty,
        "tags": row.tags,
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
        truth=_truth(row, usable.film),
    )


def _truth(row: Row, film: Film) -> dict[str, Json]:
    """The truth of a clip, see `stimuli.Truth`, with what the release says beside it."""
    regions = regions_of(row.frames, film.duration)
    placebo = mirrored(regions)
    facts: dict[str, Json] = {"imported": NAME, "index": row.name}
    facts |= {"doubts": list(row.doubts)} if row.doubts else {}
    facts |= {"placebo_is": MIRRORED} if placebo else {}
    facts |= {"made_of": "frames"} if film.made else {}
    return {
        "principle": row.principle,
        "pcs": [dict(atom) for atom in row.atoms],
        "props": {"present": [], "absent": []},
        "log": None,
        "secret": None,
        "window": None,
        "critical": [list(each) for each in in_pixels(regions, film.width, film.height)],
        "placebo": [list(each) for each in in_pixels(placebo, film.width, film.height)],
        "probes": [],
        "effect": row.effect,
        "nouns": [],
        "decoy": None,
        "patter": {OWN: patter_of(row, float(film.duration))},
        **facts,
    }
