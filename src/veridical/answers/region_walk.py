"""Which regions prose finds odd where it is known how many there are: a walk through all.

A region is in the answer where its verdict is odd, out where it is fine; where one cannot be told, nothing is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.answers.reader import Read
from veridical.answers.region_fineness import PLAIN, fineness
from veridical.answers.region_mentions import MENTION
from veridical.answers.region_pointing import odd_ones, pointed_back, set_against
from veridical.answers.region_verdicts import Verdict
from veridical.answers.region_words import COUNTS, OR, REST
from veridical.answers.settle import NOTHING

_NONE_BEFORE = re.compile(
    r"\b(?:nothing|no \w{2,12}|n't\b.{0,20}\bany\w{0,5})\b[^.;\n]{0,40}\b(?:with|in|about|at) $", re.I
)
_NONE_OF = re.compile(r"^(?:none|neither)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:only|just|nur|alleen|solo|seulement|tylko|apenas|sólo) (?:(?:the )?regions? )?[\"'(]{0,2}$", re.I
)
_COMPARED = re.compile(r"\b(?:differ|similar|alike|than|next to|compar\w{1,4})\b", re.IGNORECASE)
_NUMBERING = re.compile(r"^[ \t]{0,8}[0-9]{1,2}[.)] ", re.MULTILINE)
_IN_THE_END = re.compile(
    r"\b(?:so|therefore|hence|thus|this makes|that makes|which makes)\b[ ,]{1,3}(?:the )?(?:regions? )?$", re.IGNORECASE
)
_NEEDED = re.compile(
    r"\b(?:needs?|ha(?:s|ve)|must|enough|suffices?)(?: only)? (?:to )?(?:look|compare|check|see|know|inspect"
    r"|examine|measure)"
    r"|\b(?:one|you|we|i)(?:'d)?(?: only)? needs? |\bi'd (?:look|check|use|examine|inspect)\b"
    r"|\b(?:this|that|it|answer|information)(?: (?:can|could) be| is) (?:seen|found|shown|visible|given"
    r"|read) (?:only )?in\b"
    r"|\bneed (?:only )?(?:look|compare)|\b(?:decisive|necessary|relevant|deciding)\b",
    re.IGNORECASE,
)
_NEEDLESS = re.compile(
    r"\b(?:irrelevant|unneeded|unnecessary|unimportant)\b|(?:\bnot|n't) (?:\w{2,9} )?(?:needed|relevant|necessary"
    r"|required"
    r"|matter|help|important)|\bno (?:difference|bearing|role|influence)\b|\b(?:ignored|disregarded)\b"
    r"|n't (?:contribute|add)\b|\b(?:only|just|merely) shows?\b",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?](?=\s|$)|[\n。;；，]|, (?:and|but|while|whereas) ")
_BESIDE = re.compile(
    r"\b(?:of|behind|to|than|with|as|like|between|near|above|below|beside|under|over|from|by|front of|beneath|against"
    r"|toward|towards|into|onto|through|and) (?:the )?$",
    re.IGNORECASE,
)
_ODD_BEFORE = re.compile(
    r"(?:^|[.!?\n;:,]\s{0,3}|\b(?:the|a|an|main|real|only|и|but) )(?:only )?"
    r"(?:i(?:'d|'ll| would| will| must)? (?:also |only |therefore )?(?:include|mark|flag|list|report|count)"
    r"|odd one out|problems?|trouble|errors?|mistakes?|contradictions?|paradox|violations?|anomal(?:y|ies)"
    r"|impossible|wrong|odd|strange|невозможн\w{0,3}"
    r"|imposibles?|impossíve(?:l|is)|impossibil[ei]|impossibles?|unmöglich|onmogelijk|niemożliw\w{1,3}"
    r"|不可能な?(?:のは|的是))"
    r"(?: (?:is|are|lies|sits|occurs|appears|in|with|at|where|only|clearly|región|région|regiones|régions"
    r"|regiões|regioni"
    r"|sind|ist|son|es|são|é|sono|è|sont|est|la|las|les|le|the|as|a|только|областъ|область|области|region"
    r"|regions|są|zijn"
    r"|here|nur|solo|apenas|seulement)\b){0,4}:? ?[\"'(]{0,2}\Z",
    re.IGNORECASE,
)
_GLUE = re.compile(
    r"(?:\b(?:regions?|and|und|et|y|the|marked|labell?ed|number(?:ed)?|here|are|is|it|it's|only|just|answer"
    r"|to|through|bis|nur|apenas|soltanto|solo|sólo|solamente|seulement|uniquement|tylko|alleen|sadece"
    r"|yalnızca|только|la|el|le|a"
    r"|les|as|ve|en|i|и|e)\b|です|だけ|と|只有|和|仅|만 ?(?:해당됩니다|입니다)?|과|와|입니다|\W)+",
    re.I,
)
_ENGLISH = re.compile(r"\b(?:the|is|are|an?|in|of|has|with|shows?)\b", re.IGNORECASE)


def walked(count: int, text: str, verdicts: Sequence[Verdict]) -> Read:
    """The odd regions of a picture that has `count`, where prose tells the verdict of each region that it names."""
    verdicts = pointed_back(text, verdicts)
    verdict = _each(text, verdicts)
    if verdict is None:
        return Read(None, "what is said of a region contradicts itself")
    odd, fine, unknown = ({n for n, chosen in verdict.items() if chosen is wanted} for wanted in (True, False, None))
    everyone = set(range(1, count + 1))
    rest = _rest(text, everyone - set(verdict))
    only = any(
        v.chosen is False and v.explicit and _ONLY.search(text[max(0, v.start - 30) : v.start]) for v in verdicts
    )
    if (rest is False or (only and rest is None)) and fine and not (odd or unknown):
        return _answer(everyone - fine)
    if rest is False or only:
        return Read(None, "what is said of the other regions does not agree")
    if odd and (not unknown or odd == _singled_out(text, verdicts)):
        return _answer(odd)
    if unknown and len(odd | unknown) == odd_ones(text):
        return _answer(odd | unknown)
    if odd:
        return _in_the_end(text, verdicts[-1], odd, fine)
    if unknown:
        named = fine | unknown == everyone and _meant(text, verdicts)
        alone = not fine and _names_alone(count, text, verdicts)
        chosen = named or rest is True or alone
        return _answer(unknown) if chosen else Read(None, "the verdict of a region cannot be told")
    if fine == everyone or (fine and rest is True):
        return Read("none")
    return Read(None, "regions are only set aside" if fine else "the verdict of a region cannot be told")


def _singled_out(text: str, verdicts: Sequence[Verdict]) -> set[int]:
    """The regions that a sentence calls the only odd ones: "only R2 shows something impossible"."""
    only = (v for v in verdicts if v.chosen and v.explicit and _ONLY.search(text[max(0, v.start - 30) : v.start]))
    return {number for verdict in only for number in verdict.numbers}


def _in_the_end(text: str, last: Verdict, odd: set[int], fine: set[int]) -> Read:
    """The odd regions where the verdict of another cannot be told, but a conclusion at the end names the odd ones."""
    concluding = _IN_THE_END.search(text[max(0, last.start - 30) : last.start])
    if not (concluding and odd == set(last.numbers) and last.explicit):
        return Read(None, "the verdict of a region cannot be told")
    return _answer(odd) if not fine & odd and not re.search(r"[.!?]\s{1,3}\w", text[last.end :]) else NOTHING


def _each(text: str, verdicts: Sequence[Verdict]) -> dict[int, bool | None] | None:
    """The verdict of each region: odd, fine, or none that can be told; `None` where two contradict each other."""
    odd_by_number: dict[int, bool | None] = {}
    judged_to, previous = -1, None
    for verdict in verdicts:
        chosen = False if verdict.chosen is None and verdict.ordinary else verdict.chosen
        if verdict.seeming and chosen is None:
            continue
        if chosen is None and previous and OR.fullmatch(text, previous.end, verdict.start):
            chosen = previous.chosen
        elif chosen is None:
            start = max(previous.end if previous else 0, verdict.start - 80)
            odd = _ODD_BEFORE.search(text, start, verdict.start) or set_against(text, previous, verdict)
            chosen = True if odd else None
        previous = verdict._replace(chosen=chosen)
        before = text[max(0, verdict.start - 24) : verdict.start]
        same_sentence = judged_to >= 0 and _STOP.search(text, judged_to, verdict.start) is None
        if chosen is None and same_sentence and _BESIDE.search(before):
            continue
        for number in verdict.numbers:
            earlier = odd_by_number.get(number)
            if chosen is not None and earlier is not None and earlier != chosen and not verdict.seeming:
                return None
            if chosen is not None and not (verdict.seeming and earlier is not None):
                odd_by_number[number] = chosen
            else:
                odd_by_number.setdefault(number, chosen)
        if chosen is not None:
            judged_to = verdict.end
    return odd_by_number


def _meant(text: str, verdicts: Sequence[Verdict]) -> bool:
    """Whether regions without a verdict are the answer: those that are needed, while others are called needless."""
    return (
        _NEEDED.search(text) is not None
        and any(verdict.chosen is False or verdict.ordinary for verdict in verdicts)
        and _NEEDLESS.search(text) is not None
    )


def _rest(text: str, others: set[int]) -> bool | None:
    """Whether the regions that are not named are called fine (`True`) or odd (`False`); `None` where nobody says."""
    odd: set[bool] = set()
    for rest in REST.finditer(text):
        many = rest["many"] or rest["more"]
        if many and (COUNTS.get(many.lower()) or int(many)) != len(others):
            continue
        end = re.compile(r"[.!?](?=\s|$)|[\n。;]").search(text, rest.end(), rest.end() + 160)
        after = text[rest.end() : end.start() if end else rest.end() + 160]
        before = text[max(0, rest.start() - 80) : rest.start()]
        if rest["none"] or _NONE_OF.match(rest[0]):
            called = fineness(after)
            odd |= {not called} if called is not None else {True} if re.search(r"stands? out", after) else set()
        elif _NONE_BEFORE.search(before):
            odd.add(True)
        elif (called := fineness(after)) is not None:
            odd.add(called)
        elif PLAIN.match(after):
            odd.add(True)
    return odd.pop() if len(odd) == 1 else None


def _names_alone(count: int, text: str, verdicts: Sequence[Verdict]) -> bool:
    """Whether a reply is a list of regions and nothing else, or one English statement about one such list."""
    if not _GLUE.sub("", MENTION.sub("", _NUMBERING.sub("", text))).strip():
        return True
    named = {number for verdict in verdicts for number in verdict.numbers}
    if _COMPARED.search(text):
        return False
    if len(verdicts) > 1 or len(named) >= count or not text.isascii() or len(text) > 300:
        return False
    return _ENGLISH.search(text) is not None and fineness(text[: verdicts[0].start]) is not True


def _answer(numbers: set[int]) -> Read:
    if not numbers:
        return Read(None, "regions are only set aside")
    return Read(",".join(f"R{number}" for number in sorted(numbers)))
