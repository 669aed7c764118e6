"""A count or another whole number."""

from __future__ import annotations

import re

from veridical.answers.norms import apart, is_general
from veridical.answers.number_slot import counted, number_slot, only_value
from veridical.answers.number_words import NONE_OF_THEM, PHRASES
from veridical.answers.prepare import STATED, prepare
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, is_short_statement, read_by_rule
from veridical.answers.totals import HEDGE, totals

_OBSERVED = re.compile(
    r"(?:(?<=[.!?;] )(?:(?:but|however|for|in|yet|while),? ){0,2}|(?<=, )(?:but|however|yet"
    r"|while),? (?:in )?)(?:(?:this|the) (?:one|specimen|picture|image|photo|drawing|animal|figure)"
    r"|this \w{2,14}|here)\b[^.!?;,\n]{1,100}[.!]?\s{0,3}\Z",
    re.IGNORECASE,
)
"""A last sentence about what is in the picture."""
_FIRST = re.compile(
    r"\W{0,5}(?:there (?:are|is)|i (?:can )?(?:see|count)|(?:it|the (?:image|picture|photo|drawing"
    r"|\w{3,12})) (?:shows|contains|has))"
    r" (?P<count>(?:exactly |only |just )?[\w*]{1,12}) (?:[a-z]{2,12} )?(?P<noun>[a-z]{3,14})[*]{0,2}[.!](?=\s)",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"(?:^|(?<=[.!?])\s{1,3})(?:if you (?:want|like|wish|need)|let me know|would you like|i can also"
    r"|feel free)\b[^\n]{0,300}\Z",
    re.IGNORECASE,
)
_LOOKING = re.compile(
    r"^\W{0,4}(?:looking (?:closely |carefully )?at|in|based on)\b[^,.\n0-9]{3,60}, (?=\S)", re.IGNORECASE
)
_LISTED = re.compile(r"^\W{0,5}(?P<count>[^:\n]{1,80}?)\s?:(?P<parts>[^:\n]{3,160}?)\.?\s{0,3}$", re.IGNORECASE)


def read_integer(text: str) -> Read:
    """The whole number that a reply states, as decimal digits ("12", "-3"), or the reason why none can be read.

    Number words count; denied numbers, ordinals and percentages do not. Two numbers, a range, a bound ("at least 7"),
    a fraction and a sum that is not carried out are not resolved. Which of several stated answers counts is told in
    `veridical.answers.settle`.

    >>> read_integer("4 legs, not 5").answer, read_integer("2 + 3 = 5").answer, read_integer("4 or 5").answer
    ('4', '5', None)
    """
    read = read_by_rule(text, number_slot, _whole, "one whole number", totals)
    return Read(None, "two different totals are stated") if _is_disputed(text, read) else read


def read_count(text: str) -> Read:
    """The number of things that a reply states, 0 or more, or the reason why none can be read; as `read_integer`.

    >>> read_count("There are 4 dots.").answer, read_count("<answer>-3</answer>").reason
    ('4', 'a count is never negative')
    """
    read = read_integer(text)
    return Read(None, "a count is never negative") if read.answer and int(read.answer) < 0 else read


def _is_disputed(text: str, read: Read) -> bool:
    """Whether the first sentence counts the same things, and counts others than are read, without a correction."""
    if read.answer is None or not _FIRST.match(text[:400]):
        return False
    reply = prepare(text)
    first = _FIRST.match(reply.plain[:400])
    if first is None or reply.cues or any(place.rank >= STATED for place in reply.statements):
        return False
    found = counted(first["count"])
    if len(found) != 1 or found[0].value is None or str(found[0].value) == read.answer:
        return False
    noun = re.compile(rf"[ ](?:[a-z]{{2,12}} )?{re.escape(first['noun'])}\b", re.IGNORECASE)
    after = reply.plain[first.end() :]
    return any(str(number.value) == read.answer and noun.match(after, number.end) for number in counted(after))


def _whole(plain: str) -> Read:
    plain = _LOOKING.sub("", _OFFER.sub("", plain[-2000:]) if len(plain) <= 2000 else plain)
    if not is_short_statement(plain) or HEDGE.search(plain):
        return NOTHING
    found = counted(plain)
    if not found:
        phrase = next((str(value) for phrase, value in PHRASES.items() if phrase in plain.lower()), None)
        return Read("0") if NONE_OF_THEM.search(plain) else Read(phrase) if phrase else NOTHING
    if is_general(plain, found):
        return Read(None, "only what is usual is stated")
    read = only_value(plain, apart(plain, found))
    listed = _LISTED.match(plain) if read.answer is None else None
    if listed:
        total, parts = counted(listed["count"]), [number.value or 0 for number in counted(listed["parts"])]
        if (
            len(total) == 1
            and total[0].value
            and sum(parts) in {total[0].value, total[0].value - 1}
            and len(parts) != 0
        ):
            return Read(str(total[0].value))
    last = _OBSERVED.search(plain)
    if read.answer is None and last and len(counted(last[0])) == 1:
        return only_value(last[0], counted(last[0]))
    return read
