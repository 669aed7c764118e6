"""Places of a reply that say "this is my answer", each with its rank: tags, boxes, brackets, markers, lines.

Every search is one pass, as `veridical.answers.prepare` promises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.answers import markers as words
from veridical.answers.thinking import ANSWER_TAG

LEAD, LAST, STATED, FINAL = 1, 2, 3, 4
"""How strongly a place says "this is my answer": a sentence or line of its own; bold alone on the last line; a marker
such as "Answer:" or a ticked box; a tag, a LaTeX box, or a marker that calls itself final."""

SENTENCES = re.compile(r"[^.!?。！？\n]{1,600}[.!?。！？]?")
_LOST = re.compile(r"(?i)(?:^|[\s`])/?(?:final_?)?answer>([^<>]{0,80})\Z")
_TO_ANSWER = re.compile(r"(?i)[\s,.:!—-]{0,6}(?P<put>(?:it's|it is|that's|this is|there are|i see) )?")
_STOP = re.compile(r"[.,;:!?\n(—。，]")
_BRACE = re.compile(r"(\\boxed {0,2})?\{|\}")
_BRACED = re.compile(r"(?<![\w\\^}{$])\{\s{0,2}([^\W_][^{}\n,:;\"'\\<>=|/]{0,24})\}(?![}{$])")
_EXAMPLE = re.compile(
    r"(?i)(?:\b(?:e\.g|i\.e|ex)\.?|\b(?:example|such as|like|format|form|instance|brackets|braces|zum beispiel|z\.b\."
    r"|beispiel))[\s,:(\"'`=]{0,4}$"
)
_OF_EACH = re.compile(r"(?i)\b(?:each|every|per|any|all|either)(?: \w{4,9})? $")
"""What before "option:" makes it a heading over all of them."""
_SUPPOSED = re.compile(r"[^.\n]{0,40}\b(?:if|were|wenn|si)\b")
"""What after "the answer would be" says that it is not."""
_TICK = re.compile(r"(?m)^[ \t*-]{0,8}(?:\[(?:[xX✓✔])\]|[☑✅🗹◉])|^[ \t*-]{0,8}(?P<open>\[ ?\]|[☐◯○])")


def corrections(plain: str, cues: list[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    """What directly follows words of correction, up to the next stop: "Correction: 13", "or rather, no", "actually 6".

    After "wait" a reply looks again; only what is put as a statement ("wait, it's 6") is meant.
    """
    after = [(end, words.PAUSE.search(plain, start, end) is not None) for start, end in cues]
    for start, looks_again in [*after, *((match.end(), False) for match in words.INSTEAD.finditer(plain))]:
        lead = _TO_ANSWER.match(plain, start)
        if lead is None or (looks_again and not lead["put"]):
            continue
        stop = _STOP.search(plain, lead.end() + 1, lead.end() + 60)
        yield LEAD, lead.end(), stop.start() if stop else min(len(plain), lead.end() + 60)


def tags(text: str) -> Iterator[tuple[int, int, int]]:
    """Contents of answer tags: up to the next tag of an answer, whichever it is; before a lone closing; not quotations.

    A tag whose content is empty, or that is only quoted ("such as <answer>1</answer>", "<answer>1</answer> if"), states
    nothing.
    """
    start, quoted = None, False
    for index, tag in enumerate(ANSWER_TAG.finditer(text)):
        closing = bool(tag["close"] or tag["end"])
        lost = _LOST.search(text, max(0, tag.start() - 100), tag.start()) if closing and start is None else None
        if lost:
            start = lost.start(1)
        elif closing and start is None and index == 0 and len(text[: tag.start()].strip()) <= 80:
            start = 0
        quoted = quoted or (closing and words.QUOTED_AFTER.match(text, tag.end()) is not None)
        if start is not None and not quoted and _has_content(text, start, tag.start()):
            yield FINAL, start, tag.start()
        start = None if closing else tag.end()
        quoted = not closing and words.QUOTED_BEFORE.search(text, max(0, tag.start() - 40), tag.start()) is not None
    if start is not None and not quoted and _has_content(text, start, len(text)):
        yield FINAL, start, len(text)


def _has_content(text: str, start: int, end: int) -> bool:
    return any(sign.isalnum() or sign in "[]{}" or not sign.isascii() for sign in text[start : min(end, start + 300)])


def boxes(text: str) -> Iterator[tuple[int, int, int]]:
    if "\\boxed" not in text:
        return
    stack: list[tuple[bool, int]] = []
    for brace in _BRACE.finditer(text):
        if brace[0] != "}":
            stack.append((brace[1] is not None, brace.end()))
        elif stack:
            box, start = stack.pop()
            if box:
                yield FINAL, start, brace.start()


def braces(text: str) -> Iterator[tuple[int, int, int]]:
    """Curly brackets around one short word or number, as some prompts ask for; no LaTeX, JSON or example."""
    for brace in _BRACED.finditer(text) if "{" in text else ():
        if " or " not in brace[1] and not _EXAMPLE.search(text, max(0, brace.start() - 40), brace.start()):
            yield STATED, brace.start(1), brace.end(1)


def markers(plain: str) -> Iterator[tuple[int, int, int]]:
    for mark in (words.LATIN_MARKER if plain.isascii() else words.MARKER).finditer(plain):
        before = plain[max(0, mark.start() - 120) : mark.start()]
        attributes = words.ATTRIBUTES.search(before[-40:])
        called = (attributes[0] if attributes else "") + mark[0]
        before = before[: len(before) - len(attributes[0])] if attributes else before
        if _OF_EACH.search(before):
            continue
        if mark["heading"] and before.rpartition("\n")[2].strip():
            continue
        clause = before[max((turn.end() for turn in words.TURN.finditer(before)), default=0) :]
        if words.DOUBT.search(clause) or ("would" in called and _SUPPOSED.match(plain, mark.end())):
            continue
        start = mark.end()
        while start < len(plain) and start < mark.end() + 200 and plain[start].isspace():
            start += 1
        end = plain.find("\n", start, start + 300)
        final = words.FINALLY.search(called.casefold()) is not None
        yield (FINAL if final else STATED), start, (end if end >= 0 else min(len(plain), start + 300))


def lines(text: str, plain: str) -> Iterator[tuple[int, int, int]]:
    """Short lines, each a place of its own: a ticked one ranks high, one with an empty box is none.

    The last line ranks higher than others where it is bold from end to end.
    """
    last = len(plain.rstrip())
    start = 0
    while start < last:
        end = plain.find("\n", start)
        end = len(plain) if end < 0 else end
        if end - start <= 120 and plain[start:end].strip():
            bare = text[start:end].strip()
            bold = bare.startswith("**") and bare.rstrip(".").endswith("**") and bare.count("**") == 2
            tick = _TICK.match(plain, start, end)
            if tick is None:
                yield (LAST if bold and end >= last else LEAD), start, end
            elif not tick["open"]:
                yield STATED, tick.end(), end
        start = end + 1
