"""What one explanation could say of all clips: for the blind floor of the rule judge."""

from __future__ import annotations

import json
from collections.abc import Sequence

from veridical.judges.rubric import Fixed, Shown
from veridical.suites.hocabench.asking.attribution import LABELS

_HEADINGS = {"scene": "Scene", "anomaly": "Anomaly", "attribution": "Attribution", "reasoning": "Reasoning"}


def fixed(shown: Sequence[Shown]) -> Fixed:
    """From the words of each item: its things and action, a sign of its anomaly with its law; and both attributions."""
    pieces = [f"attribution: {label}" for label in LABELS.values()]
    for each in shown:
        words = json.loads(each["words"])
        if not words.get("entities") or not words.get("signs"):
            continue
        things = [names[0] for names in words["entities"]]
        pieces.append(f"scene: {' '.join([*things, *words.get('actions', ())[:1]])}")
        expected, law = " ".join(words.get("expected", ())[:1]), " ".join(words.get("law", ())[:1])
        pieces.append(f"anomaly: {words['signs'][0]}\nreasoning: by the law of {law} it should {expected}")
    return Fixed(tuple(dict.fromkeys(pieces)), _reply)


def _reply(pieces: Sequence[str]) -> str:
    """The pieces under their headings, those of one part as one sentence."""
    lines = []
    for part, heading in _HEADINGS.items():
        every = (line for piece in pieces for line in piece.splitlines())
        own = [line.partition(": ")[2] for line in every if line.startswith(f"{part}: ")]
        lines += [f"{heading}: {' '.join(own)}."] if own else []
    return "\n".join(lines)
