"""How replies name a letter, choose one, call one wrong, and compare options."""

from __future__ import annotations

import re

OPENING = re.compile(
    r"[^\w\n(\[]{0,8}(?:(?:option|choice|letter|la|le|die|der|the|opción|opção|optionen|选项|選択肢|it's|it is|clearly"
    r"|definitely|probably)\s{0,2}[:]?\s{0,2}){0,3}[\"'(\[ ]{0,3}([A-Za-z])(?![A-Za-z0-9_à-ÿ'])",
    re.IGNORECASE,
)
CLOSED = re.compile(
    r"[\"' ]{0,2}(?:[).\]:;,!?。，、；：—-]|$|\n)|\s{1,3}[(\[—-]|[^\x00-\x7f\w]|[\u3040-\u9fff\uac00-\ud7a3]"
)
REASON = re.compile(r"\s{1,3}(?:because|since|as|given|due|based|is (?:the )?(?:correct|right|best))\b", re.IGNORECASE)
ANOTHER = re.compile(
    r"[\"')\].]{0,2}\s{0,2}(?:,|/|&|\+|;|-|\|)?\s{0,2}(?:or|and|oder|und|ou|et|o|y|或|和|还是|か|と|through|to)?\s{0,2}"
    r"[\"'(\[]{0,2}([A-Z])(?![A-Za-z0-9_'])(?!\s{1,2}[a-z])"
)
REJECTED = re.compile(
    r"(?!,? (?:and )?(?:not|no|nicht|pas|non) (?:la |el |die |le |option )?[\"'(]?(?-i:[A-Z])\b)\W{0,5}(?:is |are "
    r"|seems |looks |cannot |can't )?(?:clearly |definitely )?(?:wrong|incorrect|not\b|false|no\b"
    r"|eliminated|implausible|cannot|can't|ruled|excluded|out\b)",
    re.IGNORECASE,
)
_STOP = (
    r"(?=[\"')\]]{0,2}\s{0,3}(?:[.,;:!\n(]|$|because|since|(?:here|then|for sure|indeed|definitely|for this one)"
    r"\W{0,3}(?:\n|$)))"
)


def _one(name: str) -> str:
    return rf" {{0,3}}[\"'(\[]{{0,2}}(?-i:(?P<{name}>[A-Z]))"


