"""The rules that find what is characteristic of a trace: a record for each, with a function from trace to spans."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veridical.suites.viabench.traces.claims import claims
from veridical.suites.viabench.traces.phrases import HEDGES, NO_AFTER_ALL, OF_OTHERS, TURNS, WEAK_TURNS, WITHDRAWALS
from veridical.suites.viabench.traces.trace import TextSpan, Trace, TraceSentence

Find = Callable[[Trace], list[TextSpan]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRule:
    """A rule: its name and version, what it looks for in a sentence, and how it finds passages.

    `find` returns the passages in order, none that overlap, as spans of the trace's text; a trace without any does not
    have the mark. `needs_answer` is set where a final answer is needed.
    """

    name: str
    version: str
    title: str
    finds: str
    find: Find
    needs_answer: bool = False


_TURNS, _BOTH_TURNS, _WITHIN = 3, 5, 700
"""How many turns make a loop, plain ones and with weak ones, and within how many characters."""
_REPEATS, _SHORTEST = 3, 6
"""How often a sentence occurs that is repeated, and the fewest characters of one that counts."""


def hedge_spans(trace: Trace) -> list[TextSpan]:
    """Where the writer says to be unsure of what is shown or of the answer; not what others may think.

    >>> hedge_spans(Trace("Maybe six."))
    [TextSpan(start=0, end=5)]
    """
    return [
        TextSpan(sentence.start + hedge.start(), sentence.start + hedge.end())
        for sentence in trace.sentences
        if not OF_OTHERS.search(sentence.text)
        for hedge in HEDGES.finditer(sentence.text)
    ]


def self_negation(trace: Trace) -> list[TextSpan]:
    """Where the writer withdraws a finding, or states one as seen that differs from the final answer.

    >>> self_negation(Trace("Six fingers. No, I miscounted."))
    [TextSpan(start=13, end=30)]
    """
    withdrawn = [_span(each) for k, each in enumerate(trace.sentences) if k and _withdraws(each)]
    return _apart([*withdrawn, *(span for _, span in _against(trace))])


def loops(trace: Trace) -> list[TextSpan]:
    """Turns that follow each other without end, and sentences that are repeated.

    >>> loops(Trace("Wait, six? Wait, five. Wait, six."))
    [TextSpan(start=0, end=10), TextSpan(start=11, end=22), TextSpan(start=23, end=33)]
    """
    strong = [each for each in trace.sentences if TURNS.search(each.text)]
    every = [each for each in trace.sentences if TURNS.search(each.text) or WEAK_TURNS.search(each.text)]
    dense = _dense(strong, _TURNS) | (_dense(every, _BOTH_TURNS) if strong else set())
    keys = [re.sub(r"\W+", " ", each.text.casefold()).strip() for each in trace.sentences]
    counts = Counter(key for key in keys if len(key) >= _SHORTEST)
    again = {each for each, key in zip(trace.sentences, keys, strict=True) if counts[key] >= _REPEATS}
    return _apart([_span(each) for each in dense | again])


def overturned_spans(trace: Trace) -> list[TextSpan]:
    """Where the true option is stated as seen, of a reply whose final answer is another.

    >>> overturned_spans(Trace("I count six fingers. Hands have five.", 0, ("5", "6"), "6", "5"))
    [TextSpan(start=0, end=20)]
    """
    return [span for option, span in _against(trace) if option == trace.label]


RULES: tuple[TraceRule, ...] = (
    TraceRule(
        name="hedging",
        version="1",
        title="Hedging",
        finds="The writer says to be unsure of what is shown or of the answer.",
        find=hedge_spans,
    ),
    TraceRule(
        name="self-negation",
        version="1",
        title="Self-negation",
        finds="A finding is taken back: withdrawn in words, or followed by another final answer.",
        find=self_negation,
    ),
    TraceRule(
        name="loop",
        version="1",
        title="Loop",
        finds=(
            f"{_TURNS} turns such as 'wait' or 'let me check', or {_BOTH_TURNS} with 'but' and 'no', within {_WITHIN} "
            f"characters; or a sentence that occurs {_REPEATS} times."
        ),
        find=loops,
    ),
    TraceRule(
        name="overturned",
        version="1",
        title="Overturned",
        finds="The true option is stated as seen, and another is the final answer.",
        find=overturned_spans,
        needs_answer=True,
    ),
)
"""All rules, in the order in which tables have them."""


def _span(sentence: TraceSentence) -> TextSpan:
    return TextSpan(sentence.start, sentence.start + len(sentence.text))


def _withdraws(sentence: TraceSentence) -> bool:
    if WITHDRAWALS.search(sentence.text):
        return True
    return bool(NO_AFTER_ALL.search(sentence.text)) and not sentence.after_question


def _against(trace: Trace) -> list[tuple[str, TextSpan]]:
    """The options stated as seen that are not the final answer."""
    if trace.final is None:
        return []
    return [(option, span) for option, span in claims(trace) if option != trace.final]


def _dense(sentences: Sequence[TraceSentence], count: int) -> set[TraceSentence]:
    """The sentences that stand among so many within `_WITHIN` characters."""
    dense: set[TraceSentence] = set()
    for first, last in zip(range(len(sentences)), range(count - 1, len(sentences)), strict=False):
        if sentences[last].start - sentences[first].start <= _WITHIN:
            dense.update(sentences[first : last + 1])
    return dense


def _apart(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """The spans in order, those that overlap joined."""
    joined: list[TextSpan] = []
    for span in sorted(set(spans)):
        if joined and span.start < joined[-1].end:
            joined[-1] = TextSpan(joined[-1].start, max(span.end, joined[-1].end))
        else:
            joined.append(span)
    return joined
