"""What a reply says, what it only thinks, and what it only explains: the one place that knows the marks of each.

Thinking stands in tags (`<think>`, `<thought>`, `<scratchpad>`, `[THINK]`, `◁think▷` and their like) or in a channel
that is not the final one. Explanation, which a prompt may ask for (`<reasons>`, `<reasoning>`, `<rationale>` and their
like), is said, but is no answer.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OPEN, _SHUT = r"(?:<|&lt;|＜)", r"(?:>|&gt;|＞)"
_THOUGHT = (
    r"(?:[a-z]{1,12}[:_])?(?:think(?:ing)?|thoughts?|thought_process|chain_of_thought|scratch_?pad|monologue"
    r"|deliberation|working_out)"
)
_MARK = re.compile(
    rf"(?i)(?P<open>{_OPEN}{_THOUGHT}(?: [^<>\n]{{0,80}})?{_SHUT}|◁\s?think(?:ing)?\s?▷|\[(?:BEGIN_)?THINK(?:ING)?\]"
    r"|<\|(?:begin_of_|start_)?(?:thought|think|thinking)\|>|<unused94>)"
    rf"|(?P<close>{_OPEN}\s?/\s?{_THOUGHT}\s?{_SHUT}|<end_working_out>|◁\s?/\s?think(?:ing)?\s?▷"
    r"|\[(?:/|END_)THINK(?:ING)?\]|<\|(?:end_of_|end_|/)(?:thought|think|thinking)\|>|<unused95>)"
    r"|<\|channel\|?>\s{0,2}(?P<channel>[a-z]{1,20})(?:[^<\n]{0,40}<\|message\|>)?|(?P<end><\|(?:end|return|call)\|>"
    r"|<channel\|>)|(?:<\|(?:im_start|start|start_header_id)\|>|<start_of_turn>)\s{0,2}(?P<role>[a-z]{1,12})"
    r"(?:<\|end_header_id\|>)?"
)
_MARKING = (
    *("think", "thought", "scratch", "monologue", "deliberation", "working_out", "channel", "unused9", "<|"),
    "start_of_turn",
)
"""What each mark of a text in ASCII holds, in small letters."""
_FINAL = frozenset({"final", "answer", "response"})
_MODEL = frozenset({"assistant", "model"})
_BARE_CHANNEL = re.compile(r"\s{0,9}analysis(?=[A-Z])")
_EXPLANATION = re.compile(
    rf"(?i){_OPEN}\s?(?P<close>/\s?)?(?P<stem>reason|reflect|rational|explan|analys|justif|observ|eviden|summar|caption"
    rf"|descri|detail|step)[a-z]{{0,9}}(?: [^<>\n]{{0,80}})?\s?{_SHUT}"
)
_NAMES = r"(?:final[_ ]?)?(?:answer|ans|decision|verdict|conclusion|solution|output|result|choice|response)"
ANSWER_TAG = re.compile(
    rf"(?i)(?:{_OPEN}|\[)\s?(?P<close>/)?\s?{_NAMES}\s?(?:{_SHUT}|\])|<\|(?P<end>end_of_|/)?(?:begin_of_)?(?:box"
    rf"|answer)\|>"
)
"""A tag that an answer stands in; it is a closing one where the group `close` or `end` is there."""
_WHOLE_ANSWER = re.compile(
    rf"(?i){_OPEN}/reasons?{_SHUT}\s{{0,9}}{_OPEN}answer{_SHUT}[^<>]{{1,80}}{_OPEN}/answer{_SHUT}\s{{0,9}}\Z"
)
"""The whole form of an answer at the very end: thinking before it was not cut, its end was forgotten."""
_ANSWER_LINE = re.compile(r"(?i)\n[^\w\n]{0,6}(?:final )?answer[^\w\n]{0,4}[:=]")


class SpokenReply(NamedTuple):
    """What a reply says, and whether it ends in the middle of its thinking."""

    text: str
    thinking: bool


def split_thinking(text: str) -> SpokenReply:
    """What a reply says outside its thinking, and whether it ends while it still thinks.

    Thinking that never ends hides the rest; a lone end hides all before it, as where the template of a model opens the
    turn with thinking. Of channels, the final one alone is said; another's turn that a model makes up ends the reply.

    >>> split_thinking("<answer>1</answer> is tempting</think>0"), split_thinking("<think>yes")
    (SpokenReply(text='0', thinking=False), SpokenReply(text='', thinking=True))
    """
    text, cut = _outside_bare_channel(text)
    small = text.lower() if text.isascii() else None
    if small is not None and not any(word in small for word in _MARKING):
        return SpokenReply(_joined([text]), cut)
    parts: list[str] = []
    at, inside = 0, ""
    for mark in _MARK.finditer(text):
        if inside == "thought" and not mark["close"]:
            continue
        parts += [] if inside else [text[at : mark.start()]]
        if _is_made_up(mark) and any(part.strip() for part in parts):
            return SpokenReply(_joined(parts), False)
        if (mark["close"] and inside != "thought") or (mark["channel"] or "").lower() in _FINAL:
            parts = []
        at, inside = mark.end(), _inside(mark)
    if not inside:
        parts.append(text[at:])
    elif answer := _WHOLE_ANSWER.search(text, max(at, len(text) - 4000)):
        return SpokenReply(answer[0], False)
    return SpokenReply(_joined(parts), bool(inside) or cut)


def _inside(mark: re.Match[str]) -> str:
    """What stands after a mark: "thought", another "channel" than the final one, or "" for what is said."""
    if mark["open"]:
        return "thought"
    return "channel" if mark["channel"] and mark["channel"].lower() not in _FINAL else ""


def _is_made_up(mark: re.Match[str]) -> bool:
    """Whether a mark opens the turn of somebody else than the model."""
    return mark["role"] is not None and mark["role"].lower() not in _MODEL


def spoken_text(text: str) -> str:
    """What a reply says outside its thinking.

    >>> spoken_text("<think>yes?</think>no"), spoken_text("yes?</think>no"), spoken_text("<think>yes")
    ('no', 'no', '')
    """
    return split_thinking(text).text


def explanation_spans(text: str) -> list[tuple[int, int]]:
    """The stretches of a text that only explain, from the opening tag to the closing one, in order.

    A lone end makes all before it explanation. Explanation that never ends is over where an answer tag opens; where
    nothing else is said, so is one that ends.

    >>> explanation_spans("<reasons>no ...</reasons>yes"), explanation_spans("<reasons>no <answer>1")
    ([(0, 25)], [(0, 12)])
    """
    spans: list[tuple[int, int]] = []
    opened: set[str] = set()
    start, stem = -1, ""
    for mark in _EXPLANATION.finditer(text):
        name = mark["stem"].lower()
        if start < 0 and not mark["close"]:
            start, stem = mark.start(), name
        elif start < 0 and name not in opened:
            spans = [(0, mark.end())]
        elif start >= 0 and mark["close"] and name == stem:
            spans.append((start, mark.end()))
            start = -1
        opened.add(name)
    if start >= 0:
        spans.append((start, _next_answer(text, start, len(text))))
    elif spans and not any(sign.isalnum() or not sign.isascii() for sign in cut_spans(text, spans)):
        first, last = spans[-1]
        spans[-1] = first, _next_answer(text, first, last)
    return spans


def cut_spans(text: str, spans: list[tuple[int, int]]) -> str:
    """A text without some stretches of it; a line break stands for each."""
    parts, at = [], 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    return "\n".join([*parts, text[at:]])


def _next_answer(text: str, start: int, end: int) -> int:
    """Where an answer tag opens, or a line begins with "Answer:", after `start`, at most `end`."""
    for tag in ANSWER_TAG.finditer(text, start, end):
        if not tag["close"] and not tag["end"]:
            return tag.start()
    line = _ANSWER_LINE.search(text, start, end)
    return line.start() if line else end


def _outside_bare_channel(text: str) -> tuple[str, bool]:
    """A text without the channel of analysis whose marks were lost, and whether nothing follows this channel."""
    if not _BARE_CHANNEL.match(text):
        return text, False
    _, final, answer = text.rpartition("assistantfinal")
    return (answer, False) if final else ("", True)


def _joined(parts: list[str]) -> str:
    """Parts joined by a space where both have something to say, so that no new mark comes about."""
    return " ".join(part for part in parts if part.strip())
