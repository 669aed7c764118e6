"""What stands around a list of regions and judges it: a subject or a label before it, the sentences after it."""

from __future__ import annotations

import re

from veridical.answers.region_fineness import FINE, NOT, ODD, fineness
from veridical.answers.region_words import ALL, REST

_SUBJECT = re.compile(
    r"(?P<verb>(?:\b(?:is|are|was|were|lies?|sits?|occurs?|appears?|contains?|concerns?|affects?|namely|es|son|est"
    r"|sont|ist"
    r"|sind|é|são|è|sono|zijn|är)\b"
    r"(?: (?:is|only|just|clearly|namely|to be|found|present|shown|contained|seen|visible|located|in|with|at|on"
    r"|within|inside|that|those|of|the"
    r"|ones?|regions?|la|el|las|los|les|le|a|o|as|os|die|régions?|regi[oó]n(?:es)?|regi(?:ão|ões)|regioni?)\b){0,5}"
    r"|\b(?:in|namely)|是|は)[:：]?|(?P<colon>[:：=→]))\s{0,3}[\"'(\[]{0,3}$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[\"')\]>]{0,4}\s{0,2}(?:\([^()\n]{0,100}\)\s{0,2})?(?:[.,;!}\n。；]|$)")
_STOP = re.compile(
    r"[.!?](?=\s)|[\n。；;{}|]|(?:,| and| but| while| whereas)(?: and| but| while| whereas| so| nor)? (?=the\b|nor\b)"
    r"|, (?:and|but|while|whereas|so|nor) |\b(?:because|since|although|though) "
)
_BRACKETS = re.compile(r"\([^()\n]{0,160}\)")
_LEFT_OUT = re.compile(r"\b(?:without|not|others?|rest|no)[\"'*]{0,3}\s{0,2}$", re.IGNORECASE)
_SEEMS = re.compile(
    r"\b(?:seem\w{0,3}|looks?(?! (?:at|into|through))|looked(?! (?:at|into|through))|appear\w{0,3})\b|\b(?:may"
    r"|might|could|at first|first glance|initially)\b",
    re.IGNORECASE,
)
_AT_FIRST = re.compile(r"\bat first\b", re.IGNORECASE)
_TURN = re.compile(r"\b(?:but|yet|however|although|though)\b,?|(?:;|—|–) ?", re.IGNORECASE)
_INTO_NEXT = re.compile(
    r"\b(?:is|are|was|were|in|it's|that's)(?: (?:only|really|actually|in))?[\"'( ]{0,4}$", re.IGNORECASE
)
_MERELY = re.compile(
    r"\b(?:only|just|merely|simply|explain\w{0,3}|due to|caused by|turns? out|reflections?|shadows?|perspective"
    r"|perfectly)\b",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?](?=\s|$)|[\n。；]")
_POINTS_BACK = re.compile(
    r"\W{0,4}(?:and |but |so |thus,? |therefore,? |yet |however,? )?(?:this|that|these|those|it|they|which|such"
    r"|both|here"
    r"|there|nothing|none of (?:this|that|it))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:picture|image|scene|drawing|figure|photo\w{0,5}|overall|other|others|question|answer|if)\b|\?", re.IGNORECASE
)


def subject(text: str, start: int, end: int, floor: int) -> bool | None:
    """Whether what a clause says of regions before it names them is that they are odd: "the impossible one is R2".

    `start` and `end` are those of the list of regions, `floor` is where the one before it ends. `None` where the words
    before are no such subject or label, or call nothing odd or fine.
    """
    before = text[max(floor, start - 200) : start]
    link = _SUBJECT.search(before)
    if link is None or (link["colon"] and not _ENDED.match(text, end, end + 120)):
        return None
    if link["verb"] and link["verb"].lower() == "in" and not _ENDED.match(text, end, end + 120):
        return None
    clause = _BRACKETS.sub(lambda remark: " " * len(remark[0]), before[: link.start()])
    stops = [stop.end() for stop in _STOP.finditer(clause + " ")]
    if not stops and floor > 0 and floor >= start - 200:
        return None
    clause = clause[stops[-1] :] if stops else clause
    flat = re.fullmatch(r"\W{0,6}(?:(yes)|no)\W{0,4}", clause, re.IGNORECASE)
    if flat and link["colon"]:
        return flat[1] is not None
    if _ELSEWHERE.search(clause) and link["colon"]:
        return None
    adjectives = sorted((*FINE.finditer(clause + " ."), *ODD.finditer(clause)), key=lambda word: word.end())
    attributive = re.search(
        r"\b(?:possible|plausible|normal|ordinary|fine|consistent|realistic|ok|okay) \w{4,10}\W{0,3}$", clause, re.I
    )
    if not adjectives:
        return (
            False
            if attributive and not NOT.search(clause[: attributive.start()])
            else _LEFT_OUT.search(clause) is None and None
        )
    if len({word.re is ODD for word in adjectives}) > 1 or _SEEMS.search(clause):
        return None
    if link["verb"] and link["verb"].lower().strip() == "in" and len(clause[adjectives[-1].end() :].split()) > 1:
        return None
    denied = NOT.search(clause[: adjectives[0].start()]) is not None
    return (adjectives[0].re is ODD) != denied


def after_seeming(text: str, seeming: bool, word: int) -> tuple[bool | None] | None:
    """What follows where words that call a region odd or fine up to `word` only say how it seems.

    The first value tells whether it is odd, `None` in its place that this cannot be told; `None` alone that the words
    are no mere seeming.
    """
    turn = _TURN.search(text, word)
    if turn and len(text[turn.end() :].split()) < 2 and _AT_FIRST.search(text, word, turn.start()):
        return (None,)
    if turn is None or len(text[turn.end() :].split()) < 2 or not (seeming or _SEEMS.search(text, 0, word)):
        return None
    if _INTO_NEXT.search(text):
        return None if seeming else (None,)
    fine = fineness(text[turn.end() :])
    if fine is not None:
        return (not fine,)
    return (False,) if _MERELY.search(text, turn.end()) else (None,)


def following(text: str, start: int, limit: int) -> str:
    """The sentences after one that names regions which speak of these again: "This is impossible." "Strange!"."""
    kept = start
    while kept < limit:
        end = _END.search(text, kept, limit)
        if end is None and limit < len(text):
            break
        stop = end.end() if end else limit
        sentence = text[kept:stop]
        if sentence.strip():
            if _ELSEWHERE.search(sentence) or REST.search(sentence) or ALL.search(sentence):
                break
            if not _POINTS_BACK.match(sentence) and len(sentence.split()) > 4:
                break
        kept = stop
    return text[start:kept]
