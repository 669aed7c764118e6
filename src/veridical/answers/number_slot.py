"""What one place of a reply gives as its number: bounds, ranges and choices of numbers give none."""

from __future__ import annotations

import re
from functools import lru_cache

from veridical.answers.norms import apart
from veridical.answers.number_words import NONE_AT_ALL
from veridical.answers.numbers import Number, numbers
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, denied

_BOUND = re.compile(
    r"(?:\b(?:at least|at most|more than|less than|fewer than|over|under|up to|minimum of|maximum of"
    r"|mindestens|höchstens|mehr als|weniger als|über|au moins|au plus|plus de|al menos|más de|至少|最多|超过)"
    r" {0,2}(?:of |the )?|[<>≥≤] {0,2})$",
    re.IGNORECASE,
)
_AFTER_BOUND = re.compile(r" {0,2}(?:\+(?! ?[0-9])|or (?:more|fewer|less)\b|以上|以下)", re.IGNORECASE)
_BETWEEN = re.compile(
    r"[^0-9\n]{0,20}?(?:\b(?:or|to|oder|bis|ou|o|à|until|through|versus|vs|x|by|maybe|perhaps|possibly)\b"
    r"|/|或|[-+~×*^]|[0-9] [0-9])"
    r"[^0-9\n]{0,12}",
    re.IGNORECASE,
)
_RESULT = re.compile(r"\W{0,5}[0-9]{1,9}(?:\s?(?:[+×*·]|\\times|\\cdot)\s?[0-9]{1,9}){1,30}\s?=\s?(?=[0-9])")
LEADING = re.compile(r"[^\w\n]{0,8}(?:(?:exactly|only|just|about|approximately|around|roughly|ca\.) )?[\"'(\[]{0,2}")
"""What may stand before the number that opens a place."""


@lru_cache(maxsize=512)
def number_slot(content: str, alone: bool) -> Read:
    """The number of a place; where it must stand `alone`, nothing but the number may be there."""
    summed = _RESULT.match(content)
    if summed:
        content = content[summed.end() :]
    if NONE_AT_ALL.fullmatch(content):
        return Read("0")
    numbers = counted(content)
    if not numbers:
        return NOTHING
    first = numbers[0]
    opening = LEADING.match(content)
    if alone:
        covered = opening is not None and opening.end() == first.start and first.value is not None
        more = any(sign.isalnum() or sign in "+-=~?" for sign in content[first.end :])
        return only_value(content, numbers) if covered and not more else NOTHING
    if (
        opening is not None
        and opening.end() == first.start
        and first.value is not None
        and not is_open(content, numbers, 0)
    ):
        rest = content[first.end : first.end + 30]
        if "=" not in content and not re.match(r"\s{0,2}\(\s{0,2}[\w-]{1,12}\s{0,2}\)", rest):
            return Read(str(first.value))
    return only_value(content, apart(content, numbers))


def counted(text: str) -> list[Number]:
    """Numbers of a text that may be the answer: those that are not denied."""
    return [number for number in numbers(text) if not denied(text, number.start)]


def is_open(text: str, numbers: list[Number], index: int) -> bool:
    """Whether a number is one end of a range, one of two, a bound, or a factor."""
    number = numbers[index]
    before = text[max(0, number.start - 30) : number.start]
    if _BOUND.search(before) or _AFTER_BOUND.match(text[number.end : number.end + 12]):
        return True
    if index + 1 == len(numbers) or numbers[index + 1].start - number.end > 32:
        return False
    gap = text[number.end : numbers[index + 1].start]
    return _BETWEEN.fullmatch(gap) is not None or not gap.strip(" \t") or gap.strip() == ","


def only_value(text: str, numbers: list[Number]) -> Read:
    """The one value that all numbers share, or why there is none."""
    if any(is_open(text, numbers, index) for index in range(len(numbers))):
        return Read(None, "a range, a bound or a choice of numbers is given")
    values = {number.value for number in numbers}
    if None in values:
        return Read(None, "a number is given that is not a whole number for certain")
    if len(values) > 1:
        return Read(None, "several numbers are given")
    return Read(str(values.pop()))
