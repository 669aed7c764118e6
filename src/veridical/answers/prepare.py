"""What all readers do first: leave out thinking and explanation, blank the dressing, find where an answer is stated.

Every pattern here is bounded, and every scan is one pass: a megabyte of hostile text costs ten times what a tenth
costs. Blanking puts one space for each sign, so that a position means the same in the text and in its plain form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from veridical.answers.markers import CUE, CUED, EXPLAINING, MARKED
from veridical.answers.places import boxes, braces, corrections, lines, markers, tags
from veridical.answers.plain_text import DRESSED, fold_signs, strip_dressing
from veridical.answers.thinking import cut_spans, explanation_spans, spoken_text

_CLOSER = re.compile(
    r"(?i)(?:(?:^|(?<=[.!?\n)\u2713]))[\s*_(-]*(?:note: this is based on|(?:please )?let me know if|i hope (?:this"
    r"|that)|feel free to|if you (?:have|need|want|meant|would like|'d like|wish)\b|would you like|(?:the )?(?:other"
    r"|remaining) (?:options|choices|ones) (?:do not|don't|are not) fit|nothing else [^.!?\n0-9]{0,20}\b(?:is|looks"
    r"|seems) odd)[^\n:.!?]{0,200}[.!?][\s*_)]*|[\s\u2600-\u26ff\u2728\U0001f300-\U0001faff]+"
    r"|(?<=[.!?])[\s\u2713\u2705]+|\n[\s*_-]+)\Z"
)
_SENTENCE_END = re.compile(r"[.!?。\n]\s{0,3}[A-Z]")


@dataclass(frozen=True, slots=True)
class AnswerStatement:
    """A place that says "this is my answer": its rank (`LEAD` to `FINAL`), its plain content and where that stands."""

    rank: int
    content: str
    start: int
    end: int
    in_tag: bool = False


@dataclass(frozen=True, slots=True)
class PreparedReply:
    """A reply ready to be read: without dressing (one space for each sign), where answers are stated and taken back."""

    plain: str
    statements: tuple[AnswerStatement, ...]
    cues: tuple[int, ...]


_SHORT = 4_000
"""Replies of so many signs are kept: 256 hostile ones of a megabyte would fill the memory."""


def prepare(text: str) -> PreparedReply:
    """A reply without thinking, explanation and dressing, with the places where it states an answer, in order.

    Models repeat themselves, and a reply is read by several readers: what was made ready is kept for a while.

    >>> from veridical.answers.places import FINAL
    >>> [s.content for s in prepare("So **Final answer: B**").statements if s.rank == FINAL]
    ['B  ']
    """
    return _kept(text) if len(text) <= _SHORT else _kept_last(text)


def _made_ready(text: str) -> PreparedReply:
    return prepare_speech(spoken_text(text))


_kept = lru_cache(maxsize=256)(_made_ready)
_kept_last = lru_cache(maxsize=2)(_made_ready)


def prepare_speech(heard: str) -> PreparedReply:
    """What a reply says outside its thinking, made ready as `prepare` does."""
    text = _unclosed(fold_signs(cut_spans(heard, explanation_spans(heard))))
    plain = text if DRESSED.isdisjoint(text) else strip_dressing(text)
    cues = _cues(plain) if _may_hold(plain, CUED) else []
    stated = (boxes(text), braces(text), markers(plain) if _may_hold(plain, MARKED) else ())
    spans = [*(span for kind in stated for span in _until(cues, kind)), *lines(text, plain), *corrections(plain, cues)]
    statements = [AnswerStatement(rank, plain[start:end], start, end) for rank, start, end in spans]
    for rank, start, end in _until(cues, tags(text)):
        statements.append(AnswerStatement(rank, plain[start:end], start, end, in_tag=True))
    return PreparedReply(
        plain, tuple(sorted(statements, key=lambda statement: statement.start)), tuple(e for _, e in cues)
    )


def _unclosed(text: str) -> str:
    """A text without what closes it (an offer, good wishes, a note, a line), unless it is nothing else."""
    for _ in range(6):
        closer = _CLOSER.search(text, max(0, len(text) - 400))
        if closer is None or not closer[0] or not text[: closer.start()].strip():
            break
        text = text[: closer.start()]
    return text


def _may_hold(plain: str, words: tuple[str, ...]) -> bool:
    """Whether one of these is in the text; they are those of ASCII, so that any other text may hold more."""
    small = plain.lower()
    return not plain.isascii() or any(word in small for word in words)


def _cues(plain: str) -> list[tuple[int, int]]:
    """Where words of correction stand, without those that only explain the correction before them."""
    kept: list[tuple[int, int]] = []
    for cue in CUE.finditer(plain):
        explains = kept and cue.start() - kept[-1][1] < 120 and EXPLAINING.match(plain, cue.start()) is not None
        if not (explains and _SENTENCE_END.search(plain, kept[-1][1], cue.start() + 1) is None):
            kept.append(cue.span())
    return kept


def _until(cues: list[tuple[int, int]], spans: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Places of one kind, each ended by words of correction, or where the third of its kind after it begins."""
    ends = [end for _, end in cues]
    ordered = sorted(spans, key=lambda span: span[1])
    for place, (rank, start, end) in enumerate(ordered):
        index = bisect_right(ends, start)
        corrected = max(start, cues[index][0]) if index < len(cues) else end
        # Nested or crowded places would otherwise be read over and over, in quadratic time.
        crowded = ordered[place + 3][1] if place + 3 < len(ordered) else end
        yield rank, start, min(end, corrected, crowded)
