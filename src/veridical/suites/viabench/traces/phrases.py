"""The words by which rules know hedges, withdrawals and turns, in English with a few of Chinese."""

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


Phrases = tuple[str, ...]


def pattern(phrases: Phrases, chinese: Phrases = ()) -> re.Pattern[str]:
    """A pattern for any of these phrases as whole words, or any of these Chinese ones.

    >>> bool(pattern(("may be",)).search("It may be.")), bool(pattern(("may be",)).search("maybe"))
    (True, False)
    """
    whole = "|".join(phrases)
    return re.compile("|".join([rf"\b(?:{whole})(?!\w)", *chinese]), re.IGNORECASE)


_DEGREE = (
    r"(?:\s(?:really|still|entirely|fully|completely|totally|quite|100\s?%|so|very|absolutely|too|at all|be)){0,2}"
)
_WELL = r"(?:\s(?:really|fully|quite|reliably|clearly)){0,2}"
_UNABLE = r"(?:cannot|can't|can not|could not|couldn't|unable to|hard to|difficult to|trouble|struggl\w{1,4} to)"
_TELL = (
    r"(?:tell|telling|say|determin\w{1,4}|decid\w{1,4}|be|make out|distinguish\w{0,3}|settle|separate|follow\w{0,3})"
)
_IT_MAY = r"(?:I|it|this|that|there|which|they|the\s\w{1,12}(?:\s\w{1,12})?)\s(?:might|may|could)"
HEDGES = pattern(
    (
        "maybe|perhaps|possibly|conceivably|presumably|probably|likely|tentatively|unsure|uncertain(?:ty)?|undecided",
        rf"not{_DEGREE}\s(?:certain|confident|clear)",
        rf"\w{{1,6}}n't{_DEGREE}\s(?:certain|confident|clear)",
        rf"not{_DEGREE}\s(?-i:sure)",
        rf"{_UNABLE}{_WELL}\s{_TELL}",
        rf"{_IT_MAY}(?:\s(?:well|also|still|easily|just))?\s(?:be|have)",
        r"I(?:'d|\swould|'ll)?\s(?:guess|suppose|suspect|assume|doubt)",
        r"(?:best|my|a)\sguess",
        r"lean(?:ing)?\stowards?",
        r"as far as (?:\w{1,12}\s){1,5}(?:see|tell|judge)",
        r"no way (?:to|of) (?:be|being|know|knowing|tell|telling)\b(?:\s(?:sure|certain))?",
        r"(?:coin|toss[- ]?up|iffy|hazy)(?:[- ](?:toss|flip))?|could go either way|either way|somewhere between",
        r"(?:don't|do not) (?:quote|hold) me|not (?:obvious|easy to \w{1,12})",
        r"\d{1,2}\s?% (?:sure|certain|confident|on|for)",
        r"(?:low|little) confidence",
        r"(?:some|have|in) doubts?",
        r"torn between|don't know|if anything",
    ),
    ("也许", "可能", "大概", "不确定", "或许"),
)
"""That the writer is unsure."""

OF_OTHERS = pattern((r"persons?|people|humans?|eyes?|viewers?|observers?|brain|at first glance|tempting",))
"""That somebody else may be misled."""

_AGAIN = r"(?:I|I've|I have|I must have|I may have|I might have)(?: just)?"
_WRONG = r"(?:not (?:right|correct|true)|wrong|incorrect|a mistake|an error)"
_OFF = r"(?:wrong|off|mistaken|incorrect|false)"
WITHDRAWALS = pattern(
    (
        r"(?:scratch|strike) that",
        r"(?:take (?:that|it|this) back|withdraw|retract|change my (?:answer|mind))",
        r"correction|make (?:that|it) (?=\w{1,12}\W)|after all",
        r"(?:doesn't|does not|didn't|did not) (?:hold|survive|stand)",
        r"was my first (?:thought|impression|guess|idea)|I (?:overrule|discard|drop|reject) (?:my|that|this)",
        r"(?:let me|I (?:need|have|want) to|I must|I should) (?:correct|revise)",
        r"I(?:'m| am| was| must have been| may have been) (?:wrong|mistaken|too (?:quick|hasty|fast))",
        rf"{_AGAIN} (?:misread|miscounted|misjudged|misinterpreted|misidentified|mistook|missaw)",
        rf"(?:that|this|it)(?:'s| is| was| can't be| cannot be) {_WRONG}",
        r"on (?:second|further|closer) (?:thought|look|inspection|reflection)|on reflection",
        rf"my (?:(?:first|initial|earlier|previous) )?\w{{1,12}} (?:was|must be|must have been) {_OFF}",
    ),
    ("不对", "看错", "改变主意", "我错了", "更正"),
)
"""That a finding is taken back."""

_SIGHS = r"(?:(?:oh|hmm+|well|but|wait|hold on)\W{1,4}){0,3}"
NO_AFTER_ALL = re.compile(rf"\A{_SIGHS}(?:no|actually)(?:[,.\u2014]|\s(?:wait|it|that|this)\b)", re.IGNORECASE)
"""A sentence that begins by turning down what was said before."""

_OPENERS = r"(?:(?:but|and|oh|ok(?:ay)?|hmm+|no|so)\W{1,4}){0,2}"
_CHECK = r"let me (?:re|check|look|count|scan)\w{0,8}(?: again| once more)?"
_BACK = rf"(?:wait|hmm+|hold on|alternatively|however|again|recount|verify|re-?check|once more|{_CHECK})"
TURNS = re.compile(rf"\A{_OPENERS}{_BACK}\b|\A(?:but\s)?no[,.:]", re.IGNORECASE)
"""A sentence that turns back to what was looked at before."""
WEAK_TURNS = re.compile(r"\A(?:but|no|or|yet|though|then again|back to)\b", re.IGNORECASE)
"""A sentence that may do so."""
