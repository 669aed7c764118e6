"""The probability of each answer that a question allows, from the likeliest tokens where a reply states its answer.

A word has many spellings: "Yes", " yes", "YES." and "1" all say yes, "A", "(A" and " a" name an option. Their
probabilities are added up. What no spelling accounts for is the probability elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from veridical.answers.yes_no import MEANING
from veridical.records import Json

_AROUND = (
    " \t\r\n\"'\u201c\u201d\u2018\u2019()[]{}<>*_`#:.,;!?/\\=|\u3002\u3001\uff0c\uff1a\uff1b\uff01\u2581\u0120\u010a"
)
"""What may stand around an answer within its token; the last three are how tokenizers write spaces and line breaks."""
FORCED = "forced"
"""The key of the beginning of an answer in the token with which a model was made to continue it."""
_TOO_MUCH = 1.01
_LEAST = -1e9
_BEGUN = 3
"""How many letters of an option's text a token must have to stand for the option."""
_SAID = {
    "yes": ("1", "one", "true", "correct", "y"),
    "no": ("0", "zero", "false", "incorrect", "n"),
}
_BINARY = (("1", "0"), ("yes", "no"))


@dataclass(frozen=True)
class AnswerForms:
    """The answers that a question allows, each with the words that state it, in small letters.

    With `texts` they are texts of options, which a token may begin.
    """

    words: Mapping[str, tuple[str, ...]]
    texts: bool = False

    def named(self, said: str) -> str | None:
        """The answer that a text states or unmistakably begins; `None` for anything else.

        >>> forms = AnswerForms({"left": ("left",), "right": ("right",)}, texts=True)
        >>> forms.named(' "Left.'), forms.named("rig"), forms.named("le"), forms.named("leftover")
        ('left', 'right', None, None)
        """
        word = said.strip(_AROUND).casefold()
        if not word:
            return None
        stated = [answer for answer, words in self.words.items() if word in words]
        if not stated and self.texts and len(word) >= _BEGUN:
            stated = [a for a, words in self.words.items() if any(each.startswith(word) for each in words)]
        return stated[0] if len(stated) == 1 else None

    def swapped(self, word: str, answer: str) -> str:
        """A word of another answer than this one, of the same kind: digit for digit, letter for letter.

        >>> answer_forms("1", {}).swapped("True", "1"), answer_forms("B", {"options": ["x", "y"]}).swapped("B", "B")
        ('false', 'a')
        """
        own, small = self.words[answer], word.casefold()
        other = next(words for each, words in self.words.items() if each != answer)
        place = own.index(small) if small in own else 0
        return other[place] if place < min(len(other), len(_SAID["no"]) + 1) else other[0]


class OptionProbabilities(NamedTuple):
    """The probability of each answer, in [0, 1], and what is left for everything else."""

    options: Mapping[str, float]
    elsewhere: float

    def share(self, answer: str | None) -> float | None:
        """The probability of an answer among the answers alone; `None` for one that the question does not allow."""
        total, own = sum(self.options.values()), self.options.get(answer or "")
        return own / total if own is not None and total > 0 else None


def answer_forms(answer: str, expects: Mapping[str, Json]) -> AnswerForms | None:
    """The answers that a question allows, of which a reader read one; `None` if that is no choice of a few.

    They are the options that a trial `expects`, by their texts or by their letters, or else yes and no.

    >>> answer_forms("B", {"options": ["red", "blue"]}).words
    {'A': ('a', 'red'), 'B': ('b', 'blue')}
    >>> answer_forms("yes", {}).words["no"][:3], answer_forms("17", {}) is None
    (('no', '0', 'zero'), True)
    """
    options = expects.get("options")
    if isinstance(options, list) and len(options) > 1 and all(isinstance(each, str) for each in options):
        texts = {option: (option.strip().casefold(),) for option in options}
        if answer in texts and len(set(texts.values())) == len(options):
            return AnswerForms(texts, texts=True)
        lettered = {chr(ord("A") + place): each for place, each in enumerate(options[:26])}
        if answer in lettered:
            words = {letter: (letter.casefold(), text.strip().casefold()) for letter, text in lettered.items()}
            return AnswerForms(words, texts=True)
        return None
    pair = next((each for each in _BINARY if answer in each), None)
    return None if pair is None else AnswerForms(dict(zip(pair, (_words("yes"), _words("no")), strict=True)))


def _words(meaning: str) -> tuple[str, ...]:
    """All words for yes or no: that of English first, then digits and the like, then those of other languages."""
    foreign = (word for word, meant in MEANING.items() if meant == meaning)
    return tuple(dict.fromkeys((meaning, *_SAID[meaning], *foreign)))


def option_probabilities(token: Json, answer: str | None, expects: Mapping[str, Json]) -> OptionProbabilities | None:
    """The probability of each answer at the token of a reply that states its answer (see `answer_token`).

    `None` if nothing was read or stored, if the token does not state that answer, or if what is stored are no
    probabilities: a number that is not finite, one above 1, or a sum above 1. A forced token (see `forced_token`) was
    asked for apart from the reply, and may state anything.

    >>> tops = [{"token": "Yes", "logprob": math.log(0.5)}, {"token": " no", "logprob": math.log(0.25)},
    ...         {"token": "yes.", "logprob": math.log(0.125)}]
    >>> found = option_probabilities({"token": "Yes", "logprob": math.log(0.5), "top_logprobs": tops}, "yes", {})
    >>> found.options["yes"], found.options["no"], round(found.elsewhere, 3), round(found.share("yes"), 3)
    (0.625, 0.25, 0.125, 0.714)
    """
    forms = None if answer is None else answer_forms(answer, expects)
    if forms is None or not isinstance(token, Mapping):
        return None
    before, tops = token.get("before", ""), token.get("top_logprobs")
    chances = _chances([token, *(tops if isinstance(tops, list) else [])])
    if chances is None or not isinstance(before, str):
        return None
    if FORCED not in token and forms.named(before + str(token["token"])) != answer:
        return None
    total = sum(chances.values())
    if total > _TOO_MUCH:
        return None
    found = summed_probabilities(((text, chance / max(total, 1.0)) for text, chance in chances.items()), forms, before)
    return found if sum(found.options.values()) > 0 else None


def summed_probabilities(
    tokens: Iterable[tuple[str, float]], forms: AnswerForms, before: str = ""
) -> OptionProbabilities:
    """The probability of each answer from tokens with theirs, which sum to at most 1, after what stands `before` them.

    >>> tokens = [("Yes", 0.5), (" yes", 0.25), ("No", 0.125), ("Now", 0.1)]
    >>> found = summed_probabilities(tokens, answer_forms("no", {}))
    >>> found.options["yes"], found.options["no"], found.elsewhere
    (0.75, 0.125, 0.125)
    """
    sums = dict.fromkeys(forms.words, 0.0)
    for text, chance in tokens:
        named = forms.named(before + text)
        if named is not None:
            sums[named] += chance
    return OptionProbabilities(sums, max(0.0, 1.0 - sum(sums.values())))


def _chances(stated: Sequence[Json]) -> dict[str, float] | None:
    """The probability of each token, once; `None` if any is none."""
    chances: dict[str, float] = {}
    for each in stated:
        text, value = (each.get("token"), each.get("logprob")) if isinstance(each, Mapping) else (None, None)
        if not isinstance(text, str) or isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if not _LEAST <= value <= 0:
            return None
        chances[text] = max(chances.get(text, 0.0), math.exp(value))
    return chances
