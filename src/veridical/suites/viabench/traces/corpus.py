"""A corpus of reasoning traces labeled by hand, and how each rule does on it.

The labels are what a careful reader says of the whole trace, by these rules.

- Hedging: the writer is unsure of what is shown or of the answer. What others may think, what may hold in general, and
  the option "Not Sure" are no hedges; nor is "appears" or "looks" alone.
- Self-negation: a finding of the writer's own is taken back, in words or by another answer. Options that are ruled out,
  and an expectation that is not met, are none.
- Loop: the trace comes back to the same point three times or more without getting on, or repeats itself.
- Overturned: the true answer is stated as seen, and another one is the final answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from veridical.suites.viabench.traces.rules import RULES, TraceRule
from veridical.suites.viabench.traces.trace import Trace, trace_of

Part = Literal["tune", "measure", "fresh"]
_FILE = Path(__file__).parent / "corpus.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabeledTrace:
    """A trace with the names of the rules whose mark a careful reader gives it.

    `answer` is the letter of the final answer, `label` the text of the true option. Rules may be tuned on the part
    "tune" alone. The part "measure" was labeled with it and was looked at when the rules were first written; the part
    "fresh" was written when the rules were finished, in other words, and shows what to expect.
    """

    id: str
    part: Part
    options: tuple[str, ...]
    label: str
    answer: str
    marks: frozenset[str]
    text: str

    @property
    def trace(self) -> Trace:
        """The trace as of a reply."""
        final = self.options[ord(self.answer) - ord("A")]
        return trace_of(None, self.text, self.options, self.label, final)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A rule beside the labels: traces that both mark, that the rule alone marks, and that the labels alone mark."""

    rule: str
    both: int
    rule_alone: int
    label_alone: int
    neither: int

    @property
    def precision(self) -> float:
        """Of the traces that the rule marks, the share that the labels mark; not a number where it marks none."""
        return self.both / marked if (marked := self.both + self.rule_alone) else float("nan")

    @property
    def recall(self) -> float:
        """Of the traces that the labels mark, the share that the rule marks; not a number where they mark none."""
        return self.both / marked if (marked := self.both + self.label_alone) else float("nan")


@cache
def corpus(part: Part | None = None) -> tuple[LabeledTrace, ...]:
    """The labeled traces in the order of the file, all or those of one part.

    >>> len(corpus("tune")), len(corpus("measure")), sorted(corpus()[0].marks)
    (84, 57, ['hedging', 'overturned', 'self-negation'])
    """
    traces = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        each = LabeledTrace(**{**row, "options": tuple(row["options"]), "marks": frozenset(row["marks"])})
        traces.append(each)
    return tuple(each for each in traces if part in (None, each.part))


def agreement(rule: TraceRule, part: Part) -> Agreement:
    """How a rule agrees with the labels of a part of the corpus."""
    pairs = [(bool(rule.find(each.trace)), rule.name in each.marks) for each in corpus(part)]
    return Agreement(
        rule=rule.name,
        both=pairs.count((True, True)),
        rule_alone=pairs.count((True, False)),
        label_alone=pairs.count((False, True)),
        neither=pairs.count((False, False)),
    )


def table(part: Part) -> str:
    """Precision and recall of each rule on a part, as a table of Markdown."""
    lines = ["| rule | precision | recall | both | rule alone | label alone |", "|---|--:|--:|--:|--:|--:|"]
    for each in (agreement(rule, part) for rule in RULES):
        counts = f"{each.both} | {each.rule_alone} | {each.label_alone}"
        lines.append(f"| {each.rule} | {each.precision:.2f} | {each.recall:.2f} | {counts} |")
    return "\n".join(lines)
