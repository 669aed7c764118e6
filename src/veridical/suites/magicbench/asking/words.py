"""The words over a clip: as the transcript that a model gets, and as captions for people."""

from __future__ import annotations

from fractions import Fraction

from veridical.errors import InputError
from veridical.judges.quotes import quote_block
from veridical.suite.frames import seconds
from veridical.suite.people_tasks import Caption
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
    rows = [
        f"{seconds(Fraction(row.start))} to {seconds(Fraction(row.end))} s: {row.text}"
        for row in _rows(patter, name, duration)
    ]
    return quote_block("transcript", "\n".join(rows) or " ".join(patter["text"].split()))


def captions_of(patter: Patter, name: str, duration: float) -> list[Caption]:
    """The words as captions that end with the clip at the latest; those without times stand over all of it.

    Raises `InputError` as `transcript` does.

    >>> captions_of({"text": "Gone!", "timeline": [(5.8, 6.2, "Gone!")], "claims": []}, "a", 6.0)
    [Caption(start=5.8, end=6.0, text='Gone!')]
    """
    whole = " ".join(patter["text"].split())
    rows = [
        Caption(min(each.start, duration), min(each.end, duration), each.text) for each in _rows(patter, name, duration)
    ]
    return rows or ([Caption(0.0, duration, whole)] if whole else [])


def _rows(patter: Patter, name: str, duration: float) -> list[Caption]:
    rows = []
    for place, (start, end, words) in enumerate(patter["timeline"], start=1):
        if not 0 <= start <= end <= duration + LATE:
            raise InputError(
                f"stimulus {name!r}: row {place} of its transcript, {start:g} to {end:g} s, does not lie within the "
                f"clip of {duration:g} s"
            )
        rows.append(Caption(start, end, " ".join(words.split())))
    return rows
