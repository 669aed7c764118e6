"""What a reply says of each region that it names: chosen, set aside, or only named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.answers.region_fineness import FAR_NOT, FINE, NOT, ODD, SAID_NO
from veridical.answers.region_mentions import Group, groups
from veridical.answers.region_words import REST

_ELLIPSIS = re.compile(
    r"[\s,]{0,3}(?:(?:is|are|was|were|does|do|did|looks|seems)(?: (?P<not>not)|(?P<nt>n't))?|(?P<nicht>nicht|no"
    r"|non|not|nem))\W{0,4}\Z",
    re.IGNORECASE,
)
_ASIDE_BEFORE = re.compile(
    r"(?:(?:\b(?:not|neither|nor|none of|rather than|instead of|other than|except(?: for)?|excluding|without"
    r"|unlike|apart from"
    r"|besides|but not|(?:ignor|disregard|exclud)(?:e|ed|ing)?|(?:rul(?:e|ed|ing)|leav(?:e|ing)|left) out|nicht"
    r"|außer|statt|pas"
    r"|sauf|excepto)|n't|不是|除了):?"
    r"|\b(?:irrelevant|normal|plausible|possible|ordinary|fine)(?: (?:regions?|ones|areas|boxes))?[\"']?(?::| are"
    r"| is)\s?)"
    r" {0,2}(?:(?:in|on|at|the|from|of|to|for|regions?|also) ){0,3}[\"'(<\[]{0,3}$",
    re.IGNORECASE,
)
_EXCLUDED_BEFORE = re.compile(
    r"\b(?:unlike|except(?: for)?|apart from|other than|rather than|instead of|in contrast to|as opposed to)"
    r" (?:(?:in|on|at|the|from|of|for|regions?) ){0,3}[\"'(<\[]{0,3}$",
    re.IGNORECASE,
)
_NOTHING_BEFORE = re.compile(
    r"\b(?:nothing|no|not? any\w{0,5}|nichts|rien|nada|niente)\b(?P<what>[^.;\n]{1,60})\b(?:in|at|about|with|on"
    r"|within|à|en|an)\b"
    r" (?:(?:the|regions?|any of|either) ){0,3}[\"'(<\[]{0,3}$",
    re.IGNORECASE,
)
_ASIDE_AFTER = re.compile(
    r"[\"')>\]]{0,3}\s{0,2}(?:[:(-]\s{0,2}(?:irrelevant|not (?:relevant|needed|useful)|ignored?\b|distractor)"
    r"|[:(|=?-]\s{0,2}(?:no|false|0|nein|non)\s{0,2}(?=[,;.)}|\n]|$)|[:|-]?\s{0,2}[✗✘❌](?!\s{0,2}(?!R ?[0-9])\w)"
    r"|(?:ではな|じゃな|가 아니|이 아니)"
    r"|(?:(?:is|are|was|were|seems?|can(?: both| all| safely)?|should|may) (?:be )?)(?:all |both |also |clearly )?"
    r"(?:irrelevant|not (?:relevant|needed|involved|important|necessary|helpful|useful)|unrelated|ignored|disregarded"
    r"|excluded|(?:a |just a |only a )?distract|unimportant)"
    r"|(?:is|are)n't (?:relevant|needed|involved|important|necessary)|do(?:es)?(?: not|n't) (?:help|matter|contribute)"
    r"|(?:ist|sind) (?:nicht relevant|irrelevant|unwichtig))",
    re.IGNORECASE,
)
_CHOSEN_AFTER = re.compile(
    r"[\"')>\]]{0,3}\s{0,2}[:(|=?-]\s{0,2}(?:yes|true|1|ja|oui)\s{0,2}(?=[,;.)}|\n]|$)", re.IGNORECASE
)
_ENTRY = re.compile(r"[\"')>\]]{0,3}\s{0,2}(?:[:|=]|- |— )")
_END = re.compile(r"[.!?](?=\s|$)|[\n。；]")
_SEEMING = re.compile(
    r"\b(?:(?:might|may|could|would) (?:look|seem|appear|think|suspect|expect|say)|at first|first glance|initially"
    r"|i (?:first )?(?:considered|suspected|thought|looked at|checked)|one (?:might|may|could|would))\b",
    re.IGNORECASE,
)


_NOTHING_LAST = re.compile(r"\b(?:nothing|no \w{2,12})\b[^;,.\n]{0,60}$", re.IGNORECASE)
_CONCEDED = re.compile(
    r",? \b(?:although|(?:even )?though|even if|despite|in spite of|whereas|unlike|obwohl|bien que|aunque)\b",
    re.IGNORECASE,
)
_TURN = re.compile(r"[.!?\n;]|\b(?:but|however|yet)\b", re.IGNORECASE)
_ORDINARY = re.compile(
    r"[\"')]{0,2} (?:is|are|shows?|contains?|depicts?|has|have|displays?) (?:an? |the )?(?:\w{1,12}ly )?"
    r"(?:normal|ordinary|regular|plausible|realistic|unremarkable|typical)\b",
    re.IGNORECASE,
)


class Verdict(NamedTuple):
    """What is said of some regions: `True` chosen, `False` set aside, `None` only named.

    `seeming`: at first sight alone. `explicit`: by a word for odd or fine. `ordinary`: what they show is called normal.
    """

    numbers: tuple[int, ...]
    chosen: bool | None
    start: int
    end: int
    seeming: bool
    explicit: bool
    ordinary: bool


def verdicts(text: str, slot: bool) -> Iterator[Verdict]:
    """What a text says of the regions that it names, in order; what is said of a list is said of each in it."""
    found = list(groups(text, slot))
    before: bool | None = None
    for index, group in enumerate(found):
        following = found[index + 1].start if index + 1 < len(found) else len(text)
        said, word = _judged(text, group, min(following, group.end + 300))
        if word is None and said is None:
            ellipsis = _ELLIPSIS.match(text, group.end, _sentence_end(text, group.end, following))
            if ellipsis and before is not None:
                negated = bool(ellipsis["not"] or ellipsis["nt"] or ellipsis["nicht"])
                said = before != negated
        before = word if word is not None else before
        opening = max([0, *(turn.end() for turn in _TURN.finditer(text, max(0, group.start - 160), group.start))])
        seeming = _SEEMING.search(text, max(opening, group.start - 160), group.start) is not None
        seeming = seeming or re.match(r",? (?:at first|initially)", text[group.end : group.end + 12]) is not None
        yield Verdict(group.numbers, said, group.start, group.end, seeming, word is not None, _ordinary(text, group))


def _ordinary(text: str, group: Group) -> bool:
    return _ORDINARY.match(text, group.end, group.end + 80) is not None


def _sentence_end(text: str, start: int, limit: int) -> int:
    end = _END.search(text, start, limit)
    return end.end() if end else limit


def _judged(text: str, group: Group, limit: int) -> tuple[bool | None, bool | None]:
    """Whether regions are chosen; and what the word says that is used of them, taken without a denial."""
    tail_end = limit if _ENTRY.match(text, group.end) else _sentence_end(text, group.end, limit)
    line = text.find("\n\n", group.end, tail_end)
    tail = text[group.end : line if line >= 0 else tail_end]
    rest = REST.search(tail)
    tail = _NOTHING_LAST.sub("", tail[: rest.start()]) if rest else tail
    before = text[max(0, group.start - 100) : group.start]
    nothing = _NOTHING_BEFORE.search(before)
    if nothing and ODD.search(nothing["what"]):
        return False, True
    if _EXCLUDED_BEFORE.search(before):
        return False, None
    conceded = _CONCEDED.search(tail)
    if conceded and (ODD.search(tail[: conceded.start()]) or FINE.search(tail[: conceded.start()])):
        tail = tail[: conceded.start()]
    last = max((*ODD.finditer(tail), *FINE.finditer(tail)), key=lambda found: found.end(), default=None)
    aside = _ASIDE_BEFORE.search(text[max(0, group.start - 60) : group.start]) is not None
    if last is not None:
        word = last.re is ODD
        denied = (NOT.search(tail[: last.start()]) or FAR_NOT.search(tail[: last.start()])) is not None
        denied = denied != (SAID_NO.match(tail, last.end()) is not None)
        neither = re.search(
            r"\b(?:neither|none of|nothing|not)\b[^.;\n]{0,40}\Z", text[max(0, group.start - 60) : group.start], re.I
        )
        return (word != (denied or neither is not None)), word
    if aside or _ASIDE_AFTER.match(text, group.end, group.end + 60):
        return False, None
    if _CHOSEN_AFTER.match(text, group.end, group.end + 20):
        return True, None
    return None, None
