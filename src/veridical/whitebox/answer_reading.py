"""Answers at the answer position of a model: their probabilities, and the reply that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from veridical.answers.reader import ReaderInput
from veridical.ask.local.loader import LoadedModel
from veridical.ask.local.spellings import Spellings
from veridical.records import PROBABILITIES, Json, Trial, canonical
from veridical.verbs.exchange.local_trials import LocalTrials
from veridical.whitebox.reading import ModelReading, facts_of

NOT_NEXT = "the likeliest token is no answer"
NOT_READ = "the reader reads no answer from the reply"
OTHER = "the reader reads another answer from the reply"


class AnswerReading(ModelReading[Trial]):
    """The answers to trials."""

    name = "answers"

    def __init__(self, loaded: LoadedModel, shown: LocalTrials, opening: str, reply_tokens: int) -> None:
        super().__init__(loaded, shown, shown.trials, opening)
        self._spellings, self._most = Spellings(loaded), reply_tokens

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
