"""What readers make of a reply: its steps, the boxes that they mention, and its final answer."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.answers import Read, Reader, Readers
from veridical.records import Json

RATIONALE = "rationale"


def _read(text: str, expects: Mapping[str, Json]) -> Read:  # noqa: ARG001
    return Read(text.strip() or None, "the reply is empty")


READERS: Readers = {RATIONALE: (Reader(name="rationale", version="1", parse=_read),)}
