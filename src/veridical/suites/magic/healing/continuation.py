"""What a model adds to reasoning that it was given, and the reader of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veridical.answers import Marks, Read, Reader, Readers
from veridical.answers.cut import never
from veridical.answers.thinking import said
from veridical.records import Json, Trial

CONTINUATION = "continuation"
_WORD = re.compile(r"\w+")
_TRIMMED = " \t\r\n.,;:!?\"'`*_)]}>\u201d\u2019"


def continued(text: str, prefix: Sequence[str]) -> str:
    """What a reply says after what it repeats of the steps that it was given.

    Left out is a repetition at its beginning that goes on to the end of the given steps, whatever its marks and case.

    >>> continued("R1 shows a mug. It is green. Wait, it is red.", ["I see a room.", "R1 shows a mug.", "It is green."])
    'Wait, it is red.'
    >>> continued("It is red.", ["It is green."])
    'It is red.'
    """
    spoken = said(text).text.strip()
    words = [(match[0].lower(), match.end()) for match in _WORD.finditer(spoken)]
    for first in range(len(prefix)):
        given = [word.lower() for step in prefix[first:] for word in _WORD.findall(step)]
        if given and [word for word, _ in words[: len(given)]] == given:
            return spoken[words[len(given) - 1][1] :].lstrip(_TRIMMED).strip()
    return spoken


def _read(text: str, expects: Mapping[str, Json]) -> Read:
    own = continued(text, expects["prefix"])
    if any(sign.isalnum() for sign in own):
        return Read(own)
    return Read(None, "the reply only repeats what was given" if text.strip() else "the reply is empty")


def _unmarked(answer: str, trial: Trial) -> Marks:  # noqa: ARG001 (a continuation is marked by a judge)
    return Marks(None)


CONTINUATIONS: Readers = {
    CONTINUATION: (Reader(name=CONTINUATION, version="2", parse=_read, mark=_unmarked, complete=never),)
}
