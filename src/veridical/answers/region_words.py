"""Words with which a reply speaks of all marked regions, and of the rest."""

from __future__ import annotations

import re

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
