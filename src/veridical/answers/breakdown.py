"""A count and the parts it is made of: "5 legs: two in front and three behind", "24 panes, 4 columns of 6"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from veridical.answers.norms import candidate_numbers, item_counts
from veridical.answers.number_slot import HEDGE, affirmed_numbers, is_open, only_value
from veridical.answers.numbers import Number
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING

_COUNTS = re.compile(
    r"(?i)(?:\bthere(?:'re| are)|\b(?:i|we|you)(?: can| could|'ve| have)? (?:see|count|identify|get|make out)|\b(?:it"
    r"|(?:the|this|that) (?:[\w-]{1,14} ){0,3}[\w-]{1,14}) (?:has|have|shows|displays|consists of"
    r"|holds))(?: (?:exactly|only|actually|about))?\s{1,4}$"
)
"""What stands before the number in a sentence that counts."""
_SENTENCE = re.compile(r"[^.!?\n。]{1,600}(?:[.!?。](?=\s|$)|\n|[。]|$|[.!?])")
_BESIDE = re.compile(r"(?i)[^.:;()\n]{1,60}(?: and |, | und | et | y | e )")
_ITEM = re.compile(r"(?m)^[ \t>*-]{0,6}(?P<item>[0-9]{1,2})[.)](?=[ \t])")
_STRONG = re.compile(r"(?i)[.:;(\n。，—、]| - |\b(?:with|mit|avec|con|com|which|including)\b")
_HALVES = re.compile(
    r"(?i)[^.;\n]{0,40}\b(?:(?:each|either|every|per|both) (?:\w{3,9} )?(?:sides?|halves|half|hands?|ends?|wings?"
    r"|flanks?)|(?:on|per) (?:each|side))\b"
)
_PLURAL = re.compile(r"(?i) {1,3}(?:[a-z]{2,12} ){0,1}?(?P<noun>[a-z]{2,14}s)\b(?=,| and\b|[.!]|$)")
_TIMES = re.compile(
    r"(?i)\b(?:rows?|columns?|cols?|each|per|by|times|floors?|stor(?:ies|eys)|of|lines|groups|x)\b|[x×*]"
)
_ONE_MORE = re.compile(
    r"(?i)\b(?:one|une?|eine?[rs]?|un[oa]|uma?|another"
    r"|an? (?:single|extra|additional|third|fourth|fifth|sixth|seventh|eighth|further))\b"
)
_MORE_TO_COUNT = re.compile(
    r"(?i)\b(?:another|plus|also|additional(?:ly)?|extra|further|more|hidden|behind|but|however|yet|although|except"
    r"|without|seems?|appears?|glance|usual(?:ly)?|normal(?:ly)?|missing|each|pairs?|rows?|columns?|half|twice|double"
    r"|both|if|or|front|back|rear|hind|left|right|upper|lower|top|bottom|red|black|white|visible|of the|of them|third"
    r"|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|[0-9](?:th|rd|nd)\b"
)
"""What may make the answer another number than the one that is counted."""
_ALL_LISTED = re.compile(r"(?i)\b(?:those|these|that)(?:'s| are| is) (?:all|every one)(?: of)? (?:the|them|of them)\b")
_SHARE = re.compile(r"(?i) (?:[a-z]{3,14} )?of (?:them|these|those|which|whom)\b| of (?:the|its|his|her) (?![0-9])")


def headline_count(plain: str) -> ParsedAnswer:
    """The count of a reply whose other numbers are its parts, or say something else than a count (dates, sizes, ages).

    >>> texts = "There are 5 legs: two in front and three behind.", "2 cats and 3 dogs."
    >>> headline_count(texts[0]).answer, headline_count(texts[1]).answer
    ('5', None)
    """
    items = list(_ITEM.finditer(plain[:6000]))
    starts = {item.start("item") for item in items} if len(items) > 1 else set()
    every = [number for number in affirmed_numbers(plain[:6000]) if number.start not in starts]
    if not every:
        return _listed(plain, [int(item["item"]) for item in items])
    numbers = item_counts(plain, every) if len(every) <= 60 else []
    if not 0 < len(numbers) <= 40:
        return NOTHING
    heads = [number for number in numbers if _COUNTS.search(plain, max(0, number.start - 90), number.start)]
    for head in [numbers[0], *heads[:1], *heads[-1:]]:
        if _is_head(plain, head, numbers, is_count=head in heads):
            return ParsedAnswer(str(head.value))
    first, *parts = every
    if first in heads[:1] and len(parts) > 1 and first.value == sum(part.value or 0 for part in parts):
        return ParsedAnswer(str(first.value)) if _is_head(plain, first, every, is_count=True) else NOTHING
    return NOTHING


def _listed(plain: str, items: Sequence[int]) -> ParsedAnswer:
    """The last number of a numbered list that a reply calls complete."""
    complete = items == list(range(1, len(items) + 1)) and len(items) > 1
    return ParsedAnswer(str(len(items))) if complete and _ALL_LISTED.search(plain[-200:]) else NOTHING


def _is_head(plain: str, head: Number, numbers: Sequence[Number], *, is_count: bool) -> bool:
    index = numbers.index(head)
    if head.value is None or any(number.value is None for number in numbers) or is_open(plain, list(numbers), index):
        return False
    start = max(plain.rfind(sign, 0, head.start) for sign in ".!?\n") + 1
    sentence = _SENTENCE.match(plain, start)
    if sentence is None or sentence[0].rstrip().endswith("?") or HEDGE.search(sentence[0]):
        return False
    others = (number for number in numbers if number is not head)
    rest = [each for each in others if each.value != head.value or (each.start > head.start and not is_count)]
    if not rest:
        return is_count
    if rest[0].start < head.start and not is_count:
        return False
    return _are_parts(plain, head, rest) and not (rest[0].start > head.start and _are_others(plain, head, rest))


def _are_parts(plain: str, head: Number, rest: Sequence[Number]) -> bool:
    """Whether numbers add up to a count, or multiply to it, or are half of it on each side."""
    values = [number.value or 0 for number in rest]
    total = head.value or 0
    follows = rest[-1].start > head.start
    around = plain[head.end : rest[-1].end + 80] if follows else plain[max(0, rest[0].start - 60) : head.start]
    ones = len(_ONE_MORE.findall(around[:2000]))
    listed = re.match(r"[^.;\n]{0,40}?(?::|,? (?:including|namely))(?P<parts>[^.;\n]{1,200})", plain[head.end :][:300])
    if listed and total - sum(values) == len(re.findall(r"\b(?:an?|one)\b(?! (?:few|lot|pair)\b)", listed["parts"])):
        return True
    if (len(values) > 1 and sum(values) == total) or (0 < total - sum(values) <= ones and min(values) > 0):
        return True
    if len(values) == 2 and values[0] * values[1] == total and _TIMES.search(around[:2000]):
        return True
    if rest[0].start > head.start and max(values) < total and all(_is_share(plain, part) for part in rest):
        return True
    halves = all(_HALVES.match(plain, number.end) is not None for number in rest)
    return len(set(values)) == 1 and 2 * values[0] == total and halves


def _is_share(plain: str, part: Number) -> bool:
    """Whether a number is put as a share of the count: "4 of which", "including 2"."""
    including = re.search(r"(?i)\b(?:including|davon|darunter|dont)(?: only| just)? $", plain[: part.start][-30:])
    return _SHARE.match(plain, part.end) is not None or including is not None


def _are_others(plain: str, head: Number, rest: Sequence[Number]) -> bool:
    """Whether numbers after a count go on with other things ("5 dogs, 2 cats and 3 birds")."""
    if _STRONG.search(plain, head.end, rest[0].start):
        return False
    own = _PLURAL.match(plain, head.end)
    nouns = [_PLURAL.match(plain, number.end) for number in rest]
    own_nouns = {own["noun"].lower() if own else "", "ones"}
    return any(noun is not None and noun["noun"].lower() not in own_nouns for noun in nouns)


def gainsays(prose: str, answer: int) -> bool:
    """Whether what comes before an answer does nothing but count, and counts another number.

    >>> gainsays("There are 5 points on the star.", 6), gainsays("There are 5, and one is hidden.", 6)
    (True, False)
    """
    numbers = item_counts(prose, affirmed_numbers(prose)) if len(prose) <= 4000 else []
    if (
        len(numbers) != 1
        or numbers[0].value in {None, answer}
        or any(n.value == answer for n in affirmed_numbers(prose))
    ):
        return False
    head = numbers[0]
    counts = _COUNTS.search(prose, max(0, head.start - 90), head.start) is not None
    rest = prose[: head.start] + re.sub(r"^ (?:rows?|columns?)(?=[.!])", "", prose[head.end :])
    return counts and not _MORE_TO_COUNT.search(rest) and not HEDGE.search(prose)


def has_two_counts(text: str) -> bool:
    """Whether a text gives the same number for two things ("2 cats and 2 dogs"), which is no count of either."""
    numbers = candidate_numbers(text, affirmed_numbers(text))
    if len(numbers) < 2 or only_value(text, numbers).answer is None:
        return False
    gaps = [text[one.end : other.start] for one, other in pairwise(numbers)]
    return any(_BESIDE.fullmatch(gap) for gap in gaps)
