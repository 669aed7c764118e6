"""Where a sentence turns from what seems, is usual or is denied to what the reply itself finds."""

from __future__ import annotations

import re

_AGAINST = re.compile(
    r"\b(?:seem|appear|look|at (?:a )?(?:first|quick)|first (?:glance|thought|impression|look)|one (?:would"
    r"|might|may|could)"
    r"|tempt|expect|impression|suggest|usual|normal|typical|visual|textbook|classic|initial|thought|people"
    r"|many|most people"
    r"|you (?:would|might|may)|not\b|isn't|wasn't|aren't|neither|normalerweise|scheinbar|nicht|kein|d'abord"
    r"|semble|parece"
    r"|normalmente|sembra|обычно|кажется|не\b)",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|however|yet|in reality|in (?:actual )?fact|actually|sondern|aber|tatsächlich|mais|pero|sino"
    r"|mas|ma|но|а)\b",
    re.IGNORECASE,
)


_CONCEDED = re.compile(
    r"^\W{0,5}(?:although|though|even though|while|whereas|obwohl|bien que|aunque|embora|sebbene|хотя)\b[^,.]{3,150},",
    re.IGNORECASE,
)
_CONCEDING = re.compile(
    r",? (?:although|though|even though|even if|while|obwohl|auch wenn|bien que|aunque|embora|хотя)\b", re.IGNORECASE
)
_SEEMS = re.compile(
    r"\b(?:seem|appear|look|perceiv|interpret|scheint|wirkt|semble|parece|sembra|кажется)\w{0,3}\b", re.IGNORECASE
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
    if conceding and _SEEMS.search(sentence, conceding.end()) and not _SEEMS.search(sentence, 0, conceding.start()):
        return 0, conceding.start()
    return None
