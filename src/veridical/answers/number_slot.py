"""What one place of a reply gives as its number, and where prose gives one as its result: sums, totals, conclusions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from veridical.answers.norms import candidate_numbers, is_general
from veridical.answers.number_words import NONE_AT_ALL
from veridical.answers.numbers import Number, numbers
from veridical.answers.places import LEAD, STATED
from veridical.answers.reader import ParsedAnswer
from veridical.answers.settle import NOTHING, AnswerClaim, follows_denial

_BOUND = re.compile(
    r"(?i)(?:\b(?:at least|at most|more than|less than|fewer than|over|under|between|up to|minimum of|maximum of"
    r"|mindestens|höchstens|mehr als|weniger als|über|au moins|au plus|plus de|al menos|más de|至少|最多|超过)"
    r" {0,2}(?:of |the )?|[<>≥≤] {0,2})$"
)
_AFTER_BOUND = re.compile(r"(?i) {0,2}(?:\+(?! ?[0-9])|or (?:more|fewer|less)\b|以上|以下)")
_BETWEEN = re.compile(
    r"(?i)[^0-9\n]{0,20}?(?:\b(?:or|to|oder|bis|ou|o|à|until|through|versus|vs|x|by|maybe|perhaps|possibly)\b|/|或"
    r"|[-+~×*^]|[0-9] [0-9])[^0-9\n]{0,12}"
)
_RESULT = re.compile(r"\W{0,5}[0-9]{1,9}(?:\s?(?:[+×*·]|\\times|\\cdot)\s?[0-9]{1,9}){1,30}\s?=\s?(?=[0-9])")
LEADING = re.compile(r"[^\w\n]{0,8}(?:(?:exactly|only|just|about|approximately|around|roughly|ca\.) )?[\"'(\[]{0,2}")
"""What may stand before the number that opens a place."""


@lru_cache(maxsize=512)
def number_slot(content: str, alone: bool) -> ParsedAnswer:
    """The number of a place; where it must stand `alone`, nothing but the number may be there."""
    summed = _RESULT.match(content)
    if summed:
        content = content[summed.end() :]
    if NONE_AT_ALL.fullmatch(content):
        return ParsedAnswer("0")
    numbers = affirmed_numbers(content)
    if not numbers:
        return NOTHING
    first = numbers[0]
    opening = LEADING.match(content)
    if alone:
        covered = opening is not None and opening.end() == first.start and first.value is not None
        more = any(sign.isalnum() or sign in "+-=~?" for sign in content[first.end :])
        return only_value(content, numbers) if covered and not more else NOTHING
    if (
        opening is not None
        and opening.end() == first.start
        and first.value is not None
        and not is_open(content, numbers, 0)
    ):
        rest = content[first.end : first.end + 30]
        if "=" not in content and not re.match(r"\s{0,2}\(\s{0,2}[\w-]{1,12}\s{0,2}\)", rest):
            return ParsedAnswer(str(first.value))
    return only_value(content, candidate_numbers(content, numbers))


def affirmed_numbers(text: str) -> list[Number]:
    """Numbers of a text that may be the answer: those that are not denied."""
    return [number for number in numbers(text) if not follows_denial(text, number.start)]


def is_open(text: str, numbers: list[Number], index: int) -> bool:
    """Whether a number is one end of a range, one of two, a bound, or a factor."""
    number = numbers[index]
    before = text[max(0, number.start - 30) : number.start]
    if _BOUND.search(before) or _AFTER_BOUND.match(text[number.end : number.end + 12]):
        return True
    if index + 1 == len(numbers) or numbers[index + 1].start - number.end > 32:
        return False
    gap = text[number.end : numbers[index + 1].start]
    return _BETWEEN.fullmatch(gap) is not None or not gap.strip(" \t") or gap.strip() == ","


def only_value(text: str, numbers: list[Number]) -> ParsedAnswer:
    """The one value that all numbers share, or why there is none."""
    if any(is_open(text, numbers, index) for index in range(len(numbers))):
        return ParsedAnswer(None, "a range, a bound or a choice of numbers is given")
    values = {number.value for number in numbers}
    if None in values:
        return ParsedAnswer(None, "a number is given that is not a whole number for certain")
    if len(values) > 1:
        return ParsedAnswer(None, "several numbers are given")
    return ParsedAnswer(str(values.pop()))


_TOTAL = re.compile(
    r"(?im)(?:^[^\w\n]{0,9}|[.;,(|]\s{0,3}|\b(?:the|a|my|of|estimated|visible) )(?:(?:grand |final |overall |true "
    r"|actual |exact |real |correct )?(?:total|sum|count|insgesamt|gesamt|gesamtzahl|au total|en total)|(?:total "
    r"|exact |estimated |visible )?number(?= (?:of|is|visible|shown)|[:=|,]))(?:(?: number"
    r"| count)? of (?:[a-z]{1,12} ){0,4}[a-z]{1,14}| visible| shown)?\s{0,3}(?: is|:|=|\||,|ly)?[:=, |]{1,3}|(?:合計"
    r"|总数|总计|总共有?|一共有?|共有?|전부|모두|всего|в сумме|toplam|totalt|i alt|in totaal|łącznie|razem|tổng cộng"
    r"|المجموع|कुल)[:=は是, ]{0,3}|\"(?:count|number|total|answer|n|quantity|amount|value)[a-z_]{0,12}\" ?: ?"
)
_LABEL = re.compile(
    r"(?:^|[.!?\n]\s{0,3})(?:[A-Za-z]{2,14} ){0,4}[A-Za-z]{2,14} ?[:=]\s{0,3}(?=\S{1,20}\s{0,3}(?:\(|[.!]?\s*\Z))"
)
_HENCE = re.compile(
    r"(?i)(?:^|[.!?:;\n,]\s{0,3})(?:so(?! (?:that|as|far|many|much)\b)|therefore|thus|hence|altogether|in (?:total|all"
    r"|sum)|overall|consequently|that's|that is|that makes|this makes|that leaves|which (?:leaves|makes)|making|giving"
    r"|leaving|that gives|this gives|which gives|(?:that|this|which) (?:adds up|comes|amounts) to|(?:that|this"
    r"|which) (?:results in|yields)|i get|i arrive at|we get|i end up with|for a total of|(?:but |and |yet "
    r"|still,? )?i(?:'ll| will| would|'d)? (?:go with|settle (?:on|for)|say|conclude|answer)|insgesamt|also|folglich"
    r"|donc|au total|en total|por (?:lo )?tanto|portanto|quindi|итого|значит|因此|所以|したがって)\b"
)
_IN_TOTAL = re.compile(
    r"(?i)(?<![\w,.])\w{1,12}(?: [a-z]{2,14}){0,2} (?:in total|altogether|in all|all together|total(?=[.,)]|$)"
    r"|insgesamt|au total|en total)\b"
)
HEDGE = re.compile(
    r"(?i)\b(?:can't|cannot|can not|unable to|hard to|difficult to|impossible to|not able to) (?:give|say|tell"
    r"|determine|decide|be (?:sure|certain)|count|make out|know|see)|\b(?:may|might|could) (?:well )?be (?:more|others"
    r"|another|hidden)|\b(?:and|plus) (?:some|several|a few) (?:more|others)\b|\b(?:i'm|i am) (?:not sure|unsure"
    r"|uncertain)|\bdepend(?:s|ing)\b|\b(?:maybe|perhaps|possibly|might|don't know|vielleicht|peut-être)\b"
)
"""What leaves a number open."""
_PLUS = re.compile(r"(?i)\bplus\b[^.;\n]{1,60}?\b(?:makes?|is|gives|equals) (?=\w)")
_SUM = re.compile(r"(?:[+×*·]|\\times|\\cdot)\s{0,3}[0-9]{1,9}[^=+\n]{0,20}=\s{0,3}(?=[0-9]{1,9}(?![0-9?]| ?\?))")
_ADDED = re.compile(
    r"(?i)\b(?:(?:add|sum|count|tally)ing|total(?:l)?ing) (?:(?:it|them|these|those|all|everything|up|together|the"
    r"|rows?|parts?|numbers|counts?|of|this|values)\b ?){1,5}(?:,? (?:i|we|you) (?:get|obtain|have|arrive at|reach"
    r"|find)|(?:gives?|makes|yields|results in|produces)(?: us| me)?|[,:=]|-> ?|→)(?: a total of)? ?|\b(?:grand "
    r"|combined )?(?:total|sum) of (?=\w)|\b(?:best|final|careful|own) (?:count|estimate|tally|guess)(?: is| would be"
    r"|:| comes to)(?: that there are)? |(?:→|->|=>|⇒) ?(?=[0-9]{1,4}[.!]?\s{0,3}\Z)"
)
"""What comes before the result of adding up, or before a count that the reply calls its best."""
_SO = re.compile(
    r"(?i)\b(?:so|therefore|thus|hence|which makes|that makes|making|which gives|giving),? (?:(?:there (?:are|is)"
    r"|it has|we have|we get|i (?:see|count)|a total of|the (?:count|total|number) is|in total,?) )?"
)
_OPENS = re.compile(
    r"\W{0,5}(?P<count>[0-9]{1,3})\. (?=(?:(?<!\b1\. )(?!(?:No|Nope|Not|Wait|Actually|Or|But|Sorry|Maybe|Hmm"
    r"|Oh)\b)[A-Z][a-z]|(?:The|There|I|It|This|That|Each|All)\b))(?![^\n]{0,2000}\n\s{0,4}[0-9]{1,2}[.)])"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。;]")


def totals(plain: str) -> Iterator[AnswerClaim]:
    """Results of sums, numbers that are called a total, and the last number of a reply if drawn as a conclusion."""
    for pattern, rank in ((_SUM, LEAD), (_TOTAL, STATED), (_LABEL, LEAD), (_ADDED, LEAD), (_PLUS, LEAD)):
        for mark in pattern.finditer(plain):
            line = plain[mark.end() : mark.end() + (80 if rank == STATED else 30)].partition("\n")[0]
            read = number_slot(line, False)
            aside = pattern is _SUM and plain.rfind("(", max(0, mark.start() - 80), mark.start()) > plain.rfind(
                ")", max(0, mark.start() - 80), mark.start()
            )
            holds = pattern is _TOTAL and affirmed_numbers(mark[0])
            if read.answer is not None and not aside and not holds and not (rank == STATED and _SUM.search(line)):
                yield AnswerClaim(read, rank, mark.start(), mark.end() + 1)
    yield from _concluded(plain)
    opens = _OPENS.match(plain[:2500])
    if opens:
        yield AnswerClaim(ParsedAnswer(str(int(opens["count"]))), LEAD, 0, opens.end("count"))
    for mark in _IN_TOTAL.finditer(plain):
        numbers = affirmed_numbers(mark[0])
        before = max(0, mark.start() - 120)
        begin = max(plain.rfind(sign, before, mark.start()) for sign in ".!?\n") + 1
        sentence = plain[max(before, begin) : mark.end()]
        if len(numbers) == 1 and not is_general(sentence, affirmed_numbers(sentence)):
            yield AnswerClaim(only_value(mark[0], numbers), STATED, mark.start(), mark.end())
    ending = plain[-300:]
    conclusions = list(_SO.finditer(ending)) if ending.rstrip().endswith((".", "!")) else []
    if conclusions:
        mark = conclusions[-1]
        numbers, opening = affirmed_numbers(ending[mark.end() :]), LEADING.match(ending, mark.end())
        if (
            len(numbers) == 1
            and opening
            and numbers[0].start == opening.end() - mark.end()
            and "+" not in ending[mark.end() :]
        ):
            at = len(plain) - len(ending)
            yield AnswerClaim(only_value(ending[mark.end() :], numbers), LEAD, at + mark.start(), at + mark.end() + 1)


def _concluded(plain: str) -> Iterator[AnswerClaim]:
    """The one number of a sentence, or of the part of it, that begins as a conclusion does."""
    for mark in _HENCE.finditer(plain):
        end = _SENTENCE_END.search(plain, mark.end(), mark.end() + 160)
        content = plain[mark.end() : end.start() if end else mark.end() + 160]
        numbers = candidate_numbers(content, affirmed_numbers(content))
        general = is_general(content, numbers)
        if numbers and "=" not in content and not general and not HEDGE.search(content):
            read = only_value(content, numbers)
            if read.answer is not None:
                yield AnswerClaim(read, LEAD, mark.start(), mark.end() + len(content))
