"""Of all log probabilities that came with a reply, those of the token that states the answer; they alone are stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import polars as pl

from veridical.answers import Readers, answer_token, option_probabilities
from veridical.answers.answer_tokens import NO_TOKENS, REASONED
from veridical.records import PROBABILITIES, Response, Trial, canonical


@dataclass(frozen=True)
class AnswerLogprobs:
    """Keeps the log probabilities of answers as the default one of the `readers` of each family reads them.

    `tell` gets one line when a reply has none for the first time: as the provider gave none, or as reasons stand before
    the answer.
    """

    readers: Readers
    tell: Callable[[str], None]
    _told: set[str] = field(default_factory=set)

    def kept(self, response: Response, trial: Trial) -> Response:
        """The response with the token of its answer alone, or with none."""
        found = answer_token(self.readers[trial.reader][0], response, trial.expects)
        if found.reason in (NO_TOKENS, REASONED) and found.reason not in self._told:
            self._told.add(found.reason)
            self.tell(f"no probability of the answer: {found.reason}; the run goes on, without it where that is so")
        return replace(response, logprobs=None if found.token is None else [found.token])


def probability_columns(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of `PROBABILITIES` of rows of a token, an answer, what is expected and the gold answer.

    They are null where no answer was read or its token is not known.
    """
    found: list[tuple[str | None, float | None, float | None]] = []
    for token, answer, expects, gold in rows.iter_rows():
        each = None if token is None else option_probabilities(json.loads(token), answer, json.loads(expects))
        found.append((None,) * 3 if each is None else (canonical(each.options), each.share(gold), each.elsewhere))
    return pl.DataFrame(found, PROBABILITIES, orient="row")
