"""How likely a local model holds answers, by the scores of the next token over all tokens that state them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from veridical.answers.probabilities import AnswerForms, OptionProbabilities, summed_probabilities
from veridical.ask.local.generation import Generator
from veridical.ask.local.loader import LoadedModel
from veridical.errors import InputError
from veridical.records import canonical


class Spellings:
    """The tokens of a model that state answers; `texts` has what each adds to a text, where marks add nothing."""

    def __init__(self, loaded: LoadedModel) -> None:
        tokenizer, rows = loaded.processor.tokenizer, loaded.model.get_input_embeddings().weight.shape[0]
        text = Generator(loaded).text
        self.texts = [text([token]) for token in range(min(len(tokenizer), rows))]
        self._stating: dict[str, list[int]] = {}

    def probabilities(self, logits: NDArray[np.float32], forms: AnswerForms) -> OptionProbabilities:
        """The probability of each answer, summed over the tokens that state it; `logits` are those of all tokens."""
        chances = np.exp(logits.astype(float) - logits.max())
        chances /= chances.sum()
        return summed_probabilities(((self.texts[token], chances[token]) for token in self._stating_any(forms)), forms)

    def log_odds(self, logits: Any, forms: AnswerForms) -> tuple[str, Any]:  # noqa: ANN401 - of torch
        """The likeliest answer, and the log odds of it over all others, of the sums of `probabilities`, as a tensor.

        Raises `InputError` for an answer that no token states.
        """
        tokens: dict[str, list[int]] = {answer: [] for answer in forms.words}
        for token in self._stating_any(forms):
            tokens[str(forms.named(self.texts[token]))].append(token)
        sums = {answer: logits[found].logsumexp(0) for answer, found in tokens.items() if found}
        if silent := [answer for answer in tokens if answer not in sums]:
            raise InputError(f"no token states the answer {silent[0]}")
        answer = max(sums, key=lambda each: float(sums[each].detach()))
        others = torch.stack([value for each, value in sums.items() if each != answer])
        return answer, sums[answer] - others.logsumexp(0)

    def _stating_any(self, forms: AnswerForms) -> list[int]:
        """The tokens that state one of some answers, those of the last answers kept."""
        key = canonical([{answer: list(words) for answer, words in forms.words.items()}, forms.texts])
        if key not in self._stating:
            self._stating = {key: [token for token, text in enumerate(self.texts) if forms.named(text)]}
        return self._stating[key]
