"""Reading an answer that was asked for in a tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from veridical.answers.reader import Parser, Read

_THINKING = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<answer>([^<]{0,80})(</answer>|\Z)", re.IGNORECASE)
_MEANING = {"1": "1", "yes": "1", "0": "0", "no": "0"}
_BEFORE = {"at", "in", "on", "to", "towards", "the"}
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


def choice_reader(*options: str) -> Parser:
    """A reader of the option that stands in the `<answer>` tag; its name tells the options, in one fixed order.

    It reads by the same rules as `read_binary`. An option may be dressed as people dress it ("the left one" for left,
    "top" for at the top); anything else is no answer.

    >>> reader = choice_reader("left", "right")
    >>> reader.name, reader.read("<answer>The left one.</answer>").answer, reader.read("<answer>both</answer>").answer
    ('answer-tag-choice: left, right', 'left', None)
    """
    known = tuple(sorted(set(options)))
    meaning = {_core(option): option for option in known}
    if len(meaning) < 2 or len(meaning) < len(known) or "" in meaning:
        raise ValueError(f"the options {options} are not two or more answers that can be told apart")
    wanted = " or ".join(known)
    return Parser(f"answer-tag-choice: {', '.join(known)}", "1", lambda text: _read(text, meaning, wanted, _core))


def _plain(text: str) -> str:
    return text.strip(_DRESSING).lower()


def _core(text: str) -> str:
    """An answer without the small words around it, spaces and hyphens."""
    words = _plain(text).replace("-", " ").split()
    while words and words[0] in _BEFORE:
        words = words[1:]
    return "".join(words[:-1] if words[1:] and words[-1] == "one" else words)


def _read(text: str, meaning: Mapping[str, str], wanted: str, core: Callable[[str], str] = _plain) -> Read:
    said = _THINKING.sub(" ", text)
    contents = [match[1] for match in _TAG.finditer(said)]
    if not contents:
        bare = meaning.get(core(said)) if len(said) < 200 else None
        return Read(bare) if bare else Read(None, "no answer tag")
    meanings = {meaning.get(core(content)) for content in contents}
    if None in meanings:
        return Read(None, f"an answer tag holds something else than {wanted}")
    if len(meanings) > 1:
        return Read(None, "the answer tags contradict each other")
    return Read(meanings.pop())
