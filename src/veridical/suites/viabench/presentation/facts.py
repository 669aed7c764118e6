"""What stands beside an item, and the passages that rules mark in its replies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.records import Json, Stimulus
from veridical.suite.results import Passage
from veridical.suites.viabench.analysis.reasoning import trace_in
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.puzzles.puzzle import kind_of
from veridical.suites.viabench.traces.rules import RULES

_KINDS = {"gold": "true", "usual": "the usual answer", "opposite": "the opposite", "near": "beside the truth"}


def facts(stimulus: Stimulus) -> Sequence[tuple[str, Json, Json]]:
    """The options by letter, each with its kind; the answer as intended and as measured; and the pictures' sizes."""
    options: list[str] = stimulus.truth["options"]
    usual = stimulus.factors.get("usual")
    rows: list[tuple[str, Json, Json]] = []
    for option in options:
        kind = kind_of(option, str(stimulus.label), usual)
        rows.append((f"{letter(options, option)}. {option}", _KINDS.get(kind), None))
    rows.append(("answer", stimulus.truth.get("answer", stimulus.label), stimulus.measured.get("answer")))
    if "index" in stimulus.truth:
        rows.append(("index in the release", stimulus.truth["index"], None))
    sizes = " and ".join(f"{medium.width} × {medium.height} px" for medium in stimulus.media)
    rows.append(("pictures, as sent", sizes, None))
    return rows


def passages(row: Mapping[str, Any]) -> list[Passage]:
    """The passages that the rules mark in a reply by letter, of its row of the outcomes."""
    expects = row["expects"] or "{}"
    options = json.loads(expects).get("options")
    if row["stage"] != "ask" or not options:
        return []
    answer = row["answer"]
    trace = trace_in(
        row["reasoning"], row["text"], expects, None if answer is None else options[ord(answer) - ord("A")]
    )
    if not trace.visible:
        return []
    return [trace.passage(span, rule.title) for rule in RULES for span in rule.find(trace)]
