"""Sentences that conclude which marked regions are the answer: "So only R2 is impossible"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from veridical.answers.places import STATED
from veridical.answers.reader import Read
from veridical.answers.region_fineness import fineness
from veridical.answers.region_verdicts import Verdict
from veridical.answers.settle import Claim

_LAST = 8
"""How many conclusions count: each is held against all regions of a reply."""
_CONCLUSION = re.compile(
    r"\b(?P<firm>i(?:'d| would| will|'ll| shall| must)?(?: therefore| thus| hence| finally| still| only| just){0,2}"
    r" (?:go(?:ing)? (?:with|for)|mark|choose|pick|select|answer|list|say|flag|name|report|settle (?:on|for)|vote for"
    r"|conclude(?: that)?|opt for))(?: (?:only|just|it's|it is)){0,2} (?:(?:the )?regions? )?(?=R[ _-]?[0-9])"
    r"|(?:^|[.!?\n]\s{0,3})(?:(?:so|thus|hence|therefore|overall|in short|in the end|in conclusion|in summary|finally"
    r"|to sum up|summing up|all in all|conclusion|summary|result)\b[,:]? {0,2}){1,2}(?:it's |it is |that's |that is )?"
    r"(?P<only>only |just )?(?:the )?(?:regions? )?(?=R[ _-]?[0-9])"
    r"|(?:^|[.!?\n,;]\s{0,3})it(?:'s| is|'s only| is only) (?=R[ _-]?[0-9])"
    r"|\b(?P<that>(?:regions?|ones?) (?:that|which|with|showing|containing) [^.;:\n]{3,50}? (?:is"
    r"|are):? )(?=R[ _-]?[0-9])"
    r"|(?:^|[.!?\n]\s{0,3})(?P<just>(?:(?:so|thus|hence|therefore|overall|in short)\b[,:]? )?(?:just|only"
    r"|exactly) (?:one|two|three)"
    r" regions?: )(?=R[ _-]?[0-9])"
    r"|(?:^|[.!?\n]\s{0,3})(?P<the>(?:(?:so|thus|hence|therefore|overall|in short)\b[,:]? )?the (?:only |truly "
    r"|really |actual )?"
    r"(?:impossible|odd|inconsistent|anomalous|abnormal|problematic|wrong|faulty|affected|changed"
    r"|altered) (?:regions?|ones?"
    r"|parts?|areas?) (?:is|are|is in|are in) (?:only |just )?(?:in )?)(?=R[ _-]?[0-9])",
    re.IGNORECASE,
)


def concluded(plain: str, verdicts: Sequence[Verdict]) -> Iterator[Claim]:
    """The regions of a sentence that concludes, where none that follows is found odd or stays without a verdict."""
    for mark in deque(_CONCLUSION.finditer(plain), maxlen=_LAST):
        index = next((at for at, verdict in enumerate(verdicts) if verdict.start >= mark.end()), None)
        if index is None or verdicts[index].start > mark.end() + 2 or verdicts[index].chosen is False:
            continue
        named = set(verdicts[index].numbers)
        later = [v for v in verdicts[index + 1 :] if v.chosen is not False and not set(v.numbers) <= named]
        earlier = {n for v in verdicts[:index] if v.chosen and v.explicit and not v.seeming for n in v.numbers}
        if later or fineness_of_that(mark) is True or re.match(r"\W{0,3}\bor\b", plain[verdicts[index].end :][:8]):
            continue
        if earlier - named and not any(mark[name] for name in ("firm", "only", "that", "just", "the")):
            yield Claim(
                Read(None, "the conclusion contradicts what is said of a region"), STATED, mark.start(), mark.end()
            )
            continue
        answer = ",".join(f"R{number}" for number in sorted(named))
        yield Claim(Read(answer), STATED, mark.start(), verdicts[index].end)


def fineness_of_that(mark: re.Match[str]) -> bool | None:
    return fineness(mark["that"]) if mark["that"] else None
