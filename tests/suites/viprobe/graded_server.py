"""A server whose replies have probabilities, by a mechanism that a test chooses: what it sees, and when it says so."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from tests.ask.server import Reply, Request, completion
from veridical import StimulusSet
from veridical.records import Stimulus

STEEPNESS = 2.0


@dataclass(frozen=True)
class GradedMind:
    """An observer of signal detection: it sees a change of strength α as `gain` |α| with normal noise.

    Its log-odds of "changed" are linear in what it sees, 0 at its `criterion`; it says what is likelier, or, `drawn`,
    says "changed" as often as it holds it likely. With `reasons`, they stand before its answer, unless its answer is
    begun for it.
    """

    gain: float = 4.0
    criterion: float = 1.0
    drawn: bool = False
    reasons: str = ""

    def chance(self, stimulus: Stimulus, polarity: str) -> float:
        """P(changed) of a picture, in one polarity of the question."""
        seen = self.gain * abs(stimulus.factors.get("alpha") or 0.0) + _rng(stimulus.id, polarity).normal()
        return 1 / (1 + math.exp(-STEEPNESS * (seen - self.criterion)))


def _rng(*names: str) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(sha256("|".join(names).encode()).digest()[:8], "big"))


def graded_server(
    stimuli: StimulusSet, mind: GradedMind, tops: Callable[[list[Any]], Any] = lambda content: content
) -> Callable[[Request], Reply]:
    """What such a server replies; `tops` changes the tokens' probabilities before they are sent."""
    shown = {(Path(stimuli.folder) / s.media[0].file).read_bytes(): s for s in stimuli.stimuli}
    asked: dict[tuple[str, str], int] = {}

    def behaviour(request: Request) -> Reply:
        begun = request.body["messages"][-1]["role"] == "assistant"
        if request.counts:
            return Reply(body=completion([_said("A", None)], {"prompt_tokens": 5 + begun, "completion_tokens": 1}))
        stimulus = shown[request.pictures[0]]
        polarity = "reversed" if str(stimulus.truth["question_reversed"]) in request.text else "forward"
        key = stimulus.id, polarity
        asked[key] = asked.get(key, 0) + 1
        chance = mind.chance(stimulus, polarity)
        says = _rng(*key, str(asked[key])).random() < chance if mind.drawn else chance > 0.5
        unchanged = stimulus.truth.get("answer_if_unchanged", "1")
        same = unchanged if polarity == "forward" else str(1 - int(unchanged))
        other = str(1 - int(same))
        answer, chances = (other if says else same), {other: 0.9 * chance, same: 0.9 * (1 - chance), "Hm": 0.1}
        wanted = tops if request.body.get("logprobs") else lambda _: None
        reasons = "" if begun or "Write nothing else" in str(request.body["messages"]) else mind.reasons
        choice = _choice(answer, chances, reasons, wanted, begun=begun)
        return Reply(body=completion([choice], {"prompt_tokens": 9, "completion_tokens": 1}))

    return behaviour


def _choice(
    answer: str, chances: dict[str, float], reasons: str, tops: Callable[[list[Any]], Any], *, begun: bool
) -> Any:
    likely = [{"token": each, "logprob": math.log(max(p, 1e-300)), "bytes": None} for each, p in chances.items()]
    sure = {"logprob": 0.0, "bytes": None, "top_logprobs": []}
    own = next(each for each in likely if each["token"] == answer)
    before = [] if begun else [{"token": f"{reasons}<answer>", **sure}]
    content = [*before, {**own, "top_logprobs": likely}, {"token": "</answer>", **sure}]
    return _said("".join(each["token"] for each in content), tops(content))


def _said(text: str, content: Any) -> Any:
    logprobs = None if content is None else {"content": content}
    message = {"role": "assistant", "content": text}
    return {"index": 0, "message": message, "finish_reason": "stop", "logprobs": logprobs}
