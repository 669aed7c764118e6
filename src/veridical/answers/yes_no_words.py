"""Words for yes and no in several languages, and the words around them that open an answer or keep it open."""

from __future__ import annotations

import re

ENGLISH = {"yes": "yes", "yeah": "yes", "yep": "yes", "yup": "yes", "no": "no", "nope": "no", "nah": "no"}
_OTHER = {
    "yes": "ja oui sí si sì sim да tak evet áno ano igen kyllä jah jā taip da já ναι כן có vâng đúng ya oo ndiyo"
    " نعم أجل بله بلی ہاں हाँ हां हा হ্যাঁ ஆம் ใช่ 是的 是 对的 对 對 正确 肯定 有 はい ええ うん 예 네 그렇습니다",
    "no": "nein non não nao nee nej nei нет ні не nie ne nem ei nē nē όχι לא không tidak bukan hapana hayır"
    " لا كلا خیر نه نہیں नहीं না இல்லை ไม่ใช่ ไม่ 不是的 不是 不对 不 否 没有 错误 否定 いいえ いえ 아니요 아니오"
    " 아뇨 아닙니다",
}
MEANING = (
    ENGLISH
    | {word: answer for answer, words in _OTHER.items() for word in words.split()}
    | {"affirmative": "yes", "negative": "no", "जी हाँ": "yes", "जी नहीं": "no", "جی ہاں": "yes"}
)
WORDS = "|".join(sorted(MEANING, key=len, reverse=True))
SURE = (
    r"(?:absolutely|definitely|certainly|clearly|probably|likely|surely|most likely|most probably|of course|actually"
    r"|simply|still|a|an|clear|firm|resounding|definite|hard)"
)
BEFORE = (
    r"(?:so|thus|therefore|hence|then|and|but|well|h+m+|ok|okay|oh|overall|in short|in conclusion|in summary"
    r"|conclusion|indeed|also|daher|donc|así que|c'est|it's|it is|that's|that is|a|i think|i believe|i'd say|my answer"
    r"|(?:there is |there's |i have )?no (?:doubt|question)(?: about (?:it|that))?|undoubtedly"
    r"|(?:without|beyond) (?:a |any |all )?doubt"
    r"|yet|however|ultimately|in the end|to conclude|finally|in fact|therefore,? i say|nun|alors|entonces|então|quindi"
    r"|portanto|por (?:lo )?tanto|deshalb|folglich|dunque|dus|derfor|därför|alltså|поэтому|значит|итак|więc|zatem|yani"
    r"|इसलिए|لذلك|إذن|따라서)"
)
SO = r"(?:结论|结果|总之|所以|因此|したがって)[是为]?[:,、，]?"
STOP = re.compile(
    r"[\"')\]]{0,3}(?: (?:dus|donc|also|allora|pues|então))?\s{0,6}(?:です|だ[。\n]|입니다|يا|from me\b"
    r"|[.,;:!?。，、；！：—…)\]}(=→]|-[^\w]|\n|$)"
)
"""What ends an answer of one word."""
SUBJECT = re.compile(
    r" {1,3}(?:they|it|the|there|this|these|that|those|he|she|i|we|you|both|because|since|as)\b", re.IGNORECASE
)
_OTHER_WORD = rf"(?P<other>{WORDS})(?![a-zà-öø-ÿ0-9_])"
BOTH = re.compile(
    rf"\W{{0,4}}(?:(?:/|(?:,? ?(?:or|and|oder|und|ou|et|o|y|或|和|还是"
    rf"|そして)) ?)\W{{0,3}}{_OTHER_WORD}\W{{0,4}}(?:$|[\s.!?。\])])"
    rf"|[,|] ?\W{{0,3}}{_OTHER_WORD.replace('other', 'last')}\W{{0,4}}(?:$|[\n.!?。\])]))",
    re.IGNORECASE,
)
"""A second word for yes or no that stands beside the first one."""
CONDITION = re.compile(r"\W{0,3}(?:(?:only|but only|but) )?(?:if|unless|when|wenn|falls|si|如果)\b", re.IGNORECASE)
DECLINE = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|(?:can't|can ?not|unable to|not able to|don't|do not) (?:answer|help|assist|determine|view|process|comply|access"
    r"|tell|identify|see (?:any|an|the) (?:image|picture|photo)|open|load|say|have|know)"
    r"|(?:no|any) (?:image|picture|photo)s? (?:was|is|has|were|attached|provided))",
    re.IGNORECASE,
)
"""What after "no" makes it a refusal."""
OFFER = re.compile(
    r"[,.!:]? {0,2}(?:of course[,.!]? )?(?:i (?:can|could|will|would)(?: gladly| certainly)? (?:help|assist"
    r"|do that|answer"
    r"|analy[sz]e|take a look|look)|i (?:can )?(?:see|understand)(?: the (?:image|picture|question|task"
    r"|photo|drawing|figure))?[.!,]|i(?:'d| would| will|'ll) be (?:happy|glad)|please (?:upload|send|share"
    r"|provide))",
    re.IGNORECASE,
)
"""What after "yes" makes it an offer to help."""
