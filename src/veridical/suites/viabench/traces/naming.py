"""How a sentence may name an option: numbers in digits or words, letters by what is said of them, texts as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from veridical.suites.viabench.puzzles.puzzle import NO, NOT_SURE, YES

_SPELLED = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_CHINESE = "零一二三四五六七八九"
_LEADING = re.compile(r"\A(?:they are|it is|both|the)\s+", re.IGNORECASE)
_ALIKE = frozenset({"equal", "same", "alike", "identical", "equally long", "no difference"})
_ARE_ALIKE = r"\b(?:are|is|look)\s(?:\w{1,12}\s)?(?:equal|alike|identical|the same)\b(?! (?:place|way|time|as))"
_THEREFORE = r"(?:\A\W{0,3}|\b(?:so|hence|thus|therefore|say|choose|is)\W{1,3})"
_DONE = r"(?=\W{0,3}\Z|,)"
_NUMBER = r"(?<![\w.:,/])(?:{})(?![\w:/%]|[.,]\d)"
_ONE = r"(?:(?<=only )|(?<=just )|(?<=exactly )|(?<=is )|(?<=see )|(?<=count ))one(?!\s(?:of|that|is|was))"
"""The word "one" mostly counts nothing."""
COUNT = rf"(?:\d{{1,2}}|{'|'.join(_SPELLED)})"
"""A number in digits or words."""


@lru_cache(maxsize=4096)
def names_of(options: tuple[str, ...]) -> Mapping[str, re.Pattern[str]]:
    """For each option but "Not Sure" and those of two letters or less that are no numbers, what names it.

    >>> bool(names_of(("5", "6"))["6"].search("I count six.")), bool(names_of(("5", "6"))["5"].search("15"))
    (True, False)
    """
    return {option: re.compile(_source(option), re.IGNORECASE) for option in options if option != NOT_SURE}


def _source(option: str) -> str:
    core = _LEADING.sub("", option.strip())[:200]
    if core.isascii() and core.isdigit():
        value = int(core[:9])
        words = [re.escape(core), *(_SPELLED[value : value + 1] if value != 1 else (_ONE,))]
        counted = rf"|{_CHINESE[value]}(?=[根条个只张])" if value < len(_CHINESE) else ""
        return _NUMBER.format("|".join(words)) + counted
    if core in (YES, NO):
        return _THEREFORE + core + _DONE
    if core.casefold() in _ALIKE:
        return rf"{_ARE_ALIKE}|{_THEREFORE}{re.escape(core)}{_DONE}|\bboth alike\b"
    if len(core) == 1:
        letter = f"(?-i:{re.escape(core)})"
        comparison = r"\s(?:is|looks|appears|seems|extends|was)\s(?:(?!not\b)\w{1,12}\s){0,4}\w{1,12}(?:er|est)\b"
        return rf"\b{letter}{comparison}|{_THEREFORE}{letter}{_DONE}"
    article = r"(?:the|a|an)\s" if option.casefold().startswith("the ") else ""
    return rf"(?<!\w){article}{re.escape(core)}(?!\w)"
