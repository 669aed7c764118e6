"""What importers share: why an item cannot be used, its names and its picture, and its record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from veridical.media.pictures import decode_picture
from veridical.records import Json, Stimulus
from veridical.stimulus_set.imports.item import content_of
from veridical.stimulus_set.imports.write_import import NOT_OPENED
from veridical.suite.releases import SHOWN, UnusableItemError, errors_as
from veridical.suites.magic.regions.choose import Numbering
from veridical.suites.magic.stimuli import FACTORS, NAME, PHOTO, Chain, MagicTruth

INCOMPLETE, NO_ANSWER, NO_PICTURE = "an incomplete question", "no answer", "a missing picture"
QUESTION_REASONS = {"": INCOMPLETE, "question": "an empty question", "type": "an unknown type of question"}
"""Why the question of a record cannot be used, by the field that is wrong."""
_LONGEST_NAME = 120
SEED = 0
"""The seed of what an importer chooses; every choice depends on the id of the question beside it."""


def name_of(value: Json, name: str) -> str:
    """A name that can stand in an id and a path; raises `UnusableItemError` for any other.

    >>> name_of("2405722", "imageId")
    '2405722'
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str) and len(text) <= _LONGEST_NAME and re.fullmatch(r"\w[\w.-]*", text, re.ASCII):
        return text
    allowed = "letters, digits, '_', '-' and '.' are allowed"
    raise UnusableItemError("a name that cannot be used", f"{name} {str(value)[:SHOWN]!r}: {allowed}")


@lru_cache(maxsize=64)
def picture_size(file: Path) -> tuple[int, int]:
    """The width and height of a picture in pixels; raises `UnusableItemError` for one that cannot be opened.

    Questions come by picture, so the latest are remembered.
    """
    with errors_as(NOT_OPENED):
        height, width, _ = decode_picture(content_of(file), str(file)).shape
    return width, height


def photo(
    *,
    picture: str,
    identity: str,
    kind: str,
    question: str,
    short: str,
    full: str,
    numbering: Numbering,
    chains: Sequence[Chain] = (),
    factors: Mapping[str, Json],
) -> Stimulus:
    """The stimulus, less its medium: its unit is the picture, its category the type of the question.

    >>> from veridical.records import Box
    >>> boxes = Numbering([Box(0, 0, 9, 9)], [1], [])
    >>> words = dict(kind="query", question="What is it?", short="mug", full="It is a mug.")
    >>> made = photo(picture="12", identity="3", numbering=boxes, factors={"portion": "test"}, **words)
    >>> made.id, made.factors["relevant_count"], made.factors["portion"]
    ('photo/12/3', 1, 'test')
    """
    truth: MagicTruth = {
        "short": short,
        "full": full,
        "boxes": [list(map(int, box)) for box in numbering.boxes],
        "relevant": list(numbering.relevant),
        "adversarial": list(numbering.adversarial),
        "chains": list(chains),
        "graph": None,
        "rule": None,
    }
    counted = {"box_count": len(numbering.boxes), "relevant_count": len(numbering.relevant)}
    by = {"chain_by": chains[0]["by"]} if chains else {}
    return Stimulus(
        id=f"{PHOTO}/{picture}/{identity}",
        suite=NAME,
        family=PHOTO,
        unit=f"{PHOTO}/{picture}",
        variant=PHOTO,
        category=kind,
        question=question,
        label=short,
        seed=SEED,
        factors={**dict.fromkeys(FACTORS), **counted, **by, **factors},
        truth=dict(truth),
    )
