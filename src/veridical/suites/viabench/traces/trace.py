"""What is visible of a model's reasoning: its thinking, and what a reply says before its final answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from veridical.answers.thinking import spoken_text
from veridical.suite.results import Passage
from veridical.suites.viabench.asking.readers import final_answer

LONGEST = 100_000
"""Characters of a trace that are looked at, from its beginning."""
FEWEST_WORDS = 12
"""A reply with fewer words before its answer shows no reasoning."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:'[^\W\u3400-\u9fff]+)?")
_SENTENCE = re.compile(r"[^.!?\u2026\n\u3002\uff01\uff1f]{1,2000}[.!?\u2026\u3002\uff01\uff1f]{0,9}(?:\.\d)?")


class TextSpan(NamedTuple):
    """A stretch of a text, from `start` up to but not including `end`, in characters."""

    start: int
    end: int


class TraceSentence(NamedTuple):
    """A sentence with the place of its first character, and whether the sentence before it asks something."""

    start: int
    text: str
    after_question: bool


@dataclass(frozen=True)
class Trace:
    """The visible reasoning of one reply, with what was asked.

    `text` is the thinking that came apart from the reply, an empty line, and the reply before its final answer; at most
    `LONGEST` characters. `apart` is the length of the first of these. `options`, `label` (the true one) and `final`
    (the one chosen) are texts of options; `final` is `None` where none was chosen.
    """

    text: str
    apart: int = 0
    options: tuple[str, ...] = ()
    label: str | None = None
    final: str | None = None

    @cached_property
    def words(self) -> int:
        """How many words it has; a Chinese character counts as one.

        >>> Trace("I count six fingers.").words
        4
        """
        return sum(1 for _ in _WORD.finditer(self.text))

    @cached_property
    def visible(self) -> bool:
        """Whether there is enough text to call it reasoning."""
        return self.words >= FEWEST_WORDS

    @cached_property
    def sentences(self) -> tuple[TraceSentence, ...]:
        """The sentences in order; a line ends one too."""
        sentences: list[TraceSentence] = []
        question = False
        for match in _SENTENCE.finditer(self.text):
            text = match[0].strip()
            if text:
                sentences.append(TraceSentence(match.start() + match[0].index(text), text, question))
                question = text.endswith(("?", "\uff1f"))
        return tuple(sentences)

    def passage(self, span: TextSpan, title: str) -> Passage:
        """Where a span of `text` stands in the reply, marked with a title."""
        if span.start < self.apart:
            return Passage("reasoning", span.start, min(span.end, self.apart), title)
        offset = self.apart + len(_BETWEEN) if self.apart else 0
        return Passage("text", span.start - offset, span.end - offset, title)


_BETWEEN = "\n\n"


def trace_of(
    reasoning: str | None,
    text: str | None,
    options: tuple[str, ...] = (),
    label: str | None = None,
    final: str | None = None,
) -> Trace:
    """The trace of a reply with its thinking, if that came apart, and its text.

    >>> trace = trace_of("Six fingers.", "I see six. Answer: [B]")
    >>> trace.text
    'Six fingers.\\n\\nI see six. '
    >>> trace.passage(TextSpan(16, 19), "seen")
    Passage(field='text', start=2, end=5, title='seen', shade='')
    """
    apart = (reasoning or "")[:LONGEST]
    reply = (text or "")[: max(0, LONGEST - len(apart))]
    end = final_answer(reply)
    within_thinking = spoken_text(reply[end:]) != reply[end:]
    reply = reply if within_thinking else reply[:end]
    joined = f"{apart}{_BETWEEN}{reply}" if apart else reply
    return Trace(joined.replace("\u2019", "'"), len(apart), options, label, final)
