"""What is said over a clip, as it stands in the user turn: a line for each stretch of speech, between marks."""

from __future__ import annotations

from fractions import Fraction

from veridical.errors import InputError
from veridical.judges.quoting import quoted
from veridical.suite.frames import seconds
from veridical.suites.magicbench.stimuli import Patter

LATE = 0.5
"""How many seconds after the end of the clip speech may end, as by rounding."""


def transcript(patter: Patter, name: str, duration: float) -> str:
    """The words as a block of lines with their times, between marks that the words cannot contain.

    Breaks within the words of a row become spaces, so a row is one line whatever it says. Words without rows are one
    line without a time; silence is a block without lines. Raises `InputError`, which names the stimulus, for rows that
    do not lie within the clip or end before they begin.

    >>> print(transcript({"text": "Gone!", "timeline": [(1.5, 2, "Gone!")], "claims": []}, "a", 6.0))
    [transcript bb81b12229d9, 1 line]
    | 1.50 to 2.00 s: Gone!
    [end of transcript bb81b12229d9]
    """
    rows = [_row(place, row, name, duration) for place, row in enumerate(patter["timeline"], start=1)]
    return quoted("transcript", "\n".join(rows) or " ".join(patter["text"].split()))


def _row(place: int, row: tuple[float, float, str], name: str, duration: float) -> str:
    start, end, words = row
    if not 0 <= start <= end <= duration + LATE:
        raise InputError(
            f"stimulus {name!r}: row {place} of its transcript, {start:g} to {end:g} s, does not lie within the clip "
            f"of {duration:g} s"
        )
    first, last = (seconds(Fraction(time)) for time in (start, end))
    return f"{first} to {last} s: {' '.join(words.split())}"
