"""Words that announce an answer ("the answer is"), and words that take one back ("wait", "correction")."""

from __future__ import annotations

import re

_LATIN = (
    r"(?:\b|(?<=final_))(?:answers?|option|choice|(?<=correct )(?:options|choices|letters)|(?:options"
    r"|letters) that apply|decision|verdict|conclusion|judge?ment|prediction|response|reply|guess|pick|decided(?=:)"
    r"|results?(?=:| is\b)|if i (?:had|have|were forced) to (?:choose|pick|guess|answer|decide|say)(?: one)?(?=:)"
    r"|antwort|entscheidung|richtig(?= (?:ist|sind|wäre)\b)|zutreffend(?= (?:ist|sind)\b)|respuestas?|opciones|resposta"
    r"|risposta|decision|alternativa|svar(?:et)?|antwoord|vastaus|odpowiedz|odgovor|cevap|jawaban(?: akhir)?)"
)
_OTHER = (
    r"(?:\b(?:lösung|réponses?|décision|decisión|opción|opciones|opção|opzione|yanıt|odpowiedź|odpověď|ответ|відповідь"
    r"|câu trả lời|đáp án|trả lời|válasz|răspuns(?:ul)?|απάντηση)|الإجابة|الاجابة|الجواب|إجابة|جواب|پاسخ|תשובה|उत्तर"
    r"|जवाब|উত্তর|คำตอบ|(?:的)?(?:答案|回答|答え|正解|解答|답변|정답|답|答|结论))"
)
_AFTER = (
    r"(?: (?:finale?|correct[ae]?s?|exacte|correctas?|correta|corretta|النهائية|النهائي"
    r"|الصحيحة)){0,2}[\"')\]]{0,2}(?: (?:digit|letter|number|here|(?:to|for|auf|à|a la|alla|til|op) (?:the|this|your"
    r"|die|diese|cette|la|pregunta|het|de)? ?(?:question|frage|pregunta|domanda"
    r"|vraag)?)){0,2}(?:,[^,.:\n]{1,40},)?\s{0,3}(?:(?:(?:is|are|would be|should be|must be|has to be|will be|remains"
    r"|becomes|ist|sind|lautet|wäre|bleibt|est|sont|son|es|é|è|är|er|on|jest|to|adalah|là|है|هي|هو)\b|[:=→⇒]|[-=]>|- "
    r"|是|为|は|은|는)(?:\s{0,3}[:=])?(?:\s{1,2}(?:therefore|thus|hence|clearly|simply|indeed|still|then|daher|also"
    r"|folglich|somit|donc|pues|dunque|dus|altså|därför)\b[:,]?)?|(?P<heading>\n))"
)
LATIN_MARKER = re.compile(_LATIN + _AFTER, re.IGNORECASE)
"""Words that announce an answer, of a text in ASCII alone."""
MARKER = re.compile(f"(?i)(?:{_LATIN}|{_OTHER}){_AFTER}")
"""Words that announce an answer, of any text."""
ATTRIBUTES = re.compile(
    r"(?i)(?:\b(?:final|correct|right|best|actual|true|short|revised|corrected|updated|new|my|the|finale|endgültige"
    r"|richtige|korrekte|endelige?|riktige?|slutgiltiga?|ostateczna|poprawna|окончательный|правильный|doğru)\s|最终"
    r"|最后|正确|最終|正しい|अंतिम |सही )+$"
)
"""What stands just before such a word and belongs to it."""
MARKED = (
    *("answer", "option", "choice", "decision", "verdict", "conclusion", "judgment", "judgement", "prediction"),
    *("response", "reply", "guess", "pick", "decide", "result", "if i ", "correct", "that apply", "richtig"),
    *("zutreffend", "opciones", "antwort", "entscheidung", "respuesta", "resposta", "risposta", "svar", "antwoord"),
    *("vastaus", "odpowied", "odgovor", "cevap", "jawaban"),
)
"""What each marker in ASCII alone holds, in small letters."""
FINALLY = re.compile(r"final|endgültig|endelig|slutgiltig|ostateczn|окончательн|akhir|最终|最後|最后|最終|النهائي|अंतिम")
DOUBT = re.compile(
    r"(?i)\b(?:if|unless|whether|at (?:a )?(?:first|quick)\b|(?:first|initial) (?:glance|sight|impression|thought"
    r"|guess|instinct|answer)|initially|might|may|could|possible|possibly|perhaps|maybe|textbooks?|tempt(?:ed|ing)"
    r"|expect(?:ed)?|usual(?:ly)?|typical(?:ly)?|normally|in most|obvious|intuitive|naive|classic(?:al)?|well-known"
    r"|annotator|caption|wenn|falls|vielleicht|(?:people|viewers|observers|many|most|one|you|they) (?:would|might|will"
    r"|tend to|often|usually|always)|(?:do not|don't|cannot|can't|wouldn't|won't|not|never) (?:\w{1,12} ){0,2}(?:say"
    r"|think|believe|claim|mean|sure|that)|(?:people|viewers|observers|others|some|they) (?:say|think|believe|answer"
    r"|claim))\b"
)
"""What in the same clause before a marker leaves open whether the reply itself gives that answer."""
TURN = re.compile(r"(?i)[.!?。\n;]|\b(?:but|however|yet|therefore|so|thus|hence|otherwise|aber|daher|mais|donc|pero)\b")
QUOTED_BEFORE = re.compile(
    r"(?i)\b(?:such as|e\.g\.|for example|something like|wrote|writes?|says|said|answers|instead of|rather than"
    r"|not|nor|between|or"
    r"|either|tempt\w{0,4}(?: to (?:say|answer|write))?|would have been|initially|previously)[\s:,\"'`(]{0,4}$"
)
QUOTED_AFTER = re.compile(
    r"(?i)[\s\"'`)]{0,3}(?:\?|(?:if|when|for (?:yes|no|\"|the)|means?|would (?:be|mean)|or|versus|stands for"
    r"|in case|is tempting)\b)"
)
CUE = re.compile(
    r"(?i)(?:^|[.!?;:,>()。\n—…-]\s{0,3}| {6}|\b(?:h+m+|oh|but|no|ok|well|actually)[,.]{0,3} )(?:h+m+[,.]{0,3} no[:,.]"
    r"|wait\b(?! (?:for|until|time))|hold on\b|on second thoughts?\b|correction\b|(?:scratch|strike) that|never ?mind"
    r"|let me (?:(?:re|double)[- ]?(?:check|consider|examine|count|evaluate|think|measure|visit)|look again"
    r"|count again)|(?:looking|counting|checking) again|my (?:mistake|bad)\b|oops\b|actually,? (?:no\b"
    r"|(?:up)?on (?:a )?closer|looking (?:more )?closely|there(?:'s| is) (?:another|one more)\b)|apologies\b"
    r"|i apologi[sz]e\b|sorry(?:[,:] | for\b)|(?:or |no,? )rather,|make (?:that|it) (?:a |an )?(?=[\w\"(]{1,9}\W)"
    r"|i (?:mean|meant)[,: ]|(?:that|this)(?:(?:'s| is| was| answer is) not|(?: is| was)n't) (?:right|correct"
    r"|quite right)\b|(?:that|this)(?:'s| is| was| answer is) (?:wrong|incorrect|a mistake|an error)\b|(?:revised"
    r"|corrected|updated)(?= (?:final )?(?:answer|list|count|decision|report|version))|edit: |please (?:disregard"
    r"|ignore)|i(?:'ve| have|'d| would(?: rather)?|'m| am| must| need to| have to| should| will|'ll)?(?: now"
    r"| no longer)? (?:was wrong|was mistaken|made a mistake|take (?:that|it|this) back|mis(?:read|counted|judged"
    r"|spoke)|mixed up|correct myself|stand corrected|(?:change|correct|revise|withdraw|retract)(?:d|ed)? (?:my|this"
    r"|that|it)|changed? my mind|(?:must have |had )?missed (?:one|it|some|a|that|this|two|at first|before)"
    r"|convinced of (?:this|that|my)|overlooked|swapped)|moment\b|korrektur\b|ich korrigiere|doch nicht|attende[zs]\b"
    r"|en fait,? non|espera\b|corrección\b|perdón\b|rettelse\b|rättelse\b|korrigering\b|vent[,:]|vänta[,:]|wacht[,:]"
    r"|correctie\b|korekta\b|czekaj\b|düzeltme\b|bekle\b|correzione\b|aspetta\b|anzi,|correção\b|поправка|исправ"
    r"|я ошиб|подожд|точнее,|koreksi\b|ralat\b|đính chính|(?<=[…—])\s?no,|(?<=\.\.\.)\s?no,|تصحيح|सुधार|정정|잠깐|等等"
    r"|等一下|不对[,，]|更正|纠正|我(?:看|数)?错了|待って|訂正|いや[、,])"
)
PAUSE = re.compile(r"(?i)wait|hold on|let me|again|second thought|attende|espera|aspetta|bekle|czekaj|等|待")
"""Of these words, those after which a reply looks again, so that what follows at once is no answer yet."""
EXPLAINING = re.compile(
    r"(?i)[\W_]{0,4}i(?:'ve| have|'d| had)? (?:was (?:wrong|mistaken)|made a mistake|mis(?:read|counted|judged|spoke)"
    r"|mixed up|overlooked|swapped)\b"
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
    r"(?i)\b(?:actually|in (?:actual )?fact|in reality|in truth|or rather|rather|correction|upon reflection"
    r"|on reflection|(?:on|upon) (?:a )?(?:closer|second|further|careful) (?:inspection|look|thought|examination"
    r"|reflection|consideration|count)|bei (?:genauem|genauerem|näherem) hinsehen(?: aber)?|tatsächlich|en réalité"
    r"|en realidad|in realtà)\b"
)
"""What sets an answer against the one before it, where both stand in a reply."""
