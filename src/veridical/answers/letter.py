"""The letter of one of several options, given by letter, by the option's text, or by both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.answers import letter_words as words
from veridical.answers.impression import held_part
from veridical.answers.integer import read_integer
from veridical.answers.letter_prose import (
    SUPPOSED,
    claims_in_prose,
    ending,
    names_other_option,
    place_claims,
    walkthrough_claims,
)
from veridical.answers.letter_words import OptionTexts
from veridical.answers.places import LEAD, SENTENCES, STATED
from veridical.answers.prepare import prepare
from veridical.answers.reader import ParsedAnswer, Parser, Reader, options_reader
from veridical.answers.settle import NOTHING, AnswerClaim, follows_denial, is_short_statement, read_by_rule
from veridical.answers.yes_no import read_yes_no


def letter_reader(*options: str) -> Parser:
    """A reader of the option letter ("A" for the first text, at most 26); its name tells the number of the options.

    The option's text stands for its letter where the reply is that text, opens with it as a sentence of its own, or is
    one short sentence that names no other option and compares nothing. A letter beside another option's text, a letter
    beyond the options, two letters and a list of the options are not resolved. Which of several stated answers counts
    is told in `veridical.answers.settle`. Raises `ValueError` on fewer than two, or on equal or empty texts.

    >>> read = letter_reader("the left line", "the right line", "they are equal").read
    >>> read("The answer is (C).").answer, read("They are equal.").answer, read("A or B").answer
    ('C', 'C', None)
    >>> read("A. the right line").reason
    'the letter A stands beside the text of option B'
    """
    texts = [" ".join(option.split()).casefold().strip(" .") for option in options]
    if not 2 <= len(texts) <= 26 or len(set(texts)) < len(texts) or not all(texts):
        raise ValueError(f"the options {options} are not 2 to 26 different texts")
    choice = _Options(tuple(texts))

    def read(text: str) -> ParsedAnswer:
        text = words.QUESTION.sub("Answer: ", text)
        reading = read_by_rule(text, choice.slot, choice.whole, "option letter", choice.claims)
        if reading.answer is None and {"yes", "no"} <= {*texts} and not words.MENTION.search(text):
            said = read_yes_no(text).answer
            reading = ParsedAnswer(chr(ord("A") + texts.index(said))) if said else reading
        if reading.answer is not None and (
            names_other_option(choice, prepare(text), reading.answer) or choice.counts_another(text, reading.answer)
        ):
            return ParsedAnswer(None, "the sentence before the stated letter names another option")
        return reading

    return Parser(f"option-letter: {len(texts)} options", "7", read)


@dataclass(frozen=True)
class _Options(OptionTexts):
    def slot(self, content: str, alone: bool) -> ParsedAnswer:
        by_letter = self.by_letter(content, alone)
        if by_letter != NOTHING:
            return by_letter
        opening = self.pattern.match(content, len(content) - len(content.lstrip(" \t\n\"'([:-")))
        if opening:
            rest = content[opening.end() : opening.end() + 200]
            if words.EMPTY.match(rest):
                return self.named(content)
            after = re.match(r"[\"')\].,;:!。 ]{0,6}", rest)
            if not rest[after.end() if after else 0 :].strip():
                return ParsedAnswer(self.letter(opening))
            open_ = not (words.CLOSED.match(rest) or words.REASON.match(rest))
            if alone or (opening[0].casefold() in words.FLAT and open_):
                return NOTHING
            other = re.match(r"\W{0,4}(?:(?:or|and|oder|und|ou|et|o|y)\b|/|,|或|和)\W{0,4}", rest)
            if not (other and self.pattern.match(rest, other.end())):
                return ParsedAnswer(self.letter(opening))
        if alone:
            return NOTHING
        read = self.named(content)
        return self.by_count(content) if read == NOTHING else read

    def by_letter(self, content: str, alone: bool) -> ParsedAnswer:
        """The letter that opens a place, unless it is an article, one of several, or beside another option's text."""
        if len({mark[1] for mark in words.MARKED.finditer(content[:400])}) > 1:
            return ParsedAnswer(None, "several options are ticked")
        opening = words.OPENING.match(content)
        if opening is None:
            return NOTHING
        letter, rest = opening[1].upper(), content[opening.end() : opening.end() + 300]
        lone = not any(sign.isalnum() or sign == "?" for sign in words.AFTERTHOUGHT.sub("", rest))
        if opening[1].islower() and not lone and not rest.startswith((")", "]", ".", ":")):
            return NOTHING
        beside = self.pattern.match(rest, len(rest) - len(rest.lstrip(" \t\n\"').:;,]-—(")))
        own = beside is not None and self.letter(beside) == letter and self.has(letter)
        if not (words.CLOSED.match(rest) or words.REASON.match(rest) or own):
            return NOTHING
        another = words.ANOTHER.match(rest)
        if another and another[1] != letter:
            return ParsedAnswer(None, "several letters are given")
        if alone and not lone and not (beside is not None and not rest[beside.end() :].strip(" .)\"'!")):
            return NOTHING
        if not self.has(letter):
            return ParsedAnswer(None, f"there is no option {letter}")
        if beside is not None and not own:
            return ParsedAnswer(None, f"the letter {letter} stands beside the text of option {self.letter(beside)}")
        again = words.NEXT.match(rest, beside.end()) if beside else None
        if again and (text := self.pattern.match(rest, again.end())) and self.letter(text) == again[1]:
            return ParsedAnswer(None, "the options are listed")
        return NOTHING if not own and not alone and words.REJECTED.match(rest) else ParsedAnswer(letter)

    def named(self, text: str) -> ParsedAnswer:
        """The one option whose text stands in a text and is not denied."""
        named = {
            self.letter(match)
            for match in self.pattern.finditer(text)
            if not follows_denial(text, match.start()) and not words.EMPTY.match(text, match.end())
        }
        if len(named) > 1:
            return ParsedAnswer(None, "several options are named")
        if {self.texts[ord(letter) - ord("A")] for letter in named} & {"yes", "no"}:
            return NOTHING
        letters = {mention[1] for mention in words.MENTION.finditer(text) if self.has(mention[1])}
        if not named or letters - named:
            return NOTHING
        return ParsedAnswer(named.pop())

    def whole(self, plain: str) -> ParsedAnswer:
        doubled = words.DOUBLED.fullmatch(plain)
        letter = self.by_letter(doubled[1] if doubled else plain.strip(), True)
        if letter == NOTHING:
            letter = self.by_count(plain)
        if letter != NOTHING:
            return letter
        reasoned = words.REASONED.match(plain)
        if reasoned and self.has(reasoned[1]):
            return self.by_letter(plain, False)
        label = words.HEADED.match(plain)
        if label and words.NEGATIVE.search(label[0]):
            return NOTHING
        if not is_short_statement(plain) or len(plain.split()) > 16 or words.NOT_PLAIN.search(plain):
            return NOTHING
        rest = self.pattern.sub("…", plain)
        compared = words.COMPARED.search(rest) and not words.LOOKED.match(plain)
        return NOTHING if compared or words.ELSEWHERE.search(rest) or SUPPOSED.search(rest) else self.named(plain)

    def by_count(self, plain: str) -> ParsedAnswer:
        """The option that is the number of a reply in words, where options are numbers: "There are seven legs"."""
        named = words.MENTION.search(plain) or self.pattern.search(plain) or words.OPEN.search(plain)
        if named or sum(text.isdecimal() for text in self.texts) < len(self.texts) - 1:
            return NOTHING
        count = read_integer(plain).answer
        return ParsedAnswer(chr(ord("A") + self.texts.index(count))) if count in self.texts else NOTHING

    def counts_another(self, text: str, answer: str) -> bool:
        """Whether a short statement before the stated letter gives the number of another option."""
        reply = prepare(text)
        stated = [place.start for place in reply.statements if place.rank >= STATED]
        before = reply.plain[: stated[-1]] if stated and not reply.cues else ""
        before = before[: max(before.rfind("\n"), before.rfind(". ")) + 1]
        lines = [line for line in re.split(r"\n|(?<=[.!?])\s", before) if any(sign.isalnum() for sign in line)]
        if len(lines) != 1 or not is_short_statement(lines[0]):
            return False
        counted = read_integer(lines[0]).answer
        return counted in self.texts and self.texts[ord(answer) - ord("A")] != counted

    def claims(self, plain: str) -> Iterator[AnswerClaim]:
        for line in words.LINE.finditer(plain):
            end = plain.find("\n", line.start(), line.start() + 300)
            content = plain[line.start() : end if end >= 0 else line.start() + 300]
            read = self.by_letter(content, False)
            if read.answer is not None:
                yield AnswerClaim(read, LEAD, line.start(), line.end())
        yield from self.turned(plain)
        for choice in words.CHOICE.finditer(plain):
            name = choice.lastgroup or "a"
            letter, start = choice[name].upper(), choice.start(name)
            another = words.ANOTHER.match(plain, start + 1)
            own = _is_held(plain, start) and not (
                follows_denial(plain, start) or words.NONE_OF.search(plain[max(0, start - 60) : start])
            )
            if own and self.has(letter) and not (another and another[1] != letter):
                yield AnswerClaim(ParsedAnswer(letter), LEAD if name == "g" else STATED, choice.start(), choice.end())
        for more in (ending, claims_in_prose, place_claims, walkthrough_claims):
            yield from more(self, plain)
        opening = re.match(r"[\s\"'(]{0,8}", plain)
        match = self.pattern.match(plain, opening.end() if opening else 0)
        flat = match is not None and match[0].casefold() in words.FLAT
        stop = r"[\"')]{0,2}(?:[.!。\n]|,)" if flat else r"[\"')]{0,2}(?:[.!。\n]|, (?:since|because|as|given|for)\b)"
        if match and re.match(stop, plain[match.end() :][:10]):
            yield AnswerClaim(ParsedAnswer(self.letter(match)), LEAD, match.start(), match.end())

    def turned(self, plain: str) -> Iterator[AnswerClaim]:
        """What is set against appearance, the option ticked alone, "the third option", letters called wrong."""
        for sentence in SENTENCES.finditer(plain):
            span = held_part(sentence[0])
            own = sentence[0][slice(*span)] if span else ""
            letters = {letter for letter in words.IN_BRACKETS.findall(own) if self.has(letter)}
            opens = self.by_letter(own.strip(), True).answer if own else None
            texts = {
                self.letter(match) for match in self.pattern.finditer(own) if not follows_denial(own, match.start())
            }
            named = {opens} if opens else letters or texts
            compared = words.COMPARED.search(own) and not letters and not opens
            if len(named) == 1 and not words.OPEN.search(sentence[0]) and not compared:
                yield AnswerClaim(ParsedAnswer(named.pop()), LEAD, sentence.start(), sentence.end(), instead=True)
        ticks = [tick for tick in words.TICKED.finditer(plain) if self.has(tick["letter"])]
        ticked = [tick for tick in ticks if tick["mark"] in "✓✔✅☑"]
        if len(ticked) == 1 and len({mark[1] for mark in words.MARKED.finditer(plain)}) < 2:
            yield AnswerClaim(ParsedAnswer(ticked[0]["letter"]), STATED, ticked[0].start(), ticked[0].end())
        for wrong in words.DENIED.finditer(plain):
            yield AnswerClaim(NOTHING, LEAD, wrong.start(), wrong.end(), denies=wrong[wrong.lastgroup or "a"])


def _is_held(plain: str, at: int) -> bool:
    """Whether the sentence around a place does not set it aside: "B seems right at first, but it is C"."""
    start = max(plain.rfind(sign, max(0, at - 600), at) for sign in ".!?\n") + 1
    sentence = SENTENCES.match(plain, start)
    span = held_part(sentence[0]) if sentence else None
    return span is None or span[0] <= at - start < span[1]


OPTION_LETTER = Reader(name="option-letter", version="7", parse=options_reader(letter_reader))
"""Reads the letter of one of the trial's own `options`, by letter or by the option's text."""
