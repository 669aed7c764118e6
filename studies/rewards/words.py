"""A policy that answers by the words of a prompt: the classifier of the library's text-only observer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from studies.rewards.policies import BlindPolicy, answers_of, in_form, options_of, words_of
from veridical.observers.text_classifier import TextQuestion, predict_answers
from veridical.rewards.examples import TrainingExample

_WORD = re.compile(r"\w+")


def word_classifier(examples: Sequence[TrainingExample]) -> BlindPolicy:
    """Answers what is likeliest by the prompt's words, learned from the other units among these examples.

    Possible are the letters of the options, else the answers that occur to questions of this category.
    """
    occurring: dict[str, set[tuple[str, ...]]] = {}
    for example in examples:
        occurring.setdefault(_category(example), set()).add(answers_of(example))
    asked = {_key(example): _question(example, occurring[_category(example)]) for example in examples}
    replies = dict(zip(asked, predict_answers(list(asked.values())), strict=True))
    return lambda example: in_form(example, replies[_key(example)].split("\n"))


def _key(example: TrainingExample) -> str:
    return "/".join(trial.id for trial in example.item.trials)


def _category(example: TrainingExample) -> str:
    return "/".join(trial.category for trial in example.item.trials)


def _question(example: TrainingExample, occurring: set[tuple[str, ...]]) -> TextQuestion:
    own = options_of(example)
    pairs = sorted(occurring)
    texts = ["\n".join(answers) for answers in pairs]
    if all(own):
        places = list(product(*(range(len(options)) for options in own)))
        pairs = [tuple(chr(ord("A") + place) for place in each) for each in places]
        texts = ["\n".join(options[k] for options, k in zip(own, each, strict=True)) for each in places]
    return TextQuestion(
        unit=example.item.trials[0].unit,
        words=tuple(_WORD.findall(words_of(example).casefold())),
        answers=tuple("\n".join(answers) for answers in pairs),
        texts=tuple(texts),
        gold=pairs.index(answers_of(example)),
    )
