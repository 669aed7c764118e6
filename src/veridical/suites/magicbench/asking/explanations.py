"""Explanations as JSON: the forms of a reply. Values are read as a person reads them, never guessed."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from veridical.records import Json

_NUMBER = re.compile(
    r"(?:(?:about|ca\.|~) ?)?(?:(?P<minutes>\d{1,3}):)?(?P<number>\d{1,6}(?:\.\d{1,6})?)\s?"
    r"(?:%|percent|s|sec|secs|seconds?|/ ?100)?\.?",
    re.IGNORECASE,
)
MOST = 1_000
"""The most entries of a list."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _some(text: str) -> str:
    if not text:
        raise ValueError("a text is needed")
    return text


def _number(value: Json) -> Json:
    """A number that stands in quotes, also with its unit: "80", "80 %", "2.4 s", "0:02"."""
    written = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    if written is None:
        return value
    return 60 * float(written["minutes"] or 0) + float(written["number"])


def _text(value: Json) -> Json:
    """Nothing as an empty text."""
    return "" if value is None else value


def _list(value: Json) -> Json:
    """One entry as a list of one, the lines of a text as a list of lines, and nothing as an empty list."""
    if isinstance(value, str):
        return [line for line in map(str.strip, value.splitlines()) if line]
    return [value] if isinstance(value, dict) else [] if value is None else value


def _no_share(value: float) -> float:
    if 0 < value < 1:
        raise ValueError("a number from 0 to 100 is needed, this may be a share of 1")
    return value


def _word(value: Json) -> Json:
    """The words yes, no and unclear in any case; JSON's own truth values are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    word = value.strip().casefold() if isinstance(value, str) else value
    return {"true": "yes", "false": "no"}.get(word, word) if isinstance(word, str) else word


Line = Annotated[str, BeforeValidator(_text), AfterValidator(_one_line)]
Words = Annotated[str, AfterValidator(_one_line), AfterValidator(_some)]
Seconds = Annotated[float, Field(ge=0, le=100_000), BeforeValidator(_number)]
Confidence = Annotated[float, Field(ge=0, le=100), AfterValidator(_no_share), BeforeValidator(_number)]


class _Strict(BaseModel):
    """Strict types but for what the fields themselves declare. Keys that are not asked for are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Seen(_Strict):
    """What is seen at a time, in seconds."""

    time: Seconds
    what: Words


class Compared(_Strict):
    """A claim of the transcript, what the inventory has about it, and whether it holds."""

    claim: Words
    seen: Line
    holds: Annotated[Literal["yes", "no", "unclear"], BeforeValidator(_word)]


class Explanation(_Strict):
    """What a clip seems to show, what does not fit, and how it is really done.

    `trick` says whether anything is done in secret; the confidence runs from 0 to 100.
    """

    effect: Words
    anomalies: Annotated[list[Seen], Field(max_length=MOST), BeforeValidator(_list)]
    misdirection: Line
    steps: Annotated[list[Words], Field(min_length=1, max_length=MOST), BeforeValidator(_list)]
    principle: Words
    trick: Annotated[Literal["yes", "no"], BeforeValidator(_word)]
    confidence: Confidence


class Thought(Explanation):
    """An explanation after an inventory of the frames, the claims compared with it, and the facts that it confirms."""

    inventory: Annotated[list[Seen], Field(min_length=1, max_length=MOST), BeforeValidator(_list)]
    claims: Annotated[list[Compared], Field(max_length=MOST), BeforeValidator(_list)]
    facts: Annotated[list[Words], Field(min_length=1, max_length=MOST), BeforeValidator(_list)]
