"""Releases on a user's disk: tables as records, cells as text, files inside a folder, and what cannot be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from pathlib import Path, PurePosixPath
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn, TypeVar

import polars as pl
from pydantic import BaseModel, BeforeValidator, Field, ValidationError, ValidationInfo

from veridical.base.path_checks import sort_paths
from veridical.errors import InputError
from veridical.media.decode import Clip, decode
from veridical.records import FactorTypes, Json, Stimulus
from veridical.stimulus_set import NotMeasurable, StimulusSet
from veridical.stimulus_set.imports import ExcludedItem, ImportItem
from veridical.stimulus_set.imports.item import content_of, file_inside
from veridical.stimulus_set.imports.write_import import CLIP_NOT_OPENED
from veridical.suite.evidence import Evidence
from veridical.suite.parts import DesignPart

if TYPE_CHECKING:
    from veridical.stimulus_set.imports import Import

TEXT, OUTSIDE = "text that cannot be read", "a path that leaves the folder"
LONGEST_TEXT, LONGEST_NAME, SHOWN = 10_000, 100, 60
"""How many characters a text and a name may have, and how many of them a message shows."""
LONGEST_CLIP = 600
"""The longest duration of a clip, in seconds."""
SUFFIXES = (".mp4", ".mov", ".webm", ".mkv", ".m4v", ".avi", ".gif")
"""What counts as a clip in a listing of a folder; what the file holds decides whether it can be used."""
_MOST_FILES = 200_000
Adopt = Callable[[Sequence[Stimulus], Evidence], Iterable[Stimulus | ExcludedItem]]
_Value = TypeVar("_Value")
_Made = TypeVar("_Made")
_Model = TypeVar("_Model", bound=BaseModel)


class UnusableItemError(InputError):
    """What leaves an item of a release out: the kind of reason, and the reason in a line."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@contextmanager
def error_place(place: str) -> Iterator[None]:
    """Puts a place before the line of each error that a user can put right."""
    try:
        yield
    except UnusableItemError as error:
        raise UnusableItemError(error.reason, f"{place}: {error}") from None
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


@contextmanager
def errors_as(reason: str) -> Iterator[None]:
    """Makes what a user can put right a reason of this kind to leave an item out."""
    try:
        yield
    except UnusableItemError:
        raise
    except InputError as error:
        raise UnusableItemError(reason, str(error)) from error


def use_each(
    values: Iterable[tuple[str, _Value]], use: Callable[[_Value], _Made]
) -> tuple[list[_Made], list[ExcludedItem]]:
    """What is made of the values that can be used, in order, and where each other one stands, with the reason.

    Any other `InputError` ends the import, with the place of the value in its line.
    """
    made, left_out = [], []
    for place, value in values:
        try:
            with error_place(place):
                made.append(use(value))
        except UnusableItemError as error:
            left_out.append(ExcludedItem(place, error.reason, error.detail))
    return made, left_out


def read_by(name: str) -> Callable[[Path], Import]:
    """The function "module:function", whose module is imported when it is first called."""
    module, _, function = name.partition(":")

    def read(place: Path) -> Import:
        made: Import = getattr(import_module(module), function)(place)
        return made

    return read


