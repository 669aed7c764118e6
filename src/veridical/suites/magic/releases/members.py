"""The members of a large JSON object in a file, one after another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from veridical.errors import InputError
from veridical.records import Json

LARGEST = 4 * 2**30
"""The maximum number of bytes of a file of JSON."""


def members(path: Path) -> Iterator[tuple[str, Json]]:
    """The members of a file that holds one JSON object, one after another: not all of them stand in memory at a time.

    Raises `InputError` where the file cannot be read or holds anything else.
    """
    broken = InputError(f"{path} holds no JSON object that can be read")
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 30} GB, the most that is read of JSON")
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise broken from error
    decoder, space = json.JSONDecoder(), re.compile(r"[\s,]*")
    at = text.find("{") + 1
    if not at or text[: at - 1].strip():
        raise broken
    try:
        while (at := space.match(text, at).end()) < len(text) and text[at] != "}":  # type: ignore[union-attr]
            name, at = decoder.raw_decode(text, at)
            colon = text.index(":", at)
            if not isinstance(name, str) or text[at:colon].strip():
                raise broken
            value, at = decoder.raw_decode(text, space.match(text, colon + 1).end())  # type: ignore[union-attr]
            yield name, value
    except (ValueError, RecursionError) as error:
        raise broken from error
    if at >= len(text):
        raise broken
