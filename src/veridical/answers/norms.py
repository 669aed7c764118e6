"""Numbers in a reply that are not its answer: what is usual, what is more or less, asides and breakdowns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridical.answers.numbers import Number

_FROM = re.compile(
    r"(?i)\b(?:usual(?:ly)?|typical(?:ly)?|normal(?:ly)?|standard|common(?:ly)?|general(?:ly)?|ordinar(?:y|ily)"
    r"|traditional(?:ly)?|familiar|expect(?:ed|s|ing)?|(?<!it )should(?: have| be)?|supposed|regular(?:ly)?"
    r"|original(?:ly)?|real(?:-life)?|average|known for|conventional(?:ly)?|classic|natural(?:ly)?|biological(?:ly)?"
    r"|would have|most|some|other (?:species|dogs|animals)|anatomically correct|authentic|official|true (?:logo|flag)"
    r"|remember|unusual,? (?:as|for)|instead of|rather than|than|not|unlike|in contrast to|compared (?:to|with)"
    r"|as opposed to|versus|out of|since|because|although|though|whereas|while|despite|first(?: i)?(?: counted"
    r"| thought)|at first|initially|before|missing|hidden|normalerweise|üblich\w{0,8}|obwohl|aunque|embora|sebbene"
    r"|tandis que|während|the other|gewöhnlich|eigentlich|zuerst|statt|anstatt|als|normalement|habituel\w{0,4}"
    r"|d'habitude|au lieu de|d'ordinaire|vrai|alors que|tandis que|normalmente|habitual\w{0,5}|suelen?|en lugar de"
    r"|en vez de|em vez de|geralmente|di solito|invece di|solitamente|обычно|вместо|нормальн\w{0,4}|vanligvis|normalt"
    r"|vanligtvis|i stedet for|istället för|normaal|gewoonlijk|in plaats van|zwykle|zazwyczaj|zamiast|genellikle"
    r"|normalde|yerine|thường|bình thường|thay vì|biasanya|alih-alih|عادة|بدلا من|आमतौर|सामान्यतः|보통|일반적으로"
    r"|원래)\b|通常|보통|일반적|정상적|一般|正常|本来|平时|而不是|而非|普通|普段|ではなく"
)
_ENDS = re.compile(
    r",(?! which| who| where)|[.;()\n，。；、]|\b(?:but|however|yet|so|therefore|aber|jedoch|mais|pero|ma|но|а|men|maar"
    r"|ale|ama|nhưng|tapi|namun)\b|لكن|लेकिन|하지만|그러나|但|しかし|が、"
)
_GENERALLY = re.compile(
    r"(?i)\b(?:usually|typically|normally|commonly|generally|ordinarily|traditionally|should have|supposed to"
    r"|would expect|expected to|(?:the |a )?(?:usual|normal|typical|standard) (?:number|count|amount)|normalerweise"
    r"|normalement|(?:a|an|the|any|every|each|most|all) (?:typical|normal|standard|ordinary|average|healthy|real|usual"
    r"|common) (?:\w{2,14} ){1,3}(?:has|have|had|shows?|comes? with)|most \w{2,14} have|(?:i|one|you|we)(?:'d"
    r"| would) expect|normalmente|di solito|обычно)\b|^\W{0,4}(?:an? (?:\w{3,14} ){1,2}(?:has|have)"
    r"|\w{4,14}s like (?:this|these) have)\b"
)
"""What says how things generally are; it may be the whole of a reply that says nothing of this one."""
_MORE = re.compile(
    r" (?:\w{1,14} ){0,2}(?:more|fewer|less|extra|additional|added|further|missing|hidden|removed|absent)\b",
    re.IGNORECASE,
)
"""What says by how much something differs from what is usual."""
_AFTER = re.compile(
    rf"(?i){_MORE.pattern}|"
    r" (?:(?:usual|normal|typical|expected|standard|regular|original|ordinary)\b|(?:pairs?|rows?|groups?|sets?|halves"
    r"|images?|pictures?|photos?|pixels?|px|cm|mm|steps?|times|minutes?|seconds?|degrees?|columns?|o'clock|mm"
    r"|years?)\b)|[-‑](?:fold|legged|pointed|sided|dimensional)\b"
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_MEASURE = re.compile(
    r"(?i)(?: ?|-)(?:inch(?:es)?|(?:foot|feet|ft) (?:tall|long|wide|high|deep|away)"
    r"|met(?:er|re)s?|km|kg|grams?|pounds?|lbs?|lit(?:er|re)s?|percent|days?"
    r"|weeks?|months?|years?(?:[- ]old)?|[ap]\.?m|euros?|dollars?|storey|story|seater)\b"
    rf"| {_MONTH}\b|(?:(?:, ?| and | or )[0-9]{{1,3}}){{0,6}} (?:is|are) (?:missing|hidden|absent)\b"
)
"""What after a number makes it a size, an age, a date, or the name of something missing."""
_LABELED = re.compile(
    rf"(?i)(?:\b(?:number|(?<=[a-z] )nos?\.|nr\.|lines?|bus(?:es)?|tram|route|room|page|level|version|jersey|size|aged?"
    rf"|year|chapter|section|player|gate|lane|channel|exit|platform|highway|{_MONTH})|#) ?"
    r"[0-9]{1,4}(?:(?:, ?| and | or |/)[0-9]{1,4}){0,5}\b|\b(?:photo(?:graph)?|picture|image|painting|poster|drawing"
    r"|postcard)s? (?:from|of|taken in|dated) (?:1[5-9]|20)[0-9]{2}\b|\b(?:taken|made|built|painted|shot|drawn|created"
    r"|printed|founded) in (?:1[5-9]|20)[0-9]{2}\b|\b[0-9]{2,5} ?[x×] ?[0-9]{2,5}(?: ?(?:px|pixels?))? (?=photo"
    r"|picture|image|painting|poster|drawing|board|grid)|\b(?:number|numeral|digit|label(?:l?ed)?|marked|reads|reading"
    r"|says|saying|sign|inscription|text|written) \"[^\"\n]{0,12}?[0-9]{1,4}\"|\"(?:no\.?|nr\.?|#) ?[0-9]{1,4}\""
    r"|\b(?:1[5-9]|20)[0-9]{2} (?=photo|picture|image|painting|poster|drawing|postcard)|\b[0-2]?[0-9]:[0-5][0-9]\b"
    r"|\b[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}\b"
)
"""Numbers that name something, years, times and dates."""
_ROWS = re.compile(
    r"(?i)\b(?:rows?|columns?|groups?|clusters?|sets?|stacks?|lines) of \w{1,9}(?:(?:, | and |, and | or )\w{1,9}){0,5}"
)
"""How many stand in a row."""
_TUPLE = re.compile(r"\(\s{0,2}-?[0-9.]{1,9}\s{0,2}(?:,\s{0,2}-?[0-9.]{1,9}\s{0,2}){1,5}\)")
_OPENED = re.compile(r"\([^()\n]{0,200}$")


def candidate_numbers(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Numbers that may be the answer: without those that say what is usual, by how much something differs, or aside.

    Where that leaves none, all remain. A run that counts from one ("1, 2, 3, 4: four") is its last number.

    >>> from veridical.answers.numbers import numbers
    >>> text = "Dogs usually have 4 legs, this one has 5, one more."
    >>> [number.value for number in candidate_numbers(text, list(numbers(text)))]
    [5]
    """
    numbers = _counted_up(numbers)
    if len({number.value for number in numbers}) < 2:
        return list(numbers)
    numbers = _counting(text, numbers)
    scopes = _usual(text, numbers)
    scopes += [rows.span() for rows in _ROWS.finditer(text)]
    kept = [number for number in numbers if not _within(number, scopes) and not _AFTER.match(text, *_next(number))]
    outside = [number for number in kept if not _in_brackets(text, number)]
    return outside or kept or list(numbers)


