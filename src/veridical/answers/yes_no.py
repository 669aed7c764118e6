"""Yes or no, in words of several languages or as the digits 1 and 0: in an answer tag, or anywhere in prose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.markers import DOUBT, TURN
from veridical.answers.places import LEAD
from veridical.answers.reader import Read
from veridical.answers.settle import NOTHING, Claim, denied, is_short_statement, read_by_rule
from veridical.answers.yes_no_words import (
    BEFORE,
    BOTH,
    CONDITION,
    DECLINE,
    ENGLISH,
    MEANING,
    OFFER,
    SO,
    STOP,
    SUBJECT,
    SURE,
    WORDS,
)

_LEAD = re.compile(
    rf"[^\w\n]{{0,12}}(?:{SO})?(?:{BEFORE}[,:]? {{1,3}}){{0,3}}(?:{SURE},? {{1,2}}){{0,2}}[\"'(\[]{{0,2}}"
    rf"(?:(?P<word>{WORDS})(?:,? (?P=word)){{0,9}}(?![a-zà-öø-ÿ0-9_])"
    r"|(?P<not>(?<=ly )not|(?<=course )not|not at all))",
    re.IGNORECASE,
)
_PLAIN = r"[\"'(]{0,2}(?P<word>yes|no)[\"')]{0,2}"
_STOPPED = r"[\s\"')]{0,4}(?:[.,;:!\n(→=-]|$| (?:to|from|for) me\b)"
_END = rf"(?={_STOPPED})"
_TRUTH = re.compile(
    r"\W{0,6}(?:(?:it|that|this)(?: is|'s) )?(true|false|correct|incorrect|так|ні|nu|oo|hindi|होय|नाही"
    r"|(?<![\"'])y(?![\"'])"
    r"|(?<![\"'])n(?![\"'])|(?<=[\"'])[yn](?=[\"']))\W{0,6}",
    re.IGNORECASE,
)
_TRUTHS = {"true": "yes", "correct": "yes", "y": "yes", "false": "no", "incorrect": "no", "n": "no"} | {
    word: answer for words, answer in (("так oo होय", "yes"), ("ні nu hindi नाही", "no")) for word in words.split()
}
_AGREED = re.compile(
    r"\W{0,6}(?:(?:it|that|this)(?: is|'s) )?(correct|true|incorrect|false)(?=[.,!]\s|[.!]?\s*$)", re.IGNORECASE
)
_ALONE = re.compile(
    r"\W{0,5}(?:(?P<yes>(?:absolutely|definitely|certainly|indeed|exactly|of course|i (?:think|believe"
    r"|would say) so)(?=\W*$|[.!]\s))"
    r"|(?P<no>i (?:don't|do not) (?:think|believe) so|of course not|(?:absolutely|definitely|certainly) not)"
    r"(?=\W*$|[.!,;:]\s))",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\b(?:but|however|yet|though|although|still|while)\b", re.IGNORECASE)
_SAY = re.compile(
    r"\bi(?:'d| would| will|'ll| do| must| can)? {0,2}(?:(?:have to|must|therefore|still|also|thus|hence) ){0,2}"
    r"(?:say|answer|go with|conclude|choose|pick|vote|respond|reply|settle (?:on|for)|decide(?: on| for)?|stick with"
    r"|lean(?: towards?)?)(?: (?:that|with|is|it's|it is|an?|the|clear|firm)){0,3}[ :,]{1,4}"
    rf"{_PLAIN}{_END}",
    re.IGNORECASE,
)
_HENCE = re.compile(
    r"(?:\b(?:actually|in (?:actual )?fact|in truth|so|thus|therefore|hence|then|consequently|accordingly"
    r"|overall|ultimately|in short|in sum"
    r"|in conclusion)\b,?|→|⇒|=>|->)"
    r" {0,3}(?:(?:the answer (?:is|would be)|it's|it is|that's|that is|that means|i say|a|an|clearly|definitely) ){0,2}"
    rf"{_PLAIN}(?={_STOPPED}| (?:the|they|it|there|this|these|both)\b)",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:it's|it is|that's|that is|this is|answer is|be|as) (?:an? |the )?(?:(?:clear|definite|firm|simple"
    r"|hard|resounding"
    rf"|plain) )?{_PLAIN}{_END}",
    re.IGNORECASE,
)
_CLOSING = re.compile(rf"[,;:—-] {{1,3}}(?:and |so |hence |thus ){{0,2}}{_PLAIN}[.!]{{0,3}}\s{{0,9}}$", re.IGNORECASE)
_AFTER = re.compile(
    rf"(?:\b(?:to answer|in answer|in reply|regarding|as for)[^.:!?\n]{{1,120}}:|[:;]|\b(?:confirm|conclude"
    rf"|say) that)\W{{1,5}}{_PLAIN}"
    rf"(?=[\s\"')]{{0,4}}[,.;!])|^\W{{0,5}}(?:based on|judging (?:by|from)|looking at|according to|from|in|on)\b"
    rf"[^.,:!?\n]{{1,80}}, {{1,3}}(?P<late>yes|no){_END}",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    rf"\b(?:(?:wrong|incorrect|mistaken|a mistake|false) to (?:say|answer|conclude|respond)(?: with)?"
    rf"|(?:can't|cannot|can not)"
    rf" be) (?:an? )?{_PLAIN}(?![\w-]| or)"
    r"|[\"'](?P<quoted>yes|no)[\"'] (?:would be|is|cannot be|can't be|must be) (?:the )?(?:wrong|incorrect)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:\bnot|n't|\bnever)(?: \w{1,9}){0,2} ?$", re.IGNORECASE)
_VERDICT = re.compile(
    r"\W{0,5}(?:(?:in the |an? )?(?P<yes>affirmative|positive|肯定)|(?:in the |an? )?(?P<no>negative|否定))"
    r"(?:的|です)?(?:\W|$)",
    re.IGNORECASE,
)
_BUT = re.compile(rf"[,;] but {_PLAIN}, (?=(?:they|it|there|the|this|these|both)\b)", re.IGNORECASE)
_ANY = re.compile(r"\b(?:yes|no)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]{1,600}[.!?。！？]?")
_OFFERED = Read(None, "the reply offers to help")
_OPPOSITE = {"yes": "no", "no": "yes"}


def read_yes_no(text: str) -> Read:
    """The answer "yes" or "no" that a reply states, or the reason why none can be read.

    Words of some forty languages are known where they open an answer, those of English also elsewhere. "No" before a
    noun ("no difference") is none; what others would say, conditions, guesses ("it may be that") and statements of
    fact without yes or no are not resolved. Which of several answers counts is told in `veridical.answers.settle`.

    >>> read_yes_no("Yes. There is no difference.").answer, read_yes_no("**Final answer:** no").answer
    ('yes', 'no')
    >>> read_yes_no("Yes and no."), read_yes_no("They are equal.").answer is None
    (Read(answer=None, reason='both yes and no are said'), True)
    """
    return read_by_rule(text, yes_no_slot, yes_no_whole, "yes or no", yes_no_claims)


def yes_no_slot(content: str, alone: bool) -> Read:
    truth = _TRUTH.fullmatch(content)
    if truth and (not alone or len(truth[1]) > 1):
        return Read(_TRUTHS[truth[1].lower()])
    content = content.lstrip()
    read, end = _opening(content)
    if alone and any(sign.isalnum() for sign in content[end:]):
        return NOTHING
    if read == NOTHING and not alone:
        verdict = _VERDICT.match(content)
        return Read("yes" if verdict["yes"] else "no") if verdict else NOTHING
    return read


def yes_no_whole(plain: str) -> Read:
    if not is_short_statement(plain):
        return NOTHING
    closing = _CLOSING.search(plain)
    if closing and len(_ANY.findall(plain)) == 1:
        return Read(closing["word"].lower())
    return _opening(plain.lstrip())[0]


def _opening(content: str) -> tuple[Read, int]:
    """What the first words say, and where they end."""
    lead = _LEAD.match(content)
    if lead is None:
        return NOTHING, 0
    word, rest = lead["word"], content[lead.end() : lead.end() + 300]
    answer = MEANING[word.lower()] if word else "no"
    stopped = STOP.match(rest) is not None
    both = BOTH.match(rest)
    if both and MEANING[(both["other"] or both["last"]).lower()] != answer:
        return Read(None, "both yes and no are said"), lead.end()
    if CONDITION.match(rest):
        return Read(None, "the answer depends on a condition"), lead.end()
    if answer == "no" and DECLINE.search(rest[:120]):
        return Read(None, "the reply declines"), lead.end()
    if answer == "yes" and OFFER.match(rest):
        return _OFFERED, lead.end()
    if word and word.lower() in ENGLISH and answer == "yes":
        stopped = stopped or not rest.startswith(('"', "'", ")"))
    elif word and word.lower() == "no":
        stopped = stopped or SUBJECT.match(rest) is not None
    elif word and "\u0e00" <= word[0] <= "\u0e7f":
        stopped = stopped or rest[:1].isspace() or rest.startswith(("ครับ", "ค่ะ", "คะ"))
    return (Read(answer) if stopped else NOTHING), lead.end()


def yes_no_claims(plain: str) -> Iterator[Claim]:
    """What sentences state: those that open with the word, draw a conclusion, or end with it."""
    claims = list(_sentences(plain))
    yield from claims
    offered, end = _opening(plain.lstrip()[:400])
    if claims and offered == _OFFERED:
        yield Claim(Read("yes"), LEAD, 0, end)


def _sentences(plain: str) -> Iterator[Claim]:
    for sentence in _SENTENCE.finditer(plain):
        words, start = sentence[0], sentence.start()
        read, end = _opening(words)
        if read.answer is not None and not words.endswith("?"):
            opens = not plain[:start].strip() and not _CONTRAST.search(plain[:600])
            yield Claim(read, LEAD, start, start + end, announced=opens)
        for pattern in (_HENCE, _SAY, _CALLED, _AFTER, _CLOSING, _BUT):
            for match in pattern.finditer(words):
                word = match["word"] or match.groupdict().get("late") or ""
                if is_own(words, match.start()) and not (pattern is _CLOSING and len(_ANY.findall(words)) > 1):
                    yield Claim(Read(word.lower()), LEAD, start + match.start(), start + match.end())
        for match in _OTHERWISE.finditer(words):
            other = _OPPOSITE[(match["word"] or match["quoted"]).lower()]
            yield Claim(Read(other), LEAD, start + match.start(), start + match.end())
    alone = _ALONE.match(plain)
    if alone and not _CONTRAST.search(plain):
        yield Claim(Read("yes" if alone["yes"] else "no"), LEAD, 0, alone.end())
    agreed = _AGREED.match(plain)
    if agreed and not _CONTRAST.search(plain):
        yield Claim(Read(_TRUTHS[agreed[1].lower()]), LEAD, 0, agreed.end())


def is_own(sentence: str, at: int) -> bool:
    """Whether the words at a place are the reply's own: not denied, not a guess, not what others say."""
    before = sentence[max(0, at - 120) : at]
    clause = before[max((turn.end() for turn in TURN.finditer(before)), default=0) :]
    return DOUBT.search(clause) is None and _NEGATED.search(before[-30:]) is None and not denied(sentence, at)
