"""The options that a question offers, and how replies name a letter, choose one, call one wrong, and compare them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

OPENING = re.compile(
    r"(?i)[^\w\n(\[]{0,8}(?:(?:option|choice|letter|answer|la|le|die|der|the|opción|opção|optionen|选项|選択肢|it's"
    r"|it is|clearly|definitely|probably|(?:most )?likely)\s{0,2}[:]?\s{0,2}){0,3}[\"'(\[ ]{0,3}([A-Za-z])"
    r"(?![A-Za-z0-9_à-ÿ'])"
)
CLOSED = re.compile(
    r"[\"' ]{0,2}(?:[).\]:;,!?。，、；：—-]|$|\n)|\s{1,3}[(\[—-]|[^\x00-\x7f\w]|[\u3040-\u9fff\uac00-\ud7a3]"
)
QUESTION = re.compile(
    r"\A\s{0,9}Q(?:uestion)?\s?[:.][^\0]{1,2000}?\n[ \t*]{0,4}A[*]{0,2}[:.](?=[ \t*]{1,4}[(\[]?[A-Z]\b)"
)
"""A question that a reply repeats before it answers with "A: B"."""
REASON = re.compile(
    r"(?i)\s{1,3}(?:because|since|as|given|due|based|rather than|instead of|is (?:the )?(?:correct|right|best))\b"
)
ANOTHER = re.compile(
    r"[\"')\].]{0,2}\s{0,2}(?:,|/|&|\+|;|-|\|)?\s{0,2}(?:or|and|oder|und|ou|et|o|y|或|和|还是|か|と|through|to)?\s{0,2}"
    r"[\"'(\[]{0,2}([A-Z])(?![A-Za-z0-9_'])(?!\s{1,2}[a-z])"
)
REJECTED = re.compile(
    r"(?i)(?![,.;]? (?:and )?(?:not|no|nicht|pas|non) (?:la |el |die |le |option )?[\"'(]?(?-i:[A-Z])\b)\W{0,5}(?:is "
    r"|are |seems |looks |cannot |can't )?(?:clearly |definitely )?(?:wrong|incorrect|not\b|false|no\b|eliminated"
    r"|implausible|cannot|can't|ruled|excluded|out\b)"
)
_STOP = (
    r"(?=[\"')\]]{0,2}\s{0,3}(?:[.,;:!\n(]|$|because|since|(?:here|then|actually|after all|for sure|indeed|definitely"
    r"|for this one)\W{0,3}(?:\n|$)))"
)


def _one(name: str) -> str:
    return rf" {{0,3}}[\"'(\[]{{0,2}}(?-i:(?P<{name}>[A-Z]))"


CHOICE = re.compile(
    r"(?:\bi(?:'d| would| will|'ll|'m| am| must)? {0,2}(?:choose|pick|select|go(?:ing)? with|say|think|believe|guess"
    r"|answer|opt for|settle (?:on|for))|\b(?:we are|we're|i am|i'm) left with|c'est|\b(?:so|therefore|thus|hence"
    r"|must be|has to be|should be|(?:that|this|which) leaves|decides? for|correspond(?:s|ing) to|match(?:es|ing)"
    r"|suggests?|indicates?|points? (?:clearly )?to(?:wards?)?|speaks? for|favou?rs?|impl(?:y|ies)|(?:this|that|it"
    r"|which) would be|donc|daher|also|entonces|por (?:lo )?tanto|portanto|quindi|dunque|dus|derfor|därför|значит"
    r"|поэтому)|→|⇒|=>)[ ,:]{1,3}(?:(?:that |it's |it is |it must be |it has to be |it should be |only |the |option "
    r"|choice |letter |answer |is ){0,4})"
    + _one("a")
    + _STOP
    + r"|(?:^|[.!;\n]\s{0,3})it(?:'s| is) (?:option |clearly |definitely |actually )?"
    + _one("b")
    + _STOP
    + r"|(?<![\w'])[(\[]?(?-i:(?P<c>[A-Z]))[)\]]?(?: \([^()\n]{1,60}\))? {1,3}(?:is|seems|looks|appears) (?:therefore "
    r"|thus |clearly )?(?:the |to be the )?(?:(?:only |most |best )(?:\w{4,12} )?(?:choice|option|answer|fit|match|one"
    r"|candidate)\b|(?:appropriate|fitting|suitable|logical|sensible|matching|proper|accurate|odd|impossible|altered"
    r"|changed|different) (?:choice|option|answer|fit|match|one)\b|(?:most )?(?:correct|right|best|likely|fitting)\b"
    r"|my (?:final )?(?:answer|choice|pick)\b)|(?<![\w'])[(\[]?(?-i:(?P<h>[A-Z]))[)\]]?,? {1,3}(?:fits?|describes?"
    r"|matches|remains|applies|works)\b(?: (?:the|this) \w{3,12})?(?=(?: (?:best|better|most closely))?\W{0,3}(?:\n|$"
    r"|[.;]))|\bonly (?:option |choice )?[(\[]?(?-i:(?P<i>[A-Z]))[)\]]? (?:is|fits?|matches|remains|works|agrees"
    r"|applies|makes sense|can be)\b|(?:^|[.!;,\n]\s{0,3})(?:so |then |hence |thus |therefore,? )?(?:option"
    r" )?[(\[]?(?-i:(?P<j>[A-Z]))[)\]]? it (?:is|must be)\b(?=\W{0,3}(?:\n|$))"
    + r"|(?:选择?|选项|選択肢)\s?(?-i:(?P<d>[A-Z]))(?![A-Za-z0-9_]|\s?[、,和及与]|是?(?:错|不)|は?(?:誤|間違|違))"
    + r"|\b(?:that|this|it|which)(?:'s| is) (?:exactly |just )?what (?:option |choice "
    r"|answer )?[(\[]?(?-i:(?P<k>[A-Z]))[)\]]? (?:states|says|describes|claims|asserts|means)\b"
    + r"|, (?:so |hence |i\.e\. )?(?:option|choice|letter|answer) "
    + _one("e")
    + r"[\"')\]]{0,2}[.!]?\s{0,3}(?=\n|$)"
    + r"|\bi(?:'d| would| will|'ll)? (?:choose|pick|select|go with) (?:option |letter "
    r"|choice )?\(?(?P<f>[a-z])[).](?=\s)" + r"|(?<=[.!?]) {1,3}" + _one("g") + r"[\"')\]]{0,2}\.?\s{0,9}\Z",
    re.IGNORECASE,
)
BY_ORDINAL = re.compile(
    r"(?i)\bthe (?P<which>first|second|third|fourth|fifth|sixth|last) (?:option|choice|answer"
    r"|alternative)(?: is (?:the )?(?:correct|right|best|true)| applies| fits| holds)\b"
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
DENIED = re.compile(
    r"(?i)(?<![\w'])[(\[\"']?(?-i:(?P<a>[A-Z]))[)\]\"']? {1,3}(?:(?:is|was|seems|turns out to be) (?:clearly |actually "
    r"|therefore |in fact )?(?:wrong|incorrect|false|mistaken|out\b|ruled out|not (?:right|correct|the (?:right"
    r"|correct|best)? ?(?:answer|one|option|choice)|it))|(?:isn't|wasn't) (?:right|correct|it|the)|can(?:not"
    r"|'t) be (?:right|correct|it|true))|\b(?:it(?:'s| is)|that(?:'s| is)) not (?:option )?[(\"']?(?-i:(?P<b>[A-Z]))"
    r"(?![A-Za-z0-9_'])(?!\s[a-z])|\b(?:it|that) (?:cannot|can't) be (?:option )?[(\"']?(?-i:(?P<c>[A-Z]))"
    r"(?![A-Za-z0-9_'])(?!\s[a-z])"
)
TICKED = re.compile(
    r"(?m)^[^\w\n(\[]{0,8}[(\[]?(?P<letter>[A-Z])(?:[)\].:]{1,2} [^\n✓✔✅☑✗✘❌✕]{1,80})?[)\].:]{0,2}[^\w\n]{0,6}?"
    r"(?P<mark>[✓✔✅☑✗✘❌✕])"
)
IN_BRACKETS = re.compile(r"\((?:option )?([A-Z])\)")
NOT_PLAIN = re.compile(r"(?i)[.!?。]\s{1,9}\S|\b(?:can't|cannot|can not) (?:tell|say|decide|determine)\b")
REASONED = re.compile(
    r"[\s(\"']{0,4}([A-Z])[)\"']{0,2}(?:,| -| —|:)? {1,2}(?:because|since|as|given|due to|for|rather than|instead of)\b"
)
OPEN = re.compile(r"(?i)\b(?:might|could|may be|not sure|can't (?:tell|say)|cannot (?:tell|say)|whether|if)\b|\?")
FLAT = {"yes", "no", "both", "neither"}
LINE = re.compile(
    r"(?m)^[^\w\n(\[]{0,8}(?:option |choice )?(?:[(\[]([A-Z])[)\]]|([A-Z]) {0,4}(?:[).:\]]|[-—](?=\s)))(?=[^\n])"
)
MENTION = re.compile(r"(?<![\w'])([A-Z])(?![\w'])(?!\s{1,2}[a-z])")
COMPARED = re.compile(
    r"(?i)\b(?:(?!(?:other|another|number|corner|water|paper|under|over|after|flower|never|letter|center|tower|river"
    r"|silver|leather|winter|summer|finger|together|weather|container|computer|counter|printer|helicopter|driver"
    r"|player|poster|tiger|spider|layer|meter|diameter|ruler|scooter|feather|hammer|order|rubber|sweater|trailer"
    r"|worker|rider|runner|whether|user|answer|ever|shoulder|character|border|ladder|cover|later"
    r"|consider)\b)\w{2,12}(?:er|ier)|than|more|less|fewer|unlike|except|different|versus|compared?|both|neither)\b"
)
LOOKED = re.compile(r"(?i)\W{0,4}(?:a|upon|on) (?:closer|careful|close) (?:look|inspection)\b")
"""What opens a sentence that calls something by an option's name and compares nothing."""
NONE_OF = re.compile(r"(?i)\b(?:none|neither|not one) of [^.!?;\n]{0,40}\Z")
AFTERTHOUGHT = re.compile(
    r"(?i),? (?:most likely|probably|i(?:'d)? (?:think|guess|believe|say)|for sure|definitely)(?=\W*\Z)"
    r"|,? ?\(?(?:(?:my )?(?:confidence|certainty)|(?:about |~ ?)?[0-9]{1,3} ?%)[^()\n]{0,20}\)?(?=\W*\Z)"
)
DOUBLED = re.compile(r"\W{0,5}([A-Z])\1{1,9}\W{0,5}")
NEXT = re.compile(r"[\"'.,;]{0,2}\s{0,3}[(\[]?([A-Z])[).\]:]{1,2} {0,2}")
"""Another letter that opens the next option of a list in one line."""
MARKED = re.compile(r"(?<![A-Za-z])([A-Z])[).:]{0,2} {0,2}[✓✔✅☑]")
"""A letter with a tick behind it."""
HEADED = re.compile(r"\W{0,6}(?:[A-Za-z]{2,14} ){0,5}[A-Za-z]{2,14} ?[:=]\s{1,4}[\"'(]{0,2}(?:(?:an?|the) )?")
"""A label at the beginning, as in "The violated principle: anatomy"."""
NEGATIVE = re.compile(r"(?i)\b(?:not|no|without|wrong|incorrect|except|unlike|first|initial|guess)\b")
"""What makes such a label no announcement."""
ELSEWHERE = re.compile(
    r"(?i)\b(?:empty|pretend(?:s|ed|ing)?|(?:left|leaves|moved|moves|comes?|came|goes|went|taken"
    r"|gone|vanish(?:es|ed)?|disappear(?:s|ed)?|out) (?:\w{1,9} )?(?:from|of))\b"
)
"""What a sentence has that names a place where a thing is not: "it moved from the table"."""
EMPTY = re.compile(r"(?i)\s{1,3}(?:is|was|are|were|remains|stays) (?:\w{1,9} ){0,2}(?:empty|not\b)")
"""What after the name of a place says that nothing is there."""
_ELSEWHERE = {
    "right": r"(?<!you're right)(?<!you are right)(?<!that's right)(?<!all right)"
    r"(?! (?:answer|choice|option|to (?:wonder|ask|suspect|think|say|point)|that|about))",
    "left": r"(?<!are left)(?<!is left)(?! (?:over|out))",
}
"""What around a word makes it no place."""