def item_counts(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Numbers that count something here: all but what is usual, dates, sizes, names and coordinates.

    >>> from veridical.answers.numbers import numbers
    >>> text = "In this photo from 1998, a 12-inch pizza of 8 slices."
    >>> [number.value for number in item_counts(text, list(numbers(text)))]
    [8]
    """
    numbers = _counting(text, _counted_up(numbers))
    scopes = _usual(text, numbers)
    return [number for number in numbers if not _within(number, scopes) and not _MORE.match(text, *_next(number))]


def none_count(text: str, numbers: Sequence[Number]) -> bool:
    """Whether all numbers of a text are sizes, ages, dates, names or coordinates.

    >>> from veridical.answers.numbers import numbers
    >>> [none_count(text, list(numbers(text))) for text in ("A goat, 3 years old.", "3 goats.")]
    [True, False]
    """
    names = [place.span() for pattern in (_TUPLE, _LABELED) for place in pattern.finditer(text)]
    return bool(numbers) and all(_within(each, names) or _MEASURE.match(text, *_next(each)) for each in numbers)


def _counting(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Numbers without sizes, dates, names and coordinates; all of them where that leaves none."""
    names = [place.span() for pattern in (_TUPLE, _LABELED) for place in pattern.finditer(text)]
    kept = [number for number in numbers if not (_within(number, names) or _MEASURE.match(text, *_next(number)))]
    return kept or list(numbers)


def _usual(text: str, numbers: Sequence[Number]) -> list[tuple[int, int]]:
    """The stretches of a text that say what is usual, or what is set aside."""
    ends = {number.end + 1 for number in numbers}
    return [(norm.end(), _end_of_scope(text, norm.end())) for norm in _FROM.finditer(text) if norm.start() not in ends]


def _within(number: Number, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= number.start < end for start, end in spans)


def _next(number: Number) -> tuple[int, int]:
    return number.end, number.end + 40


def differs(text: str, number: Number) -> bool:
    """Whether a number only says how many more, fewer or hidden ones there are ("one extra leg").

    >>> from veridical.answers.numbers import numbers
    >>> [differs(text, next(numbers(text))) for text in ("There is one extra leg.", "There is one leg.")]
    [True, False]
    """
    return _MORE.match(text, *_next(number)) is not None


def is_general(text: str, numbers: Sequence[Number]) -> bool:
    """Whether all numbers of a text say what is usually so ("a dog usually has 4 legs"), and nothing else.

    >>> from veridical.answers.numbers import numbers
    >>> is_general("A dog usually has 4 legs.", list(numbers("A dog usually has 4 legs.")))
    True
    """
    scopes = [(norm.end(), _end_of_scope(text, norm.end())) for norm in _GENERALLY.finditer(text)]
    return bool(numbers) and all(any(start <= number.start < end for start, end in scopes) for number in numbers)


def _in_brackets(text: str, number: Number) -> bool:
    """Whether a number stands in brackets that hold more than itself."""
    opened = _OPENED.search(text, max(0, number.start - 200), number.start)
    bare = text[number.start - 1 : number.start] == "(" and text[number.end : number.end + 1] == ")"
    return opened is not None and not bare


def _end_of_scope(text: str, start: int) -> int:
    end = _ENDS.search(text, start, start + 80)
    return end.start() if end else min(len(text), start + 80)


def _counted_up(numbers: Sequence[Number]) -> Sequence[Number]:
    """Numbers without a run 1, 2, 3 ... n that opens them, if n stands once more after it."""
    values = [number.value for number in numbers[1:]]
    if len(values) > 1 and values[0] in {1, 2} and values == [*range(values[0], (numbers[0].value or 0) + 1)]:
        return numbers[:1]
    run = 0
    first = numbers[0].value if numbers and numbers[0].value in {1, 2} else 1
    while run < len(numbers) and numbers[run].value == run + first:
        run += 1
    later = {number.value for number in numbers[run:]}
    return numbers[run:] if run >= 3 and numbers[run - 1].value in later else numbers
