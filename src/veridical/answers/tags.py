"""Reading an answer that was asked for in a tag."""

from __future__ import annotations

import re

from veridical.answers.reader import Read

_THINKING = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<answer>([^<]{0,80})(</answer>|\Z)", re.IGNORECASE)
_MEANING = {"1": "1", "yes": "1", "0": "0", "no": "0"}
_DRESSING = " \t\r\n*_`'\".:!"


def read_binary(text: str) -> Read:
    """The answer "1" or "0" that a reply states in its `<answer>` tag, or the reason why none can be read.

    What stands in thinking blocks does not count. A reply without a tag is read only where it is nothing but the
    answer. Tags that contradict each other, or hold anything but one answer, are not resolved by a guess.

    >>> read_binary("<reasons>They match.</reasons><answer> **1** </answer>").answer
    '1'
    >>> read_binary("<answer>1</answer> ... no: <answer>0</answer>").reason
    'the answer tags contradict each other'
    >>> read_binary("4 legs, not 5").answer is None
    True
    """
    said = _THINKING.sub(" ", text)
    contents = [match[1] for match in _TAG.finditer(said)]
    if not contents:
        bare = _MEANING.get(said.strip(_DRESSING).lower()) if len(said) < 200 else None
        return Read(bare) if bare else Read(None, "no answer tag")
    meanings = {_MEANING.get(content.strip(_DRESSING).lower()) for content in contents}
    if meanings == {"1"} or meanings == {"0"}:
        return Read(meanings.pop())
    if meanings == {"1", "0"}:
        return Read(None, "the answer tags contradict each other")
    return Read(None, "an answer tag holds something else than 1 or 0")
