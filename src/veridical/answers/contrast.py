"""Where a sentence turns from what seems, is usual or is denied to what the reply itself finds."""

from __future__ import annotations

import re

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


def held(sentence: str) -> tuple[int, int] | None:
    """Start and end of the part of a sentence that the reply itself holds, where it sets another part aside.

    >>> sentence = "The left one seems longer, but it is the right one."
    >>> sentence[slice(*held(sentence))]
    ' it is the right one.'
    >>> held("The left one is longer.") is None
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
