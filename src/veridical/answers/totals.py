"""Where prose gives a number as its result: sums, totals, conclusions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.norms import apart
from veridical.answers.number_slot import LEADING, counted, number_slot, only_value
from veridical.answers.places import LEAD, STATED
from veridical.answers.reader import Read
from veridical.answers.settle import Claim

_TOTAL = re.compile(
    r"(?:^[^\w\n]{0,9}|[.;,(|]\s{0,3}|\b(?:the|a|my|of|estimated|visible) )(?:(?:grand |final |overall |true |actual "
    r"|real |correct )?(?:total|sum"
    r"|count|insgesamt"
    r"|gesamt|gesamtzahl|au total|en total)|(?:total |exact |estimated |visible )?number(?= (?:of|is|visible"
    r"|shown)|[:=|,]))"
    r"(?:(?: number| count)? of (?:[a-z]{1,12} ){0,4}[a-z]{1,14}| visible| shown)?\s{0,3}(?: is|:|=|\||,"
    r"|ly)?[:=, |]{1,3}"
    r"|(?:合計|总数|总计|总共有?|一共有?|共有?|전부|모두|всего|в сумме|toplam|totalt|i alt|in totaal|łącznie|razem"
    r"|tổng cộng|المجموع|कुल)"
    r"[:=は是, ]{0,3}|\"(?:count|number|total|answer|n|quantity|amount|value)[a-z_]{0,12}\" ?: ?",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(
    r"(?:^|[.!?\n]\s{0,3})(?:[A-Za-z]{2,14} ){0,4}[A-Za-z]{2,14} ?[:=]\s{0,3}(?=\S{1,20}\s{0,3}(?:\(|[.!]?\s*\Z))"
)
_HENCE = re.compile(
    r"(?:^|[.!?:;\n,]\s{0,3})(?:so(?! (?:that|as|far|many|much)\b)|therefore|thus|hence|altogether|in (?:total|all"
    r"|sum)|overall|consequently"
    r"|that's|that is"
    r"|that makes|this makes|that leaves|which (?:leaves|makes)|making|giving|leaving|that gives|this gives"
    r"|which gives|(?:that|this|which) (?:adds up|comes|amounts) to|(?:that|this|which) (?:results in|yields)|i get"
    r"|we get|i end up with|for a total of"
    r"|(?:but |and |yet |still,? )?i(?:'ll| will"
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
HEDGE = re.compile(
    r"\b(?:can't|cannot|can not|unable to|hard to|difficult to|impossible to|not able to) (?:give|say|tell"
    r"|determine|be (?:sure"
    r"|certain)|count|make out|know|see)|\b(?:may|might|could) (?:well )?be (?:more|others|another|hidden)"
    r"|\b(?:i'm|i am) (?:not sure|unsure|uncertain)|\bdepend(?:s|ing)\b|\b(?:maybe|perhaps|possibly|might"
    r"|don't know|vielleicht|peut-être)\b",
    re.IGNORECASE,
)
"""What leaves a number open."""
_SUM = re.compile(r"(?:[+×*·]|\\times|\\cdot)\s{0,3}[0-9]{1,9}[^=+\n]{0,20}=\s{0,3}(?=[0-9]{1,9}(?![0-9?]| ?\?))")
_ADDED = re.compile(
    r"\b(?:(?:add|sum|count|tally)ing|total(?:l)?ing) (?:(?:it|them|these|those|all|everything|up|together|the"
    r"|rows?|parts?|numbers|counts?|of|this|values)\b ?){1,5}"
    r"(?:,? (?:i|we|you) (?:get|obtain|have|arrive at|reach|find)"
    r"|(?:gives?|makes|yields|results in|produces)(?: us| me)?"
    r"|[,:=]|-> ?|→)(?: a total of)? ?|\b(?:grand |combined )?(?:total|sum) of (?=\w)"
    r"|\b(?:best|final|careful|own) (?:count|estimate|tally|guess)(?: is| would be|:| comes to)(?: that there are)? "
    r"|(?:→|->|=>|⇒) ?(?=[0-9]{1,4}[.!]?\s{0,3}\Z)",
    re.IGNORECASE,
)
"""What comes before the result of adding up, or before a count that the reply calls its best."""
_SO = re.compile(
    r"\b(?:so|therefore|thus|hence|which makes|that makes|making|which gives|giving),? "
    r"(?:(?:there (?:are|is)|it has|we have|we get|i (?:see|count)|a total of|the (?:count|total|number) is"
    r"|in total,?) )?",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\W{0,5}(?P<count>[0-9]{1,3})\. (?=(?:(?<!\b1\. )"
    r"(?!(?:No|Nope|Not|Wait|Actually|Or|But|Sorry|Maybe|Hmm|Oh)\b)[A-Z][a-z]"
    r"|(?:The|There|I|It|This|That|Each|All)\b))"
    r"(?![^\n]{0,2000}\n\s{0,4}[0-9]{1,2}[.)])"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[\n。;]")


def totals(plain: str) -> Iterator[Claim]:
    """Results of sums, numbers that are called a total, and the last number of a reply if drawn as a conclusion."""
    for pattern, rank in ((_SUM, LEAD), (_TOTAL, STATED), (_LABEL, LEAD), (_ADDED, LEAD)):
        for mark in pattern.finditer(plain):
            line = plain[mark.end() : mark.end() + (80 if rank == STATED else 30)].partition("\n")[0]
            read = number_slot(line, False)
            aside = pattern is _SUM and plain.rfind("(", max(0, mark.start() - 80), mark.start()) > plain.rfind(
                ")", max(0, mark.start() - 80), mark.start()
            )
            holds = pattern is _TOTAL and counted(mark[0])
            if read.answer is not None and not aside and not holds and not (rank == STATED and _SUM.search(line)):
                yield Claim(read, rank, mark.start(), mark.end() + 1)
    yield from _concluded(plain)
    opens = _OPENS.match(plain[:2500])
    if opens:
        yield Claim(Read(str(int(opens["count"]))), LEAD, 0, opens.end("count"))
    for mark in _IN_TOTAL.finditer(plain):
        numbers = counted(mark[0])
        if len(numbers) == 1:
            yield Claim(only_value(mark[0], numbers), STATED, mark.start(), mark.end())
    ending = plain[-300:]
    conclusions = list(_SO.finditer(ending)) if ending.rstrip().endswith((".", "!")) else []
    if conclusions:
        mark = conclusions[-1]
        numbers, opening = counted(ending[mark.end() :]), LEADING.match(ending, mark.end())
        if (
            len(numbers) == 1
            and opening
            and numbers[0].start == opening.end() - mark.end()
            and "+" not in ending[mark.end() :]
        ):
            at = len(plain) - len(ending)
            yield Claim(only_value(ending[mark.end() :], numbers), LEAD, at + mark.start(), at + mark.end() + 1)


def _concluded(plain: str) -> Iterator[Claim]:
    """The one number of a sentence, or of the part of it, that begins as a conclusion does."""
    for mark in _HENCE.finditer(plain):
        end = _SENTENCE_END.search(plain, mark.end(), mark.end() + 160)
        content = plain[mark.end() : end.start() if end else mark.end() + 160]
        numbers = apart(content, counted(content))
        if numbers and "=" not in content and not HEDGE.search(content):
            read = only_value(content, numbers)
            if read.answer is not None:
                yield Claim(read, LEAD, mark.start(), mark.end() + len(content))
