"""What importers share: why an item cannot be used, its texts with limits, and its record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veridical.records import Json, Stimulus
from veridical.suites.magic.regions.choose import Numbering
from veridical.suites.magic.stimuli import FACTORS, NAME, PHOTO, Chain, Truth

NO_QUESTION, NO_ANSWER, TYPE = "an empty question", "no answer", "an unknown type of question"
TEXT, NAME_REFUSED, REPEATED = "text that cannot be read", "a name that cannot be used", "an id that is repeated"
NO_PICTURE, NO_GRAPH = "a missing picture", "a picture without a scene graph"
OTHER_SIZE = "a picture that does not match its graph"
NO_QUESTION_OF_MAP, MAP_UNREADABLE = "a saliency map without a question", "a saliency map that cannot be read"
MAP_SHAPE, NO_REGION = "saliency of another shape", "no relevant region"
MANY_OBJECTS, INCOMPLETE = "too many annotated objects", "an incomplete question"
NO_BOXES, NO_RELEVANT, BAD_BOX = "no boxes", "no relevant box", "an empty box or one outside the picture"
OVERLAPPING, NO_STEPS, BAD_STEP = "overlapping boxes", "a chain of zero steps", "a step that cannot be used"
PICTURE_UNREADABLE, EXCLUDED = "a picture that cannot be opened", "a picture of an excluded set"

LONGEST_TEXT, LONGEST_NAME = 10_000, 120
_SHOWN = 60


class UnusableError(Exception):
    """An item that is left out: the kind of reason, and the reason in a line that names the place."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


def text_of(value: Json, name: str, place: str) -> str:
    """The text in a cell without space around it, "" for none; raises `UnusableError` for what is no text or too long.

    >>> text_of(" a mug ", "answer", "line 1"), text_of(None, "answer", "line 1")
    ('a mug', '')
    """
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise UnusableError(TEXT, f"{place}: '{name}' is text of at most {LONGEST_TEXT:,} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UnusableError(TEXT, f"{place}: '{name}' holds half a character") from None
    return value.strip()


def name_of(value: Json, name: str, place: str) -> str:
    """A name that can stand in an id and a path; raises `UnusableError` for any other.

    >>> name_of("2405722", "imageId", "question 1")
    '2405722'
    """
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    safe = isinstance(text, str) and len(text) <= LONGEST_NAME and re.fullmatch(r"\w[\w.-]*", text, re.ASCII)
    if not safe:
        shown = str(value)[:_SHOWN]
        raise UnusableError(NAME_REFUSED, f"{place}: {name} {shown!r}: letters, digits, '_', '-' and '.' are allowed")
    return str(text)


SEED = 0
"""The seed of what an importer chooses; every choice depends on the id of the question beside it."""


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
    truth: Truth = {
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
