"""Explanations as JSON: the forms of a reply, read strictly."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from veridical.records import Json

MOST = 1_000
"""The most entries of a list."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _some(text: str) -> str:
    if not text:
        raise ValueError("a text is needed")
    return text


def _no_share(value: float) -> float:
    if 0 < value < 1:
        raise ValueError("a number from 0 to 100 is needed, this may be a share of 1")
    return value


def _word(value: Json) -> Json:
    """The words yes, no and unclear in any case; JSON's own truth values are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.strip().casefold() if isinstance(value, str) else value


Line = Annotated[str, AfterValidator(_one_line)]
Words = Annotated[str, AfterValidator(_one_line), AfterValidator(_some)]
Seconds = Annotated[float, Field(ge=0, le=100_000)]
Confidence = Annotated[float, Field(ge=0, le=100), AfterValidator(_no_share)]


class _Strict(BaseModel):
    """Strict types: a number in quotes is none. Keys that are not asked for are ignored."""

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
    anomalies: list[Seen] = Field(max_length=MOST)
    misdirection: Line
    steps: list[Words] = Field(min_length=1, max_length=MOST)
    principle: Words
    trick: Annotated[Literal["yes", "no"], BeforeValidator(_word)]
    confidence: Confidence


class Thought(Explanation):
    """An explanation after an inventory of the frames, the claims compared with it, and the facts that it confirms."""

    inventory: list[Seen] = Field(min_length=1, max_length=MOST)
    claims: list[Compared] = Field(max_length=MOST)
    facts: list[Words] = Field(min_length=1, max_length=MOST)
