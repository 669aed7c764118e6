"""Readers of explanations and of probes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from veridical.answers import OPTION_LETTER, Marks, Read, Reader, Readers, json_reader, last_object, parse_answer
from veridical.answers.cut import closed
from veridical.records import Json, Trial
from veridical.suites.magicbench.asking.cells import PROBE, THOUGHT
from veridical.suites.magicbench.asking.explanations import MOST, Explanation, Thought

EXPLANATION = "explanation"
"""The family of readers of explanations; that of probes is called like their task."""
_PARSERS = {model: json_reader(model, repair=True) for model in (Explanation, Thought)}
_NEAR = 0.005
"""How far, in seconds, the time of an entry may be from that of its frame, which is stated to hundredths."""

RANGES = {
    "confidence": (0.0, 1.0),
    "claims_trick": (0.0, 1.0),
    "anomalies": (0.0, float(MOST)),
    "inventory": (0.0, 1.0),
    "claims_compared": (0.0, float(MOST)),
    "claims_denied": (0.0, float(MOST)),
    "facts": (0.0, float(MOST)),
}
"""The scores of an explanation: its confidence as a share, whether it says that anything is done in secret, and its
number of anomalies. After image-of-thought also the share of frames in the inventory (if frames were shown), how many
claims are compared and how many of these do not hold, and how many facts are confirmed."""


def explanation_of(answer: str) -> Explanation:
    """The explanation in a canonical answer, a `Thought` where it has the parts of image-of-thought."""
    return parse_answer(answer, Thought if "inventory" in json.loads(answer) else Explanation)


def covered(thought: Thought, times: Sequence[float]) -> float:
    """The share of frames, by their times in seconds, of which an inventory has an entry.

    >>> from veridical.suites.magicbench.asking.explanations import Seen
    >>> thought = Thought.model_construct(inventory=[Seen.model_construct(time=0.25, what="a coin")])
    >>> covered(thought, [0.0, 0.25, 0.5, 0.75])
    0.25
    """
    named = [entry.time for entry in thought.inventory]
    return sum(any(abs(time - each) <= _NEAR for each in named) for time in times) / len(times)


def _read(text: str, expects: Mapping[str, Json]) -> Read:
    model = Thought if expects.get("form") == THOUGHT else Explanation
    read = _PARSERS[model].read(text)
    last = last_object(text, repair=True)
    if last is None or (read.answer is not None and not last.value.keys() >= model.model_fields.keys()):
        return read
    try:
        model.model_validate(last.value)
    except ValidationError as error:
        return Read(None, _reason(error))
    return read


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _mark(answer: str, trial: Trial) -> Marks:
    own = explanation_of(answer)
    scores = {
        "confidence": own.confidence / 100,
        "claims_trick": float(own.trick == "yes"),
        "anomalies": float(len(own.anomalies)),
    }
    if isinstance(own, Thought):
        scores["claims_compared"] = float(len(own.claims))
        scores["claims_denied"] = float(sum(each.holds == "no" for each in own.claims))
        scores["facts"] = float(len(own.facts))
        if trial.expects.get("times"):
            scores["inventory"] = covered(own, trial.expects["times"])
    return Marks(None, scores)


EXPLANATIONS = Reader(name=EXPLANATION, version="3", parse=_read, mark=_mark, scores=RANGES, complete=closed)
"""Reads one JSON object with all keys of its form, as canonical JSON; nothing else is an explanation.

A draft does not stand in for the last object of a reply, where that has all the keys but not their values.
"""

READERS: Readers = {EXPLANATION: (EXPLANATIONS,), PROBE: (OPTION_LETTER,)}
