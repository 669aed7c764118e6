"""Words with which a reply speaks of marked regions: all of them, none of them, a choice, doubt."""

from __future__ import annotations

import re

ADDED = re.compile(r"\b(?:as well|too|also|add(?:ed)?|in addition|additionally|either)\b", re.IGNORECASE)
DOUBLED = re.compile(r"\b(?:не|nie|nem|ne) ", re.IGNORECASE)
"""The second half of a denial in languages that deny twice."""
OR = re.compile(
    r"[\"')\]]{0,3}\s{0,2}(?:/|,? ?\b(?:or|oder|ou|o)\b|或|か)\s{0,2}[\"'(\[]{0,3}(?:region )?", re.IGNORECASE
)
_PLACE = (
    r"(?:regions?|boxes|areas|ones|numbered|bounding|regionen|bereiche|régions|regiones|regiões|regioni"
    r"|областей|областъ|области|områdene)"
)
ALL = re.compile(
    rf"\b(?:all|every(?: one)?|each(?: one)?|both)(?: of)?(?: the(?:se|m)?)?(?: (?:other|two|three|four|five|six"
    rf"|seven|eight|nine"
    rf"|[0-9]{{1,2}}))? ?{_PLACE}\b"
    r"|\b(?:all|every one|each one) (?:of )?(?:them|these|those)\b"
    r"|(?<!at )(?<!after )(?<!above )(?<!for )(?<!in )\b(?:everything|all)\b(?=\W{0,3}(?:$|but\b|except|apart|save"
    r"|besides|other than|is\b|are\b|looks?\b"
    r"|seems?\b|appears?\b))|\balle(?: bereiche| regionen)?\b(?= (?:au(?:ß|ss)er|bis auf|sind|zeigen)|\W{0,3}$)"
    r"|\btou(?:te)?s(?: les régions)?\b(?= (?:sauf|sont|montrent)|\W{0,3}$)|\btod[ao]s(?: las regiones"
    r"| as regiões)?\b(?= (?:excepto|menos|salvo|exceto|son|são)|\W{0,3}$)"
    r"|\btutte\b(?= (?:le regioni|tranne|eccetto))|\bвсе области|\bвсе\b(?= кроме)|所有区域|所有的?区域|全部"
    r"|(?:جميع|كل) المناطق"
    r"|すべて|全ての?領域|모든 영역|모두",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"\b(?:but|except(?:ing)?(?: for)?|apart from|save(?: for)?|besides|other than|excluding|without|außer|ausser"
    r"|bis auf|sauf|hormis"
    r"|excepto|menos|salvo|exceto|tranne|eccetto|кроме|tranne|behalve|oprócz|hariç|باستثناء|ما عدا)\b|除了?|以外",
    re.IGNORECASE,
)
NONE = re.compile(
    r"\W{0,5}(?:there (?:is|are) )?"
    r"(?:none(?: of (?:the |these |those |them)?(?:\w{2,10} )?(?:regions?|boxes|areas)?)?|no (?:relevant "
    r"|such )?(?:regions?|boxes|areas)"
    r"|keine[rns]?(?: der (?:bereiche|regionen))?|aucune?(?: (?:des )?régions?)?|ningun[oa]s?|nenhuma?|nessuna?"
    r"|ingen(?: av områdene)?|geen|ни одн[аойго]{1,3}"
    r"|なし|ありません|没有|沒有|无|無|없음|없습니다|\[\s?\]|\{\s?\})"
    r"(?: (?:is|are|ist|sind) (?:\w{2,12} )?(?:relevant|needed|useful))?(?:です)?\W{0,5}",
    re.IGNORECASE,
)
COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
REST = re.compile(
    r"\b(?:(?:all |every |each |any |none )?(?:of )?the (?:rest|others\b|remaining|other (?=(?:marked |numbered "
    r"|labell?ed )?regions?|ones?"
    r"|boxes|areas|[0-9]|two|three|four|five|six|seven|eight))"
    rf"(?: ?(?P<many>[0-9]|{'|'.join(COUNTS)})\b)?"
    r"|(?P<none>nothing else|no other|no further)|(?:all|every) (?:other|remaining)s?"
    r"|each (?:remaining|other(?= (?:region|one|box|area)))|everything else"
    r"|anything else"
    r"|the (?P<more>[0-9]|two|three|four|five|six|seven|eight) (?:others|remaining)"
    r"|die (?:anderen|übrigen)|der rest|les autres|le reste|[lt][ao]s demás|[lg]\w{1,2} altr[ei]"
    r"|остальн\w{1,4}|[ao]s outr[ao]s"
    r"|de andere|de overige|de andre|resten|pozostałe|diğer\w{0,6})\b|其他(?:的)?(?:区域)?|其余(?:的)?(?:区域)?"
    r"|残り|나머지",
    re.IGNORECASE,
)
"""The regions that are not named; `many` and `more`: how many they are."""
NONE_BESIDE = re.compile(
    r"(?:^|,|/|;|\bor|\band)\s{0,2}[\"'(\[]?none[\"')\]]?\s{0,2}(?:$|,|/|;|\bor\b|\band\b)", re.IGNORECASE
)
NONE_OF_ALL = re.compile(
    rf"^\W{{0,5}}(?:(?:none (?:of (?:them|these|those) )?|nothing )(?:is|are|looks?|seems?|appears?|shows?|contains?)\b"
    r"|(?:there (?:is|are) |i (?:see|find) )?no (?:impossible|odd|strange|anomalous|abnormal|wrong"
    r"|inconsistent) (?:regions?|boxes|areas|ones)\b)"
    rf"|^\W{{0,5}}(?:(?:none|neither|keine[rs]?|aucune|ninguna|nenhuma|nessuna|ingen|geen) (?:of|der|von|des|de|das"
    rf"|delle"
    rf"|av|van)(?: (?:the|these|den|las|les|as|de))?(?: \w{{2,12}})?"
    rf" {_PLACE}|ни одн\w{{1,3}} из (?:этих )?{_PLACE}|hiçbir bölge|żaden z regionów"
    rf"|no (?:\w{{2,12}} )?(?:regions?|box|boxes|areas?))\b|(?:\b(?:no|not (?:a|any)|nothing)|(?:n't|not) (?:see"
    rf"|find|detect|identify|spot|notice|observe) any\w{{0,5}})\b[^.;\n]{{1,60}}\b(?:in any of|in any|among)\b"
    rf"[^.;\n]{{0,20}}{_PLACE}|没有(?:任何|一个)?(?:(?:不可能|异常|有问题)的?)?区域",
    re.IGNORECASE,
)
ANNOUNCED = re.compile(
    r"(?<!not )\brelevant[\"']?\s{0,2}[:=]\s{0,3}"
    r"|\b(?:relevant|correct|right|key|important|needed|necessary|selected|chosen|final|impossible|odd|anomalous"
    r"|abnormal"
    r"|affected|problematic|altered|inconsistent) (?:regions?|boxes|areas|ones)(?: (?:is|are))?[:= ]{1,3}"
    r"|\b(?:that|this|which) leaves(?: (?:only|just))? (?=R[ _-]?[0-9])|\bmy (?:list|selection|pick|picks"
    r"|choice)(?: is| are)?[: ]{1,3}"
    r"|\"(?:[a-z]{1,20}_)?(?:regions?|boxes|areas|labels)\" ?: ?(?!\s{0,4}\[?\s{0,4}\{)",
    re.IGNORECASE,
)
CUT = re.compile(
    r"(?:[,\[]|\bR)[\s\"']{0,4}$|\[[^\[\]]{0,400}$|[0-9][\"')\]]{0,2},?\s{0,2}(?:\.{3}|…|etc\b)\W{0,4}$", re.IGNORECASE
)
HEDGE = re.compile(
    r"\b(?:possibly|perhaps|maybe|might be|may be|could be|(?:i'm|i am) not (?:sure|certain)|unsure"
    r"|can't (?:decide|tell|say)"
    r"|cannot (?:decide|tell|say)|otherwise (?:it|R ?[0-9]|the)|depend(?:s|ing) on|vielleicht|peut-être|quizás"
    r"|возможно,)",
    re.IGNORECASE,
)
POINTED = re.compile(
    r"\b(?:only )?(?:the )?(?:first|last|former|latter|middle|second|third) (?:one |two )?of (?:these|those|them|the)\b"
    r"|\bthe (?:former|latter)\b",
    re.IGNORECASE,
)
ORDINALS = {
    word: n
    for n, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], 1
    )
}
ORDINAL = "|".join(ORDINALS)
ONE_BY_ORDINAL = re.compile(
    rf"\b(?:the )?((?:{ORDINAL})(?:(?:,|,? and) (?:the )?(?:{ORDINAL})){{0,8}}) (?:marked |numbered "
    rf"|labell?ed )?(?:regions?|box(?:es)?|areas?)\b(?! (?:i|we|that|to)\b|,? \(?R ?[0-9])",
    re.IGNORECASE,
)
LISTED_BY_ORDINAL = re.compile(
    rf"(?<=regions are )((?:the )?(?:{ORDINAL})(?:,? (?:and )?(?:the )?(?:{ORDINAL})){{1,8}})(?=\W{{0,4}}\Z)",
    re.IGNORECASE,
)
FIRST_FEW = re.compile(r"\bthe first (two|three|four|five|six|seven|eight) (?:regions|boxes|areas)\b", re.IGNORECASE)
ASKED = re.compile(r"(?:^|(?<=[.!?\n])) {0,3}(?:which|what|where|is|are|does|do|how)\b[^?\n.!]{0,200}\?", re.IGNORECASE)
"""A question that repeats what was asked and states nothing."""
NOTHING_AT_ALL = re.compile(
    r"(?:^|[.!?\n]\s{0,3}|\b(?:and|so|but) )(?:there(?:'s| is| are)|i (?:see|find|found|notice|noticed|could find"
    r"|can find|do)"
    r"|(?:and )?(?:found|saw|see|find))"
    r"(?P<none>(?: ?n't| not)? ?(?:nothing|no|not any|find any|see any|any))\b(?![^.;\n]{0,60}\b(?:else|other"
    r"|further|but|except"
    r"|apart|only|more|if|R ?[0-9])\b)(?P<what>[^.;:\n]{2,80})",
    re.IGNORECASE,
)
NO_REGION = re.compile(
    r"(?:^|[.!?\n:,]\s{0,3}|\b(?:so|that|and|but|hence|thus|therefore|conclude|find) )"
    r"(?:there(?:'s| is| are|'re) |i (?:can )?(?:see|find) )?"
    r"(?:none of (?:(?:the|these|those) (?:\w{3,10} ){0,2}(?:regions|boxes|areas)|(?P<back>them|these|those))"
    r"|no (?!other|further|remaining|more|additional)(?:\w{3,14} )?(?:regions?|box|boxes|areas?))\b"
    r"(?![^.;\n]{0,80}\b(?:but|except|apart|besides|other|else|beside|R ?[0-9]|regions? [0-9])\b)[^.;\n]{0,80}"
    r"|没有(?:任何|一个|发现)?(?:不可能|异常|不合理|有问题)的?(?:区域|地方)",
    re.IGNORECASE,
)
"""A sentence about no region at all."""
BY_ORDINAL = re.compile(
    rf"\W{{0,5}}(?:only )?(?:the )?(?:{ORDINAL})(?:(?:,| and|, and) (?:the )?(?:{ORDINAL})){{0,8}} (?:regions?"
    rf"|box(?:es)?|areas?|one)\W{{0,5}}",
    re.IGNORECASE,
)
BARE = re.compile(
    r"[\s\"'\[{(]{0,6}[0-9]{1,2}(?:\s{0,2}(?:,|and|&|;|\s)\s{0,2}[0-9]{1,2}){0,40}[\s\"'\]}).]{0,6}", re.IGNORECASE
)
BARE_EXCEPTED = re.compile(
    r" (?:for )?(?:numbers? )?[0-9]{1,2}(?:(?:, | and |, and | & )[0-9]{1,2}){0,20}(?![0-9.])", re.IGNORECASE
)
