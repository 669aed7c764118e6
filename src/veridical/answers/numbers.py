"""Whole numbers in running text: digits and the number words of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.answers.number_words import AMBIGUOUS, COUNTED, ONES, SIGNS, TENS, WORDS

_LETTER = r"\w\u0300-\u036f\u064b-\u0652\u0900-\u0dff"
_BEGINS, _ENDS = rf"(?<![{_LETTER}])", rf"(?![{_LETTER}])"
_SIGN = "".join(SIGNS)
_OF = "条條个個只隻根颗顆点點本匹頭头つ座辆枚张張顶朵片把支羽環环星爪足腿脚指つ本環圈瓣道束行列层級级"
_NAMES = sorted((*WORDS, *(word for words in AMBIGUOUS.values() for word in words)), key=len, reverse=True)
_TOKEN = re.compile(
    r"(?i)(?P<digits>(?<![A-Za-z0-9_.,:/^])-?[0-9](?:[0-9,.:/^]*[0-9])?)(?P<tail>[²³¹½¼¾]|[A-Za-z]+| ?%)?"
    rf"|\b(?P<tens>{'|'.join(TENS)})[- ](?P<ones>{'|'.join(ONES)})\b|{_BEGINS}(?P<word>{'|'.join(_NAMES)}){_ENDS}(?!-)"
    rf"|(?<![{_LETTER}])(?P<korean>{'|'.join(COUNTED)})(?= ?(?:개|마리|줄|명|장|쌍|다리|송이|가닥|칸))"
    rf"|(?<![{_SIGN}十百千第])(?P<sign>[{_SIGN}]?十[{_SIGN}]?|[{_SIGN}])(?=[{_OF}]|[。.]?\s{{0,3}}\Z)"
)
_WHOLE = re.compile(r"-?(?:[0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(?:\.0{1,6})?")
_GERMAN_THOUSANDS = re.compile(r"[0-9]{1,3}\.0{3}")
_SCALE = r"(?:hundred|thousand|million|billion|dozen|hundert|tausend|cents?|mille|mil|miles)"
_SCALED = re.compile(rf"(?i)[- ]{_SCALE}\b| ?[十百千万]")
_TENS_BEFORE = r"dix|vingt|\w{2,6}nte|\w{3,7}nta y"
_PART = re.compile(rf"(?i)\b(?:minus|{_TENS_BEFORE}|{_SCALE})[- ](?:and |et )?$")
_ROUGHLY = re.compile(
    r"(?i)\b(?:about|around|roughly|almost|nearly|some|several|over|few|couple|couple of|many) (?:a )?$"
)
_EXISTS = re.compile(
    r"(?i)(?:(?:there (?:is|are)|has|have|see|count|shows?|contains?)(?: (?:only|exactly|just))?|^\W{0,4}(?:only"
    r"|just|exactly)) $"
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
    as "there is", being a pronoun elsewhere. Words for hundreds and more are not added up; a word that is a number in
    one language alone ("fire") counts where the text is in that language.

    >>> [number.value for number in numbers("Four legs, 1,234 hairs, 4.5 m, the 3rd of twenty-one, 5², two hundred")]
    [4, 1234, None, 21, None, None]
    """
    local: dict[str, int] | None = None
    for token in _TOKEN.finditer(text):
        start, end = token.start(), token.end()
        if token["digits"]:
            if token["tail"] and token["tail"] not in "²³¹½¼¾":
                continue
            value = None if token["tail"] else _value(token["digits"])
        elif token["tens"]:
            value = TENS[token["tens"].lower()] + ONES[token["ones"].lower()]
        elif token["sign"]:
            if token["sign"] == "一":
                continue
            value = _of_signs(token["sign"])
        elif token["korean"]:
            value = COUNTED[token["korean"]]
        else:
            word = token["word"].lower()
            local = _local(text) if local is None else local
            if word not in WORDS and word not in local:
                continue
            if (
                word == "none"
                or (word == "dozen" and _ROUGHLY.search(text, max(0, start - 20), start))
                or (word == "one" and not (_SCALED.match(text, end) or _is_count(text, start, end)))
            ):
                continue
            value = local.get(word, WORDS.get(word))
        part = _SCALED.match(text, end) or _PART.search(text[max(0, start - 20) : start])
        yield Number(None if part else value, start, end)


def write_digits(text: str) -> str:
    """A text with its whole numbers as digits.

    >>> write_digits("four legs, twenty-one hairs")
    '4 legs, 21 hairs'
    """
    parts, at = [], 0
    for number in numbers(text):
        if number.value is not None:
            parts += [text[at : number.start], str(number.value)]
            at = number.end
    return "".join([*parts, text[at:]])


def _local(text: str) -> dict[str, int]:
    """Words that are numbers in the language that a text is in."""
    bare = text.strip(" \n\t.!\"'()").lower()
    values = {word: value for words in AMBIGUOUS.values() for word, value in words.items() if word == bare}
    for hint, words in AMBIGUOUS.items():
        if hint.search(text[:2000]):
            values |= words
    return values


def _of_signs(signs: str) -> int:
    tens, ten, ones = signs.rpartition("十")
    if not ten:
        return SIGNS[signs]
    return 10 * (SIGNS[tens] if tens else 1) + (SIGNS[ones] if ones else 0)


def _value(digits: str) -> int | None:
    if not _WHOLE.fullmatch(digits) or _GERMAN_THOUSANDS.fullmatch(digits):
        return None
    return int(digits.partition(".")[0].replace(",", ""))


def _is_count(text: str, start: int, end: int) -> bool:
    """Whether "one" at this place is the number."""
    return text.strip(" \n\t.!\"'()") == text[start:end] or _EXISTS.search(text[max(0, start - 40) : start]) is not None
