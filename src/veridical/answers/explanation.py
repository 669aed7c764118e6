"""An answer held against the explanation before it, which is no answer but may announce another one."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable

from veridical.answers.reader import Read
from veridical.answers.thinking import explained, spoken

_ANNOUNCES = (
    r"(?:the|my) (?:correct |final |right )?(?:answer|choice|decision|verdict)(?: to (?:the|this|your) question)?"
    r" (?:is|must be|should be|would be|has to be)(?: therefore| thus| hence| clearly| simply)?:?"
)
_INNER = re.compile(
    r"(?:^|[.!?>\n,;]\s{0,3}|,? (?:and|so|hence) )(?:so,? |thus,? |therefore,? |hence,? |consequently,? )?"
    rf"(?:{_ANNOUNCES}"
    r"|(?<=so |us |e, |s, |re |ce )(?:i(?:'d| would| will|'ll| must| have to)? (?:choose|pick|select|answer|say|go with"
    r"|conclude)(?: that)?(?: with)?:?)) "
    r"(?P<content>[^<>.!?\n]{1,40})[.!]?\s{0,3}</[a-z_]{1,20}>\s{0,3}\Z",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"(?:[.!?>\n]\s{0,3})(?:so,? |thus,? |therefore,? |hence,? |consequently,? )?"
    rf"{_ANNOUNCES} (?P<content>[^<>.!?:;,\n]{{1,20}})[.!:;,]",
    re.IGNORECASE,
)
"""An answer that an explanation announces before it goes on."""
_TAKEN_BACK = re.compile(
    r"\b(?:but|however|yet|wait|although|though|actually|no,|hm+|on second|until|correction|instead|wrong|mistake\w*)\b"
    r"|\?",
    re.IGNORECASE,
)


def as_explained(text: str, slot: Callable[[str, bool], Read], read: Read) -> Read:
    """The answer, unless the explanation before it announces another one and does not take it back."""
    if read.answer is None:
        return read
    heard = spoken(text)
    for start, end in explained(heard)[:3]:
        last = heard[max(start, end - 200) : end]
        answer = _INNER.search(last) if "?" not in last else None
        announced = deque(_EARLIER.finditer(heard, start, end), maxlen=1)
        asks = heard.find("?", start, end) >= 0
        if answer is None and announced and not asks and not _TAKEN_BACK.search(heard, announced[0].end(), end):
            answer = announced[0]
        other = slot(answer["content"], False).answer if answer else None
        if other is not None and other != read.answer:
            return Read(None, "the explanation gives another answer than the one that is stated")
    return read
