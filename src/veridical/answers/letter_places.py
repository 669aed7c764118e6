"""Where a reply gives one option by its place, at its end, under a heading, or by a walk through all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers.letter_options import Options
from veridical.answers.letter_prose_words import (
    CLOSING,
    FITTING,
    JUDGED,
    LEFT_OVER,
    PLACED,
    SUPPOSED,
    UNFITTING,
    WALKED,
)
from veridical.answers.letter_words import (
    BY_ORDINAL,
    HEADED,
    IN_BRACKETS,
    NEGATIVE,
    OPEN,
    ORDINALS,
)
from veridical.answers.places import LEAD, STATED
from veridical.answers.reader import Read
from veridical.answers.settle import Claim, denied


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
        named = [options.letter(match) for match in options.pattern.finditer(sentence)]
        turned_down = re.search(
            r"\b(?:not|nor|neither|unlike|than|rather|instead|either|or|if|seems?|looks?|appears?|might|may|could|would"
            r"|wrong|incorrect)\b|n't\b",
            sentence,
            re.IGNORECASE,
        )
        *_, adjoining = None, *(match for match in options.pattern.finditer(sentence))
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
        named = {options.letter(match) for match in options.pattern.finditer(plain, last.end())}
        article = re.compile(r"(?:(?:the|only|an?) ){0,2}").match(plain, last.end())
        match = options.pattern.match(plain, last.end()) or options.pattern.match(
            plain, article.end() if article else last.end()
        )
        if match and len(named) == 1 and not plain[match.end() :].strip(" .!)\"'\n"):
            yield Claim(Read(named.pop()), LEAD, last.start(), match.end())
    label = HEADED.match(plain)
    headed = options.pattern.match(plain, label.end()) if label else None
    if label and headed and not SUPPOSED.search(label[0]) and names_one(options, plain):
        closes = re.match(r"[\"')]{0,2}\s{0,4}(?:[.!;(\n]|$)", plain[headed.end() : headed.end() + 8])
        if closes and not denied(plain, headed.start()) and not NEGATIVE.search(label[0]):
            yield Claim(Read(options.letter(headed)), LEAD, 0, headed.end())
    judged = {verdict["letter"]: verdict["yes"] is not None for verdict in JUDGED.finditer(plain)}
    chosen = [letter for letter, yes in judged.items() if yes]
    if len(chosen) == 1 and len(judged) == len(options.texts) and options.has(max(judged)):
        yield Claim(Read(chosen[0]), STATED, 0, len(plain))


def names_one(options: Options, plain: str) -> bool:
    """Whether a reply names one option and no other."""
    return len({options.letter(match) for match in options.pattern.finditer(plain)}) == 1


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
