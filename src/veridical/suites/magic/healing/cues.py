"""Words of correction: those that call something a mistake, and those that only set the next against the last."""

from __future__ import annotations

import re

from veridical.answers.markers import CUE, INSTEAD

_OFF = r"(?:wrong|incorrect|mistaken|false|untrue|not (?:right|correct|true|so|accurate)|an? (?:mistake|error|slip))"
_STRONG = re.compile(
    r"\b(?:there(?:'s|\u2019s| is| was) (?:an?|one) (?:mistake|error|slip)|I(?: I)? (?:made|make)(?: now)? (?:a"
    r"|an) (?:mistake|error|slip)|my (?:own )?(?:mistake|error|bad)\b|(?:my|the|that"
    rf"|what I \w{{2,9}})(?: \w{{1,12}}){{0,5}} (?:is|was) {_OFF}|(?:that|this|which|it)(?:'s|\u2019s| is| was) {_OFF}"
    rf"|I (?:was|am|have been|must have been) {_OFF}|I (?:stand corrected|take (?:that|it|this) back|withdraw|retract)"
    r"|I (?:have |had |must have |seem to have )?(?:misread|misjudged|mistook|mislabell?ed|mixed up|confused|swapped"
    r"|got (?:that|it|this) wrong)|(?:wrongly|incorrectly)|(?:let me|I (?:need|have|should|must)(?: to)?"
    r"|I'll) (?:correct|revise|fix)\b|(?:scratch|strike) that|correction:|contrary to what I|apologi[sz]e for)",
    re.IGNORECASE,
)
_NO_MISTAKE = re.compile(
    r"\b(?:no|without (?:a|any)|not (?:a|any)|never made a|free of) (?:mistakes?|errors?|need to correct)\b"
    r"|\b(?:nothing|not|no need) (?:\w{1,12} ){0,3}(?:wrong|correct|revise|fix)\b|\bif\b|\bwhether\b|\?\W{0,3}\Z",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:actually|however|I (?:now )?see (?:now )?that|wait|does not (?:hold|fit)|should (?:have|be|read|say)"
    r"|put right|taken it (?:that|for)|hold on|in fact|instead|rather than|(?:on|upon|at|taking) (?:a )?(?:closer"
    r"|second|another|further) (?:look|inspection|glance|thought)|sorry|on reflection|, not)\b|\A\W{0,3}(?:hmm+"
    r"|no)\b[,.]?",
    re.IGNORECASE,
)


_HINT = re.compile(
    r"\b(?:wait|hm+|oh|ah|oops|actually|in (?:fact|truth)|sorry|wrong(?:ly)?|(?:mis|mis-)(?!sing)[a-z]{3,}|errors?"
    r"|incorrect\w*|correct(?:ion|ing|ed|:)?|back|strike|scratch|redo|rephrase|backwards|mix(?:ed)?|slip\w*|spotted"
    r"|fixed|contrary|contradict\w*|restate|revers\w*|(?:more|in)accura\w*|not|revis\w*|amend\w*|invert\w*|backtrack\w*|reconsider\w*|retry|took|real(?:ly)?|hold|re-?check\w*"
    r"|self-check|swap\w*|confus\w*|apolog\w*|instead|rather|turns out|should (?:be|have|read)|again|now that"
    r"|no longer|used to|said|wrote|so much for)\b|\A\W{0,3}no\b|\bno[,:;]|\bno no\b"
    r"|\bnot (?:[\w-]{1,12} ){0,4}[\w-]{1,12}[,:;.)]|n['\u2019]t\b|\u2192|\u2260|[-=]>|\u274c|\u2717|~~|\?",
    re.IGNORECASE,
)


def hints(text: str) -> bool:
    """Whether a text has any word or sign by which it might correct something, of whatever kind.

    >>> hints("Hmm, that is the robot."), hints("R4 shows the vase, which is green.")
    (True, False)
    """
    return _HINT.search(text) is not None


def calls_mistake(sentence: str) -> bool:
    """Whether a sentence calls something that was said a mistake.

    >>> calls_mistake("I made a mistake there."), calls_mistake("I made no mistake.")
    (True, False)
    """
    return bool(_STRONG.search(sentence)) and not _NO_MISTAKE.search(sentence)


def turns(sentence: str) -> bool:
    """Whether a sentence sets what it says against what was said before, or calls that a mistake.

    >>> turns("Actually, the mug is red."), turns("The mug is red.")
    (True, False)
    """
    if calls_mistake(sentence):
        return True
    return any(pattern.search(sentence) for pattern in (_WEAK, CUE, INSTEAD)) and not sentence.rstrip().endswith("?")
