"""First impressions, and where a sentence turns from what seems or is usual to what the reply itself finds."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"[^.!?\n。！？]{1,600}[.!?\n。！？]*")
_SEEMS = re.compile(
    r"(?i)\b(?:(?:at|on) (?:a |the )?(?:first|quick)? ?(?:sight|glance|look|viewing|inspection)|at first\b"
    r"|initial(?:ly)?\b|(?:my |the )?(?:first|immediate|gut|quick|naive|intuitive|automatic) (?:sight|instinct|thought"
    r"|guess|reaction|impression|answer|reading|feeling)|instinctively|intuitively|(?:seem|appear|look)(?:s"
    r"|ed)?(?: like| as if| to be)? (?:right|correct|plausible|obvious|tempting|natural)|tempt(?:ed|ing)"
    r"|would (?:usually|normally)|(?:one|you|people|we|i|many|most people) (?:might|may|would|could"
    r"|will) (?:\w{1,12} )?(?:think|say|expect|guess|assume|answer|believe|pick|choose)|i (?:first|almost"
    r"|nearly) (?:thought|said|picked|chose|went)|the (?:usual|obvious|expected|typical|textbook|common) (?:answer"
    r"|response|choice|reading)|auf den ersten blick|zuerst dacht\w|zunächst|à première vue|au premier (?:abord|regard"
    r"|coup d.œil)|a primera vista|al principio|a prima vista)|乍一看|乍看|第一眼|一見|最初は|初看"
)
_TEMPTING = re.compile(
    r"(?i)\b(?:tempt(?:ed|ing)|(?:my |the )?(?:first|initial) (?:guess|impression|estimate|thought)"
    r"|as (?:one|some|you|many) (?:may|might|would) (?:think|expect)|usual answer)\b"
)
_NOT_HERE = re.compile(r"(?i)\s{0,3}(?:(?:but|however),? (?:here|in this)\b|here,? (?:however|though)\b)")
"""What after a sentence makes it one of how things usually are."""
TURNS = re.compile(
    r"(?i)\b(?:but|however|yet|although|though|until|in fact|actually|aber|jedoch|mais|pero|ma)\b|但|不过"
)


def first_impressions(plain: str, *, turned: bool = True) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of the sentences that state an impression, also those that turn against it if `turned`.

    >>> text = "At first sight C seems right. Looking closely, it is B."
    >>> [text[start:end] for start, end in first_impressions(text)]
    ['At first sight C seems right.']
    """
    for sentence in _SENTENCE.finditer(plain):
        seems = _SEEMS.search(sentence[0]) or _NOT_HERE.match(plain, sentence.end())
        if seems and (turned or not TURNS.search(sentence[0])):
            yield sentence.span()


def temptation_spans(plain: str) -> list[tuple[int, int]]:
    """The beginnings and ends of the sentences that call an answer tempting, or what others would say.

    >>> text = "B. Option A is tempting, but it is too large."
    >>> [text[start:end] for start, end in temptation_spans(text)]
    [' Option A is tempting, but it is too large.']
    """
    return [sentence.span() for sentence in _SENTENCE.finditer(plain) if _TEMPTING.search(sentence[0])]


_AGAINST = re.compile(
    r"(?i)\b(?:seem|appear|look|at (?:a )?(?:first|quick)|first (?:glance|thought|impression|look)|ersten blick"
    r"|première vue|primera vista|prima vista|one (?:would|might|may|could)|tempt|expect|impression|suggest|usual"
    r"|normal|typical|visual|textbook|classic|initial|thought|people|many|most people|you (?:would|might|may)|not\b"
    r"|isn't|wasn't|aren't|neither|normalerweise|scheinbar|nicht|kein|d'abord|semble|parece|normalmente|sembra|обычно"
    r"|кажется|не\b)"
)
_TURN = re.compile(
    r"(?i)\b(?:but|however|yet|in reality|in (?:actual )?fact|actually|sondern|aber|tatsächlich|mais|pero|sino"
    r"|mas|ma|но|а)\b"
)
_CONCEDED = re.compile(
    r"(?i)^\W{0,5}(?:although|though|even though|while|whereas|obwohl|bien que|aunque|embora|sebbene"
    r"|хотя)\b[^,.]{3,150},"
)
_CONCEDING = re.compile(
    r"(?i),? (?:although|though|even though|even if|while|obwohl|auch wenn|bien que|aunque|embora|хотя)\b"
)
SEEMS = re.compile(
    r"(?i)\b(?:seem|appear|look|perceiv|interpret|expect|tempt|suggest|scheint|wirkt|semble|parece|sembra)\w{0,3}\b"
)


def held_part(sentence: str) -> tuple[int, int] | None:
    """Start and end of the part of a sentence that the reply itself holds, where it sets another part aside.

    >>> sentence = "The left one seems longer, but it is the right one."
    >>> sentence[slice(*held_part(sentence))]
    ' it is the right one.'
    >>> held_part("The left one is longer.") is None
    True
    """
    turns = list(_TURN.finditer(sentence))
    if turns and _AGAINST.search(sentence, 0, turns[-1].start()):
        return turns[-1].end(), len(sentence)
    conceded = _CONCEDED.match(sentence)
    if conceded:
        return conceded.end(), len(sentence)
    conceding = _CONCEDING.search(sentence)
    if conceding and SEEMS.search(sentence, conceding.end()) and not SEEMS.search(sentence, 0, conceding.start()):
        return 0, conceding.start()
    return None
