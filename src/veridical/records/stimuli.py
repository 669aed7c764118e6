"""Media, stimuli, and the chunks in which a set is drawn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from textwrap import shorten
from typing import Any, Literal, NamedTuple

Json = Any
Kind = Literal["image", "video"]
_SHOWN = 80
# One encoder for all calls: a run of many trials writes hundreds of thousands of values.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Json) -> str:
    """The canonical JSON text of a value: keys sorted, no spaces, no NaN.

    >>> canonical({"b": 1, "a": [0.5, None]})
    '{"a":[0.5,null],"b":1}'
    """
    return _CANONICAL.encode(value)


def rows_hash(rows: Iterable[Json]) -> str:
    """The sha256 over the canonical JSON of all rows, in order."""
    digest = sha256()
    for row in rows:
        digest.update(canonical(row).encode() + b"\n")
    return digest.hexdigest()


class Box(NamedTuple):
    """A rectangle of whole pixels: x0, y0 inclusive, x1, y1 exclusive; y points down."""

    x0: int
    y0: int
    x1: int
    y1: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """One picture or clip of a stimulus: its file inside the set, and its properties after decoding.

    `sha256` is the hash of the decoded pixels (of a clip, of all frames in order). A clip has its number of `frames`
    and its `rate` in frames per second (`None`: the rate varies). `duration` and `last`, the time from which its last
    frame is on display, are exact seconds from the first frame, as fractions such as "5/6".
    """

    file: str
    kind: Kind
    width: int
    height: int
    sha256: str
    frames: int | None = None
    rate: float | None = None
    duration: str | None = None
    last: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Stimulus:
    """Any number of media with their factors and exact truth.

    `label` is the true answer to `question`, in the suite's own answer format, or `None` if there is none. Stimuli
    made from one base item share `unit`. `factors` holds what varies; factors that the suite declares are typed
    columns of its tables.
    """

    id: str
    suite: str
    family: str
    unit: str
    variant: str
    category: str
    question: str
    label: str | None
    seed: int
    media: tuple[Medium, ...] = ()
    factors: Mapping[str, Json] = field(default_factory=dict)
    truth: Mapping[str, Json] = field(default_factory=dict)
    measured: Mapping[str, Json] = field(default_factory=dict)

    def __repr__(self) -> str:
        question = shorten(self.question, _SHOWN)
        return f"<Stimulus {self.id}: {question!r}, label {self.label!r}, {len(self.media)} media>"


@dataclass(frozen=True, slots=True)
class Chunk:
    """An independent piece of a design: the unit number `index` of a family."""

    family: str
    index: int