CHOICE = re.compile(
    r"(?:\bi(?:'d| would| will|'ll|'m| am| must)? {0,2}(?:choose|pick|select|go(?:ing)? with|say|think|believe"
    r"|answer|opt for|settle (?:on|for))"
    r"|\b(?:so|therefore|thus|hence|must be|has to be|should be|(?:that|this|which) leaves|decides? for"
    r"|correspond(?:s|ing) to"
    r"|match(?:es|ing)|suggests?|indicates?|points? (?:clearly )?to(?:wards?)?|speaks? for|favou?rs?|impl(?:y|ies)"
    r"|(?:this|that|it|which) would be|donc|daher|also|entonces|por (?:lo )?tanto|portanto|quindi|dunque|dus|derfor"
    r"|därför"
    r"|значит|поэтому)|→|⇒|=>)"
    r"[ ,:]{1,3}(?:(?:that |it's |it is |it must be |it has to be |it should be |only |the |option |choice "
    r"|letter |answer |is ){0,4})"
    + _one("a")
    + _STOP
    + r"|(?:^|[.!;\n]\s{0,3})it(?:'s| is) (?:option |clearly |definitely |actually )?"
    + _one("b")
    + _STOP
    + r"|(?<![\w'])[(\[]?(?-i:(?P<c>[A-Z]))[)\]]?(?: \([^()\n]{1,60}\))? {1,3}(?:is|seems|looks|appears) (?:therefore "
    r"|thus |clearly )?(?:the |to be the )?(?:(?:only |most |best )(?:\w{4,12} )?(?:choice|option|answer|fit|match|one"
    r"|candidate)\b|(?:appropriate|fitting|suitable|logical|sensible|matching|proper|accurate|odd|impossible|altered"
    r"|changed|different) (?:choice|option|answer|fit|match|one)\b"
    r"|(?:most )?(?:correct|right|best|likely|fitting)\b|my (?:final )?(?:answer|choice|pick)\b)"
    r"|(?<![\w'])[(\[]?(?-i:(?P<h>[A-Z]))[)\]]?,? {1,3}(?:fits?|describes?|matches|remains|applies|works)\b(?: (?:the"
    r"|this) \w{3,12})?"
    r"(?=(?: (?:best|better|most closely))?\W{0,3}(?:\n|$|[.;]))"
    r"|\bonly (?:option |choice )?[(\[]?(?-i:(?P<i>[A-Z]))[)\]]? (?:is|fits?|matches|remains|works|agrees|applies"
    r"|makes sense|can be)\b"
    r"|(?:^|[.!;,\n]\s{0,3})(?:so |then |hence |thus "
    r"|therefore,? )?(?:option )?[(\[]?(?-i:(?P<j>[A-Z]))[)\]]? it (?:is|must be)\b"
    r"(?=\W{0,3}(?:\n|$))"
    + r"|(?:选择?|选项|選択肢)\s?(?-i:(?P<d>[A-Z]))(?![A-Za-z0-9_]|\s?[、,和及与]|是?(?:错|不)|は?(?:誤|間違|違))"
    + r"|\b(?:that|this|it|which)(?:'s| is) (?:exactly |just )?what (?:option |choice "
    r"|answer )?[(\[]?(?-i:(?P<k>[A-Z]))"
    r"[)\]]? (?:states|says|describes|claims|asserts|means)\b"
    + r"|, (?:so |hence |i\.e\. )?(?:option|choice|letter|answer) "
    + _one("e")
    + r"[\"')\]]{0,2}[.!]?\s{0,3}(?=\n|$)"
    + r"|\bi(?:'d| would| will|'ll)? (?:choose|pick|select|go with) (?:option |letter "
    r"|choice )?\(?(?P<f>[a-z])[).](?=\s)" + r"|(?<=[.!?]) {1,3}" + _one("g") + r"[\"')\]]{0,2}\.?\s{0,9}\Z",
    re.IGNORECASE,
)
BY_ORDINAL = re.compile(
    r"\bthe (?P<which>first|second|third|fourth|fifth|sixth|last) (?:option|choice|answer"
    r"|alternative)(?: is (?:the )?(?:correct|right|best"
    r"|true)| applies| fits| holds)\b",
    re.IGNORECASE,
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
DENIED = re.compile(
    r"(?<![\w'])[(\[\"']?(?-i:(?P<a>[A-Z]))[)\]\"']? {1,3}(?:(?:is|was|seems|turns out to be) (?:clearly "
    r"|actually |therefore |in fact )?(?:wrong|incorrect"
    r"|false|mistaken|out\b|ruled out|not (?:right|correct|the (?:right|correct|best)? ?(?:answer|one|option"
    r"|choice)|it))|(?:isn't|wasn't)"
    r" (?:right|correct|it|the)|can(?:not|'t) be (?:right|correct|it|true))"
    r"|\b(?:it(?:'s| is)|that(?:'s| is)) not (?:option )?[(\"']?(?-i:(?P<b>[A-Z]))(?![A-Za-z0-9_'])(?!\s[a-z])"
    r"|\b(?:it|that) (?:cannot|can't) be (?:option )?[(\"']?(?-i:(?P<c>[A-Z]))(?![A-Za-z0-9_'])(?!\s[a-z])",
    re.IGNORECASE,
)
TICKED = re.compile(
    r"^[^\w\n(\[]{0,8}[(\[]?(?P<letter>[A-Z])[)\].:]{0,2}[^\w\n]{0,6}?(?P<mark>[✓✔✅☑✗✘❌✕])", re.MULTILINE
)
SENTENCE = re.compile(r"[^.!?。！？\n]{1,600}[.!?。！？]?")
IN_BRACKETS = re.compile(r"\((?:option )?([A-Z])\)")
NOT_PLAIN = re.compile(r"[.!?。]\s{1,9}\S|\b(?:can't|cannot|can not) (?:tell|say|decide|determine)\b", re.IGNORECASE)
REASONED = re.compile(r"[\s(\"']{0,4}([A-Z])[)\"']{0,2}(?:,| -| —|:)? {1,2}(?:because|since|as|given|due to|for)\b")
OPEN = re.compile(
    r"\b(?:might|could|may be|not sure|can't (?:tell|say)|cannot (?:tell|say)|whether|if)\b|\?", re.IGNORECASE
)
FLAT = {"yes", "no", "both", "neither"}
LINE = re.compile(
    r"^[^\w\n(\[]{0,8}(?:option |choice )?(?:[(\[]([A-Z])[)\]]|([A-Z]) {0,4}(?:[).:\]]"
    r"|[-—](?=\s)))(?=[^\n])",
    re.MULTILINE,
)
MENTION = re.compile(r"(?<![\w'])([A-Z])(?![\w'])(?!\s{1,2}[a-z])")
COMPARED = re.compile(
    r"\b(?:(?!(?:other|another|number|corner|water|paper|under|over|after|flower|never|letter|center|tower|river"
    r"|silver|leather"
    r"|winter|summer|finger|together|weather|container|computer|counter|printer|helicopter|driver|player|poster|tiger"
    r"|spider|layer|meter"
    r"|diameter|ruler|scooter|feather|hammer|order|rubber|sweater|trailer|worker|rider|runner|whether|user|answer"
    r"|ever|shoulder|character|border|ladder|cover|later"
    r"|consider)\b)\w{2,12}(?:er|ier)|than|more|less|fewer|unlike|except|different|versus|compared?|both|neither)\b",
    re.IGNORECASE,
)
MARKED = re.compile(r"(?<![A-Za-z])([A-Z])[).:]{0,2} {0,2}[✓✔✅☑]")
"""A letter with a tick behind it."""
HEADED = re.compile(r"\W{0,6}(?:[A-Za-z]{2,14} ){0,5}[A-Za-z]{2,14} ?[:=]\s{1,4}[\"'(]{0,2}(?:(?:an?|the) )?")
"""A label at the beginning, as in "The violated principle: anatomy"."""
NEGATIVE = re.compile(r"\b(?:not|no|without|wrong|incorrect|except|unlike|first|initial|guess)\b", re.IGNORECASE)
"""What makes such a label no announcement."""
NO_GREATER = re.compile(
    r" (?:of (?:them|these|the two) )?(?:[a-z]{3,12} ){0,2}(?:is|are) (?:\w{3,12}er|more \w{3,12})"
    r"(?: than the other)?(?:[.;]|, (?:they|both|as|since|because)\b)",
    re.IGNORECASE,
)
"""What after "neither" says that of two things none is greater."""
ELSEWHERE = re.compile(
    r"\b(?:empty|pretend(?:s|ed|ing)?|(?:left|leaves|moved|moves|comes?|came|goes|went|taken"
    r"|gone|vanish(?:es|ed)?|disappear(?:s|ed)?|out) (?:\w{1,9} )?(?:from|of))\b",
    re.IGNORECASE,
)
"""What a sentence has that names a place where a thing is not: "it moved from the table"."""
EMPTY = re.compile(r"\s{1,3}(?:is|was|are|were|remains|stays) (?:\w{1,9} ){0,2}(?:empty|not\b)", re.IGNORECASE)
"""What after the name of a place says that nothing is there."""
