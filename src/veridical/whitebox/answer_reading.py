"""Answers at the answer position of a model: their probabilities, and the reply that follows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from veridical.answers.probabilities import AnswerForms, OptionProbabilities, summed_probabilities
from veridical.answers.reader import ReaderInput
from veridical.records import PROBABILITIES, Json, Trial, canonical
from veridical.whitebox.inside import Floats, Inside
from veridical.whitebox.local_trials import LocalTrials
from veridical.whitebox.reading import ModelReading, facts_of

NOT_NEXT = "the likeliest token is no answer"
NOT_READ = "the reader reads no answer from the reply"
OTHER = "the reader reads another answer from the reply"


class Spellings:
    """The tokens of a model that state answers."""

    def __init__(self, inside: Inside) -> None:
        self.texts = inside.token_texts()
        self._stating: dict[str, list[int]] = {}

    def probabilities(self, logits: Floats, forms: AnswerForms) -> OptionProbabilities:
        """The probability of each answer, summed over the tokens that state it; `logits` are those of all tokens."""
        key = canonical([{answer: list(words) for answer, words in forms.words.items()}, forms.texts])
        if key not in self._stating:
            self._stating = {key: [token for token, text in enumerate(self.texts) if forms.named(text)]}
        chances = np.exp(logits.astype(float) - logits.max())
        chances /= chances.sum()
        return summed_probabilities(((self.texts[token], chances[token]) for token in self._stating[key]), forms)


class AnswerReading(ModelReading[Trial]):
    """The answers to trials."""

    name = "answers"

    def __init__(self, inside: Inside, shown: LocalTrials, folder: Path, opening: str, reply_tokens: int) -> None:
        super().__init__(inside, shown, folder, shown.trials, opening)
        self._spellings, self._most = Spellings(inside), reply_tokens

    @property
    def schema(self) -> Mapping[str, Any]:
        before, after = ("trial", "stimulus", "unit", "problem", "answer"), ("next_token", "reply", "read", "flag")
        return {**dict.fromkeys(before, pl.String()), **PROBABILITIES, **dict.fromkeys(after, pl.String())}

    def facts(self, item: Trial) -> dict[str, Json]:
        return facts_of(item)

    def numbers(self, item: Trial) -> Mapping[str, Any]:
        forms, prompt = self._shown.forms(item), self.prompt(item)
        logits = self._inside.logits(self._inside.inputs(prompt))
        found = self._spellings.probabilities(logits, forms)
        answer = max(found.options, key=found.options.__getitem__) if sum(found.options.values()) > 0 else None
        next_token = self._spellings.texts[int(logits[: len(self._spellings.texts)].argmax())]
        reply = self._inside.reply(prompt, self._most)
        reader = self._shown.setup.suite.asking.readers[item.reader][0]
        read = reader.decide(
            ReaderInput(self._opening + reply.text, stop_reason=reply.stop_reason), item.expects
        ).answer
        flag = NOT_NEXT if forms.named(next_token) != answer or answer is None else NOT_READ if read is None else OTHER
        numbers = (canonical(found.options), found.share(item.gold), found.elsewhere)
        return {
            "answer": answer,
            **dict(zip(PROBABILITIES, numbers, strict=True)),
            "next_token": next_token,
            "reply": reply.text,
            "read": read,
            "flag": None if flag == OTHER and read == answer else flag,
        }
