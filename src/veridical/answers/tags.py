"""Reading an answer that was asked for in a tag."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veridical.answers.reader import Read, Reader

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
    return _read(text, _MEANING, "1 or 0")


def choice_reader(*options: str) -> Reader:
    """A reader of the option word that stands in the `<answer>` tag; its name tells the options, in one fixed order.

    It reads by the same rules as `read_binary`, and nothing but the options themselves, in any case.

    >>> reader = choice_reader("top", "bottom")
    >>> reader.name, reader.read("<answer>Top.</answer>").answer, reader.read("<answer>both</answer>").answer
    ('answer-tag-choice: bottom, top', 'top', None)
    """
    words = tuple(sorted(set(options)))
    if len(words) < 2 or any(word != word.strip(_DRESSING).lower() or not word for word in words):
        raise ValueError(f"the options {options} are not two or more different words in lower case")
    meaning, wanted = {word: word for word in words}, " or ".join(words)
    return Reader(f"answer-tag-choice: {', '.join(words)}", "1", lambda text: _read(text, meaning, wanted))


def _read(text: str, meaning: Mapping[str, str], wanted: str) -> Read:
    said = _THINKING.sub(" ", text)
    contents = [match[1] for match in _TAG.finditer(said)]
    if not contents:
        bare = meaning.get(said.strip(_DRESSING).lower()) if len(said) < 200 else None
        return Read(bare) if bare else Read(None, "no answer tag")
    meanings = {meaning.get(content.strip(_DRESSING).lower()) for content in contents}
    if None in meanings:
        return Read(None, f"an answer tag holds something else than {wanted}")
    if len(meanings) > 1:
        return Read(None, "the answer tags contradict each other")
    return Read(meanings.pop())