def text_of(value: Json, what: str) -> str:
    """The text of a cell, stripped: "" for an empty one, numbers as they are written; `UnusableItemError` for others.

    >>> text_of(4.0, "id"), text_of(None, "prompt"), text_of(" a mug ", "scene")
    ('4', '', 'a mug')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        raise UnusableItemError(TEXT, f"{what} is no text")
    text = str(value).strip()
    if len(text) > LONGEST_TEXT:
        raise UnusableItemError(TEXT, f"{what} has {len(text):,} characters: at most {LONGEST_TEXT:,} are read")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnusableItemError(TEXT, f"{what} holds half of a character") from None
    return text


def name_of(text: str, what: str, *, reason: str = "no index", refused: str = "/?&", dots: bool = True) -> str:
    """The text, which can stand in an id; raises `UnusableItemError` for one that cannot.

    `refused` are signs that it must not have, and `dots` says whether it may be dots alone.
    """
    bad = not text.isprintable() or set(refused) & set(text) or not (dots or text.strip("."))
    if bad or not 1 <= len(text) <= LONGEST_NAME:
        allowed = f"1 to {LONGEST_NAME} characters without {' '.join(refused)} are allowed"
        raise UnusableItemError(reason, f"{what} {text[:SHOWN]!r}: {allowed}")
    return text


def number_of(value: Json) -> float | None:
    """A finite number, also as text; `None` for anything else.

    >>> number_of("1.5"), number_of(True), number_of("soon")
    (1.5, None, None)
    """
    try:
        number = float("nan" if isinstance(value, bool) else value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def without_letters(texts: Mapping[str, str]) -> dict[str, str]:
    """Options by letter without the letters before their texts, where all have them.

    >>> without_letters({"A": "A. It rises.", "B": "(B) It melts."}), without_letters({"A": "A. It rises.", "B": "No"})
    ({'A': 'It rises.', 'B': 'It melts.'}, {'A': 'A. It rises.', 'B': 'No'})
    """
    lettered = {key: re.fullmatch(rf"\(?{key}[.):]\s*(.+)", text, re.DOTALL) for key, text in texts.items()}
    bare = {key: match[1] for key, match in lettered.items() if match and key in set(ascii_uppercase)}
    return bare if len(bare) == len(texts) else dict(texts)


def _text(value: Json, info: ValidationInfo) -> str:
    return text_of(value, str(info.field_name))


Text = Annotated[str, BeforeValidator(_text)]
"""A field of a record that is read as `text_of` reads it."""
FilledText = Annotated[Text, Field(min_length=1)]
"""The same, which must not be empty."""


def model_from(model: type[_Model], value: Json, reasons: Mapping[str, str]) -> _Model:
    """A raw record as a model; the first thing that is wrong with it raises `UnusableItemError` in one line.

    `reasons` has the kind of reason by the path of a field, which holds for fields inside it too, and under "" for all
    others.

    >>> class Row(BaseModel):
    ...     start: float = Field(ge=0)
    >>> model_from(Row, {"start": -1}, {"": "no row"})
    Traceback (most recent call last):
    ...
    veridical.suite.releases.UnusableItemError: start -1: input should be greater than or equal to 0
    """
    try:
        return model.model_validate(value)
    except OverflowError:
        raise UnusableItemError(reasons[""], "a number is larger than any that can be read") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = [part for part in first["loc"] if isinstance(part, str)]
        reason = next(reasons[name] for k in range(len(path), -1, -1) if (name := ".".join(path[:k])) in reasons)
        stated = "" if first["type"] == "missing" else f"{first['input']!r}"[:SHOWN]
        where = ".".join(map(str, first["loc"]))
        problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
        raise UnusableItemError(reason, f"{where} {stated}".strip() + f": {problem}") from None


@contextmanager
def readable(path: Path, largest: int) -> Iterator[None]:
    """Raises `InputError`, which names the file, where it has more bytes, or the block cannot read it as JSON."""
    try:
        if path.stat().st_size > largest:
            raise InputError(f"{path} is larger than {largest >> 20:,} MB, the most that is read of such a file")
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON that can be read") from error


def strict_json(content: bytes) -> Json:
    """What JSON in UTF-8 holds; raises ValueError for a number that JSON does not have, and for a key that is twice."""
    return json.loads(content.decode("utf-8-sig"), parse_constant=_refuse, object_pairs_hook=_once)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def objects_in(path: Path, rows: Iterable[Json]) -> Iterator[tuple[str, dict[str, Json]]]:
    """The objects of a list in a file, each with its place; raises `InputError` for a row that is none."""
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}, item {number}: an object is needed")
        yield f"{path.name}, item {number}", row


def json_lines(
    path: Path, largest: int, loads: Callable[[bytes], Json] = json.loads
) -> Iterator[tuple[str, dict[str, Json]]]:
    """The objects of JSON Lines, each with its place; raises `InputError`, which names it, for any other line."""
    with readable(path, largest), path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                row = loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: no JSON that can be read") from error
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}: an object is needed")
            yield f"{path.name}, line {number}", row


def frame_in(path: Path, largest: int) -> pl.DataFrame:
    """The table of a CSV, TSV or Parquet file, the cells of the first two as text; `InputError` for another file."""
    suffix = path.suffix.lower()
    with readable(path, largest):
        try:
            if suffix == ".parquet":
                return pl.read_parquet(path, glob=False, hive_partitioning=False)
            return pl.read_csv(path, separator="\t" if suffix == ".tsv" else ",", infer_schema=False, glob=False)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise InputError(f"{path} cannot be read as a table: {' '.join(str(error).split())[:200]}") from error


def tables_in(place: Path, forms: Iterable[str], folders: Sequence[str] = ("",)) -> tuple[Path, list[Path]]:
    """The folder of a release, and its files of these endings, in order: the place itself, or those of its folders."""
    forms = tuple(forms)
    if not place.is_dir():
        if place.suffix.lower() not in forms:
            raise InputError(f"{place}: a table ends in {', '.join(forms)}")
        return place.parent, [place]
    files = [path for name in folders if (place / name).is_dir() for path in sort_paths((place / name).iterdir())]
    return place, [path for path in files if path.suffix.lower() in forms and path.name[0] != "." and path.is_file()]


def index_of(cells: Mapping[str, Json], number: int) -> str:
    """The index in the cells of a record, or its number where they have none; `UnusableItemError` for no name."""
    return name_of(text_of(cells["index"], "index"), "index") if "index" in cells else str(number)


def file_in(folder: Path, names: Iterable[str]) -> Path | None:
    """The first of these names in a folder that is a file; `UnusableItemError` for one that leaves the folder."""
    with errors_as(OUTSIDE):
        return next((file for name in names if (file := file_inside(folder, name)) is not None), None)


def clips_by_name(folder: Path) -> Mapping[str, list[Path]]:
    """All files in a folder, and in those inside it, that end like clips, sorted, by their names; not hidden ones."""
    by_name: dict[str, list[Path]] = {}
    for number, path in enumerate(sort_paths(folder.rglob("*"))):
        if number > _MOST_FILES:
            raise InputError(f"{folder} holds more than {_MOST_FILES:,} files, the maximum")
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() in SUFFIXES and not hidden and path.is_file() and not path.is_symlink():
            by_name.setdefault(path.name, []).append(path)
    return by_name


class ClipFacts(NamedTuple):
    """The size of a clip in px, and its duration in seconds."""

    width: int
    height: int
    duration: Fraction


def clip_facts(file: Path) -> ClipFacts:
    """What a clip is; raises `UnusableItemError` for one that cannot be opened or is too long, and for a picture."""
    with errors_as(CLIP_NOT_OPENED):
        clip = decode(content_of(file), str(file))
    if not isinstance(clip, Clip) or not clip.duration:
        raise UnusableItemError(CLIP_NOT_OPENED, f"{file} is a picture, or has no duration: clips are needed")
    if clip.duration > LONGEST_CLIP:
        detail = f"{file} takes {float(clip.duration):,.0f} s: at most {LONGEST_CLIP} s are allowed"
        raise UnusableItemError("a clip longer than 10 minutes", detail)
    return ClipFacts(clip.width, clip.height, clip.duration)


def item_of(whole: StimulusSet, stimulus: Stimulus) -> ImportItem:
    """A stimulus of a set as an item of another, with the same media at the same places."""
    files = tuple(whole.folder / medium.file for medium in stimulus.media)
    places = tuple(str(PurePosixPath(medium.file).with_suffix("")) for medium in stimulus.media)
    return ImportItem(record=stimulus, files=files, places=places)


def imported_design(
    families: tuple[str, ...], factors: FactorTypes, adopt: Adopt, *, not_drawn: str, not_measured: str
) -> DesignPart:
    """The design of a suite that draws nothing: its sets are imported, and `adopt` makes stimuli of what runs come to.

    `not_drawn` is the line of the error for who asks for a set, `not_measured` says why there is no truth to check.
    """

    def chunks(options: object) -> NoReturn:  # noqa: ARG001 (no option changes it)
        raise InputError(not_drawn)

    return DesignPart(
        families=families,
        factors=factors,
        chunks=chunks,
        make=lambda *_: iter(()),
        verify=lambda *_: NotMeasurable(not_measured),
        adopt=adopt,
    )
