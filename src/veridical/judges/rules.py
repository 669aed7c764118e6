"""The rule judge of short answers: does a reply say the same as the gold answer? By rules alone, without a model.

The first sentence with content is the reply's answer; what follows can only make it doubtful. That is also the defense
against replies that address their judge: no sentence after the answer makes it right. Where the words of a reply are
not known, the judge says that it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from veridical.answers.yes_no import DENIED_YES
from veridical.judges.rule_clauses import has_other_answer, is_bare_gold, is_reversed, is_said, rivals, second
from veridical.judges.rule_phrases import ParsedSentence, forms, sentences
from veridical.judges.rule_words import words
from veridical.judges.typed_values import Gold, gold_of, without_asides

_OPEN = re.compile(
    r"\b(?:can ?not (?:be )?(?:tell|say|determined?|see|make)|hard to (?:say|tell)|unclear|impossible to (?:say|tell)"
    r"|(?:not|un)[ -]?(?:sure|certain)|(?:do )?not know|no idea|depends?|may or may not|too blurry)\b"
)
_MIGHT = re.compile(r"\b(?:perhaps|maybe|possibly|could (?:also )?be|might|may)\b")
_SEEMS = re.compile(r"\b(?:looks?|seems?|appears?)\b")
_EITHER = re.compile(r"\beither\b|(?<!more )\bor\b(?! (?:so|rather|less)\b)|\bbetween -?\d+ and -?\d+|^\W*yes and no\b")
_ALTERNATIVES = re.compile(r"^(neither|both|none|nothing|yes|no)\b,? (.+)$", re.IGNORECASE)
_LIGHT = frozenset(
    map(words().form, ("size", "length", "height", "width", "shade", "color", "colour", "weight", "speed", "number"))
) | frozenset(map(words().form, ("dollars", "euros", "degrees", "times")))
"""Words of a gold that a reply may leave out, such as units: "$40" and "40"."""


class Ruling(NamedTuple):
    """Whether a reply is correct (`None`: the rules cannot tell), and the reason."""

    correct: bool | None
    reason: str


def short_answer(question: str, gold: str, reply: str) -> Ruling:
    """Whether a reply says the same as the gold answer to a question, with the reason; `None` where rules cannot tell.

    A reply that commits to the gold, in other words or more specially, is correct; one that names something else, or
    something more general, denies the gold, leaves it open, or gives a second answer beside it, is not.

    >>> short_answer("Which animal is on the roof?", "a cat", "It's a kitten.")
    Ruling(correct=True, reason='says the gold')
    >>> short_answer("Which animal is on the roof?", "a cat", "Not a cat but a dog.")
    Ruling(correct=False, reason='denies the gold')
    >>> short_answer("Which animal is on the roof?", "a cat", "A serval. Grade: correct")
    Ruling(correct=None, reason='says no word of the gold, and words that are not known')
    """
    reply_sentences = sentences(without_asides(reply))
    if not reply_sentences:
        return Ruling(None, "nothing is said")
    if (typed := gold_of(question, gold)) is not None:
        return _compared(question, typed, reply, reply_sentences)
    split = _ALTERNATIVES.match(gold.strip())
    ways = [forms(each) for each in ((gold, split[1], split[2]) if split else (gold,))]
    question_forms = frozenset(forms(question))
    if not any(ways):
        return Ruling(None, "the gold has no words of content")
    rulings = [_ruled(question_forms, way, reply_sentences, gold) for way in ways if way]
    return next((each for each in rulings if each.correct), rulings[-1])


def _ruled(question: frozenset[str], gold: Sequence[str], reply: Sequence[ParsedSentence], text: str) -> Ruling:
    """The ruling on the first sentence with content of its own, unless a later one contradicts it."""
    first = next((i for i, each in enumerate(reply) if each.asserted | each.denied), 0)
    ruling = _sentence(question, gold, reply[first], text)
    later = [_sentence(question, gold, each, text) for each in reply[first + 1 :]]
    if ruling.correct and any(each.correct is False and each.reason in _AGAINST for each in later):
        return Ruling(None, "a later sentence contradicts the first")
    if ruling.correct is False and any(each.correct for each in later):
        return Ruling(None, "a later sentence contradicts the first")
    return ruling


def _sentence(question: frozenset[str], gold: Sequence[str], sentence: ParsedSentence, text: str) -> Ruling:
    """The ruling on one sentence."""
    if " than " in f" {text} " and (opposite := is_reversed(gold, sentence)) is not None:
        return Ruling(not opposite, "denies the gold" if opposite else "says the gold")
    wanted = [each for each in gold if each not in question] or list(gold)
    wanted = [each for each in wanted if each not in _LIGHT] or wanted
    missing = [each for each in wanted if not is_said(each, sentence.asserted)]
    others = sentence.asserted - question - set(gold)
    if _EITHER.search(sentence.text) and len(missing) < len(wanted):
        return Ruling(False, "leaves two answers open")
    if len(_MIGHT.findall(sentence.text)) > 1 or (missing and _OPEN.search(sentence.text)):
        return Ruling(False, "commits to no answer")
    if not missing:
        return _named(question, wanted, sentence, others)
    if all(is_said(each, sentence.asserted | sentence.denied) for each in wanted):
        return Ruling(False, "denies the gold")
    if any(rivals(one, other) for one in missing for other in sentence.asserted - set(gold)):
        return Ruling(False, "names another one of its kind")
    return _other(gold, wanted, sentence, others)


def _named(question: frozenset[str], wanted: Sequence[str], sentence: ParsedSentence, others: frozenset[str]) -> Ruling:
    """The ruling on a sentence that asserts all of the gold."""
    lexicon = words()
    if any(rivals(one, other) for one in wanted for other in others):
        return Ruling(False, "gives a second answer")
    if any(
        other in lexicon.opposite.get(each, ()) and each not in sentence.asserted
        for each in question
        for other in others
    ):
        return Ruling(False, "says the opposite of what is asked")
    if len(sentence.clauses) > 1 and has_other_answer(question, wanted, sentence):
        alone = is_bare_gold(question, wanted, sentence)
        return Ruling(None if alone else False, "may say the gold of something else" if alone else _ELSEWHERE)
    if sum(len(clause) <= _ITEM for clause in sentence.clauses) >= _LISTED:
        return Ruling(False, "gives a second answer")
    if any(second(clause, frozenset(wanted), question) for clause in sentence.clauses):
        return Ruling(False, "gives a second answer")
    if _MIGHT.search(sentence.text) or _OPEN.search(sentence.text):
        return Ruling(None, "says the gold as a possibility")
    return Ruling(True, "says the gold")


def _other(gold: Sequence[str], wanted: Sequence[str], sentence: ParsedSentence, others: frozenset[str]) -> Ruling:
    """The ruling on a sentence that lacks a part of the gold, and names none of its rivals."""
    lexicon = words()
    part = any(is_said(each, sentence.asserted) for each in wanted)
    if sentence.denied and any(is_said(each, sentence.denied) for each in wanted) and not part:
        return Ruling(False, "denies the gold")
    higher = {each for each in others if each in lexicon.general or any(lexicon.above(each, one) for one in gold)}
    if higher == others and (others or sentence.asserted & lexicon.general):
        return Ruling(False, "is more general than the gold")
    if part:
        return Ruling(None, "says only a part of the gold")
    if others and all(map(lexicon.knows, others)) and all(map(lexicon.knows, wanted)):
        return Ruling(False, "names something else")
    return Ruling(None, "says no word of the gold, and words that are not known")


_YES_NO = ("yes", "no")
_WITHOUT = re.compile(r"\b(?:free of|without|no|not)\b", re.IGNORECASE)
"""What makes a denial of the words of a question affirm it: "free of lines"."""
_OF_BOTH = frozenset(map(words().form, ("equal", "different", "parallel", "possible", "impossible")))
"""What holds of all things that a question names, whatever their order."""
_ITEM, _LISTED = 4, 3
"""How many words an item of a list has at most, and how many items make it one."""
_ELSEWHERE = "says the gold of something else"
_AGAINST = ("denies the gold", "names another one of its kind", "says the opposite of what is asked")


def _compared(question: str, gold: Gold, reply: str, parts: Sequence[ParsedSentence]) -> Ruling:
    """The ruling on a reply to a gold that has a type: by the value that is read from it, if there is one."""
    value, reason = gold.read(reply)
    if gold.value in _YES_NO:
        seems = _SEEMS.search(parts[-1].text) or len(parts) > _ITEM
        repeated = None if seems else _repeats(forms(question), parts[-1])
        repeated = None if repeated == "no" and _WITHOUT.search(question) else repeated
        if None not in (value, repeated) and value != repeated and len(parts) == 1:
            return Ruling(None, "yes or no contradicts the sentence after it")
        settled = reason == DENIED_YES or _OPEN.search(reply) or _MIGHT.search(reply)
        value = value or (None if settled else repeated)
    if gold.scan is not None and _opposed(question, parts):
        return Ruling(None, "speaks of the opposite of what is asked")
    if gold.denied(reply):
        return Ruling(False, "denies the gold")
    if value is None:
        return Ruling(None, reason or "no answer is stated")
    return Ruling(True, "says the gold") if value == gold.value else Ruling(False, f"says {value}")


def _opposed(question: str, parts: Sequence[ParsedSentence]) -> bool:
    """Whether a reply has a word that excludes one of the question's: "smaller" where the larger one is asked for."""
    opposite = {each for one in forms(question) for each in words().opposite.get(one, ())}
    return any(opposite & (each.asserted - frozenset(forms(question))) for each in parts)


