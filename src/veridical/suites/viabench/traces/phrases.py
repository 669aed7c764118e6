"""The words by which rules know hedges, withdrawals and turns, in English with a few of Chinese."""

from __future__ import annotations

import re

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
TURNS = re.compile(
    rf"\A{_OPENERS}{_BACK}\b|\A(?:but\s)?no[,.:]",
    re.IGNORECASE,
)
"""A sentence that turns back to what was looked at before."""
WEAK_TURNS = re.compile(r"\A(?:but|no|or|yet|though|then again|back to)\b", re.IGNORECASE)
"""A sentence that may do so."""
