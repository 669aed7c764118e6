"""Words that announce an answer ("the answer is"), and words that take one back ("wait", "correction")."""

from __future__ import annotations

import re

_LATIN = (
    r"\b(?:answer|option|choice|decision|verdict|conclusion|judge?ment|prediction|response|reply|guess|pick"
    r"|antwort|entscheidung"
    r"|respuesta|resposta|risposta|decision|alternativa|svar(?:et)?|antwoord|vastaus|odpowiedz|odgovor|cevap"
    r"|jawaban(?: akhir)?)"
)
_OTHER = (
    r"(?:\b(?:lösung|réponse|décision|decisión|opción|opção|opzione|yanıt|odpowiedź|odpověď|ответ|відповідь"
    r"|câu trả lời|đáp án"
    r"|trả lời|válasz|răspuns(?:ul)?|απάντηση)|الإجابة|الاجابة|الجواب|إجابة|جواب|پاسخ|תשובה|उत्तर|जवाब|উত্তর|คำตอบ"
    r"|(?:的)?(?:答案|回答|答え|正解|解答|답변|정답|답|答|结论))"
)
_AFTER = (
    r"(?: (?:finale?|correct[ae]?|exacte|correcta|correta|corretta|النهائية|النهائي|الصحيحة)){0,2}[\"')\]]{0,2}"
    r"(?: (?:digit|letter|number|here|(?:to|for|auf|à|a la|alla|til|op) (?:the|this|your|die|diese|cette|la"
    r"|pregunta|het"
    r"|de)? ?(?:question|frage|pregunta|domanda|vraag)?)){0,2}(?:,[^,.:\n]{1,40},)?\s{0,3}"
    r"(?:(?:(?:is|would be|should be|must be|has to be|will be|remains|becomes|ist|lautet|wäre|bleibt|est|es|é|è|är|er"
    r"|on|jest|to|adalah|là|है|هي|هو)\b|[:=→⇒]|[-=]>|- |是|为|は|은|는)(?:\s{0,3}[:=])?"
    r"(?:\s{1,2}(?:therefore|thus|hence|clearly|simply|indeed|still|then|daher|also|folglich|somit|donc|pues|dunque"
    r"|dus|altså|därför)\b[:,]?)?|(?P<heading>\n))"
)
LATIN_MARKER = re.compile(_LATIN + _AFTER, re.IGNORECASE)
"""Words that announce an answer, of a text in ASCII alone."""
MARKER = re.compile(f"(?:{_LATIN}|{_OTHER}){_AFTER}", re.IGNORECASE)
"""Words that announce an answer, of any text."""
ATTRIBUTES = re.compile(
    r"(?:\b(?:final|correct|right|best|actual|true|short|revised|corrected|updated|new|my|the|finale"
    r"|endgültige|richtige"
    r"|korrekte|endelige?|riktige?|slutgiltiga?|ostateczna|poprawna|окончательный|правильный|doğru)\s|最终|最后"
    r"|正确|最終|正しい|अंतिम |सही )+$",
    re.IGNORECASE,
)
"""What stands just before such a word and belongs to it."""
MARKED = (
    *(
        "answer",
        "option",
        "choice",
        "decision",
        "verdict",
        "conclusion",
        "judgment",
        "judgement",
        "prediction",
        "response",
        "reply",
        "guess",
        "pick",
    ),
    *("antwort", "entscheidung", "respuesta", "resposta", "risposta", "svar", "antwoord", "vastaus", "odpowied"),
    *("odgovor", "cevap", "jawaban"),
)
"""What each marker in ASCII alone holds, in small letters."""
FINALLY = re.compile(
    r"final|endgültig|endelig|slutgiltig|ostateczn|окончательн|akhir|最终|最後|最后|最終|النهائي"
    r"|अंतिम"
)
DOUBT = re.compile(
    r"\b(?:if|unless|whether|at (?:a )?(?:first|quick)\b|(?:first|initial) (?:glance|sight|impression|thought|guess"
    r"|instinct|answer)|initially|might|may|could|possible|possibly|perhaps|maybe|textbooks?|tempt(?:ed|ing)"
    r"|expect(?:ed)?"
    r"|usual(?:ly)?|typical(?:ly)?|normally|classic(?:al)?|well-known|annotator|caption|wenn|falls|vielleicht"
    r"|(?:people|viewers|observers|many|most|one|you|they) (?:would|might|will|tend to|often|usually|always)"
    r"|(?:do not|don't|cannot|can't|wouldn't|won't|not|never) (?:\w{1,12} ){0,2}(?:say|think|believe|claim"
    r"|mean|sure|that)"
    r"|(?:people|viewers|observers|others|some|they) (?:say|think|believe|answer|claim))\b",
    re.IGNORECASE,
)
"""What in the same clause before a marker leaves open whether the reply itself gives that answer."""
TURN = re.compile(
    r"[.!?。\n;]|\b(?:but|however|yet|therefore|so|thus|hence|otherwise|aber|daher|mais|donc|pero)\b", re.IGNORECASE
)
QUOTED_BEFORE = re.compile(
    r"\b(?:such as|e\.g\.|for example|something like|wrote|writes?|says|said|answers|instead of|rather than"
    r"|not|nor|between|or"
    r"|either|tempt\w{0,4}(?: to (?:say|answer|write))?|would have been|initially|previously)[\s:,\"'`(]{0,4}$",
    re.IGNORECASE,
)
QUOTED_AFTER = re.compile(
    r"[\s\"'`)]{0,3}(?:\?|(?:if|when|for (?:yes|no|\"|the)|means?|would (?:be|mean)|or|versus|stands for"
    r"|in case|is tempting)\b)",
    re.IGNORECASE,
)
CUE = re.compile(
    r"(?:^|[.!?;:,>)。\n—…-]\s{0,3}| {6}|\b(?:h+m+|oh|but|no|ok|well|actually)[,.]{0,3} )"
    r"(?:h+m+[,.]{0,3} no[:,.]|wait\b(?! (?:for|until|time))|hold on\b|on second thoughts?\b|correction\b|(?:scratch"
    r"|strike) that|never ?mind"
    r"|let me (?:re-?(?:check|consider|examine|count|evaluate|think|measure|visit)|look again|count again)"
    r"|(?:looking|counting|checking) again|my (?:mistake|bad)\b|oops\b|actually,? (?:no\b|(?:up)?on (?:a )?closer"
    r"|looking (?:more )?closely|there(?:'s| is) (?:another|one more)\b)|apologies\b"
    r"|i apologi[sz]e\b|sorry(?:[,:] | for\b)"
    r"|(?:or |no,? )rather,|make (?:that|it) (?:a |an )?(?=[\w\"(]{1,9}\W)|i (?:mean|meant)[,: ]"
    r"|(?:that|this)(?:'s| is| was| answer is) (?:not (?:right|correct|quite right)|wrong|incorrect"
    r"|a mistake|an error)\b"
    r"|(?:revised|corrected|updated)(?= (?:final )?(?:answer|list|count|decision))|edit: |please (?:disregard|ignore)"
    r"|i(?:'ve| have|'d| would(?: rather)?|'m| am| must| need to| have to| should| will|'ll)?(?: now| no longer)?"
    r" (?:was wrong|was mistaken|made a mistake|take (?:that|it|this) back|mis(?:read|counted|judged|spoke)|mixed up"
    r"|correct myself|stand corrected|(?:change|correct|revise|withdraw|retract)(?:d|ed)? (?:my|this|that|it)"
    r"|changed? my mind|(?:must have |had )?missed"
    r" (?:one|it|some|a|that|this|two|at first|before)|convinced of (?:this|that|my)|overlooked|swapped)"
    r"|moment\b|korrektur\b|ich korrigiere|doch nicht|attende[zs]\b|en fait,? non|espera\b|corrección\b|perdón\b"
    r"|rettelse\b|rättelse\b|korrigering\b|vent[,:]|vänta[,:]|wacht[,:]|correctie\b|korekta\b|czekaj\b"
    r"|düzeltme\b|bekle\b"
    r"|correzione\b|aspetta\b|anzi,|correção\b|поправка|исправ|я ошиб|подожд|точнее,|koreksi\b|ralat\b|đính chính"
    r"|(?<=[…—])\s?no,|(?<=\.\.\.)\s?no,|تصحيح|सुधार|정정|잠깐|等等|等一下|不对[,，]|更正|纠正|我(?:看|数)?错了"
    r"|待って|訂正|いや[、,])",
    re.IGNORECASE,
)
PAUSE = re.compile(r"wait|hold on|let me|again|second thought|attende|espera|aspetta|bekle|czekaj|等|待", re.IGNORECASE)
"""Of these words, those after which a reply looks again, so that what follows at once is no answer yet."""
EXPLAINING = re.compile(
    r"[\W_]{0,4}i(?:'ve| have|'d| had)? (?:was (?:wrong|mistaken)|made a mistake|mis(?:read|counted|judged"
    r"|spoke)|mixed up"
    r"|overlooked|swapped)\b",
    re.IGNORECASE,
)
"""Of these words, those that may only say why something was corrected just before."""
CUED = (
    *("wait", "hold on", "second thought", "correction", "scratch that", "strike that", "nevermind", "never mind"),
    *("let me ", " again", "my mistake", "my bad", "oops", "actually", "apologi", "sorry", "rather", "make ", "i mean"),
    *("that", "this", "revised", "corrected", "updated", "edit: ", "please ", "moment", "korrektur", "ich korrigiere"),
    *("doch nicht", "attende", "en fait", "espera", "rettelse", "korrigering", "vent", "wacht", "correctie", "korekta"),
    *("czekaj", "bekle", "correzione", "aspetta", "anzi", "koreksi", "ralat"),
    *("i was ", "i made ", "i take ", "i mis", "i mixed", "i correct", "i stand", "i change", "i revise", "i withdraw"),
    *("i retract", "i overlooked", "i swapped", "i have ", "i've ", "i must ", "i need ", "i should ", "i will ", "i'"),
    *("i am ", "i would ", "i now ", "i no ", "no,", "hm"),
)
"""What each cue in ASCII alone holds, in small letters."""
INSTEAD = re.compile(
    r"\b(?:actually|in (?:actual )?fact|in reality|in truth|or rather|rather|correction|upon reflection|on reflection"
    r"|(?:on|upon) (?:a )?(?:closer|second|further|careful) (?:inspection|look|thought|examination"
    r"|reflection|consideration"
    r"|count)|tatsächlich|en réalité|en realidad|in realtà)\b",
    re.IGNORECASE,
)
"""What sets an answer against the one before it, where both stand in a reply."""
