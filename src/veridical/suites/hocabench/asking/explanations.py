"""Explanations in four parts: the parts of a reply, and its attribution."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from veridical.answers import ParsedAnswer, Reader, last_object, split_thinking
from veridical.answers.reader import is_refusal, leave_unmarked
from veridical.answers.settle import follows_denial
from veridical.answers.truncation import nothing_complete
from veridical.records import Json
from veridical.suite.reply import object_of
from veridical.suites.hocabench.asking.attribution import LABELS, Label

_CALLED = {
    "scene": r"scene(?:[ _]description)?|description",
    "anomaly": r"anomaly(?:[ _](?:identification|phenomenon))?",
    "attribution": r"(?:taxonomic[ _])?attribution|process|taxonomy",
    "reasoning": r"(?:counterfactual[ _])?reasoning|counterfactual",
}
_HEADING = re.compile(
    r"^[\s>#*_(\[{\"'\d.)-]{0,12}(?:part \d\W{1,3})?(?:"
    + "|".join(f"(?P<{part}>{names})" for part, names in _CALLED.items())
    + r")[*_\])\"'\s]{0,6}(?:[:\uff1a]|[ ][-\u2013\u2014][ ]|[ \t]{0,3}$)[*_ \t]{0,6}",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL = re.compile(r"\b(ontological|causal)(?:ly)?\b", re.IGNORECASE)
_OPENING = re.compile(r"[\W_]{0,6}(?:(?:it|this) is )?(?:an? )?(ontological|causal)\b(?: anomaly)?", re.IGNORECASE)
_ANOTHER = re.compile(
    r"[\W_]{0,4}(?:(?:and|or|but also|as well as)\b[\W_]{0,3})?(?:ontological|causal)\b", re.IGNORECASE
)
_ALONE = re.compile(
    r"(?:^|[.!?;:\n]\s{0,3})[\W_]{0,4}(ontological|causal)(?: anomaly)?[\W_]{0,4}(?=[.!;\n]|$)", re.IGNORECASE
)


class Parts(NamedTuple):
    """The four parts of an explanation; a part that a reply lacks is empty. `whole` is everything that it says."""

    scene: str
    anomaly: str
    attribution: str
    reasoning: str
    whole: str

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that are there."""
        return tuple(name for name in _CALLED if getattr(self, name))


def parts(text: str) -> Parts:
    """The parts of a reply, by their headings or by the keys of a JSON object.

    A part that stands twice has both texts, one a line.

    >>> parts("Scene: a ball falls.\\n**Attribution:** Causal").names
    ('scene', 'attribution')
    """
    spoken = split_thinking(text).text
    whole = " ".join(spoken.split())
    own = _of_json(spoken) or _of_headings(spoken)
    return Parts(**{name: own.get(name, "") for name in _CALLED}, whole=whole)


def label_of(explanation: Parts) -> Label | Literal["both"] | None:
    """The label that an explanation gives: in its part for it, or as a sentence of one word; `None` without one.

    >>> label_of(parts("Attribution: Causal, not ontological")), label_of(parts("It floats. Ontological. Odd."))
    ('Causal', 'Ontological')
    >>> label_of(parts("Attribution: causal or ontological")), label_of(parts("It has no causal link."))
    ('both', None)
    """
    if explanation.attribution:
        labels = {label for line in explanation.attribution.splitlines() for label in _labels(line)}
    else:
        labels = {LABELS[each[1].lower()] for each in _ALONE.finditer(explanation.whole)}
    return "both" if len(labels) > 1 else next(iter(labels), None)


def _labels(line: str) -> set[Label]:
    """The label that opens a part, whatever explains it; else all labels in it that are not denied."""
    opening = _OPENING.match(line)
    if opening and not _ANOTHER.match(line, opening.end()):
        return {LABELS[opening[1].lower()]}
    return {LABELS[each[1].lower()] for each in _LABEL.finditer(line) if not follows_denial(line, each.start(1))}


def _of_json(text: str) -> dict[str, str]:
    last = last_object(text) if "{" in text else None
    own: dict[str, str] = {}
    for key, value in (last.value if last else {}).items():
        for name, pattern in _CALLED.items():
            if isinstance(value, str) and value.strip() and re.fullmatch(pattern, key.strip(), re.IGNORECASE):
                own[name] = " ".join(value.split())
    return own


def _of_headings(text: str) -> dict[str, str]:
    headings = list(_HEADING.finditer(text))
    own: dict[str, list[str]] = {}
    for index, heading in enumerate(headings):
        end = headings[index + 1].start() if index + 1 < len(headings) else len(text)
        content = " ".join(text[heading.end() : end].split()).strip("*_ ")
        name = next(name for name in _CALLED if heading[name])
        if any(sign.isalnum() for sign in content):
            own.setdefault(name, []).append(content)
    return {name: "\n".join(texts) for name, texts in own.items()}


def _read(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:  # noqa: ARG001 (nothing is expected)
    explanation = parts(text)
    if explanation.names:
        texts = ((name, " / ".join(getattr(explanation, name).splitlines())) for name in explanation.names)
        lines = (f"{name.capitalize()}: {text}" for name, text in texts)
        return ParsedAnswer("\n".join(lines))
    if not any(sign.isalnum() for sign in explanation.whole) or is_refusal(explanation.whole):
        return ParsedAnswer(None, "the reply is empty or declines")
    return ParsedAnswer(explanation.whole)


_SCHEMA = object_of(
    {**{part: {"type": "string"} for part in _CALLED}, "attribution": {"type": "string", "enum": [*LABELS.values()]}}
)
EXPLANATION = Reader(
    name="parts", version="2", parse=_read, mark=leave_unmarked, complete=nothing_complete, schema=_SCHEMA
)
"""Takes a reply as its four parts, or as it is where it has none; whether it is right, a judge says."""
