"""Words that call what a marked region shows fine or odd, and whether a text says the one or the other."""

from __future__ import annotations

import re

_AFTER_WORD = (
    r"(?=['\"]?\s{0,3}(?:[.,;:!?)|}\n→✓✗✔✘✅❌✕-]|$)|\s(?:and|but|whereas|while|though|as|in|for|here|too|enough|at"
    r"|with"
    r"|by|when"
    r"|because|one|ones|apart|except|save|besides|other|everywhere|to me|to us|to (?:the|this) question"
    r"|to answer\w{0,3}|und|aber|et|y)\b)"
)
FINE = re.compile(
    r"(?<![\w-])(?<!out of the )(?P<adjective>normal(?:e[rs]?|es)?|fine|ok|okay|plausible|possible|consistent|sound"
    r"|realistic"
    r"|unremarkable"
    r"|ordinary|natural|harmless|unaffected|intact|coherent|in order|as expected|believable|unproblematic|möglich"
    r"|posibles?"
    r"|possível|possíveis|possibil[ei]|нормальн\w{0,3}|возможн\w{0,3}|reasonable|correct|correctly drawn"
    r"|drawn correctly|unchanged|identical|the same|irrelevant"
    r"|unneeded|innocent|unimportant|uninteresting|unsurprising|usual|everyday|all right|alright|valid"
    r"|as it should(?: be)?|believable|unsuspicious|to be expected|ordinary scene|in ordnung|unauffällig|stimmig"
    r"|korrekt|mogelijk|in orde|normaal|correcte?s?|en ordre|en orden|correct[ao]s?|em ordem|normais|normali"
    r"|a posto|в порядке|możliw\w{1,3}|normaln\w{1,3}|w porządku|mümkün|olası)(?![\w-])"
    + _AFTER_WORD
    + r"|(?<!不)(?:正常|符合|合理|合乎)|(?<!不)可能(?:だ|です|的)?|問題(?:は)?(?:ない|なし|ありません)|没有?问题|普通"
    r"|(?<!불)가능"
    r"|정상|طبيعي|ممكن|عادي"
    r"|\b(?:looks?|is|are|seems?) (?:right|good)(?=[.,;]|$)|\bmakes? (?:perfect )?sense\b|\bcould (?:well "
    r"|easily |all |both )?(?:exist|be (?:built|real|a photo\w*))\b"
    r"|\bcan (?:well |easily |all |both )?(?:exist|be (?:built|real))\b|\b(?:can|could|may|does|do) (?:well |easily "
    r"|really |still |indeed |certainly )?(?:happen|occur)\b"
    r"|\bas (?:it|they|one|things)(?:'d| would| should)? (?:be|are|is) in (?:reality|real life|nature)\b"
    r"|\b(?:could|may|might|can) (?:simply|just|merely) be\b|\b(?:makes?|made) no difference\b|\bplays? no (?:role"
    r"|part)\b|(?<!\bit )\b(?:does|do|would|will)(?: not|n't) (?:really )?(?:help|matter|contribute)\b|\bha(?:s"
    r"|ve) no (?:bearing|influence|effect)\b"
    r"|\b(?:can|could|may|should)(?: all| both| safely)? be (?:ignored|disregarded|skipped|left out)\b"
    r"|\bi (?:(?:do|will|would|'ll|'d) ?not|(?:don't|won't|wouldn't))"
    r" (?:include|count|mark|flag|list|select|report) (?:it|this|that|them|these|those)\b|\bi'(?:ll|d) not"
    r" (?:include|count|mark|flag|list|select|report) (?:it|this|that|them|these|those)\b"
    r"|[:|=–-]\s{0,3}same(?= as|\s{0,2}(?:[.,;:!)|}\n]|$))"
    r"|\b(?:as|what|just what) (?:one|you|we|i) (?:would|'d) expect\b|\bas (?:it|they) should\b"
    r"|\b(?:obeys?|follows?|respects?|compl(?:y|ies) with) (?:all |the |normal ){0,3}(?:laws|rules|physics"
    r"|perspective)\b"
    r"|\bnothing (?:\w{2,9} )?(?:out of the ordinary|of (?:this|that|the) (?:kind|sort))\b|\bnormally(?=[.,;\n]|$)"
    r"|\b(?:do|does)(?: not|n't) (?:show|contain|have|depict) any\w{0,5} (?:of (?:this|that|the) (?:kind|sort)"
    r"|like (?:this"
    r"|that)|similar)\b|\bnothing (?:to (?:object|complain|note|report|see)|remarkable|noteworthy|special|unusual"
    r"|strange|odd)\b",
    re.IGNORECASE,
)
ODD = re.compile(
    r"(?<![\w-])(?:impossible|(?:odd|strange|weird|unusual)(?! (?:perspective|angle|viewpoint|view|pose|crop)\b)"
    r"|wrong|abnormal\w{0,2}|anomal\w{1,6}|inconsisten\w{1,3}"
    r"|implausible|incorrect"
    r"|contradict\w{0,5}|conflict\w{0,3}|at odds|violat\w{1,4}|def(?:y|ies)|unrealistic|altered|special|suspicious"
    r"|out of the ordinary|problem\w{0,5}"
    r"|error\w{0,5}"
    r"|unnatural|can(?:not|'t| not) (?:both |all |really |physically |possibly )?(?:be|exist|happen|work|stand)"
    r"|could(?: not|n't) (?:both |all |really |physically |possibly |ever )?(?:be|exist|happen|stand|work)"
    r"|unmöglich\w{0,2}"
    r"|impossibles|imposibles?|impossíve(?:l|is)|impossibil[ei]|невозможн\w{0,3}|странн\w{0,3}|bad|broken|faulty"
    r"|flawed|fake"
    r"|unphysical|paradox\w{0,4}|nonsens\w{0,4}|malformed|deformed|garbled|mangled|distorted|absurd|troubl\w{1,5}"
    r"|relevant|needed|necessary|required|decisive|crucial|culprits?|issues?|flaws?|glitch\w{0,2}|mistakes?"
    r"|defect\w{0,4}|stands? out"
    r"|go(?:es)? wrong"
    r"|break(?:s|ing)? (?:the )?(?:laws|rules)|(?:has|have|had)(?: been)? (?:changed|modified|replaced|moved)|illogical"
    r"|nonsensical|incorrectly|wrongly|unexplained|inexplicable|tampered|manipulated"
    r"|(?:does not|doesn't|do not|don't) (?:exist|work|make sense|add up|fit|match)|makes? no sense|falsch|fehlerhaft"
    r"|stimm(?:t|en) nicht|onmogelijk\w?|klop(?:t|pen) niet|fout|incohérent\w{0,2}|faux|errad[ao]s?|sbagliat[aeio]"
    r"|incoherentes?|niemożliw\w{1,3}|błędn\w{1,3}|imk[âa]ns[ıi]z|yanlış)(?!\w)|\b(?:is|are|looks?"
    r"|seems?) off\b|\b(?:what|all that|that) (?:really |actually )?matters?\b|\bi(?:'d|'ll| will| would)?"
    r" (?:also |therefore |thus |still |do )?(?:include|mark|flag|count) (?:it|this|that|them|these|those)\b"
    r"|[:|=–-]\s{0,3}different(?=\s{0,2}(?:[.,;:!)|}\n]|$))|\b(?:changed|differs?|(?:is|are"
    r"|looks?) different)(?=\s{0,2}(?:[.,;:()\n|]|$)"
    r"| in both pictures[.,;:]| (?:from the (?:first|original|other)|between the))|不可能|不(?:合理|符合|合乎)|異常"
    r"|异常|不正常|有问题"
    r"|おかしい|あり得ない|ありえない|不自然|불가능|이상|비정상|مستحيل\w{0,3}|غير (?:ممكن|طبيعي)\w{0,3}",
    re.IGNORECASE,
)
NOT = re.compile(
    r"(?:\b(?:not|never|nothing|no|none|nor|neither|without|nicht|nichts|kein\w?|pas|rien|nada|niente|не"
    r"|ничего)\b|n't\b)(?: \w{1,12}){0,3} ?$|不$|没有(?:任何|一个|发现)?$",
    re.IGNORECASE,
)
FAR_NOT = re.compile(
    r"\b(?:hardly|far from|free of|no (?:reason|sign|evidence|hint|indication|trace"
    r"|contradiction)s?\b[^.,;\n]{0,40})\s$",
    re.IGNORECASE,
)
SAID_NO = re.compile(r"[\"']?\s{0,2}[:=?]\s{0,2}(?:no|false|nein|non)\b(?! (?:doubt|question|way)\b)", re.IGNORECASE)


