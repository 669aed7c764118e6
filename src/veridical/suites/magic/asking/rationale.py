"""A reply as steps of reasoning and a final answer.

A step is a sentence (segmented by `sentencex`); a number or sign that opens an item of a list is no part of it, and a
label alone ("R1.", "**R2:**") belongs to what follows. Headings over parts of the reply are no steps, nor is the final
answer. Thinking in tags is no part of a rationale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from veridical.answers import last_object
from veridical.answers.reader import is_refusal
from veridical.answers.thinking import spoken_text
from veridical.records import Json
from veridical.suites.magic.asking.conclusion import conclusion_of
from veridical.suites.magic.asking.headings import is_bare, is_placeholder, states, without_made_up
from veridical.suites.magic.asking.plain_reply import PlainReply, tidy
from veridical.suites.magic.language.statements import segments

_PART = (
    r"(?:step[- ]by[- ]step )?(?:thought process|thoughts?|thinking|reasoning(?: (?:process|steps?|chain))?|rationale"
    r"|explanation|analysis|observations?|steps?|chain of thought|justification|evidence|response)"
)
_HEADING = re.compile(rf"^[^\w\n]{{0,8}}(?:my |the )?{_PART}[^\w\n]{{0,4}}(?::[^\w\n]{{0,6}}|$)", re.IGNORECASE)
_ITEM = re.compile(
    r"^[^\S\n]{0,20}(?:[-+•▪–—][^\S\n]{1,4})?(?:(?:step )?\(?[0-9]{1,3}[.):][^\S\n]{1,4})?[-•–—\s]{0,4}", re.I
)
_IN_LINE_ITEM = re.compile(r"(?<=\S)\s(?=\(?[0-9]{1,2}\)\s)")
_LABEL = re.compile(
    r"\W{0,6}(?:(?:in|looking at|for|the)\s){0,2}(?:(?:region|box|step|area)s?\s{0,2})?(?:R[ _-]?)?[0-9]{0,3}\W{0,6}",
    re.I,
)
_RULE = re.compile(r"[-=_*~#|\s]{0,200}")
_ECHO = re.compile(r"^[^\w\n]{0,8}question[^\w\n]{0,4}:", re.IGNORECASE)
_ANSWER_KEYS = ("answer", "final_answer", "short_answer", "conclusion", "final", "result")
_MOST = 10_000
"""The most steps of a reply; what follows is one more."""


def split(text: str) -> tuple[list[str], str | None]:
    """The steps of a reply, each on one line, and its final answer, or `None` where it states none.

    A reply of one sentence that names no box is an answer without steps.

    >>> split("1. R1 shows a red mug. 2. R2 is empty.\\n\\n**Answer**: red")
    (['R1 shows a red mug.', 'R2 is empty.'], 'red')
    >>> split("It shows a mug.\\nR2. shows a lamp"), split("Red.")
    ((['It shows a mug.', 'R2. shows a lamp'], None), ([], 'Red.'))
    """
    heard = spoken_text(text)
    plain = without_made_up(PlainReply.of(heard))
    place = conclusion_of(plain)
    stated = _from_object(heard, anywhere=place is None)
    if stated is not None:
        return stated
    if place is not None:
        before, after = plain.clean(0, place.start), plain.clean(place.end)
        steps = _steps(before + "\n" * (place.end > place.start) + after)
        return [step for step in steps if not states(step, place.content)], place.content
    steps = _steps(plain.clean())
    if len(steps) == 1 and _is_answer(steps[0], plain):
        return [], steps[0]
    return steps, None


def _is_answer(only: str, plain: PlainReply) -> bool:
    """Whether the only sentence of a reply is its answer: it names no box and does not decline."""
    named = re.search(r"\bR[ _-]?[0-9]|\b(?:box|region)e?s?\b", only, re.IGNORECASE) is not None
    return not named and not only.endswith(("?", ":")) and not is_refusal(plain.text)


def _from_object(heard: str, *, anywhere: bool) -> tuple[list[str], str | None] | None:
    """Steps and answer of a reply whose last JSON object has a key for the answer; `anywhere`, or at its end."""
    last = last_object(heard) if "{" in heard and '"' in heard else None
    if last is None or not (last.ends or anywhere):
        return None
    value = {str(key).strip().lower().replace(" ", "_"): each for key, each in last.value.items()}
    if not any(key in value for key in _ANSWER_KEYS):
        return None
    key = next((key for key in _ANSWER_KEYS if _plain(value.get(key)) is not None), None)
    answer = tidy(_cleaned(_plain(value.pop(key)) or "")) if key else ""
    before = heard[: heard.rfind("{")] if heard.count("{") == 1 else ""
    steps = [step for text in (before, *_texts(value)) for step in _steps(_cleaned(text))]
    return steps, None if is_placeholder(answer) else answer


def _plain(value: Json) -> str | None:
    """A text, number, truth value, or list of these as text; `None` for anything else."""
    if isinstance(value, list) and value:
        parts = [_plain(each) for each in value if not isinstance(each, list)]
        return ", ".join(part for part in parts if part) or None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str | int | float) else None


def _cleaned(text: str) -> str:
    return PlainReply.of(text).clean()


def _texts(value: Json) -> Iterator[str]:
    """All texts in a JSON value, in order."""
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            stack += [
                f"{str(key).replace('_', ' ')}: {own}" if isinstance(own, str) else own
                for key, own in reversed(list(each.items()))
            ]
        elif isinstance(each, list):
            stack += reversed(each)


def _steps(bare: str) -> list[str]:
    joined: list[str] = []
    label = ""
    for sentence in _sentences(bare):
        text = f"{label} {sentence}" if label else sentence
        if _LABEL.fullmatch(text):
            label = text
            continue
        label = ""
        if len(joined) < _MOST:
            joined.append(text)
        else:
            joined[-1] += f" {text}"
    return [*joined, label] if any(sign.isalpha() for sign in label) else joined


def _sentences(bare: str) -> Iterator[str]:
    for line in bare.split("\n"):
        if _RULE.fullmatch(line) or _ECHO.match(line) or is_bare(line):
            continue
        content = _HEADING.sub("", _ITEM.sub("", line.strip("| \t"), count=1))
        for item in _IN_LINE_ITEM.split(content):
            for sentence in segments(item):
                own = " ".join(_ITEM.sub("", sentence, count=1).split())
                if any(sign.isalpha() for sign in own):
                    yield own
