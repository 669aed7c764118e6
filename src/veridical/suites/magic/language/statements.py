"""The sentences of a line, and what each states: how a thing is, where it is, or how it stands to another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.suites.magic.language.clause import ClauseStatement, NamedThing, read_clause
from veridical.suites.magic.language.items import items
from veridical.suites.magic.language.words import Lexicon

_BREAK = re.compile(
    r";|:\s(?=it is\b)|\s[-\u2013\u2014]{1,2}\s|\u2014"
    r"|,?\s(?:although|though|however|while|whereas|because|since|so that)\b|,\s?so\b"
    r"|,\s(?=which (?:seems|may|might|could)\b)|,?\sand\s(?=it (?:seems|may|might|could)\b)"
    r"|,?\sbut\s(?=(?:it|the|this|that|I|in|R ?[0-9]|box|region|there|then|now|on|when|looking|its|my|we)\b)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:may|might|could|would|should|must|maybe|perhaps|possibly|probably|likely|presumably|seems?|seemed|guess"
    r"|suppose|suspect|assume|assum(?:ing|ed)|think|thought|believe|believed|imagine|wonder|if|whether|unless|either"
    r"|or|neither|unclear|unsure|uncertain|not sure|cannot|can't|can\u2019t|hard to|difficult to|not only|almost|nearly"
    r"|need to|needs? to|look(?:ing)? for|search\w*|expect\w*|seek\w*|ask(?:s|ed|ing)?|question|like|resembl\w+|similar"
    r"|compared|comparable|respectively|let me check|to see|was said|usually|normally|typically|every|each|all|some"
    r"|any|most|none|suggest\w*|imply|implies|hypothe\w+|reminds?|options?|alternatives?|as opposed to|once)\b",
    re.IGNORECASE,
)
"""Words of a clause that leaves open what it says, asks it, or speaks of things at large."""
REPORTED = re.compile(
    r"\b(?:(?:I|we|it|the (?:earlier|previous|first|last) (?:step|sentence|statement)|my (?:earlier|previous|first)"
    r" (?:step|claim|statement|description))\s(?:had\s|have\s|earlier\s|previously\s|first\s|just\s|wrongly\s|"
    r"mistakenly\s|incorrectly\s|initially\s|must have\s){0,3}(?:said|says|wrote|stated|states|claimed|called|described"
    r"|mentioned|noted|labell?ed|identified|placed|put|took|mistook|misread|misidentified|confused|assigned|reported"
    r"|saying|calling)|(?:wrong|mistaken|incorrect|false|error|mistake|in error|correct|true|right)"
    r" (?:to (?:say|call|state|write|claim|describe|place|put)|that|about|when)|earlier (?:claim|statement|step)"
    r"|saying that|the claim that|contrary to)\b",
    re.IGNORECASE,
)
"""Words of a clause that repeats what was said before."""
_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab\u00bb][^\"\u201c\u201d\u00ab\u00bb]{0,300}[\"\u201c\u201d\u00ab\u00bb]")
_LABEL = re.compile(r"\A(\W{0,4}(?:box |region )?R ?[0-9]{1,2}\)?)\s[-\u2013\u2014]{1,2}\s", re.IGNORECASE)
_MARKUP = re.compile(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}")


def clauses(sentence: str) -> Iterator[tuple[str, bool]]:
    """The clauses of a sentence, and whether each states something as so: not in questions, open or reported ones."""
    text = _LABEL.sub(r"\1: ", _MARKUP.sub("", sentence).strip())
    asks = text.endswith(("?", '?"', "?)"))
    at = 0
    for cut in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        clause = text[at : cut[0]]
        if clause.strip():
            yield clause, not (asks or _OPEN.search(clause) or REPORTED.search(clause) or _QUOTED.search(clause))
        at = cut[1]


def statements(
    sentence: str, lexicon: Lexicon, before: Sequence[NamedThing] = ()
) -> tuple[list[ClauseStatement], list[NamedThing]]:
    """What a sentence states, and who it speaks of; `before` are those of the sentence before, for "it"."""
    made: list[ClauseStatement] = []
    spoken = list(before)
    for clause, stated in clauses(sentence):
        own, named = read_clause(items(clause, lexicon), spoken)
        made += own if stated else []
        spoken = named or spoken
    return made, spoken


_JOINED = re.compile(
    r"(?<=\b[Nn]o\.)\s{1,9}(?=[A-Z])"
    r"|(?<=[a-z0-9]\.)\s{0,9}(?=(?:I|It|In|The|There|This|That|These|Next|Then|So|Therefore|Thus|Now)\b)"
)
"""Where a sentence ends after all: a "no" is no abbreviation of "number", and a space may be missing."""


def segments(line: str) -> Iterator[str]:
    """The sentences of a line, without the space around them.

    >>> list(segments("So the answer is no. I conclude that R1 shows it.The lamp is red."))
    ['So the answer is no.', 'I conclude that R1 shows it.', 'The lamp is red.']
    """
    from sentencex import segment

    for sentence in segment("en", line) if line.strip() else ():
        yield from (part.strip() for part in _JOINED.split(sentence) if part.strip())
