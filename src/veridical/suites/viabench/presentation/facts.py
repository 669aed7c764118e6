"""What stands beside an item, the passages that rules mark in its replies, and tables of visible reasoning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.records import Json, Stimulus
from veridical.suite.results import Cell, Passage, Result, Table, find
from veridical.suites.viabench.analysis.reasoning import LONGER, trace_in
from veridical.suites.viabench.asking.trials import letter
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.puzzles.puzzle import kind_of
from veridical.suites.viabench.traces.rules import RULES
from veridical.suites.viabench.traces.trace import FEWEST_WORDS

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


_ITEMS = {"all": {}, **{title: {"category": name} for name, title in CATEGORIES.items()}}
_MARKS = {**{rule.name: rule.title for rule in RULES if not rule.needs_answer}, LONGER: "Longer than the median"}


def traces(results: Sequence[Result]) -> Table:
    """How often each rule finds something in the visible reasoning of a run, over all items and by category."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for label, where in _ITEMS.items():
            words = find(result, "trace words", where)
            rates = [find(result, "trace rate", {"mark": rule.name, **where}) for rule in RULES]
            if words:
                shown = find(result, "visible reasoning", where)
                rows.append((result.model, label, shown, words, *rates, words.counts))
    note = (
        f"Of replies that show reasoning: at least {FEWEST_WORDS} words of thinking, or before the final answer. Rules "
        "of words and sentences, in English and partly in Chinese, miss what is worded otherwise: rates are lower "
        "bounds. " + " ".join(f"{rule.title}: {rule.finds}" for rule in RULES)
    )
    heads = ("Model", "Items", "Replies with reasoning", "Words", *(rule.title for rule in RULES), "Traces")
    return Table("viabench-traces", "Reasoning traces", note, heads, tuple(rows))


def trace_effects(results: Sequence[Result]) -> Table:
    """Accuracy of replies with each mark − of those without it, within items."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for name, title in _MARKS.items():
            for label, where in _ITEMS.items():
                effect = find(result, "trace effect", {"mark": name, **where})
                if effect and effect.value is not None:
                    rows.append((result.model, title, label, effect, effect.n_units, effect.p))
    note = (
        "Accuracy of replies whose reasoning has the mark − of those without, on items that have both: repeats of one "
        "trial or, where each is asked once, the pictures of a unit. A correlation, not a cause. p by a sign-flip test "
        "by unit, Holm over the marks."
    )
    heads = ("Model", "Mark", "Items", "With − without", "Units", "p")
    return Table("viabench-trace-effects", "Is marked reasoning right less often?", note, heads, tuple(rows))


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
