"""Where prose settles on one option by its text or by its place: "so it's a sphere", "the last one", "noon (B)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.contrast import held
from veridical.answers.letter_options import Options
from veridical.answers.letter_prose_words import (
    CLEFT,
    COMPARATIVE,
    ENDED,
    INTRODUCED,
    LABELED,
    PREDICATE,
    SEEMING,
    SINGLED_OUT,
    SUPPOSED,
)
from veridical.answers.letter_words import (
    COMPARED,
    FLAT,
    OPEN,
    SENTENCE,
)
from veridical.answers.places import LEAD, STATED
from veridical.answers.prepare import Prepared
from veridical.answers.reader import Read
from veridical.answers.settle import Claim, denied

_SENTENCES = 60


def claims_in_prose(options: Options, plain: str) -> Iterator[Claim]:
    """What the first or the last sentence states of one option, where no other option is stated anywhere."""
    sentences = list(_sentences(plain))
    if not sentences or len(sentences) > _SENTENCES or LABELED.search(plain):
        return
    named = {options.letter(match) for sentence in sentences for match in _held_in(options, sentence[0])}
    for index in sorted({0, len(sentences) - 1}):
        sentence = sentences[index]
        if OPEN.search(sentence[0]) or SUPPOSED.search(sentence[0]):
            continue
        for match in _held_in(options, sentence[0]):
            alone = len(named) == 1 and (options.plain_words or index == len(sentences) - 1)
            if _is_cleft(sentence[0], match) or (
                alone and (_is_predicate(sentence[0], match) or _is_clause(sentence[0], match))
            ):
                yield Claim(Read(options.letter(match)), LEAD, sentence.start(), sentence.end())
                break


def _sentences(plain: str) -> Iterator[re.Match[str]]:
    return (sentence for sentence in SENTENCE.finditer(plain) if any(sign.isalnum() for sign in sentence[0]))


def _held_in(options: Options, sentence: str) -> Iterator[re.Match[str]]:
    """Options that a sentence names as what is so: not denied, not supposed, not only seeming."""
    if SUPPOSED.search(sentence):
        return
    span = held(sentence)
    for match in options.pattern.finditer(sentence):
        if re.search(r"\bthan (?:the )?$", sentence[max(0, match.start() - 9) : match.start()], re.IGNORECASE):
            continue
        if (span is None or span[0] <= match.start() < span[1]) and not denied(sentence, match.start()):
            yield match


def _is_predicate(sentence: str, match: re.Match[str]) -> bool:
    """Whether the option is what a sentence says that something is: "the animal is a dog, as can be seen"."""
    flat = match[0].casefold() in FLAT
    before, after = (re.split(r"[,:;]", part) for part in (sentence[: match.start()], sentence[match.end() :]))
    rest = re.sub(r"^\W{0,4}both\b", "", before[-1], flags=re.IGNORECASE) + " " + after[0]
    return (
        not flat
        and PREDICATE.search(sentence, max(0, match.start() - 60), match.start()) is not None
        and ENDED.match(sentence, match.end()) is not None
        and COMPARED.search(rest) is None
        and SEEMING.search(sentence, 0, match.start()) is None
    )


def _is_clause(sentence: str, match: re.Match[str]) -> bool:
    """Whether an option that is a clause of its own stands where a sentence makes its statement."""
    clause = len(match[0].split()) >= 3
    if not clause and len(sentence.split()) <= 8:
        return (
            re.fullmatch(r"\W{0,4}(?:the )?", sentence[: match.start()], re.IGNORECASE) is not None
            and COMPARATIVE.fullmatch(sentence, match.end()) is not None
        )
    return (
        clause
        and _opens_statement(sentence, match)
        and (ENDED.match(sentence, match.end()) or re.match(r" than\b", sentence[match.end() :][:6])) is not None
    )


def _is_cleft(sentence: str, match: re.Match[str]) -> bool:
    """Whether a sentence singles the option out: "it is the left one that differs", "figure 2 is the odd one out"."""
    if match[0].casefold() in FLAT:
        return False
    cleft = CLEFT.search(sentence, max(0, match.start() - 30), match.start())
    if cleft and re.match(r" (?:that|which|who|whose)\b", sentence[match.end() :][:7]):
        return True
    return _opens_statement(sentence, match) and SINGLED_OUT.match(sentence, match.end()) is not None


def _opens_statement(sentence: str, match: re.Match[str]) -> bool:
    """Whether an option stands where a sentence, or what it concludes or holds against something, begins."""
    span = held(sentence)
    hence = re.search(
        r"(?:^|, |; )(?:so|hence|thus|therefore|and|but) (?:the )?$", sentence[: match.start()][-30:], re.IGNORECASE
    )
    explained = sentence[: match.start()].endswith((": ", ": the ")) and SEEMING.search(sentence) is None
    return (
        hence is not None
        or explained
        or INTRODUCED.fullmatch(sentence, span[0] if span else 0, match.start()) is not None
    )


def contradicted(options: Options, reply: Prepared, answer: str) -> bool:
    """Whether the sentence before the stated answer names another option: "It is a pear. Answer: C (plum)"."""
    stated = [place for place in reply.statements if place.rank >= STATED]
    if not stated or reply.cues or not options.plain_words:
        return False
    before = reply.plain[: stated[-1].start]
    before = before[: max(before.rfind("\n"), before.rfind(". ")) + 1]
    named = {options.letter(match) for match in options.pattern.finditer(before)}
    sentences = list(_sentences(before[-600:]))
    if len(named) != 1 or named == {answer} or not sentences:
        return False
    last = sentences[-1][0]
    return not OPEN.search(last) and any(
        _is_predicate(last, match) and not last[match.end() :].strip(" .!\"')") for match in _held_in(options, last)
    )
