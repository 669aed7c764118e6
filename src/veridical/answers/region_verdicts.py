"""What a reply says of each region that it names: chosen, set aside, or only named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from veridical.answers.region_mentions import Group, groups
from veridical.answers.region_words import REST

_AFTER_WORD = (
    r"(?=['\"]?\s{0,3}(?:[.,;:!?)|}\n→✓✗-]|$)|\s(?:and|but|whereas|while|though|as|in|for|here|too|enough|at|with"
    r"|by|when"
    r"|because|one|ones|apart|except|save|besides|other|everywhere|und|aber|et|y)\b)"
)
_FINE = re.compile(
    r"(?<![\w-])(?P<adjective>normal(?:e[rs]?|es)?|fine|ok|okay|plausible|possible|consistent|sound|realistic"
    r"|unremarkable"
    r"|ordinary|natural|harmless|unaffected|intact|coherent|in order|as expected|believable|unproblematic|möglich"
    r"|posibles?"
    r"|possível|possíveis|possibil[ei]|нормальн\w{0,3}|возможн\w{0,3}|reasonable|correct|all right|alright|valid"
    r"|as it should(?: be)?|believable|unsuspicious|to be expected|ordinary scene|in ordnung|unauffällig|stimmig"
    r"|korrekt|mogelijk|in orde|normaal|correcte?s?|en ordre|en orden|correct[ao]s?|em ordem|normais|normali"
    r"|a posto|в порядке|możliw\w{1,3}|normaln\w{1,3}|w porządku|mümkün|olası)(?![\w-])"
    + _AFTER_WORD
    + r"|(?<!不)正常|(?<!不)可能(?:だ|です|的)?|問題(?:は)?(?:ない|なし|ありません)|没有?问题|普通|(?<!불)가능"
    r"|정상|طبيعي|ممكن|عادي"
    r"|\b(?:looks?|is|are|seems?) (?:right|good)(?=[.,;]|$)|\bmakes? (?:perfect )?sense\b|\bcould (?:well "
    r"|easily |all |both )?(?:exist|be (?:built|real|a photo\w*))\b"
    r"|\bcan (?:well |easily |all |both )?(?:exist|be (?:built|real))\b|\bwhat can happen\b"
    r"|\bnothing (?:to (?:object|complain|note|report|see)|remarkable|noteworthy|special)\b",
    re.IGNORECASE,
)
_ODD = re.compile(
    r"(?<![\w-])(?:impossible|odd|strange|weird|wrong|abnormal\w{0,2}|anomal\w{1,6}|inconsisten\w{1,3}"
    r"|implausible|incorrect"
    r"|contradict\w{0,5}|violat\w{1,4}|def(?:y|ies)|unrealistic|altered|unusual|special|suspicious|problem\w{0,5}"
    r"|error\w{0,5}"
    r"|unnatural|can(?:not|'t| not) (?:be|exist|happen|work|stand)|could(?: not|n't) (?:be|exist)|unmöglich\w{0,2}"
    r"|imposibles?|impossíve(?:l|is)|impossibil[ei]|невозможн\w{0,3}|странн\w{0,3}|bad|broken|faulty|flawed|fake"
    r"|unphysical|paradox\w{0,4}|nonsens\w{0,4}|malformed|deformed|garbled|mangled|distorted|absurd|troubl\w{1,5}"
    r"|(?:does not|doesn't|do not|don't) (?:exist|work|make sense|add up|fit|match)|makes? no sense|falsch|fehlerhaft"
    r"|stimm(?:t|en) nicht|onmogelijk\w?|klop(?:t|pen) niet|fout|incohérent\w{0,2}|faux|errad[ao]s?|sbagliat[aeio]"
    r"|incoherentes?|niemożliw\w{1,3}|błędn\w{1,3}|imk[âa]ns[ıi]z|yanlış)(?!\w)|\b(?:is|are|looks?"
    r"|seems?) off\b|不可能|異常|异常|不正常|有问题"
    r"|おかしい|あり得ない|ありえない|不自然|불가능|이상|비정상|مستحيل\w{0,3}|غير (?:ممكن|طبيعي)\w{0,3}",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:\b(?:not|never|nothing|no|none|nor|neither|without|nicht|nichts|kein\w?|pas|rien|nada|niente|не"
    r"|ничего)\b|n't\b)(?: \w{1,12}){0,3} ?$|不$",
    re.IGNORECASE,
)
_FAR_NOT = re.compile(
    r"\b(?:hardly|far from|free of|no (?:reason|sign|evidence|hint|indication|trace"
    r"|contradiction)s?\b[^.,;\n]{0,40})\s$",
    re.IGNORECASE,
)
_SAID_NO = re.compile(r"[\"']?\s{0,2}[:=?]\s{0,2}(?:no|false|nein|non)\b(?! (?:doubt|question|way)\b)", re.IGNORECASE)
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
    if nothing and _ODD.search(nothing["what"]):
        return False, True
    if _EXCLUDED_BEFORE.search(before):
        return False, None
    conceded = _CONCEDED.search(tail)
    if conceded and (_ODD.search(tail[: conceded.start()]) or _FINE.search(tail[: conceded.start()])):
        tail = tail[: conceded.start()]
    last = max((*_ODD.finditer(tail), *_FINE.finditer(tail)), key=lambda found: found.end(), default=None)
    aside = _ASIDE_BEFORE.search(text[max(0, group.start - 60) : group.start]) is not None
    if last is not None:
        word = last.re is _ODD
        denied = (_NOT.search(tail[: last.start()]) or _FAR_NOT.search(tail[: last.start()])) is not None
        denied = denied != (_SAID_NO.match(tail, last.end()) is not None)
        neither = re.search(
            r"\b(?:neither|none of|nothing|not)\b[^.;\n]{0,40}\Z", text[max(0, group.start - 60) : group.start], re.I
        )
        return (word != (denied or neither is not None)), word
    if aside or _ASIDE_AFTER.match(text, group.end, group.end + 60):
        return False, None
    if _CHOSEN_AFTER.match(text, group.end, group.end + 20):
        return True, None
    return None, None


def fineness(text: str) -> bool | None:
    """Whether a text calls what it speaks of fine (`True`) or odd (`False`), by its first such word."""
    found = [
        (word.start(), word, fine)
        for pattern, fine in ((_FINE, True), (_ODD, False))
        for word in pattern.finditer(text)
    ]
    if not found:
        return None
    start, _, fine = min(found, key=lambda one: one[0])
    return fine != (_NOT.search(text[:start]) is not None)
