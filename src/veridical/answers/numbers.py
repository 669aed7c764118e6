"""Whole numbers in running text: digits and the number words of a few languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_SMALL = ("zero", *_ONES, "ten", "eleven", "twelve", *_TEENS)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_OTHER = {
    "zwei drei vier fünf sechs sieben acht neun zehn": range(2, 11),
    "deux trois quatre cinq six sept huit neuf dix": range(2, 11),
    "dos tres cuatro cinco seis siete ocho nueve diez": range(2, 11),
    "null zéro cero": (0, 0, 0),
    "zwölf douze doce": (12, 12, 12),
}
_WORDS = (
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
    | {word: value for words, values in _OTHER.items() for word, value in zip(words.split(), values, strict=True)}
)
_SIGNS = dict(zip("零二两三四五六七八九十", (0, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True))
_TOKEN = re.compile(
    r"(?P<digits>(?<![A-Za-z0-9_.,:/^])-?[0-9](?:[0-9,.:/^]*[0-9])?)(?P<tail>[²³¹½¼¾]|[A-Za-z]+| ?%)?"
    rf"|\b(?P<tens>{'|'.join(_TENS)})[- ](?P<ones>{'|'.join(_ONES)})\b"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b(?!-)"
    rf"|(?<![{''.join(_SIGNS)}一百千第])(?P<sign>[{''.join(_SIGNS)}])(?=[条個个只根颗点本匹頭头隻つ座辆枚])",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"-?(?:[0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(?:\.0{1,6})?")
_GERMAN_THOUSANDS = re.compile(r"[0-9]{1,3}\.0{3}")
_SCALE = r"(?:hundred|thousand|million|billion|dozen|hundert|tausend|cents?|mille|mil|miles)"
_SCALED = re.compile(rf"[- ]{_SCALE}\b| ?[十百千万]", re.IGNORECASE)
_TENS_BEFORE = r"dix|vingt|\w{2,6}nte|\w{3,7}nta y"
_PART = re.compile(rf"\b(?:minus|{_TENS_BEFORE}|{_SCALE})[- ](?:and |et )?$", re.IGNORECASE)
_EXISTS = re.compile(
    r"(?:there (?:is|are)|has|have|see|count|shows?|contains?)(?: (?:only|exactly|just))? $", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number found in a text: its value, or `None` where it is not a whole number that can be told for certain."""

    value: int | None
    start: int
    end: int


def numbers(text: str) -> Iterator[Number]:
    """Whole numbers in a text, in order; what is written as a number but is none for certain has the value `None`.

    Ordinals ("3rd"), percentages and labels ("3D", "R1") are left out; "one" counts only by itself or after words such
    as "there is", being a pronoun elsewhere. Words for hundreds and more are not added up.

    >>> [number.value for number in numbers("Four legs, 1,234 hairs, 4.5 m, the 3rd of twenty-one, 5², two hundred")]
    [4, 1234, None, 21, None, None]
    """
    for token in _TOKEN.finditer(text):
        start, end = token.start(), token.end()
        if token["digits"]:
            if token["tail"] and token["tail"] not in "²³¹½¼¾":
                continue
            value = None if token["tail"] else _value(token["digits"])
        elif token["tens"]:
            value = _WORDS[token["tens"].lower()] + _WORDS[token["ones"].lower()]
        elif token["sign"]:
            value = _SIGNS[token["sign"]]
        elif token["word"].lower() != "one" or _SCALED.match(text, end) or _is_count(text, start, end):
            value = _WORDS[token["word"].lower()]
        else:
            continue
        part = _SCALED.match(text, end) or _PART.search(text[max(0, start - 20) : start])
        yield Number(None if part else value, start, end)


def _value(digits: str) -> int | None:
    if not _WHOLE.fullmatch(digits) or _GERMAN_THOUSANDS.fullmatch(digits):
        return None
    return int(digits.partition(".")[0].replace(",", ""))


def _is_count(text: str, start: int, end: int) -> bool:
    """Whether "one" at this place is the number."""
    return text.strip(" \n\t.!\"'()") == text[start:end] or _EXISTS.search(text[max(0, start - 40) : start]) is not None
