"""Open answers whose gold has a type: a number, a grid cell, yes or no, an option, a color, a side, a time, a word.

A value of the gold's type is read out of the reply, by the rules of the readers, and compared with the gold. Where no
one value can be read, nothing is compared: such a reply is neither right nor wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from veridical.answers import ParsedAnswer, letter_reader, read_integer, read_yes_no
from veridical.answers.impression import first_impressions, held_part, temptation_spans
from veridical.answers.prepare import prepare
from veridical.answers.settle import NOTHING, follows_denial, read_by_rule
from veridical.judges.values import (
    COLORS,
    SIDES,
    Value,
    cells,
    comparisons,
    integers,
    named_values,
    texts,
    times,
    write_value_digits,
)

OPEN, SEVERAL = "the answer is left open", "several are named"
"""Why one value cannot be read although some are named."""
Scan = Callable[[str], Sequence[Value]]
"""Finds the values of one type in a text, in order."""

_SENTENCE = re.compile(r"[^.!?\n。！？;；]{1,600}(?:[.!?](?![\w.])|[\n。！？;；]|\.(?=\S)|\Z)")
_OPEN = re.compile(
    r"\b(?:or|either|perhaps|maybe|possibly|might|could|may(?: be)?|can(?:no|')?t (?:tell|say|make|see|determine|read)"
    r"|can not (?:tell|say|make|see|determine|read)|hard to (?:say|tell|read|make)|impossible to (?:say|tell|read)"
    r"|not (?:sure|certain|clear)|un(?:sure|certain|clear)|depend(?:s|ing)?|guess|(?<!no )doubt|if|whether"
    r"|leave (?:it |this )?open|vielleicht|oder|möglicherweise"
    r"|peut-être|ou|quizás|tal vez)\b|\d ?%|可能|或者?|也许|不确定",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?:usual(?:ly)?|normal(?:ly)?|typical(?:ly)?|expect(?:ed|s)?|ordinar(?:y|ily)|common(?:ly)?|supposed|original(?:ly)?"
    r"|because|since|weil|denn|parce que|porque|in front of|next to|beside|against|(?:mis)?taken for|misspelling of"
    r"|similar to|should|would (?!say|call|answer|go|pick|choose)|often|most"
    r"|instead of|rather than|unlike|than|although|though|despite|while|whereas|real\b"
    r"|normalerweise|gewöhnlich|üblich\w*|eigentlich|statt|anstatt|obwohl"
    r"|normalement|d'habitude|au lieu de|bien que|habituel\w*|normalmente|en lugar de|aunque)\b"
    r"|因为|通常|一般|正常|平时|虽然|尽管",
    re.IGNORECASE,
)
_LIKE = re.compile(
    r"\b(?:that|which) (?:looks?|seems?)(?: (?:a bit|much|somewhat))? like\b"
    r"|\b(?:al)?though (?:most|many|one|people|you)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[,;:.()，；、—–]|\s-\s|\b(?:it (?:is|was)|but|however|yet|so|here|aber|hier|sondern|mais|ici|pero|aquí)\b|但|而"
)
_LONGEST = 300
"""How many signs an aside has at most."""
_DENIED = re.compile(
    r"\b(?:no longer|nothing|not (?:have|show|say|read|spell)|(?:n't|n’t) (?:have|show|say|read|spell)) (?:\w+ )?\Z"
    r"|(?:\bnot|n't)(?: really| definitely)? made (?:out )?of \Z"
    r"|(?:\bnot|n't)(?: really)?(?: an?| the)? (?!(?:only|just|merely)\b)\w{3,9} \Z",
    re.IGNORECASE,
)


class Gold(NamedTuple):
    """A gold answer of a type: its value, and how values of that type are found in and read from a reply."""

    value: str
    scan: Scan | None
    read: Callable[[str], ParsedAnswer]

    def denied(self, reply: str) -> bool:
        """Whether a reply says no more than that the gold is not so: "Certainly not six."."""
        plain = prepare(reply).plain
        values = self.scan(plain) if self.scan else []
        return bool(values) and all(each.value == self.value and is_denied(plain, each.start) for each in values)


def gold_of(question: str, gold: str) -> Gold | None:
    """The value and the reader of a gold answer that has a type; `None` for one in other words.

    >>> gold_of("Where is it?", "row 4, column 2").value, gold_of("Which?", "RAN").value, gold_of("What?", "a cross")
    ('4,2', 'RAN', None)
    """
    plain = gold.strip(" .!\"'")
    small = plain.lower()
    options = _options(question)
    if options and (letter := re.match(r"([A-Z])(?:[.):]|\Z)", plain)):
        return Gold(letter[1], None, lambda reply: letter_reader(*options).read(reply))
    if small in ("yes", "no"):
        return Gold(small, None, read_yes_no)
    if re.fullmatch(r"-?\d+", write_value_digits(small)):
        return Gold(write_value_digits(small), integers, read_integer)
    if cell := cells(small):
        return _settling(cell[0].value, cells, "one cell")
    if re.fullmatch(r"\d{1,2}:\d\d", small):
        return _settling(times(small)[0].value, times, "one time")
    compared = re.fullmatch(r"(?:\w+ )?([AB]) is (\w+er)|they are (?:the )?(?:same|equal|identical)", plain)
    if compared and (relation := re.search(r"\b(?!other|whether)(\w{3,10}er)\b(?! than all)", compared[2] or question)):
        return _settling(
            compared[1] or "same", partial(comparisons, relation=relation[1]), "one of the two, or the same"
        )
    for wanted, words in (("one color", COLORS), ("one side", SIDES)):
        scan = partial(named_values, words=words)
        if (found := scan(small)) and len(small.split()) == 1:
            return _settling(found[0].value, scan, wanted)
    if re.fullmatch(r"[A-Z]{2,12}", plain):
        return _settling(plain, partial(texts, gold=plain), "one word")
    return None


def _settling(value: str, scan: Scan, wanted: str) -> Gold:
    return Gold(value, scan, partial(settle_value, scan=scan, wanted=wanted))


def _options(question: str) -> tuple[str, ...]:
    """The texts of the options A, B, C ... that a question lists, or none."""
    marks = list(re.finditer(r"(?<!\w)([A-Z])[.):] ", question))
    letters = "".join(mark[1] for mark in marks)
    if len(marks) < 2 or not "ABCDEFGHIJ".startswith(letters):
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    return tuple(question[mark.end() : end].strip(" \n,;") for mark, end in zip(marks, ends, strict=True))


def settle_value(reply: str, scan: Scan, wanted: str) -> ParsedAnswer:
    """The one value that a reply settles on, or the reason why there is none.

    >>> colors = partial(named_values, words=COLORS)
    >>> settle_value("A banana is usually yellow; this one is blue.", colors, "one color").answer
    'blue'
    >>> settle_value("Blue or yellow.", colors, "one color").reason
    'the answer is left open'
    """
    return read_by_rule(reply, partial(_slot, scan), partial(_whole, scan), wanted)


def _slot(scan: Scan, content: str, alone: bool) -> ParsedAnswer:
    values = asserted_values(scan, content)
    if alone:
        own = scan(content)
        rest = re.sub(r"\W+", "", content[: own[0].start] + content[own[0].end :]) if len(own) == 1 else "several"
        return ParsedAnswer(own[0].value) if len(rest) <= 3 and not is_denied(content, own[0].start) else NOTHING
    if not values:
        return NOTHING
    return _one(values, content)


def _one(values: Sequence[str], text: str) -> ParsedAnswer:
    if len(set(values)) > 1:
        return ParsedAnswer(None, OPEN if _OPEN.search(text) else SEVERAL)
    return ParsedAnswer(values[0])


def _whole(scan: Scan, plain: str) -> ParsedAnswer:
    """The value of the sentences that say what is so here; one that is left open settles nothing."""
    values: list[str] = []
    asked = False
    for sentence in _SENTENCE.finditer(plain):
        text = sentence[0]
        start, end = held_part(text) or (0, len(text))
        text = text[start:end]
        own = asserted_values(scan, text)
        if not own or (start == 0 and any((*first_impressions(text), *temptation_spans(text)))):
            continue
        if text.rstrip().endswith(("?", "？")):
            asked = True
        elif len(set(own)) > 1 or _doubted(text, scan):
            return ParsedAnswer(None, OPEN)
        else:
            values += own
    if not values:
        return ParsedAnswer(None, OPEN) if asked else NOTHING
    return _one(values, "")


def _doubted(text: str, scan: Scan) -> bool:
    """Whether words of doubt stand in the clause of a value, or before all values."""
    first = scan(text)[0]
    clause = text[: first.end]
    return any(_OPEN.finditer(clause)) or re.match(r"[^,.;]{0,20}\bor\b", text[first.end :]) is not None


def is_open(text: str) -> bool:
    """Whether a text leaves open what it says."""
    return _OPEN.search(text) is not None


def asserted_values(scan: Scan, text: str) -> list[str]:
    """The values in a text that are not denied, nor said to be usual, nor set aside for others."""
    asides = list(_asides(text))
    return [
        each.value
        for each in scan(text)
        if not is_denied(text, each.start) and not any(a <= each.start < b for a, b in asides)
    ]


def is_denied(text: str, start: int) -> bool:
    """Whether what stands at `start` is denied by the words before it."""
    return follows_denial(text, start) or _DENIED.search(text[max(0, start - 40) : start]) is not None


def _asides(text: str) -> Iterator[tuple[int, int]]:
    for word in _ASIDE.finditer(text):
        yield word.end(), _end(text, word.end())


def _end(text: str, start: int) -> int:
    """Where an aside ends that begins at `start`: it is bounded, so that hostile text costs no more than its length."""
    end = _ENDS.search(text, start, start + _LONGEST)
    return end.start() if end else min(len(text), start + _LONGEST)


def without_asides(reply: str) -> str:
    """A reply without what others would say, and what the thing only looks like.

    >>> without_asides("A fox, though most would expect a dog.")
    'A fox, though most.'
    """
    kept, at = [], 0
    for word in _LIKE.finditer(reply):
        kept.append(reply[at : max(at, word.end())])
        at = max(at, _end(reply, word.end()))
    return "".join([*kept, reply[at:]])
