"""The words that stand around a set of sub-types in a reply."""

from __future__ import annotations

import re

LAST = re.compile(r"(?i)\b(?:answer(?: is)?|final)\W{0,4}[:=]\s{0,9}")
JOINED = re.compile(r"\s{0,2}(?:[.):\]]\s{0,2}|[-\u2013\u2014=]\s{0,2}|\s)?[(\[]?\s{0,2}")
NONE_ALONE = re.compile(
    r"(?i)\W{0,5}(?:none(?: of (?:them|these|the above|the kinds|[A-Z][-\u2013][A-Z]))?|(?:there (?:are"
    r"|is) )?no(?:thing| (?:anomal(?:y|ies)|violations?|kinds?))(?: (?:appl(?:y|ies)|occurs?))?|(?:the )?empty set"
    r"|\\?\{\s{0,2}\\?\}|keine?s?|nichts(?: davon)?|aucune|ninguna|nessuna|\[\s{0,2}\]|\u2205|以上[都皆均](?:不是"
    r"|不符合|没有)|[都皆均]不(?:是|符合))\W{0,5}"
)
ALL = re.compile(
    r"(?i)\W{0,5}(?:(?:all(?: (?:two|three|four|five|six|seven|eight|[0-9]{1,2}))?|each|every(?:thing| one| option"
    r"| kind)?)(?: of)?(?: (?:them|these|those|(?:the )?(?:above|options|kinds)))?|alle(?: treffen zu)?|tutt[ei]"
    r"|toutes|todas|(?:以上)?全部|以上[都皆均]是)(?: (?:appl(?:y|ies)|occurs?))?\W{0,5}"
)
EXCEPT = re.compile(
    r"(?i)\W{0,3}(?:all|every(?:thing| one)?|alles?|tod[ao]s|tou(?:te)?s|tutt[ei])(?: of)?(?: (?:the|these"
    r"|those))?(?: (?:them|options?|kinds?|letters?))?(?: (?:appl(?:y|ies)|occurs?))?,? (?:but|except(?: for)?"
    r"|apart from|besides|menos|sauf|tranne|au(?:ß|ss)er)\b"
)
"""What names the kinds that do not occur, among all others."""
RANGE = re.compile(
    r"(?<![-\w\u2013])(?P<first>[A-Z])(?:[-\u2013~]|\.{2,3}| (?:to|through|thru|bis) "
    r"|[至到])(?P<last>[A-Z])(?![-\w\u2013])"
)
NONE_SAID = re.compile(
    r"(?i)\b(?:none of (?:the|them|these)\b[^.;\n]{0,30}|none |no (?:option|kind|letter)s? )\b(?:appl|fit|occur|match)"
    r"|\bnot a single (?:one|kind|option)\b|\bkeine (?:der|davon|von)\b|\baucune des\b|\bninguna de\b|没有(?:任何"
    r"|一个)"
)
ITEM = re.compile(r"(?m)^[ \t]*(?:[-*\u2022+][ \t]+|[0-9]{1,2}[.)][ \t]+)")
LEAD = re.compile(
    r"(?i)\W{0,3}(?:(?:(?:let'?s|let us) go with|nur|buchstaben?|so|therefore|hence|finally|also|instead|on \w+ \w+"
    r"|(?:most )?likely|only|just|both|here|namely|(?:that|this) leaves|(?:it|this|that|there|they)(?:'?s|'?re| is"
    r"| are)|i(?:'?d|'?ll| would| will)(?: (?:go with|say|choose))?|i (?:think|see|choose|pick)|(?:my |the "
    r"|these )?(?:pick|choice|selected)s?(?: (?:is|are))?|what(?: is|'?s)? (?:left|remains?|violated|wrong)(?: is"
    r"| are)?|[0-9]{1,2}|one|two|three|(?:options?|letters?|kinds?)|of (?:them|these|(?:the"
    r"|these)(?: \w+)? options(?: [A-Z]\b,?(?: and)?)*)|the following|appl(?:y|ies)(?: to the (?:clip|video))?"
    r"|(?:complete|full) (?:list|set)|list|zutreffend|die|richtig(?:en?)?|antworten?|sind"
    r"|(?:我?应?选择?|正确的?[是为])(?:[:\s]|(?=[A-Z])))(?:[,:]?\s{1,3}(?:(?:→|[-=]>)\s{0,3})?|(?<=[\u4e00-\u9fff:])\s{0,2})){0,9}(?:(?:(?:the|these"
    r"|all) )?(?:(?:correct |right |occurring )?(?:anomal(?:y|ies)|kinds?|violations?|options?|letters?"
    r"|answers?)\b(?:(?!not\b|n'?t\b)[^.:,\n]){0,40}?(?:\b(?:are|is|include)\b|:)|(?:clip|video) (?:shows|has|contains"
    r"|violates))\s{1,3})?"
)
"""What may stand before a list in a sentence: that these are the kinds that occur, and how many they are."""
TAIL = re.compile(
    r"(?i)(?:\s(?:all|both|as well|too|(?:seems? to |do(?:es)? )?(?:appl(?:y|ies)|occurs?|fits?|holds?)|(?:is"
    r"|are) (?:violated|present|shown)))*(?:[,.]?\s(?:(?:and|but) )?no(?:ne|thing)? (?:others?|else|more)(?: is (?:off"
    r"|odd|wrong|violated))?|\s\([^()\n]{0,20}(?:confiden|certain|sure|[0-9])[^()\n]{0,20}\)"
    r"|[,;\uff0c]\s?其[余他][^\n]*)?(?:[,;]?\s(?:because|since|as(?! well)|given)\s[^\n]*"
    r"|\s?[:\u2013\u2014-]\s(?!(?:yes|true|false)\b|(?:\w+ ){0,2}(?:(?:no|none|not|never|absent)\b"
    r"|\w+n't\b))[^\n]*)?[.!。]?\s*\Z"
)
"""What may follow a list in a sentence: that its kinds occur, and why."""
SENTENCE = re.compile(
    r"[^\n]{1,600}?(?:(?<![A-Z])[.?](?=\s|$)|!(?=\s|$)|(?<=[A-Z])\.(?=\s(?:I|On|Also|Not|The|All|To|This|That|It"
    r"|Finally|Then|What|Here|Hope|Let|Please|Typically|Only|None|[A-Z] (?:appl|does|is))\b|\s*$)|\n|$)|[^\n]{600}"
)
TURN = re.compile(
    r"(?i)(?:,\s)?(?<!\ball )(?<!thing )(?<!them )(?<!options )\bbut\b(?: rather)?|;\s|,\s(?=(?:all )?(?:the )?(?:rest"
    r"|others?)\b)|\bthough,|\bhowever,?"
)
ASIDE = re.compile(
    r"(?i)\b(?:not|no|none|never|nor|neither|rest|others?|rul(?:e[sd]?|ing) out|exclud\w*|dismiss\w*|eliminat\w*|wrong"
    r"|considered|out of the question|would be|usually|typically|normally|initially|at first|first,? i|first (?:sight"
    r"|glance|impression)|most clips)\b|n't\b"
)
"""What makes the kinds of a sentence none that occur: a denial, what is usual, a first impression."""
APPLIES = re.compile(r"(?m)(?:^|(?<=[.!] ))([A-Z]) (?:applies|occurs|is present)(?=[.!](?:\s|$))")
REDONE = re.compile(
    r"(?im)^\W*(?:h+m+|wait|oh|oops|actually|sorry|(?:up)?on (?:a )?second (?:look|thought))\b[^\n]{0,120}?[.!]\s+"
    r"(?=[^\n:]{0,40}\b(?:answer|list|set|selection|letters|options)\b[^\n:]{0,10}:)"
)
"""Words that take an answer back or add to it, before another is stated."""
OPEN = re.compile(
    r"(?i)\b(?:maybe|perhaps|possibly|either|or|oder|if|unless|whether|at least|one of|some|might|may|could|unsure)\b"
    r"|\?"
)
MARKED = re.compile(
    r"(?m)^[ \t|*-]{0,6}(?:(?:\[[ xX✓✔]\]|[☑✅☐✓✔✗✘❌✕])\s{0,3})?(?:[0-9]{1,2}[.)]\s{1,3})?[(\[]?(?P<letter>[A-Z])"
    r"(?=[).\]:|*]|\s[-|\u2013\u2014(✓✔✅☑✗✘❌✕✖☐]|\s(?:yes|no)\b|\s\w[^\n]{2,30}[☐☑]\s*$)(?P<rest>[^\n]*)$"
)
"""A line that opens with a letter, perhaps behind a box that is ticked or not."""
LEFT_OUT = re.compile(r"(?m)^[^\n:]{0,40}\bnot (?:apply|occur|present|shown)\b[^\n]{0,20}$")
"""A heading over kinds that do not occur."""
YES = re.compile(
    r"(?i)\[[x✓✔]\]|[✓✔✅☑]|[:|(\u2013\u2014-]\s{0,3}(?:(?:this|it) )?(?:yes|true|applies|(?:is )?present|occurs"
    r"|1(?=[\s|]*\Z))\b"
)
NO = re.compile(
    r"(?i)\[ \]|[✗✘❌✕✖☐]|[:|(\u2013\u2014-]\s{0,3}(?:(?:this|it) )?(?:no|false|absent|0(?=[\s|]*\Z)"
    r"|(?:(?:does|is) )?not|(?:does|is)n't)\b"
)
KEYS = re.compile(r"(?i)sub_?types|answers?|final_answer|letters|kinds|options|anomalies")
SMALL_LETTERS = re.compile(
    r"(?i:\W*(?:options?|letters?|kinds?)\b)?[\W_]*[a-z](?:(?:[\W_]|\b(?:and|und|et|y|option|letter"
    r"|kind)\b)+[a-z])*[\W_]*"
)
DENIED = re.compile(
    r"[;,.]\s(?:(?:but|and) )?not [A-Z]\b(?:(?:,|,? and|,? or|,? nor) [A-Z]\b){0,8}(?:[,.;][^\n]*|\s*\Z)"
)
"""What is denied after a list: "; not A, which only seems so"."""
JUDGED = re.compile(r"(?im)^[^\n]*(?:[✓✔✅☑✗✘❌✕✖☐]|\[[ x]\]|\b(?:yes|no)\W*$)[^\n]*$")
"""A line that judges one kind."""
BETWEEN_MARKS = re.compile(r"(?<=[✓✔✅☑✗✘❌✕✖☐])\ufe0f?[ \t,;]+(?=\w)")
APART = re.compile(r"\W*[A-Z](?: [-\u2013\u2014] |/)[A-Z]\W*")
"""Two letters that may be a range or a pair."""
BECAUSE = re.compile(r"(?<=[A-Z]|[)]) ?\((?=[a-z])[^()\n]{3,120}\)")
"""A reason in brackets after a letter."""
RUN = re.compile(r"\W*(?P<letters>[A-Z]{2,6})\W*")
DRESSED = str.maketrans("", "", "*`_\"'")
