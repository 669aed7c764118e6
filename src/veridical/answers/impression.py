"""First impressions: sentences that state what seems, or what is usual, before a reply says what it sees."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"[^.!?\n。！？]{1,600}(?:[.!?\n。！？]+|\Z)")
_SEEMS = re.compile(
    r"\b(?:(?:at|on) (?:a |the )?(?:first|quick)? ?(?:sight|glance|look|viewing|inspection)|at first\b|initial(?:ly)?\b"
    r"|(?:my |the )?(?:first|immediate|gut|quick|naive|intuitive|automatic) (?:sight|instinct|thought|guess|reaction"
    r"|impression|answer|reading|feeling)|instinctively|intuitively"
    r"|(?:seem|appear|look)(?:s|ed)?(?: like| as if| to be)? (?:right|correct|plausible|obvious|tempting|natural)"
    r"|tempt(?:ed|ing)|would (?:usually|normally)"
    r"|(?:one|you|people|we|i|many|most people) (?:might|may|would|could|will) (?:\w{1,12} )?"
    r"(?:think|say|expect|guess|assume|answer|believe|pick|choose)"
    r"|i (?:first|almost|nearly) (?:thought|said|picked|chose|went)"
    r"|the (?:usual|obvious|expected|typical|textbook|common) (?:answer|response|choice|reading)"
    r"|auf den ersten blick|zuerst dacht\w|zunächst|à première vue|au premier (?:abord|regard|coup d.œil)"
    r"|a primera vista|al principio|a prima vista)"
    r"|乍一看|乍看|第一眼|一見|最初は|初看",
    re.IGNORECASE,
)
_TEMPTING = re.compile(
    r"\b(?:tempt(?:ed|ing)|(?:my |the )?(?:first|initial) (?:guess|impression|estimate|thought)"
    r"|as (?:one|some|you|many) (?:may|might|would) (?:think|expect)|usual answer)\b",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\b(?:but|however|yet|although|though|except|aber|jedoch|mais|pero|ma)\b[^.\n]{0,120}"
    r"(?:\b(?:not|never|no|isn|doesn|don|aren|wrong|incorrect|false|fails?|nicht|falsch|pas|non|no es)\b|n't)"
    r"|(?:\b(?:is|are|was|be|ist|est|es)\b|'s)\s(?:clearly |actually |in fact |simply )?"
    r"(?:not the case|not (?:right|true|correct)|wrong|incorrect|ruled out|falsch|faux|falso)"
    r"|但|不是|不对|違",
    re.IGNORECASE,
)


def first_impressions(plain: str) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of the sentences that state an impression, or that reject what they state.

    >>> text = "At first sight C seems right. Looking closely, it is B."
    >>> [text[start:end] for start, end in first_impressions(text)]
    ['At first sight C seems right.']
    """
    for sentence in _SENTENCE.finditer(plain):
        if _SEEMS.search(sentence[0]) or _REJECTED.search(sentence[0]):
            yield sentence.span()


def tempting(plain: str) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of the sentences that call an answer tempting, or what others would say.

    >>> text = "B. Option A is tempting, but it is too large."
    >>> [text[start:end] for start, end in tempting(text)]
    [' Option A is tempting, but it is too large.']
    """
    for sentence in _SENTENCE.finditer(plain):
        if _TEMPTING.search(sentence[0]):
            yield sentence.span()
