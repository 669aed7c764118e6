"""Where prose settles on one option by its text or by its place: "so it's a sphere", "the last one", "noon (B)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.contrast import held
from veridical.answers.letter_options import Options
from veridical.answers.letter_words import (
    BY_ORDINAL,
    CLEFT,
    CLOSING,
    COMPARATIVE,
    COMPARED,
    ENDED,
    FITTING,
    FLAT,
    HEADED,
    IN_BRACKETS,
    INTRODUCED,
    JUDGED,
    LABELED,
    LEFT_OVER,
    NEGATIVE,
    OPEN,
    ORDINALS,
    PLACED,
    PREDICATE,
    SEEMING,
    SENTENCE,
    SINGLED_OUT,
    SUPPOSED,
    UNFITTING,
    WALKED,
)
from veridical.answers.prepare import LEAD, STATED, Prepared
from veridical.answers.reader import Read
from veridical.answers.settle import Claim, denied

_SENTENCES = 60


def told(options: Options, plain: str) -> Iterator[Claim]:
    """What the first or the last sentence states of one option, where no other option is stated anywhere."""
    sentences = list(_sentences(plain))
    if not sentences or len(sentences) > _SENTENCES or LABELED.search(plain):
        return
    named = {options.letter(found) for sentence in sentences for found in _held_in(options, sentence[0])}
    for index in sorted({0, len(sentences) - 1}):
        sentence = sentences[index]
        if OPEN.search(sentence[0]) or SUPPOSED.search(sentence[0]):
            continue
        for found in _held_in(options, sentence[0]):
            alone = len(named) == 1 and (options.plain_words or index == len(sentences) - 1)
            if _is_cleft(sentence[0], found) or (
                alone and (_is_predicate(sentence[0], found) or _is_clause(sentence[0], found))
            ):
                yield Claim(Read(options.letter(found)), LEAD, sentence.start(), sentence.end())
                break


def _sentences(plain: str) -> Iterator[re.Match[str]]:
    return (sentence for sentence in SENTENCE.finditer(plain) if any(sign.isalnum() for sign in sentence[0]))


def _held_in(options: Options, sentence: str) -> Iterator[re.Match[str]]:
    """Options that a sentence names as what is so: not denied, not supposed, not only seeming."""
    if SUPPOSED.search(sentence):
        return
    span = held(sentence)
    for found in options.pattern.finditer(sentence):
        if re.search(r"\bthan (?:the )?$", sentence[max(0, found.start() - 9) : found.start()], re.IGNORECASE):
            continue
        if (span is None or span[0] <= found.start() < span[1]) and not denied(sentence, found.start()):
            yield found


def _is_predicate(sentence: str, found: re.Match[str]) -> bool:
    """Whether the option is what a sentence says that something is: "the animal is a dog, as can be seen"."""
    flat = found[0].casefold() in FLAT
    before, after = (re.split(r"[,:;]", part) for part in (sentence[: found.start()], sentence[found.end() :]))
    rest = re.sub(r"^\W{0,4}both\b", "", before[-1], flags=re.IGNORECASE) + " " + after[0]
    return (
        not flat
        and PREDICATE.search(sentence, max(0, found.start() - 60), found.start()) is not None
        and ENDED.match(sentence, found.end()) is not None
        and COMPARED.search(rest) is None
        and SEEMING.search(sentence, 0, found.start()) is None
    )


def _is_clause(sentence: str, found: re.Match[str]) -> bool:
    """Whether an option that is a clause of its own stands where a sentence makes its statement."""
    clause = len(found[0].split()) >= 3
    if not clause and len(sentence.split()) <= 8:
        return (
            re.fullmatch(r"\W{0,4}(?:the )?", sentence[: found.start()], re.IGNORECASE) is not None
            and COMPARATIVE.fullmatch(sentence, found.end()) is not None
        )
    return (
        clause
        and _opens_statement(sentence, found)
        and (ENDED.match(sentence, found.end()) or re.match(r" than\b", sentence[found.end() :][:6])) is not None
    )


def _is_cleft(sentence: str, found: re.Match[str]) -> bool:
    """Whether a sentence singles the option out: "it is the left one that differs", "figure 2 is the odd one out"."""
    if found[0].casefold() in FLAT:
        return False
    cleft = CLEFT.search(sentence, max(0, found.start() - 30), found.start())
    if cleft and re.match(r" (?:that|which|who|whose)\b", sentence[found.end() :][:7]):
        return True
    return _opens_statement(sentence, found) and SINGLED_OUT.match(sentence, found.end()) is not None


def _opens_statement(sentence: str, found: re.Match[str]) -> bool:
    """Whether an option stands where a sentence, or what it concludes or holds against something, begins."""
    span = held(sentence)
    hence = re.search(
        r"(?:^|, |; )(?:so|hence|thus|therefore|and|but) (?:the )?$", sentence[: found.start()][-30:], re.IGNORECASE
    )
    explained = sentence[: found.start()].endswith((": ", ": the ")) and SEEMING.search(sentence) is None
    return (
        hence is not None
        or explained
        or INTRODUCED.fullmatch(sentence, span[0] if span else 0, found.start()) is not None
    )


def placed(options: Options, plain: str) -> Iterator[Claim]:
    """Options given by their place ("the last one") or in brackets at the end ("around noon (B).")."""
    if not any(re.search(r"\b(?:first|second|third|last)\b", text) for text in options.texts):
        whole = PLACED.fullmatch(plain[:80]) if len(plain) <= 80 else None
        for which in (*BY_ORDINAL.finditer(plain), *((whole,) if whole else ())):
            last = which["which"].lower() == "last"
            letter = chr(ord("A") + (len(options.texts) - 1 if last else ORDINALS.index(which["which"].lower())))
            if options.has(letter):
                yield Claim(Read(letter), STATED, which.start(), which.end())
    end = re.search(r"\((?:option |answer |choice )?([A-Z])\)[\"')]?\s{0,3}[.!]?\s{0,9}\Z", plain[-40:])
    if end and options.has(end[1]):
        start = max(0, len(plain) - 40) + end.start()
        sentence = re.split(r"[.!?\n]", plain[max(0, start - 400) : start])[-1]
        named = [options.letter(found) for found in options.pattern.finditer(sentence)]
        turned_down = re.search(
            r"\b(?:not|nor|neither|unlike|than|rather|instead|either|or|if|seems?|looks?|appears?|might|may|could|would"
            r"|wrong|incorrect)\b|n't\b",
            sentence,
            re.IGNORECASE,
        )
        *_, adjoining = None, *(found for found in options.pattern.finditer(sentence))
        adjoins = adjoining is not None and not sentence[adjoining.end() :].strip(" \"'")
        beside = {options.letter(adjoining)} if adjoining and adjoins else set(named)
        if not turned_down and beside <= {end[1]} and not IN_BRACKETS.search(sentence):
            yield Claim(Read(end[1]), LEAD, start, len(plain))


def ending(options: Options, plain: str) -> Iterator[Claim]:
    """What the last words state: a letter alone ("..., D."), a conclusion that names one option, one yes of all."""
    at = max(0, len(plain) - 300)
    closing = CLOSING.search(plain, at)
    taken_back = closing and re.search(
        r"\b(?:wait|hm+|no)\W*\Z", plain[max(0, closing.start() - 12) : closing.start() + 1], re.I
    )
    if (
        closing
        and not taken_back
        and options.has(closing[1])
        and not OPEN.search(plain[max(at, closing.start() - 60) : closing.start()])
    ):
        yield Claim(Read(closing[1]), LEAD, closing.start(), closing.end())
    last = LEFT_OVER.search(plain, at)
    if last:
        named = {options.letter(found) for found in options.pattern.finditer(plain, last.end())}
        article = re.compile(r"(?:(?:the|only|an?) ){0,2}").match(plain, last.end())
        found = options.pattern.match(plain, last.end()) or options.pattern.match(
            plain, article.end() if article else last.end()
        )
        if found and len(named) == 1 and not plain[found.end() :].strip(" .!)\"'\n"):
            yield Claim(Read(named.pop()), LEAD, last.start(), found.end())
    label = HEADED.match(plain)
    headed = options.pattern.match(plain, label.end()) if label else None
    if label and headed and not SUPPOSED.search(label[0]) and names_one(options, plain):
        closes = re.match(r"[\"')]{0,2}\s{0,4}(?:[.!;(\n]|$)", plain[headed.end() : headed.end() + 8])
        if closes and not denied(plain, headed.start()) and not NEGATIVE.search(label[0]):
            yield Claim(Read(options.letter(headed)), LEAD, 0, headed.end())
    judged = {said["letter"]: said["yes"] is not None for said in JUDGED.finditer(plain)}
    chosen = [letter for letter, yes in judged.items() if yes]
    if len(chosen) == 1 and len(judged) == len(options.texts) and options.has(max(judged)):
        yield Claim(Read(chosen[0]), STATED, 0, len(plain))


def names_one(options: Options, plain: str) -> bool:
    """Whether a reply names one option and no other."""
    return len({options.letter(found) for found in options.pattern.finditer(plain)}) == 1


def walked_through(options: Options, plain: str) -> Iterator[Claim]:
    """The one option that fits where a reply judges each on a line of its own."""
    judged: dict[str, bool | None] = {}
    for line in WALKED.finditer(plain):
        fits, fails = FITTING.search(line["said"]), UNFITTING.search(line["said"])
        judged[line["letter"]] = False if fails else True if fits else None
    fitting = [letter for letter, fits in judged.items() if fits]
    complete = len(judged) == len(options.texts) and options.has(max(judged, default="Z"))
    if complete and len(fitting) == 1 and None not in judged.values():
        yield Claim(Read(fitting[0]), STATED, 0, len(plain))


def contradicted(options: Options, reply: Prepared, answer: str) -> bool:
    """Whether the sentence before the stated answer names another option: "It is a pear. Answer: C (plum)"."""
    stated = [place for place in reply.statements if place.rank >= STATED]
    if not stated or reply.cues or not options.plain_words:
        return False
    before = reply.plain[: stated[-1].start]
    before = before[: max(before.rfind("\n"), before.rfind(". ")) + 1]
    named = {options.letter(found) for found in options.pattern.finditer(before)}
    sentences = list(_sentences(before[-600:]))
    if len(named) != 1 or named == {answer} or not sentences:
        return False
    last = sentences[-1][0]
    return not OPEN.search(last) and any(
        _is_predicate(last, found) and not last[found.end() :].strip(" .!\"')") for found in _held_in(options, last)
    )
