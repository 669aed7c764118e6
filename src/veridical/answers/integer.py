"""A count or another whole number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from veridical.answers.norms import apart, is_general
from veridical.answers.number_words import NONE_AT_ALL, NONE_OF_THEM, PHRASES
from veridical.answers.numbers import Number, numbers
from veridical.answers.prepare import LEAD, STATED, prepare
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, Claim, denied, is_short_statement, read_by_rule

_BOUND = re.compile(
    r"(?:\b(?:at least|at most|more than|less than|fewer than|over|under|up to|minimum of|maximum of"
    r"|mindestens|höchstens|mehr als|weniger als|über|au moins|au plus|plus de|al menos|más de|至少|最多|超过)"
    r" {0,2}(?:of |the )?|[<>≥≤] {0,2})$",
    re.IGNORECASE,
)
_AFTER_BOUND = re.compile(r" {0,2}(?:\+(?! ?[0-9])|or (?:more|fewer|less)\b|以上|以下)", re.IGNORECASE)
_BETWEEN = re.compile(
    r"[^0-9\n]{0,20}?(?:\b(?:or|to|oder|bis|ou|o|à|until|through|versus|vs|maybe|perhaps|possibly)\b"
    r"|/|或|[-+~×*^]|[0-9] [0-9])"
    r"[^0-9\n]{0,12}",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:^|[.;,(|]\s{0,3}|\b(?:the|in|a|my|of|estimated|visible) )(?:(?:grand |final |overall |true |actual "
    r"|real |correct )?(?:total|sum"
    r"|count|insgesamt"
    r"|gesamt|gesamtzahl|au total|en total)|(?:total |exact |estimated |visible )?number(?= (?:of|is|visible"
    r"|shown)|[:=|,]))"
    r"(?:(?: number| count)? of (?:[a-z]{1,12} ){0,4}[a-z]{1,14}| visible| shown)?\s{0,3}(?: is|:|=|\||,"
    r"|ly)?[:=, |]{1,3}"
    r"|(?:合計|总数|总计|总共|一共|共有?|전부|모두|всего|в сумме|toplam|totalt|i alt|in totaal|łącznie|razem"
    r"|tổng cộng|المجموع|कुल)"
    r"[:=は是, ]{0,3}|\"(?:count|number|total|answer|n|quantity|amount|value)[a-z_]{0,12}\" ?: ?",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(
    r"(?:^|[.!?\n]\s{0,3})(?:[A-Za-z]{2,14} ){0,4}[A-Za-z]{2,14} ?[:=]\s{0,3}(?=\S{1,20}\s{0,3}(?:\(|[.!]?\s*\Z))"
)
_HENCE = re.compile(
    r"(?:^|[.!?:;\n,]\s{0,3})(?:so|therefore|thus|hence|altogether|in (?:total|all|sum)|overall|consequently"
    r"|that's|that is"
    r"|that makes|this makes|that leaves|which (?:leaves|makes)|making|giving|leaving|that gives|this gives"
    r"|which gives|that adds up to|that comes to|i get|we get|i end up with|for a total of|i(?:'ll| will"
    r"| would|'d)? (?:go with"
    r"|settle (?:on|for)|say|conclude|answer)|insgesamt|also|folglich|donc|au total|en total"
    r"|por (?:lo )?tanto|portanto|quindi"
    r"|итого|значит|因此|所以|したがって)\b",
    re.IGNORECASE,
)
_IN_TOTAL = re.compile(
    r"(?<![\w,.])\w{1,12}(?: [a-z]{2,14}){0,2} (?:in total|altogether|in all|all together|total(?=[.,)]|$)"
    r"|insgesamt|au total|en total)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:can't|cannot|can not|unable to|hard to|difficult to|impossible to|not able to) (?:give|say|tell"
    r"|determine|be (?:sure"
    r"|certain)|count|make out|know|see)|\b(?:may|might|could) (?:well )?be (?:more|others|another|hidden)"
    r"|\b(?:i'm|i am) (?:not sure|unsure|uncertain)|\bdepend(?:s|ing)\b|\b(?:maybe|perhaps|possibly|might"
    r"|don't know|vielleicht|peut-être)\b",
    re.IGNORECASE,
)
_SUM = re.compile(r"[+×*·]\s{0,3}[0-9]{1,9}[^=+\n]{0,20}=\s{0,3}(?=[0-9])")
_RESULT = re.compile(r"\W{0,5}[0-9]{1,9}(?:\s?[+×*·]\s?[0-9]{1,9}){1,30}\s?=\s?(?=[0-9])")
_SO = re.compile(
    r"\b(?:so|therefore|thus|hence|which makes|that makes|making|which gives|giving),? "
    r"(?:(?:there (?:are|is)|it has|we have|we get|i (?:see|count)|a total of|the (?:count|total|number) is"
    r"|in total,?) )?",
    re.IGNORECASE,
)
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
_OPENS = re.compile(
    r"\W{0,5}(?P<count>[0-9]{1,3})\. (?=(?:The|There|I|It|This|That|Each"
    r"|All)\b)(?![^\n]{0,2000}\n\s{0,4}[0-9]{1,2}[.)])"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。;]")
_LEADING = re.compile(r"[^\w\n]{0,8}(?:(?:exactly|only|just|about|approximately|around|roughly|ca\.) )?[\"'(\[]{0,2}")


def read_integer(text: str) -> Read:
    """The whole number that a reply states, as decimal digits ("12", "-3"), or the reason why none can be read.

    Number words count; denied numbers, ordinals and percentages do not. Two numbers, a range, a bound ("at least 7"),
    a fraction and a sum that is not carried out are not resolved. Which of several stated answers counts is told in
    `veridical.answers.settle`.

    >>> read_integer("4 legs, not 5").answer, read_integer("2 + 3 = 5").answer, read_integer("4 or 5").answer
    ('4', '5', None)
    """
    read = read_by_rule(text, _slot, _whole, "one whole number", _totals)
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
    found = _counted(first["count"])
    if len(found) != 1 or found[0].value is None or str(found[0].value) == read.answer:
        return False
    noun = re.compile(rf"[ ](?:[a-z]{{2,12}} )?{re.escape(first['noun'])}\b", re.IGNORECASE)
    after = reply.plain[first.end() :]
    return any(str(number.value) == read.answer and noun.match(after, number.end) for number in _counted(after))


@lru_cache(maxsize=512)
def _slot(content: str, alone: bool) -> Read:
    summed = _RESULT.match(content)
    if summed:
        content = content[summed.end() :]
    if NONE_AT_ALL.fullmatch(content):
        return Read("0")
    found = _counted(content)
    if not found:
        return NOTHING
    first = found[0]
    opening = _LEADING.match(content)
    if alone:
        covered = opening is not None and opening.end() == first.start and first.value is not None
        rest = content[first.end :]
        return (
            _one(content, found) if covered and not any(sign.isalnum() or sign in "+-=~" for sign in rest) else NOTHING
        )
    if (
        opening is not None
        and opening.end() == first.start
        and first.value is not None
        and not _open(content, found, 0)
    ):
        rest = content[first.end : first.end + 30]
        if "=" not in content and not re.match(r"\s{0,2}\(\s{0,2}[\w-]{1,12}\s{0,2}\)", rest):
            return Read(str(first.value))
    return _one(content, apart(content, found))


def _whole(plain: str) -> Read:
    plain = _LOOKING.sub("", _OFFER.sub("", plain[-2000:]) if len(plain) <= 2000 else plain)
    if not is_short_statement(plain) or _HEDGE.search(plain):
        return NOTHING
    found = _counted(plain)
    if not found:
        phrase = next((str(value) for phrase, value in PHRASES.items() if phrase in plain.lower()), None)
        return Read("0") if NONE_OF_THEM.search(plain) else Read(phrase) if phrase else NOTHING
    if is_general(plain, found):
        return Read(None, "only what is usual is stated")
    read = _one(plain, apart(plain, found))
    listed = _LISTED.match(plain) if read.answer is None else None
    if listed:
        total, parts = _counted(listed["count"]), [number.value or 0 for number in _counted(listed["parts"])]
        if (
            len(total) == 1
            and total[0].value
            and sum(parts) in {total[0].value, total[0].value - 1}
            and len(parts) != 0
        ):
            return Read(str(total[0].value))
    last = _OBSERVED.search(plain)
    if read.answer is None and last and len(_counted(last[0])) == 1:
        return _one(last[0], _counted(last[0]))
    return read


def _totals(plain: str) -> Iterator[Claim]:
    """Results of sums, numbers that are called a total, and the last number of a reply if drawn as a conclusion."""
    for pattern, rank in ((_SUM, LEAD), (_TOTAL, STATED), (_LABEL, LEAD)):
        for mark in pattern.finditer(plain):
            line = plain[mark.end() : mark.end() + (80 if rank == STATED else 30)].partition("\n")[0]
            read = _slot(line, False)
            aside = pattern is _SUM and plain.rfind("(", max(0, mark.start() - 80), mark.start()) > plain.rfind(
                ")", max(0, mark.start() - 80), mark.start()
            )
            if read.answer is not None and not aside and not (rank == STATED and _SUM.search(line)):
                yield Claim(read, rank, mark.start(), mark.end() + 1)
    yield from _concluded(plain)
    opens = _OPENS.match(plain[:2500])
    if opens:
        yield Claim(Read(str(int(opens["count"]))), LEAD, 0, opens.end("count"))
    for mark in _IN_TOTAL.finditer(plain):
        found = _counted(mark[0])
        if len(found) == 1:
            yield Claim(_one(mark[0], found), LEAD, mark.start(), mark.end())
    ending = plain[-300:]
    conclusions = list(_SO.finditer(ending)) if ending.rstrip().endswith((".", "!")) else []
    if conclusions:
        mark = conclusions[-1]
        found, opening = _counted(ending[mark.end() :]), _LEADING.match(ending, mark.end())
        if (
            len(found) == 1
            and opening
            and found[0].start == opening.end() - mark.end()
            and "+" not in ending[mark.end() :]
        ):
            at = len(plain) - len(ending)
            yield Claim(_one(ending[mark.end() :], found), LEAD, at + mark.start(), at + mark.end() + 1)


def _concluded(plain: str) -> Iterator[Claim]:
    """The one number of a sentence, or of the part of it, that begins as a conclusion does."""
    for mark in _HENCE.finditer(plain):
        end = _SENTENCE_END.search(plain, mark.end(), mark.end() + 160)
        content = plain[mark.end() : end.start() if end else mark.end() + 160]
        found = apart(content, _counted(content))
        if found and "=" not in content and not _HEDGE.search(content):
            read = _one(content, found)
            if read.answer is not None:
                yield Claim(read, LEAD, mark.start(), mark.end() + len(content))


def _counted(text: str) -> list[Number]:
    """Numbers of a text that may be the answer: those that are not denied."""
    return [number for number in numbers(text) if not denied(text, number.start)]


def _open(text: str, found: list[Number], index: int) -> bool:
    """Whether a number is one end of a range, one of two, a bound, or a factor."""
    number = found[index]
    before = text[max(0, number.start - 30) : number.start]
    if _BOUND.search(before) or _AFTER_BOUND.match(text[number.end : number.end + 12]):
        return True
    if index + 1 == len(found) or found[index + 1].start - number.end > 32:
        return False
    gap = text[number.end : found[index + 1].start]
    return _BETWEEN.fullmatch(gap) is not None or not gap.strip(" \t") or gap.strip() == ","


def _one(text: str, found: list[Number]) -> Read:
    """The one value that all numbers share, or why there is none."""
    if any(_open(text, found, index) for index in range(len(found))):
        return Read(None, "a range, a bound or a choice of numbers is given")
    values = {number.value for number in found}
    if None in values:
        return Read(None, "a number is given that is not a whole number for certain")
    if len(values) > 1:
        return Read(None, "several numbers are given")
    return Read(str(values.pop()))