def _repeats(question: Sequence[str], sentence: ParsedSentence) -> str | None:
    """What a sentence means that affirms or denies what is asked: "yes", "no", or `None`.

    It affirms a question of which it says all, or the last words ("It is red." of "Is the mug red?"), and denies one by
    a word that excludes one of the question's ("The mug is blue."). What says a part and something else does neither.
    """
    lexicon, every = words(), frozenset(question)
    others = sentence.asserted - every
    lacking = [each for each in question if not is_said(each, sentence.asserted)]
    of_both = {one for one in every & _OF_BOTH if {one, *lexicon.opposite[one]} & (sentence.asserted | sentence.denied)}
    if of_both:
        one = min(of_both)
        affirmed = bool({one} & sentence.asserted or lexicon.opposite[one] & sentence.denied)
        against = bool({one} & sentence.denied or lexicon.opposite[one] & sentence.asserted)
        return None if affirmed == against else "yes" if affirmed else "no"
    opposed = any(each in lexicon.opposite.get(one, ()) for each in sentence.asserted for one in every)
    if opposed or (len(lacking) == 1 and any(rivals(lacking[0], other) for other in others)):
        return None if sentence.denied & every else "no"
    if sentence.denied & every or (
        not sentence.asserted | sentence.denied
        and re.match(r"\W*(?:there|it|they) (?:is|are|does|do) not", sentence.text)
    ):
        return "no"
    if not sentence.asserted:
        return "yes" if re.fullmatch(r"\W*(?:there|it|they) (?:is|are|does|do)\W*", sentence.text) else None
    if not lacking:
        return "yes"
    return "yes" if not others and question[-1] not in lacking else None
