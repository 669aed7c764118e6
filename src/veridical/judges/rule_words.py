"""Words in their plain form: inflection taken off, synonyms as one, kinds of things, words of other languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_IRREGULAR = {"men": "man", "women": "woman", "is": "be", "are": "be", "was": "be", "were": "be", "has": "have"}
_KEPT = frozenset({"glass", "always", "less", "news", "nothing", "something", "anything", "ring", "king", "across"})
_VOWEL = re.compile(r"[aeiouy]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENGLISH = frozenset(
    {"the", "is", "are", "was", "it", "he", "she", "they", "of", "and", "with", "not", "its", "his", "her"}
    | {"there", "that", "this", "from", "at", "an"}
)


def stem(word: str) -> str:
    """A word of English without what inflection adds; words that inflect alike share their stem.

    >>> [stem(word) for word in ("smiles", "smiling", "smiled", "boxes", "berries", "berry", "stopped", "glass")]
    ['smil', 'smil', 'smil', 'box', 'berri', 'berri', 'stop', 'glass']
    """
    word = _IRREGULAR.get(word, word)
    if word in _KEPT or not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 - (ending == "s") and _VOWEL.search(root) and not word.endswith("ss"):
            if ending in ("ied", "ies", "y"):
                return root + "i"
            word = root
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@dataclass(frozen=True)
class Words:
    """What is known of words, all in plain form.

    `plain` has the plain form of each word that has a synonym, `phrases` finds phrases that stand for one word, `names`
    has for each word the names above it (of "owl": "bird" and "animal"), `kinds` has all such names, `opposite` the
    words that exclude a word, `general` what names nothing, `translated` words of other languages, `may_mean` a second
    meaning of a word, `stop` words without content.
    """

    plain: Mapping[str, str]
    phrases: re.Pattern[str]
    of_phrase: Mapping[str, str]
    names: Mapping[str, Set[str]]
    kinds: Set[str]
    opposite: Mapping[str, Set[str]]
    general: Set[str]
    translated: Mapping[str, str]
    may_mean: Mapping[str, str]
    stop: Set[str]
    ordinals: Sequence[str]

    def form(self, word: str) -> str:
        """The plain form of an English word."""
        return self.plain.get(word) or self.plain.get(stem(word)) or stem(word)

    def knows(self, form: str) -> bool:
        """Whether anything is known of a word in plain form, so that its synonyms would have been seen."""
        return form in self.names or form in self.kinds or form in self.opposite

    def above(self, name: str, form: str) -> bool:
        """Whether one word is a name for what another one is ("bird" for "owl")."""
        return name in self.names.get(form, ())

    def rivals(self, one: str, other: str) -> bool:
        """Whether at most one of two words is the answer: opposites, or two of one kind."""
        if one == other or self.above(one, other) or self.above(other, one):
            return False
        return other in self.opposite.get(one, ()) or bool(self.names.get(one, set()) & self.names.get(other, set()))

    def foreign(self, word: str) -> str | None:
        """The plain form of a word of another language, or `None`; a text without spaces is searched."""
        if _CJK.search(word):
            held = [each for each in self.translated if each in word and _CJK.search(each)]
            return self.translated[max(held, key=len)] if held else None
        return self.translated.get(word)


def is_english(tokens: Iterable[str]) -> bool:
    """Whether one of the commonest words of English is among these."""
    return not _ENGLISH.isdisjoint(tokens)


@cache
def words() -> Words:
    """The words of `words.toml`.

    >>> known = words()
    >>> known.form("bunnies"), known.above("bird", "owl"), known.rivals("red", "blu"), known.foreign("eule")
    ('rabbit', True, True, 'owl')
    """
    stored = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    plain, of_phrase = _synonyms(stored["same"])

    def form(word: str) -> str:
        return plain.get(word) or plain.get(stem(word)) or stem(word)

    names: dict[str, set[str]] = {}
    for kind, listed in stored["kinds"].items():
        for each in listed.split():
            names.setdefault(form(each), set()).add(form(kind))
    for _ in range(_DEPTH):
        for above in names.values():
            above |= {higher for name in above for higher in names.get(name, ())}
    longest = sorted(of_phrase, key=len, reverse=True)
    return Words(
        plain=plain,
        phrases=re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest)) + r")(?!\w)"),
        of_phrase=of_phrase,
        names=names,
        kinds=frozenset(map(form, stored["kinds"])),
        opposite=_both_ways((form(one), form(other)) for one, other in stored["opposite"]),
        general=frozenset(map(form, stored["general"].split())),
        translated={word: form(head) for head, listed in stored["translated"].items() for word in listed.split()},
        may_mean={form(one): form(other) for one, other in stored["may_mean"].items()},
        stop=frozenset(stored["stop"].split()),
        ordinals=tuple(stored["ordinals"].split()),
    )


_DEPTH = 3
"""How many kinds may stand above a word."""


def _synonyms(groups: Sequence[Sequence[str]]) -> tuple[dict[str, str], dict[str, str]]:
    """The plain form of each word that has a synonym, and of each phrase."""
    plain = {each: stem(first) for first, *_ in groups for each in (first, stem(first))}
    of_phrase: dict[str, str] = {}
    for first, *others in groups:
        for each in others:
            if " " in each or "-" in each or "'" in each:
                of_phrase[each] = stem(first)
            elif each not in plain:
                plain[each] = stem(first)
                plain.setdefault(stem(each), stem(first))
    return plain, of_phrase


def _both_ways(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    partners: dict[str, set[str]] = {}
    for one, other in pairs:
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
    return partners
