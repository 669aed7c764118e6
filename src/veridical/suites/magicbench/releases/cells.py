"""Values of an item as texts, numbers and lists, and why a released clip cannot be used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from veridical.errors import InputError
from veridical.records import Json
from veridical.stimulus_set.imported.write_import import CLIP_NOT_OPENED

NO_ID, SAME_ID = "no id", "an id that is repeated"
MISSING, FRAMES, BROKEN = "no clip and no frames", "missing frames", CLIP_NOT_OPENED
OUTSIDE, LONG = "a path that leaves the folder", "a clip longer than 10 minutes"
TIMELINE, REGION = "a timeline of frames that cannot be read", "a region that is none"
SPEECH, BEYOND = "a transcript that cannot be read", "a transcript beyond the clip"
NO_ATOMS, CONTRADICTORY, ATOM = "no constraint", "constraints that contradict each other", "a constraint that is none"
TYPE, TEXT = "an unknown type of words", "text that cannot be read"


class UnusableError(Exception):
    """An item that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


LARGEST = 256 * 2**20
"""The maximum number of bytes of a JSON file."""
LONGEST_TEXT = 10_000
_SHOWN = 60
_LETTER = re.compile(r"(?:type\s*)?([A-D])(?![\w'])", re.IGNORECASE)
_NAMES = {
    "direct lie": "A",
    "lie": "A",
    "misdirection": "B",
    "patter": "C",
    "filler": "C",
    "no audio": "D",
    "silence": "D",
}


def first_of(row: Mapping[str, Json], *names: str) -> Json:
    """The value of the first of these keys that a row fills, `None` where it fills none.

    >>> first_of({"id": "", "video_id": 7}, "id", "video_id")
    7
    """
    return next((row[name] for name in names if row.get(name) not in (None, "", [], {})), None)


def text_of(value: Json, what: str, place: str) -> str:
    """The text of a value, stripped: "" for none, numbers as they are written; `UnusableError` for anything else.

    >>> text_of(" A coin. ", "transcript", "item 1"), text_of(None, "transcript", "item 1")
    ('A coin.', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnusableError(TEXT, f"{place}: {what} is no text")
    text = str(value).strip()
    if len(text) > LONGEST_TEXT:
        raise UnusableError(TEXT, f"{place}: {what} has {len(text):,} characters: at most {LONGEST_TEXT:,} are read")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnusableError(TEXT, f"{place}: {what} holds half of a character") from None
    return text


def number_of(value: Json) -> float | None:
    """A finite number, also as text; `None` for anything else.

    >>> number_of("1.5"), number_of(True), number_of("soon")
    (1.5, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def letter_of(value: Json, place: str) -> str | None:
    """The type of words, A to D, by its letter or its name; `None` where none is stated.

    >>> letter_of("Type A: Direct Lie", "item 1"), letter_of("silence", "item 1"), letter_of(None, "item 1")
    ('A', 'D', None)
    """
    text = text_of(value, "linguistic_type", place)
    if not text or text.casefold() in ("unknown", "none"):
        return None
    match = _LETTER.match(text)
    letter = match[1].upper() if match else _NAMES.get(text.casefold())
    if letter is None:
        raise UnusableError(TYPE, f"{place}: linguistic_type '{text[:_SHOWN]}': A, B, C or D is needed")
    return letter


def loaded(path: Path) -> Json:
    """What a JSON file holds; raises `InputError`, which names it, for one that is too large or no JSON."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 20} MB, the most that is read of a file")
        return json.loads(path.read_bytes().decode("utf-8-sig"), parse_constant=_refuse, object_pairs_hook=_once)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON that can be read") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)
