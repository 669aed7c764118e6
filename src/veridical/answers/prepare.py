"""What all readers do first: leave out the thinking, fold signs, blank the dressing, find where an answer is stated.

Every pattern here is bounded, and every scan is one pass: a megabyte of hostile text costs ten times what a tenth
costs. Blanking puts one space for each sign, so that a position means the same in the text and in its plain form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LEAD, LAST, STATED, FINAL = 1, 2, 3, 4
"""How strongly a place says "this is my answer": a sentence or line of its own; bold alone on the last line; a marker
such as "Answer:"; a tag, a box, or a marker that calls itself final."""

_THINKING = re.compile(
    r"(<(?:think|thinking|thought|scratchpad)>|◁think▷|\[THINK\])"
    r"|</(?:think|thinking|thought|scratchpad)>|◁/think▷|\[/THINK\]",
    re.IGNORECASE,
)
_CHANNEL = "<|channel|>final<|message|>"
_FOLD = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | {0x2080 + digit: ord("0") + digit for digit in range(10)}
    | dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFE0F, 0xFEFF])
    | dict.fromkeys([*range(0x2000, 0x200B), 0xA0, 0x202F, 0x3000], " ")
    | dict.fromkeys([0x2010, 0x2011, 0x2012, 0x2013, 0x2212], "-")
    | dict.fromkeys([0x201C, 0x201D, 0x300C, 0x300D, 0x300E, 0x300F], '"')
    | {0x2018: "'", 0x2019: "'", 0x301C: "~", 0x2028: "\n", 0x2029: "\n", 0x0D: "\n"}
)
_HTML = "b|i|u|em|strong|br|p|span|div|h[1-6]|li|ul|ol|code|pre|reasons?|reasoning|rationale|explanation|analysis"
_DRESSING = re.compile(
    r"```[a-z]{0,12}|~~[^~\n]{1,200}~~|\*+|`+|(?<![a-z0-9_])_{1,3}|_{1,3}(?![a-z0-9_])|^[ \t]{0,8}(?:#{1,6}|>{1,3})"
    rf"|</?(?:{_HTML}|answer|final_answer) ?/?>|<\|[a-z_]{{1,30}}\|>"
    r"|\\(?:boxed|text(?:bf|it|rm)?|mathrm|mathbf|quad|[,;!\[\]() ])|[${}]+",
    re.IGNORECASE | re.MULTILINE,
)
_DRESSED = frozenset("`~*_#><\\${}")
"""What dressing begins with, or on a line of its own is: a text without any of these has none."""
_TAG = re.compile(r"<(/?)(?:answer|final_answer) ?>|<\|(?:begin|(end))_of_box\|>", re.IGNORECASE)
_BRACE = re.compile(r"(\\boxed {0,2})?\{|\}")
_MARKER = re.compile(
    r"(?:\b(?P<en>(?:(?:final|correct|right|best|actual|true) ){0,3}(?:answer|option|choice))"
    r"|\b(?P<de>(?:(?:finale|endgültige|richtige|korrekte) ){0,2}antwort)"
    r"|\b(?P<fr>réponse(?: (?:finale|correcte|exacte)){0,2})"
    r"|\b(?P<es>(?:respuesta|resposta|risposta)(?: (?:final|finale|correcta|correta|corretta)){0,2})"
    r"|\b(?P<ru>(?:окончательный )?ответ)"
    r"|(?P<zh>(?:最终|最后|正确|最終|正しい|的){0,3}(?:答案|回答|答え|正解|解答|정답|답)))"
    r"[\"')\]]{0,2}(?: to (?:the|this|your) question)?\s{0,3}"
    r"(?:(?:(?:is|would be|should be|must be|has to be|will be|ist|lautet|wäre|est|es|é|è)\b|:|=|是|为|は|은|는)"
    r"(?:\s{0,3}[:=])?|(?P<heading>\n))",
    re.IGNORECASE,
)
_MARKED = ("answer", "option", "choice", "antwort", "respuesta", "resposta", "risposta")
"""What each marker in ASCII alone holds, in small letters."""
_DOUBT = re.compile(
    r"\b(?:if|unless|whether|at first|first (?:glance|sight|impression)|might|may|wenn|falls|"
    r"(?:people|viewers|observers|many|most|one) would)\b",
    re.IGNORECASE,
)
_TURN = re.compile(r"[.!?。\n]|\b(?:but|however|yet|therefore|so|thus|hence|otherwise)\b", re.IGNORECASE)
_CUE = re.compile(
    r"(?:^|[.!?;:,>)。\n—…-]\s{0,3}| {6}|\b(?:h+m+|oh|but|no|ok|well|actually)[,.]{0,3} )"
    r"(?:wait\b(?! (?:for|until|time))|hold on\b|on second thoughts?\b|correction\b|scratch that|never ?mind"
    r"|let me (?:re-?(?:check|consider|examine|count|evaluate|think|measure|visit)|look again|count again)"
    r"|(?:looking|counting|checking) again|my mistake|actually,? no\b"
    r"|i (?:was wrong|was mistaken|made a mistake|take (?:that|it) back|mis(?:read|counted|judged|spoke)|mixed up"
    r"|correct myself|stand corrected|(?:(?:must|need to|have to|should|will) )?(?:change|correct|revise) my)"
    r"|moment\b|korrektur\b|ich korrigiere|doch nicht|attende[zs]\b|en fait,? non|espera\b|corrección\b|perdón\b"
    r"|等等|等一下|不对[,，]|更正|我(?:看|数)?错了|待って|訂正|いや[、,])",
    re.IGNORECASE,
)
_CUED = (
    *("wait", "hold on", "second thought", "correction", "scratch that", "nevermind", "never mind", "let me "),
    *(" again", "my mistake", "actually", "i was ", "i made ", "i take ", "i mis", "i mixed ", "i correct "),
    *("i stand ", "i must ", "i need ", "i have ", "i should ", "i will ", "i change ", "i revise ", "moment"),
    *("korrektur", "ich korrigiere", "doch nicht", "attende", "en fait", "espera"),
)
"""What each cue in ASCII alone holds, in small letters."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A place that says "this is my answer": its rank (`LEAD` to `FINAL`), its plain content and where that stands."""

    rank: int
    content: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reply ready to be read: without dressing (one space for each sign), where answers are stated and taken back."""

    plain: str
    statements: tuple[Statement, ...]
    cues: tuple[int, ...]


def spoken(text: str) -> str:
    """What a reply says outside its thinking blocks; a block that never ends hides the rest, a lone end all before it.

    >>> spoken("<think>yes?</think>no"), spoken("yes?</think>no"), spoken("<think>yes")
    ('no', 'no', '')
    """
    if _CHANNEL in text:
        text = text.rpartition(_CHANNEL)[2]
    parts, at, inside = [], 0, False
    for mark in _THINKING.finditer(text):
        if mark[1] is not None and not inside:
            parts.append(text[at : mark.start()])
        elif mark[1] is None and not inside:
            parts = []
        inside, at = mark[1] is not None, mark.end()
    if not inside:
        parts.append(text[at:])
    return "".join(parts)


def prepare(text: str) -> Prepared:
    """A reply without thinking and dressing, with the places where it states an answer, in the order of the text.

    >>> [s.content for s in prepare("So **Final answer: B**").statements if s.rank == FINAL]
    ['B  ']
    """
    said = spoken(text).replace("\r\n", "\n").translate(_FOLD)
    plain = said if _DRESSED.isdisjoint(said) else _DRESSING.sub(lambda sign: " " * len(sign[0]), said)
    cues = [cue.span() for cue in _CUE.finditer(plain)] if _may_hold(plain, _CUED) else []
    stated = (_tags(said), _boxes(said), _markers(plain) if _may_hold(plain, _MARKED) else ())
    spans = [*(span for kind in stated for span in _until(cues, kind)), *_lines(said, plain)]
    statements = [Statement(rank, plain[start:end], start, end) for rank, start, end in spans]
    return Prepared(plain, tuple(sorted(statements, key=lambda statement: statement.start)), tuple(e for _, e in cues))


def _may_hold(plain: str, words: tuple[str, ...]) -> bool:
    """Whether one of these is in the text; they are those of ASCII, so that any other text may hold more."""
    small = plain.lower()
    return not plain.isascii() or any(word in small for word in words)


def _tags(said: str) -> Iterator[tuple[int, int, int]]:
    """Contents of answer tags: of the innermost opening; of one that was never closed; before a lone closing."""
    start = None
    for index, tag in enumerate(_TAG.finditer(said)):
        closing = bool(tag[1] or tag[2])
        if closing and start is not None:
            yield FINAL, start, tag.start()
        elif closing and index == 0 and len(said[: tag.start()].strip()) <= 80:
            yield FINAL, 0, tag.start()
        start = None if closing else tag.end()
    if start is not None:
        yield FINAL, start, len(said)


def _boxes(said: str) -> Iterator[tuple[int, int, int]]:
    if "\\boxed" not in said:
        return
    stack: list[tuple[bool, int]] = []
    for brace in _BRACE.finditer(said):
        if brace[0] != "}":
            stack.append((brace[1] is not None, brace.end()))
        elif stack:
            box, start = stack.pop()
            if box:
                yield FINAL, start, brace.start()


def _markers(plain: str) -> Iterator[tuple[int, int, int]]:
    for mark in _MARKER.finditer(plain):
        before = plain[max(0, mark.start() - 120) : mark.start()]
        if mark["heading"] and before.rpartition("\n")[2].strip():
            continue
        clause = before[max((turn.end() for turn in _TURN.finditer(before)), default=0) :]
        if _DOUBT.search(clause):
            continue
        start = mark.end()
        while start < len(plain) and start < mark.end() + 200 and plain[start].isspace():
            start += 1
        end = plain.find("\n", start, start + 300)
        final = mark[0].casefold().startswith(("final", "endgültig", "最终", "最終")) or "final" in mark[0].casefold()
        yield (FINAL if final else STATED), start, (end if end >= 0 else min(len(plain), start + 300))


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


def _lines(said: str, plain: str) -> Iterator[tuple[int, int, int]]:
    """Short lines, each a place of its own; the last one ranks higher where it is bold from end to end."""
    last = len(plain.rstrip())
    start = 0
    while start < last:
        end = plain.find("\n", start)
        end = len(plain) if end < 0 else end
        if end - start <= 120 and plain[start:end].strip():
            bare = said[start:end].strip()
            bold = bare.startswith("**") and bare.rstrip(".").endswith("**") and bare.count("**") == 2
            yield (LAST if bold and end >= last else LEAD), start, end
        start = end + 1