_PLAIN = re.compile(
    r"[\"')]{0,2}:?(?: (?:is|are|shows?|contains?|includes?|covers?|depicts?|displays?|looks?))?(?: just| only| merely)"
    r"(?: (?:shows?|contains?|includes?|covers?|depicts?))?(?! (?:one|two|three|four|five|six|[0-9]+|half)\b) "
    r"|(?:[^.;\n,]{0,60}|[^.;\n]{0,140}, which (?:is|are|shows?|depicts?) [^.;\n,]{0,40})\b(?:like|depicts?|shows?"
    r"|in|with|contains?|[:–-]) (?:an? |the )?(?:\w{3,12}ly )?(?:normal|correct|proper|plausible|realistic|ordinary"
    r"|regular"
    r"|everyday|plain|common|usual|unremarkable|standard)(?: \w{3,14}){1,2}(?=[.;,\n]| and |$)",
    re.IGNORECASE,
)
_ORDINARY = re.compile(
    r"[\"')]{0,2} (?:is|are|shows?|contains?|depicts?|has|have|displays?) (?:both |all )?(?:an? |the )?(?:\w{1,12}ly )?"
    r"(?:normal|ordinary|regular|plausible|realistic|unremarkable|typical|possible|consistent|everyday|common|usual"
    r"|familiar"
    r"|plain|standard)\b",
    re.IGNORECASE,
)


def fineness(text: str) -> bool | None:
    """Whether a text calls what it speaks of fine (`True`) or odd (`False`), by its first such word."""
    words = [
        (word.start(), word, fine) for pattern, fine in ((FINE, True), (ODD, False)) for word in pattern.finditer(text)
    ]
    if not words:
        return None
    start, _, fine = min(words, key=lambda one: one[0])
    return fine != (NOT.search(text[:start]) is not None)


def is_ordinary(text: str, end: int) -> bool:
    """Whether what a region shows, which is said after `end`, is called ordinary in passing: "shows a normal lamp"."""
    return any(plain.match(text, end, end + 240) is not None for plain in (_ORDINARY, _PLAIN))
