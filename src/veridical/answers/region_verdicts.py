"""What a reply says of each region that it names: chosen, set aside, or only named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from veridical.answers.region_context import after_seeming, following, subject
from veridical.answers.region_fineness import FAR_NOT, FINE, NOT, ODD, SAID_NO, is_ordinary
from veridical.answers.region_lists import merged
from veridical.answers.region_mentions import Group, groups
from veridical.answers.region_words import REST

_LABELED = re.compile(r"[:=：→]\s{0,3}[\[\"'(]{0,3}$")
_NONE_IN = re.compile(r"\bnone (?:(?:is|are|was) )?(?:in|within|at|inside) (?:the )?(?:regions? )?$", re.IGNORECASE)
_WHICH = re.compile(
    r",? (?:which|that|this|and that) (?:is|are|does|do|can|could)(?P<nt>n't| not)\b(?: possible)?\W{0,4}\Z",
    re.IGNORECASE,
)
_INVERTED = re.compile(r"\b(?:(?P<same>so)|neither|nor) (?:is|are|does|do|did|can|could|has|have) $", re.IGNORECASE)
_ELLIPSIS = re.compile(
    r"[\s,]{0,3}(?:(?:shows?|contains?|depicts?) )?(?:(?:is|are|was|were|does|do|did|looks|seems|can|could|would"
    r"|has|have)(?: (?P<not>not)|(?P<nt>n't"
    r"|not))?|(?P<nicht>nicht|no"
    r"|non|not|nem))(?:\W{0,4}\Z|(?:,|:| -| —) (?:as|since|because|for|where|which|the|there|it)\b)",
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
    r"[\"')>\]]{0,3}\s{0,2}[:(|=?-]\s{0,2}(?:yes|true|1|ja|oui)\s{0,2}(?=[,;.)}|\n]|$)"
    r"|[\"')]{0,2} (?:is|are) (?:therefore |thus )?(?:the|my) (?:correct |right |final )?(?:answer|choice)\b",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[\"')>\]]{0,3}\s{0,2}(?:[:|=]|- |— )")
_END = re.compile(r"[.!?](?=\s|$)|[\n。；]")
_INSERTED = re.compile(r", (?:as|contrary to|despite)\b[^,.;\n]{3,40},", re.IGNORECASE)
_OPENS_LINE = re.compile(r"(?:^|\n)[^\w\n]{0,8}(?:[0-9]{1,2}[.)] {1,3})?[^\w\n]{0,6}(?:the |region )?\Z", re.IGNORECASE)
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
_NEITHER = re.compile(r"(?:\b(?:neither|none of|nothing|not)\b|n't\b)[^.;\n]{0,40}\Z", re.IGNORECASE)
_BY_SIGN = re.compile(r"[✗✘❌✓✔✅]|[:=|–-] ?(?:yes|no)\b", re.IGNORECASE)


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


@lru_cache(maxsize=2)
def verdicts(text: str, slot: bool) -> tuple[Verdict, ...]:
    """What a text says of the regions that it names, in order; what is said of a list is said of each in it."""
    return tuple(_verdicts(text, slot))


def _verdicts(text: str, slot: bool) -> Iterator[Verdict]:
    merged_groups = merged(text, list(groups(text, slot)))
    before: bool | None = None
    latest: bool | None = None
    for index, group in enumerate(merged_groups):
        limit = merged_groups[index + 1].start if index + 1 < len(merged_groups) else len(text)
        floor = merged_groups[index - 1].end if index else 0
        opening = max([0, *(turn.end() for turn in _TURN.finditer(text, max(0, group.start - 160), group.start))])
        seeming = _SEEMING.search(text, max(opening, group.start - 160), group.start) is not None
        seeming = seeming or re.match(r",? (?:at first|initially)", text[group.end : group.end + 12]) is not None
        odd, word, sure = _judged(text, group, min(limit, group.end + 600), seeming)
        label = (
            subject(text, group.start, group.end, floor)
            if _LABELED.search(text[max(0, group.start - 8) : group.start])
            else None
        )
        if label is not None and odd is not None:
            next_label = _LABELED.search(text[max(group.end, limit - 8) : limit]) is not None
            odd = word = label if next_label or odd == label else None
        elif word is None and odd is None:
            inverted = _INVERTED.search(text[max(0, group.start - 30) : group.start])
            of_subject = None if inverted else subject(text, group.start, group.end, floor)
            odd, word = (
                (of_subject, of_subject)
                if of_subject is not None
                else (_omitted(text, group, limit, before, latest), None)
            )
        latest = odd if odd is not None else latest
        before = word if word is not None else before
        yield Verdict(
            group.numbers,
            odd,
            group.start,
            group.end,
            seeming and not sure,
            word is not None,
            is_ordinary(text, group.end),
        )


def _omitted(text: str, group: Group, limit: int, before: bool | None, latest: bool | None) -> bool | None:
    """What is said where the word is left out, as it stands before: "R1 is odd, R2 is not", "neither is R3"."""
    if _INVERTED.search(text[max(0, group.start - 30) : group.start]):
        return latest if re.match(r"[\"')]{0,2}\s{0,2}(?:[.,;!\n]|$)", text[group.end : group.end + 8]) else None
    ellipsis = _ELLIPSIS.match(text, group.end, _sentence_end(text, group.end, limit))
    which = _WHICH.search(text[group.end : _sentence_end(text, group.end, limit)][-40:])
    if which and before is not None:
        return not before
    if before is None or ellipsis is None:
        return None
    negated = bool(ellipsis["not"] or ellipsis["nt"] or ellipsis["nicht"])
    return before != negated


def _sentence_end(text: str, start: int, limit: int) -> int:
    end = _END.search(text, start, limit)
    return end.end() if end else limit


def _judged(text: str, group: Group, limit: int, seeming: bool) -> tuple[bool | None, bool | None, bool]:
    """Whether regions are chosen; what the word says that is used of them, without a denial; whether it was weighed."""
    own = limit if _ENTRY.match(text, group.end) else _sentence_end(text, group.end, limit)
    own = max(own, _line_end(text, group, limit))
    line = text.find("\n\n", group.end, own)
    tail = text[group.end : line if line >= 0 else own]
    tail = _INSERTED.sub("", tail)
    rest = REST.search(tail)
    tail = _NOTHING_LAST.sub("", tail[: rest.start()]) if rest else tail
    before = text[max(0, group.start - 100) : group.start]
    nothing = _NOTHING_BEFORE.search(before)
    if nothing and ODD.search(nothing["what"]):
        return False, True, False
    if _EXCLUDED_BEFORE.search(before):
        return False, None, False
    if _NONE_IN.search(before):
        return False, None, False
    conceded = _CONCEDED.search(tail)
    if conceded and (ODD.search(tail[: conceded.start()]) or FINE.search(tail[: conceded.start()])):
        tail = tail[: conceded.start()]
    aside = _ASIDE_BEFORE.search(before[-60:]) is not None
    if not aside and not rest and line < 0 and not any(words.search(tail) for words in (ODD, FINE, _BY_SIGN)):
        tail += following(text, own, limit)
    words = sorted((*ODD.finditer(tail), *FINE.finditer(tail)), key=lambda match: match.end())
    if words:
        weighed = after_seeming(tail, seeming, words[0].end())
        if weighed is not None:
            return weighed[0], weighed[0], True
        return (*_last(tail, words[-1], before), False)
    if aside or _ASIDE_AFTER.match(text, group.end, group.end + 60):
        return False, None, False
    if _CHOSEN_AFTER.match(text, group.end, group.end + 50):
        return True, None, False
    return None, None, False


def _line_end(text: str, group: Group, limit: int) -> int:
    """The end of the line that a region opens, where the next region opens a line, too."""
    opens = _OPENS_LINE.search(text, max(0, group.start - 24), group.start)
    next_opens = limit >= len(text) or _OPENS_LINE.search(text, max(0, limit - 24), limit)
    end = text.find("\n", group.end, limit)
    return end if opens and next_opens and end >= 0 else 0


def _last(tail: str, last: re.Match[str], before: str) -> tuple[bool, bool]:
    word = last.re is ODD
    verb = word and re.match(r"can|could|does|do", last[0], re.IGNORECASE) is not None
    denied = (NOT.search(tail[: last.start()]) or FAR_NOT.search(tail[: last.start()])) is not None
    denied = denied != (SAID_NO.match(tail, last.end()) is not None)
    neither = _NEITHER.search(before[-60:])
    # "R1: not odd, R2: odd": what is denied there is said already.
    judged = neither is not None and (ODD.search(neither[0]) or FINE.search(neither[0]))
    return (word != (denied or (neither is not None and not judged))), word and not verb
