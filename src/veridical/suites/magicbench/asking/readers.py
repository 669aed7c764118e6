"""Readers of explanations and of probes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from veridical.answers import OPTION_LETTER, Marks, ParsedAnswer, Reader, Readers, json_reader, last_object
from veridical.answers.json_block import NO_FIT, close_braces, plain_keys, title_of
from veridical.answers.thinking import spoken_text
from veridical.answers.truncation import block_complete
from veridical.records import Json, Trial, canonical
from veridical.suite.reply import object_of, schema_of
from veridical.suites.magicbench.asking.cells import PROBE, THOUGHT
from veridical.suites.magicbench.asking.explanations import (
    MOST,
    PARTIAL,
    Explanation,
    Thought,
    labeled_values,
    partial_answer,
)

EXPLANATION, HELD_THOUGHT = "explanation", "held-thought"
"""The families of readers of explanations, and of those after image-of-thought that are held to the schema of this
form; that of probes is called like their task."""
_PARSERS = {model: json_reader(model, repair=True) for model in (Explanation, Thought)}
_PARTS = {model: json_reader(form, repair=True) for model, form in PARTIAL.items()}
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


def inventory_coverage(times_named: Sequence[float], times: Sequence[float]) -> float:
    """The share of frames, by their times in seconds, of which an inventory has an entry, by the times that it names.

    >>> inventory_coverage([0.25], [0.0, 0.25, 0.5, 0.75])
    0.25
    """
    return sum(any(abs(time - each) <= _NEAR for each in times_named) for time in times) / len(times)


def _read(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    """The explanation in a reply; where nothing fits, or the last object lacks a value, what can be read of that."""
    model = Thought if expects.get("form") == THOUGHT else Explanation
    read = _PARSERS[model].read(text)
    if read.answer is None and (values := labeled_values(spoken_text(text))):
        return _partial(model, canonical(values))
    if read.answer is None and (whole := close_braces(text)) != text:
        return _read(whole, expects)
    if read.answer is None:
        return _partial(model, text) if read.reason == NO_FIT.format(title_of(model)) else read
    last = last_object(text, repair=True)
    if last is None or not plain_keys(last.value).keys() >= model.model_fields.keys():
        return read
    final = _partial(model, canonical(last.value))
    return read if final.answer is None else final


def _partial(model: type[Explanation], text: str) -> ParsedAnswer:
    """What can be read of the objects of a reply whose other keys are missing, or have no value that fits."""
    read = _PARTS[model].read(text)
    return read if read.answer is None else ParsedAnswer(canonical(partial_answer(model, json.loads(read.answer))))


def _complete(text: str, gives: Callable[[str], bool]) -> bool:
    """Whether a cut reply holds its explanation whole: an object is closed, but lines may go on."""
    return block_complete(text, gives) and labeled_values(spoken_text(text)) is None and close_braces(text) == text


def _mark(answer: str, trial: Trial) -> Marks:
    own = json.loads(answer)
    scores = {name: float(len(own[name])) for name in ("anomalies", "facts") if name in own}
    if "confidence" in own:
        scores["confidence"] = own["confidence"] / 100
    if "trick" in own:
        scores["claims_trick"] = float(own["trick"] == "yes")
    if "claims" in own:
        scores["claims_compared"] = float(len(own["claims"]))
        scores["claims_denied"] = float(sum(each["holds"] == "no" for each in own["claims"]))
    if trial.expects.get("times") and "inventory" in own:
        scores["inventory"] = inventory_coverage([each["time"] for each in own["inventory"]], trial.expects["times"])
    return Marks(None, scores)


def _thought_schema() -> dict[str, Json]:
    """The schema of image-of-thought with its own parts first, since a model fills a schema in the schema's order."""
    properties = schema_of(Thought)["properties"]
    return object_of(
        {name: properties[name] for name in sorted(properties, key=lambda name: name in Explanation.model_fields)}
    )


EXPLANATIONS = Reader(
    name=EXPLANATION,
    version="6",
    parse=_read,
    mark=_mark,
    scores=RANGES,
    complete=_complete,
    schema=schema_of(Explanation),
)
"""Reads one JSON object with the keys of its form, or lines that name all of them, as canonical JSON.

Where none has all of them, what can be read of the last object counts, with the names of the keys that are `lacking`.
A draft does not stand in for the last object of a reply, where that has all the keys but not their values.
"""

READERS: Readers = {
    EXPLANATION: (EXPLANATIONS,),
    HELD_THOUGHT: (replace(EXPLANATIONS, schema=_thought_schema()),),
    PROBE: (OPTION_LETTER,),
}
