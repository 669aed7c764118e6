"""A count or another whole number."""

from __future__ import annotations

import re

from veridical.answers.breakdown import gainsays, has_two_counts, headline_count
from veridical.answers.norms import candidate_numbers, differs, is_general, none_count
from veridical.answers.number_slot import HEDGE, affirmed_numbers, number_slot, only_value, totals
from veridical.answers.number_words import NONE_OF_THEM, OBJECTS, OF_THE_BODY, PHRASES
from veridical.answers.numbers import Number
from veridical.answers.places import STATED
from veridical.answers.prepare import prepare
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING, is_short_statement, read_by_rule
from veridical.answers.thinking import explanation_spans, spoken_text

_OBSERVED = re.compile(
    r"(?i)(?:(?<=[.!?;] )(?:(?:but|however|for|in|yet|while),? ){0,2}|(?<=, )(?:but|however|yet"
    r"|while),? (?:in )?)(?:(?:this|the) (?:one|specimen|picture|image|photo|drawing|animal|figure)"
    r"|this \w{2,14}|here)\b[^.!?;,\n]{1,100}[.!]?\s{0,3}\Z"
)
"""A last sentence about what is in the picture."""
_FIRST = re.compile(
    r"(?i)\W{0,5}(?:there (?:are|is)|i (?:can )?(?:see|count)|(?:it|the (?:image|picture|photo|drawing"
    r"|\w{3,12})) (?:shows|contains|has))"
    r" (?P<count>(?:exactly |only |just )?[\w*]{1,12}) (?:[a-z]{2,12} )?(?P<noun>[a-z]{3,14})[*]{0,2}[.!](?=\s)"
)
_NULL = re.compile(r"[\"'](?:final_)?(?:answer|count|number|total)[\"']\s?:\s?(?:null|None)\b")
_COUNTED_OUT = re.compile(
    r"(?i)\bcount\w*[^.\n0-9]{0,40}[:,] (?P<run>(?:1|one)\b(?: [a-z ]{2,20})?"
    r"(?:, (?:and )?[\w-]{1,12}){1,40})[.!]?\s{0,3}\Z"
)
_OF_THEM = re.compile(r"(?i) of (?:the|these|those) (?=\w)")
_TAG = re.compile(r"(?i)</?[a-z_]{1,20}>")
_OFFER = re.compile(
    r"(?i)(?:^|(?<=[.!?])\s{1,3})(?:if you (?:want|like|wish|need)|let me know|would you like|i can also"
    r"|feel free)\b[^\n]{0,300}\Z"
)
_LOOKING = re.compile(r"(?i)^\W{0,4}(?:looking (?:closely |carefully )?at|in|based on)\b[^,.\n0-9]{3,60}, (?=\S)")
_CONCEDED = re.compile(
    r"(?i)^\W{0,4}(?:(?:although|though|even though|while)\b[^.,!?;\n0-9]{3,100}, (?:but |yet )?(?=\S)"
    r"|it(?:'s| is) (?:a (?:bit|little) |somewhat |quite |rather )?(?:hard|difficult|tricky|not easy)\b"
    r"[^.,!?;\n0-9]{3,100}, (?:but|yet) (?=\S))"
)
"""A doubt that the reply sets aside before it counts."""
_CONCEDED_LAST = re.compile(
    r"(?i), (?:al)?though [^.,;\n0-9]{3,60} (?:hard|difficult) to [^.,;\n0-9]{3,30}(?=[.!]?\s{0,3}\Z)"
)


def read_integer(text: str) -> ParsedAnswer:
    """The whole number that a reply states, as decimal digits ("12", "-3"), or the reason why none can be read.

    Number words count; denied numbers, ordinals and percentages do not. Two numbers, a range, a bound ("at least 7"),
    a fraction and a sum that is not carried out are not resolved. Which of several stated answers counts is told in
    `veridical.answers.settle`.

    >>> read_integer("4 legs, not 5").answer, read_integer("2 + 3 = 5").answer, read_integer("4 or 5").answer
    ('4', '5', None)
    """
    if _NULL.search(text):
        return ParsedAnswer(None, "the answer is null")
    read = read_by_rule(text, number_slot, _whole, "one whole number", totals)
    return ParsedAnswer(None, "another count is stated before") if _is_disputed(text, read) else read


