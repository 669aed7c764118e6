"""Yes or no, in words of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.prepare import LEAD
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, Claim, denied, is_short_statement, read_by_rule

_ENGLISH = {"yes": "yes", "yeah": "yes", "yep": "yes", "yup": "yes", "no": "no", "nope": "no", "nah": "no"}
_OTHER = {
    "yes": "ja oui sí si sì sim да tak evet 是的 是 对的 对 はい ええ 예 네",
    "no": "nein non não nee nej нет nie hayır 不是的 不是 不 否 没有 いいえ いえ 아니요 아니오 아뇨",
}
_MEANING = _ENGLISH | {word: answer for answer, words in _OTHER.items() for word in words.split()}
_WORDS = "|".join(sorted(_MEANING, key=len, reverse=True))
_SURE = (
    r"(?:absolutely|definitely|certainly|clearly|probably|likely|surely|most likely|most probably|of course|actually)"
)
_BEFORE = (
    r"(?:so|thus|therefore|hence|then|and|but|well|h+m+|ok|okay|oh|overall|in short|in conclusion|in summary"
    r"|conclusion|indeed|also|daher|donc|así que|c'est|it's|it is|that's|a|i think|i believe|i'd say|my answer)"
)
_SO = r"(?:结论|结果|总之|所以|因此|したがって)[是为]?[:,、，]?"
_LEAD = re.compile(
    rf"[^\w\n]{{0,12}}(?:{_SO})?(?:{_BEFORE}[,:]? {{1,3}}){{0,3}}(?:{_SURE},? {{1,2}})?[\"'(\[]{{0,2}}"
    rf"(?:(?P<word>{_WORDS})(?:,? (?P=word)){{0,5}}(?![a-zà-öø-ÿ0-9_])"
    r"|(?P<not>(?<=ly )not|(?<=course )not|not at all))",
    re.IGNORECASE,
)
_TRUTH = re.compile(r"\W{0,6}(true|false)\W{0,6}", re.IGNORECASE)
_SAY = re.compile(
    r"\bi(?:'d| would| will|'ll)? {0,2}(?:(?:have to|must|therefore|still) ){0,2}(?:say|answer|go with|conclude)"
    r"[ :,\"']{1,4}(yes|no)(?=[\s\"']{0,4}(?:[.,;!\n]|$))",
    re.IGNORECASE,
)
_END = re.compile(r"(?:,|\b(?:hence|so|thus|therefore)) {1,3}(yes|no)[.!]{0,3}\s{0,9}$", re.IGNORECASE)
_SO_END = re.compile(r"\b(?:hence|so|thus|therefore),? {1,3}(yes|no)[.!]$", re.IGNORECASE)
_ANY = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_STOP = re.compile(r"[\"')\]]{0,3}\s{0,6}(?:です|だ[。\n]|from me\b|[.,;:!?。，、；！：—…)\]}]|-[^\w]|\n|$)")
_SUBJECT = re.compile(
    r" {1,3}(?:they|it|the|there|this|these|that|those|he|she|i|we|you|both|because|since|as)\b", re.IGNORECASE
)
_BOTH = re.compile(
    r"\W{0,4}(?:/|(?:,? ?(?:or|and|oder|und|ou|et|o|y|或|和|还是|そして)) ?|[,|] ?)\W{0,3}"
    rf"(?:{_WORDS})(?![a-zà-öø-ÿ0-9_])\W{{0,4}}(?:$|[\s.!?。\])])",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\W{0,3}(?:(?:only|but only|but) )?(?:if|unless|when|wenn|falls|si|如果)\b", re.IGNORECASE)
_DECLINE = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|(?:can't|can ?not|unable to|not able to) (?:answer|help|assist|determine|view|process|comply|access|tell"
    r"|identify))",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]{1,600}[.!?。！？]?")


def read_yes_no(text: str) -> Read:
    """The answer "yes" or "no" that a reply states, or the reason why none can be read.

    Words of English, German, French, Spanish, Portuguese, Italian, Russian, Polish, Turkish, Chinese, Japanese and
    Korean are known. "No" before a noun ("no difference") is none; what others would say, conditions on both sides
    and statements of fact without yes or no are not resolved by a guess. Which of several answers counts is told in
    `veridical.answers.settle`.

    >>> read_yes_no("Yes. There is no difference.").answer, read_yes_no("**Final answer:** no").answer
    ('yes', 'no')
    >>> read_yes_no("Yes and no."), read_yes_no("They are equal.").answer is None
    (Read(answer=None, reason='both yes and no are said'), True)
    """
    return read_by_rule(text, _slot, _whole, "yes or no", _sentences)


def _slot(content: str, alone: bool) -> Read:
    truth = _TRUTH.fullmatch(content)
    if truth:
        return Read("yes" if truth[1].lower() == "true" else "no")
    content = content.lstrip()
    read, end = _opening(content)
    if alone and any(sign.isalnum() for sign in content[end:]):
        return NOTHING
    return read


def _whole(plain: str) -> Read:
    if not is_short_statement(plain):
        return NOTHING
    end = _END.search(plain)
    if end and len(_ANY.findall(plain)) == 1:
        return Read(end[1].lower())
    return _opening(plain.lstrip())[0]


def _opening(content: str) -> tuple[Read, int]:
    """What the first words say, and where they end."""
    lead = _LEAD.match(content)
    if lead is None:
        return NOTHING, 0
    word, rest = lead["word"], content[lead.end() : lead.end() + 300]
    answer = _MEANING[word.lower()] if word else "no"
    stopped = _STOP.match(rest) is not None
    if _BOTH.match(rest):
        return Read(None, "both yes and no are said"), lead.end()
    if _CONDITION.match(rest):
        return Read(None, "the answer depends on a condition"), lead.end()
    if answer == "no" and _DECLINE.search(rest[:120]):
        return Read(None, "the reply declines"), lead.end()
    if word and word.lower() in _ENGLISH and answer == "yes":
        stopped = stopped or not rest.startswith(('"', "'", ")"))
    elif word and word.lower() == "no":
        stopped = stopped or _SUBJECT.match(rest) is not None
    return (Read(answer) if stopped else NOTHING), lead.end()


def _sentences(plain: str) -> Iterator[Claim]:
    for sentence in _SENTENCE.finditer(plain):
        read, end = _opening(sentence[0])
        if read.answer is not None and not sentence[0].endswith("?"):
            yield Claim(read, LEAD, sentence.start(), sentence.start() + end)
        end_word = _SO_END.search(sentence[0])
        if end_word and len(_ANY.findall(sentence[0])) == 1:
            at = sentence.start() + end_word.start(1)
            yield Claim(Read(end_word[1].lower()), LEAD, at, at + len(end_word[1]))
    for said in _SAY.finditer(plain):
        if not denied(plain, said.start(1)):
            yield Claim(Read(said[1].lower()), LEAD, said.start(), said.end(1))