@dataclass(frozen=True)
class OptionTexts:
    """The options' texts in order, in small letters and without a closing period."""

    texts: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All option texts, the longest first, each between word boundaries where it begins or ends with a word."""
        parts = []
        for text in sorted(self.texts, key=len, reverse=True):
            body = r"\s{1,3}".join(re.escape(word) for word in text.split())
            left = r"(?<![A-Za-z0-9_à-ÿ])" if text[0].isalnum() else ""
            body += _ELSEWHERE.get(text, "")
            right = r"(?![A-Za-z0-9_à-ÿ])(?![.,][0-9])" if text[-1].isalnum() else ""
            parts.append(f"{left}{body}{right}")
        return re.compile("|".join(parts), re.IGNORECASE)

    @cached_property
    def plain_words(self) -> bool:
        """Whether no option is a number, or a word for yes or no."""
        return not any(
            text in {"yes", "no"}
            or re.search(r"[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|none)\b", text)
            for text in self.texts
        )

    def letter(self, match: re.Match[str]) -> str:
        """The letter of the option whose text was found."""
        return chr(ord("A") + self.texts.index(" ".join(match[0].split()).casefold()))

    def has(self, letter: str) -> bool:
        """Whether an option has this letter."""
        return 0 <= ord(letter) - ord("A") < len(self.texts)