def read_count(text: str) -> ParsedAnswer:
    """The number of things that a reply states, 0 or more, or the reason why none can be read; as `read_integer`.

    >>> read_count("There are 4 dots.").answer, read_count("<answer>-3</answer>").reason
    ('4', 'a count is never negative')
    """
    read = read_integer(text)
    return ParsedAnswer(None, "a count is never negative") if read.answer and int(read.answer) < 0 else read


def _is_disputed(text: str, read: ParsedAnswer) -> bool:
    """Whether a sentence before the answer counts the same things, and counts others than are read."""
    if read.answer is None:
        return False
    reply = prepare(text)
    if reply.cues:
        return False
    marked = [place.start for place in reply.statements if place.rank >= STATED]
    if marked:
        heard = spoken_text(text)
        explanation = " ".join(heard[start:end] for start, end in explanation_spans(heard)[:3])
        return gainsays(_TAG.sub(" ", explanation) + "\n" + reply.plain[: marked[0]], int(read.answer))
    first = _FIRST.match(reply.plain[:400])
    numbers = affirmed_numbers(first["count"]) if first else []
    if first is None or len(numbers) != 1 or numbers[0].value is None or str(numbers[0].value) == read.answer:
        return False
    noun = re.compile(rf"(?i)[ ](?:[a-z]{{2,12}} )?{re.escape(first['noun'])}\b")
    after = reply.plain[first.end() :]
    return any(str(number.value) == read.answer and noun.match(after, number.end) for number in affirmed_numbers(after))


def _whole(plain: str) -> ParsedAnswer:
    plain = _OFFER.sub("", plain[-2000:]) if len(plain) <= 2000 else plain
    plain = _CONCEDED_LAST.sub("", _CONCEDED.sub("", _LOOKING.sub("", plain)))
    run = _COUNTED_OUT.search(plain[-300:])
    values = [number.value for number in affirmed_numbers(run["run"]) if number.value != 1] if run else []
    if run and values == list(range(2, run["run"].count(",") + 2)):
        return ParsedAnswer(str(values[-1]))
    unfit = _unfit(plain, affirmed_numbers(plain)) if len(plain) <= 400 else None
    if unfit:
        return ParsedAnswer(None, unfit)
    read = _statement(plain)
    return headline_count(plain) if read.answer is None else read


def _unfit(plain: str, numbers: list[Number]) -> str | None:
    """Why the numbers of a reply are no count of what was asked, if they all are none."""
    if is_general(plain, numbers):
        return "only the usual number is stated"
    if len(numbers) == 1 and _OF_THEM.match(plain, numbers[0].end):
        return "a part of them is counted"
    if len(plain.split()) > 4 and none_count(plain, numbers):
        return "the numbers are sizes, dates or names"
    if len(numbers) == 1 and OF_THE_BODY.match(plain, numbers[0].end):
        return "pairs are counted"
    if len(numbers) == 1 and differs(plain, numbers[0]):
        return "only a difference, or what cannot be seen, is counted"
    return "several things are counted" if has_two_counts(plain) else None


def _statement(plain: str) -> ParsedAnswer:
    """The one number of a short reply that says nothing else."""
    if not is_short_statement(plain) or HEDGE.search(plain):
        return NOTHING
    numbers = affirmed_numbers(plain)
    if not numbers:
        phrases = [str(value) for phrase, value in PHRASES.items() if phrase in plain.lower()]
        counts = bool(phrases) and not OBJECTS.search(plain)
        return ParsedAnswer("0") if NONE_OF_THEM.search(plain) else ParsedAnswer(phrases[0]) if counts else NOTHING
    read = only_value(plain, candidate_numbers(plain, numbers))
    last = _OBSERVED.search(plain)
    if read.answer is None and last and len(affirmed_numbers(last[0])) == 1:
        return only_value(last[0], affirmed_numbers(last[0]))
    return read
