"""A reply as sentences, clauses and words in plain form, each with whether it is denied or set aside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from veridical.answers.number_words import OBJECTS
from veridical.answers.numbers import write_digits
from veridical.answers.prepare import prepare
from veridical.judges.rule_words import is_english, words

_ORDINALS = {word: place for place, word in enumerate(words().ordinals, 1)}
_ORDINAL = re.compile(rf"\b(?:({'|'.join(_ORDINALS)})|(\d+)(?:st|nd|rd|th))\b")
_COUNTED = (
    (re.compile(r"\bonce\b"), "1 times"),
    (re.compile(r"\btwice\b"), "2 times"),
    (re.compile(r"\bthrice\b"), "3 times"),
    (re.compile(r"\b(?:only|just|exactly) one\b|^\W*one\W*$"), "1"),
    (re.compile(r"[$] ?(\d[\d,.]*)"), r"\1 dollar"),
    (re.compile(r"\u20ac ?(\d[\d,.]*)"), r"\1 euro"),
    (re.compile(r"(?<=\d) ?\u00b0"), " degree "),
    (re.compile(r"\bhalf past (\d{1,2})\b"), r"\1:30"),
    (re.compile(r"\b(\d{1,2}) o'clock\b"), r"\1:00"),
)
_MINUS = re.compile(r"\b(?:minus|negative) (?=\w)")
_PAST = re.compile(r"\b(\d{1,2}|quarter)(?: minutes)? (past|to) (\d{1,2})\b(?!:)")
_SHORTENED = re.compile(r"\b(ca|wo)n't\b|n't\b|\bcannot\b")
_ELIDED = re.compile(r"\b(?:l|d|qu|un)'(?=\w)")
_TOKEN = re.compile(r"(?:(?<!\w)-)?\d+(?:[:.,]\d+)*|[^\W\d]+(?:['-][^\W\d]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+|[\u3002\uff01\uff1f]")
_CLAUSE = re.compile(
    r"[;:,()\uff0c\uff1b\u3001](?!\d)|\s[-\u2013\u2014]\s|\b(?:but|yet|while|whereas|because|since|although|though|however)\b"
)
_BUT = re.compile(
    r"\b(?:any|every)(?:thing|one|body|where) (?:but|except|other than)\b|\b(?:other|apart) (?:than|from)\b"
)
_DENIES = re.compile(
    r"\b(?:not|no longer|no|never|without|except|instead of|rather than|unlike|nor|neither(?= \w+ nor)|than|ignores?"
    r"|nicht|kein|keine|keinen|pas|non|ne|sino)\b(?! (?:only|doubt|wonder|just)\b)"
)


@dataclass(frozen=True, slots=True)
class PhraseWord:
    """A word: as it stands in the text (small letters), in plain form, and whether it is denied or set aside."""

    text: str
    form: str
    denied: bool


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence as its plain text (numbers in digits, phrases as one word) and its clauses."""

    text: str
    clauses: tuple[tuple[PhraseWord, ...], ...]

    @cached_property
    def asserted(self) -> frozenset[str]:
        """Content words, in plain form, that are not denied."""
        return frozenset(word.form for clause in self.clauses for word in content(clause) if not word.denied)

    @cached_property
    def denied(self) -> frozenset[str]:
        """Content words, in plain form, that are denied and nowhere asserted."""
        named = frozenset(word.form for clause in self.clauses for word in content(clause) if word.denied)
        return named - self.asserted


def content(clause: tuple[PhraseWord, ...]) -> Iterator[PhraseWord]:
    """The words of a clause that carry content."""
    stop = words().stop
    return (word for word in clause if word.text not in stop and word.form not in stop)


def sentences(text: str) -> list[ParsedSentence]:
    """The sentences of a reply that have a word, without its thinking.

    >>> first, = sentences("It isn't red any more but green.")
    >>> sorted(first.asserted), sorted(first.denied)
    (['green'], ['red'])
    """
    plain = prepare(text).plain.replace("\u00ad", "")
    return [sentence for part in _SENTENCE.split(plain) if (sentence := _sentence(part)).clauses]


def forms(text: str) -> list[str]:
    """The content words of a text such as a question or a gold answer, in plain form and in order.

    >>> forms("under the leftmost cup"), forms("ten past ten")
    (['under', 'left', 'cup'], ['10:10'])
    """
    clauses = _sentence(text, keep=True).clauses
    return list(dict.fromkeys(word.form for clause in clauses for word in content(clause)))


def _sentence(part: str, *, keep: bool = False) -> ParsedSentence:
    """A sentence; nothing counts as denied in what is to be kept as it is."""
    text = _plain(part)
    english = is_english(_TOKEN.findall(text)) or keep
    clauses = (tuple(_words(clause, english=english, keep=keep)) for clause in _CLAUSE.split(text))
    return ParsedSentence(text, tuple(clause for clause in clauses if clause))


def _words(clause: str, *, english: bool, keep: bool) -> Iterator[PhraseWord]:
    denial = None if keep else _DENIES.search(clause)
    for token in _TOKEN.finditer(clause):
        text = token[0]
        translated = None if english else words().foreign(text)
        form = text.replace(",", "") if text[-1].isdigit() else translated or words().form(text)
        yield PhraseWord(text, form, denial is not None and token.start() >= denial.end())


def _plain(part: str) -> str:
    """A text in small letters with numbers in digits, times as 10:10, and phrases as one word."""
    text = part.lower()
    text = _SHORTENED.sub(lambda match: {"ca": "can not", "wo": "will not"}.get(match[1] or "", " not"), text)
    text = _ELIDED.sub("", text.replace("'s ", " s "))
    text = _ORDINAL.sub(_ordinal, text)
    text = _MINUS.sub("-", text)
    pairs = {match.start() for match in OBJECTS.finditer(text)}
    text = re.sub(r"\bpair of (?!\w+ of)", lambda match: "" if match.start() in pairs else "2 ", text)
    text = write_digits(text)
    for pattern, instead in _COUNTED:
        text = pattern.sub(instead, text)
    text = _PAST.sub(_time, text)
    text = _BUT.sub("except", text)
    return words().phrases.sub(lambda match: words().of_phrase[match[0]], text)


def _ordinal(match: re.Match[str]) -> str:
    """An ordinal as a number; "second" stays what it is, for it may mean another one."""
    if match[1] == "second":
        return "second"
    return str(_ORDINALS[match[1]]) if match[1] else match[2]


def _time(match: re.Match[str]) -> str:
    minutes, hour = 15 if match[1] == "quarter" else int(match[1]), int(match[3])
    if match[2] == "past":
        return f"{hour}:{minutes:02d}"
    return f"{hour - 1 or 12}:{60 - minutes:02d}"
